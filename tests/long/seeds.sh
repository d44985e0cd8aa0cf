#!/bin/sh
# Laws with other seeds, and more of what they try. The last seed is a fresh one: it is said, so that a failure can be repeated.
set -eu
build=$2
fresh=$(($(date +%s) % 1000000))
words=$(mktemp)
trap 'rm -f "$words"' EXIT

# law NAME SEED [COUNT]: how many it tries, where it asks
law() {
  VIVA_SEED=$2 VIVA_COUNT=${3:-} "$build/tests/laws_law_$1" > "$words" 2>&1 && return
  cat "$words"
  echo "law_$1 failed: VIVA_SEED=$2 ${3:+VIVA_COUNT=$3}"
  exit 1
}

for seed in 1 2 3 5 8 13 21 34 55 89 144 233 377 610 987 1597 2584 4181 6765 $fresh; do
  law expressions $seed
  law diagram $seed
  law facts $seed       # check against runs: 60 models
  law conditions $seed  # switchings against exact counts: 150 shapes
done
for seed in 1 2 3 5 8 $fresh; do
  law held $seed 300     # linear models at rest against runs
  law integrals $seed 500 # integral_of against closed forms
  law friction $seed     # bodies with friction against a reference: 40 systems
  law scale $seed        # one motion in many units: 15 models
  law constraints $seed 60 # mechanisms with constraints against their own coordinates
  law mechanisms $seed 10 # of textbooks, against reduced equations
done
echo "20 seeds, the last one $fresh"
