#!/bin/sh
# An exported model needs no stack for its states: 5,000 of them, whose five stages alone are 200 kB, run with a stack of
# 192 kB, by rk4 and in steps with memories. The broken twin has its arrays on the stack.
set -eu
viva=$2/viva
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
command -v cc > /dev/null || exit 77

model() { # what else
  printf 'param n = 2500, k = 100\ncoord x[i] = 0.01*sin(i) for i in 1 .. n\nkinetic 1/2*x[i]'"'"'^2 for i in 1 .. n\n'
  printf 'potential 1/2*k*x[1]^2 + 1/2*k*x[n]^2\npotential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n\noutput x[1]\n'
  printf "$1"'simulate to 0.02 step 0.01\n'
}

runs() { # folder
  cc -std=c99 -O0 -o "$1/model" "$1/main.c" "$1/model.c" -lm
  (ulimit -s 192 && exec env -i "$1/model") > "$1/rows" 2> "$1/told" && [ "$(wc -l < "$1/rows")" = 4 ]
}

model '' > "$work/plain.viva"
model 'state c = 0\nwhen x[1] > 0.005 do c := c + 1\n' > "$work/events.viva"
for kind in plain events; do
  "$viva" export c "$work/$kind.viva" -o "$work/$kind" > /dev/null
  runs "$work/$kind" || { echo "$kind: $(cat "$work/$kind/told") $(wc -l < "$work/$kind/rows") rows"; exit 1; }
done
mkdir "$work/twin"
cp "$work/plain/model.c" "$work/plain/model.h" "$work/twin"
sed 's/static double/double/' "$work/plain/main.c" > "$work/twin/main.c"
if runs "$work/twin" 2> /dev/null; then echo "the check does not notice arrays on the stack"; exit 1; fi
