#!/bin/sh
# SUNDIALS and LAPACK are loaded by the module alone, and everything but `bdf` works without it.
set -eu
build=$2
for heavy in sundials lapack blas klu; do
  if ldd "$build/viva" | grep -qi "$heavy"; then echo "the program loads $heavy when it starts"; exit 1; fi
done
ldd "$build/libviva-solvers.so" | grep -q sundials_cvodes || { echo "the module has no SUNDIALS"; exit 1; }
bad=$(nm -D --defined-only "$build/libviva-solvers.so" | awk '{print $3}' | grep -vx viva_solvers || true)
[ -z "$bad" ] || { echo "the module exports: $bad"; exit 1; }

# a copy without the module
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
cp "$build/viva" "$build/libviva.so.0" "$twin"
printf 'state x = 1\nx'"'"' = -1000*(x - cos(t))\nsimulate to 1 step 0.1\n' > "$twin/m.viva"
cd "$twin"
LD_LIBRARY_PATH=$twin
export LD_LIBRARY_PATH
ldd ./viva | grep -q "$twin/libviva.so.0" || { echo "the copy is not used"; exit 1; }
./viva run m.viva --method rodas > /dev/null
if ./viva run m.viva --method bdf > out 2>&1; then echo "bdf without its module"; exit 1; fi
grep -q 'needs libviva-solvers.so' out || { cat out; exit 1; }
