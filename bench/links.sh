#!/bin/sh
# A chain of n links in Cartesian coordinates, bound by constraints: seconds of an evaluation (its share of the corrections
# after each step is in it) and megabytes, and how both grow with n. 3n unknowns are solved for together.
#   sh links.sh VIVA [LINKS...]     100, 200, 500, 1,000 and 2,000 links
# `twice`: the first constraint is written twice, so that the matrix is singular and the multipliers of least norm are taken.
set -eu
viva=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 100 200 500 1000 2000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
XDG_CACHE_HOME=$work/cache
export XDG_CACHE_HOME

model() { # links, once or twice
  cat << X
param n = $1, l = 1/n, g = 9.81
coord x[i] = l*i for i in 1 .. n
coord y[i] for i in 1 .. n
kinetic 1/2*(1/n)*(x[i]'^2 + y[i]'^2) for i in 1 .. n
potential (1/n)*g*y[i] for i in 1 .. n
constraint link[1]: x[1]^2 + y[1]^2 = l^2
constraint link[i]: (x[i]-x[i-1])^2 + (y[i]-y[i-1])^2 = l^2 for i in 2 .. n
simulate to 0.001 step 0.00001 by rk4
X
  [ "$2" = once ] || echo "constraint again: x[1]^2 + y[1]^2 = l^2"
}

# 1,600 evaluations more: what they take is no matter of reading and compiling
for form in once twice; do
  rm -f all
  for links; do
    model "$links" $form > model.viva
    "$viva" run model.viva --every 0.001 > /dev/null # compiled code is kept
    /usr/bin/time -f "%U %M" -o short "$viva" run model.viva --every 0.001 > /dev/null
    /usr/bin/time -f "%U %M" -o long "$viva" run model.viva --to 0.005 --every 0.005 > /dev/null
    echo "$links $(cat short long)" | tr '\n' ' ' >> all
    echo >> all
  done
  awk -v form=$form '
    { each = ($4 - $2) / 1600
      printf "%5d links, %s  %9.4f ms an evaluation  %6.0f MB", $1, form, 1000 * each, $5 / 1024
      if (n && each > 0 && before > 0)
        printf "   exponents %.2f, %.2f", log(each / before) / log($1 / n), log($5 / room) / log($1 / n)
      printf "\n"
      n = $1; before = each; room = $5 }' all
done
