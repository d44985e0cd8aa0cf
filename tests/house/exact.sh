#!/bin/sh
# An installed copy finds its modules and its helper program; without them it says so and stays right. A module exports one
# function and keeps no data of its own, and FLINT is linked nowhere else.
set -eu
root=$1
build=$2
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
cmake --install "$build" --prefix "$twin/usr" > /dev/null
viva="$twin/usr/bin/viva"
model="$root/examples/inverted_pendulum.viva"
equation="(M + m)*x'' + m*l*cos(th)*th'' - m*l*sin(th)*th'^2 = u - delta*x'"

"$viva" check "$model" --equation "$equation" | grep -q '^equal' || { echo "the installed copy proves nothing"; exit 1; }
"$viva" derive "$model" --form solved | grep -q "/(M + m\*sin(th)^2)" || { echo "the installed copy does not cancel"; exit 1; }

rm "$(find "$twin/usr" -name viva-algebra)"
"$viva" derive "$model" --form solved > "$twin/out"
grep -q 'common factors are not cancelled: the helper program viva-algebra is not there' "$twin/out" || { cat "$twin/out"; exit 1; }
grep -q "x'' = " "$twin/out" || { echo "no form without the helper"; exit 1; }
sed -n "s/^  \(x'' = .*\)/\1/p" "$twin/out" > "$twin/solved"
"$viva" check "$model" --equations "$twin/solved" | grep -q '^equal' || { echo "the form without the helper is wrong"; exit 1; }

rm "$(find "$twin/usr" -name viva-exact.so)"
status=0
"$viva" check "$model" --equations "$twin/solved" > "$twin/out" || status=$?
[ $status = 1 ] && grep -q 'viva-exact.so is not beside the library' "$twin/out" || { cat "$twin/out"; exit 1; }
"$viva" check "$model" --equation "$equation" | grep -q '^equal' || { echo "multiplying out needs no module"; exit 1; }
"$viva" check "$model" --equation "x'' = u" | grep -q '^different' || { echo "a witness needs no module"; exit 1; }
"$viva" derive "$model" > /dev/null

rm "$(find "$twin/usr" -name viva-balls.so)"
"$viva" check "$model" --equation "exp(x) = exp(x) + u" > "$twin/out" || true
grep -q 'viva-balls.so is not beside the library' "$twin/out" || { cat "$twin/out"; exit 1; }

for module in exact balls; do
  seen=$(nm -D --defined-only "$build/viva-$module.so" | awk '{print $3}')
  case "$seen" in viva_exact_ring | viva_exact_balls) ;; *) echo "the module exports: $seen"; exit 1 ;; esac
done
if objdump -p "$build/viva-exact.so" | grep -q 'NEEDED.*arb'; then echo "the module of polynomials loads Arb"; exit 1; fi
for object in $(find "$build/CMakeFiles/viva_exact.dir" "$build/CMakeFiles/viva_balls.dir" -name '*.o'); do
  bad=$(objdump -t "$object" | awk '($4 == ".data" || $4 == ".bss" || $4 == "*COM*") && $3 ~ /O/ || ($3 == ".data" || $3 == ".bss") && $2 ~ /O/')
  [ -z "$bad" ] || { echo "writable static data: $bad"; exit 1; }
done
if objdump -p "$build/libviva.so" "$build/viva" | grep -q 'NEEDED.*flint'; then echo "FLINT is linked outside its module"; exit 1; fi
objdump -p "$build/viva-exact.so" | grep -q 'NEEDED.*flint' || { echo "the check of links notices nothing"; exit 1; }
