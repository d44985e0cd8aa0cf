#!/bin/sh
# Long runs of methods that keep structure: energies that do not drift, beside a method whose energy does, and beside published
# figures. Positions are told as well: an energy that is kept says nothing about them.
set -eu
root=$1
build=$2
here=$root/tests/long
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

relative() { sed 's/.*"relative": \([^,]*\),.*/\1/'; }
below() { # what value limit
  echo "$1: $2 (limit $3)"
  echo "$2 $3" | awk '{exit !($1 < $2)}'
}
above() { below "$1, broken twin" "-$2" "-$3"; }

# The exponent of the growth of the largest residue so far with time, by least squares over the rows of a table.
exponent() {
  awk -F, 'NR > 2 { r = $NF < 0 ? -$NF : $NF; if (r > most) most = r; if (most > 0) { n++; x[n] = log(NR - 2); z[n] = log(most)
      sx += x[n]; sz += z[n] } }
    END { for (i = 1; i <= n; i++) { a += (x[i] - sx/n)*(z[i] - sz/n); b += (x[i] - sx/n)^2 } printf "%.3f", a/b }' "$1"
}
follow() { # model method step end every
  "$build/viva" run "$here/$1.viva" --method "$2" --step "$3" --to "$4" --every "$5" --energy --out "$work/table.csv" --json | relative
}

r=$(follow double_pendulum gauss8 0.01 100000 100)
below "double pendulum, gauss8, 10 million steps: energy" "$r" 1e-12
below "double pendulum, gauss8: exponent of its growth" "$(exponent "$work/table.csv")" 0.75
r=$(follow double_pendulum rk4 0.01 10000 10)
above "double pendulum, rk4, a million steps: energy" "$r" 1e-5
above "double pendulum, rk4: exponent of its growth" "$(exponent "$work/table.csv")" 0.8

# 7.6e-15: the drift that DPRKN12 leaves at t = 10^4 (SciMLBenchmarks, Henon-Heiles energy conservation)
r=$(follow henon_heiles gauss12 0.1 10000 10)
below "Henon-Heiles to 10^4, gauss12: energy, part of that moved" "$r" 1e-13
most=$(awk -F, 'NR > 1 { r = $NF < 0 ? -$NF : $NF; if (r > most) most = r } END { print most }' "$work/table.csv")
below "Henon-Heiles to 10^4, gauss12: energy, absolute (published: 7.6e-15)" "$most" 2e-14
"$build/viva" run "$here/henon_heiles.viva" --compare gauss8,gauss12,conserve,verlet,rk4 --step 0.1 --to 100

# 100,000 years
r=$(follow outer_solar_system gauss12 200 36520000 365200)
below "outer solar system, gauss12, steps of 200 days: energy" "$r" 1e-12
"$build/viva" run "$here/outer_solar_system.viva" --compare gauss8,gauss12,conserve,verlet,rk4 --step 100 --to 365250 --rtol 1e-12
