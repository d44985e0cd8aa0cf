#!/bin/sh
# Seconds and megabytes of `viva linearize`: chains of masses, of pendulums coupled by springs, RC ladders, and pendulums that
# hang on each other, whose mass matrix is full.
#   sh linearize.sh VIVA [STATES...]     100 and 200 states both forms, 1,000 in numbers alone
set -eu
viva=$(realpath "$1")
shift
[ $# -gt 0 ] || set -- 100 200 1000
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

model() { # kind, states
k=$(($2 / 2))
case $1 in
masses) cat <<X
param n = $k, m = 1, k = 100, d = 0.1
input F = 0
coord x[i] = 0 for i in 1 .. n
kinetic m*x[i]'^2/2 for i in 1 .. n
potential k*x[1]^2/2
potential k*(x[i] - x[i-1])^2/2 for i in 2 .. n
dissipation d*(x[i]' - x[i-1]')^2/2 for i in 2 .. n
power F*x[n]'
output x[n]
X
;;
pendulums) cat <<X
param n = $k, m = 0.1, l = 0.1, g = 9.81
input M = 0
coord th[i] = 0.1 for i in 1 .. n
let P[0] = [0, 0]
let P[i] = P[i-1] + [l*sin(th[i]), -l*cos(th[i])] for i in 1 .. n
kinetic   1/2*m*|P[i]'|^2 for i in 1 .. n
potential m*g*P[i].y for i in 1 .. n
dissipation 1/2*1e-4*(th[i]' - th[i-1]')^2 for i in 2..n
power M*th[1]'
output tip = P[n]
X
;;
coupled) cat <<X
param n = $k, J = 1, l = 1, g = 9.81, k = 3, d = 0.05
input M = 0
coord th[i] = 0.1 for i in 1 .. n
kinetic   1/2*J*th[i]'^2 for i in 1 .. n
potential g*(1 - cos(th[i])) for i in 1 .. n
potential k*(th[i] - th[i-1])^2/2 for i in 2 .. n
dissipation 1/2*d*th[i]'^2 for i in 1..n
power M*th[1]'
output th[n]
X
;;
ladder) cat <<X
param n = $2, R = 10, C = 1e-3
input u = 1
state v[i] = 0 for i in 1 .. n
v[1]' = ((u - v[1])/R - (v[1] - v[2])/R)/C
v[i]' = ((v[i-1] - v[i])/R - (v[i] - v[i+1])/R)/C for i in 2 .. n - 1
v[n]' = (v[n-1] - v[n])/R/C
output v[n]
X
;;
esac
}

for states; do
  for kind in masses coupled ladder pendulums; do
    # the equations of 500 pendulums that hang on each other fill the memory
    [ "$kind $states" != "pendulums 1000" ] || continue
    model $kind "$states" > model.viva
    form=both
    [ "$states" -le 200 ] || form=numeric
    /usr/bin/time -f "%e %M" -o cost "$viva" linearize model.viva --form $form > /dev/null
    awk -v what="$kind, $states states" '{ printf "%-26s %7.2f s %6.0f MB\n", what, $1, $2 / 1024 }' cost
  done
done
