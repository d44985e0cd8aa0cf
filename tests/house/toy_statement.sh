#!/bin/sh
# A new statement costs at most three source files: toy_statement.patch adds one, `tether x by k`, to a copy of the tree;
# the copy builds, reads it, derives from it, checks its units, draws it. Without the patch the word is unknown.
set -eu
root=$1
build=$2
patch_file=$root/tests/house/toy_statement.patch
touched=$(grep -c '^+++ b/src/' "$patch_file")
[ "$touched" -le 3 ] || { echo "the statement needs $touched source files"; exit 1; }

twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
mkdir "$twin/tree"
cp -r "$root/CMakeLists.txt" "$root/cmake" "$root/src" "$root/include" "$root/docs" "$root/packaging" "$twin/tree"
mkdir "$twin/tree/web"
cp -r "$root/web/dist" "$twin/tree/web"
(cd "$twin/tree" && git apply "$patch_file") || { echo "the patch does not apply"; exit 1; }
cmake -S "$twin/tree" -B "$twin/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS=-O0 -DVIVA_TESTS=OFF \
  -DCMAKE_C_STANDARD_LIBRARIES=-lm > "$twin/log" 2>&1 && ninja -C "$twin/build" viva > "$twin/log" 2>&1 ||
  { tail -30 "$twin/log"; exit 1; }
if grep "tether.*warning" "$twin/log"; then exit 1; fi

cat > "$twin/toy.viva" << 'END'
param m = 1 [kg], c = 50 [N/m]
coord x = 0.1 [m]
kinetic 1/2*m*x'^2
tether x by c
END
viva="$twin/build/viva"
"$viva" derive "$twin/toy.viva" | grep -q "m\*x'' + c\*x = 0" || { echo "the statement gives no force"; exit 1; }
"$viva" check "$twin/toy.viva" > /dev/null || { echo "good units are refused"; exit 1; }
sed 's/c = 50 \[N\/m\]/c = 50 [kg]/' "$twin/toy.viva" > "$twin/units.viva"
if "$viva" check "$twin/units.viva" > "$twin/out" 2>&1; then echo "a clash of units is not seen"; exit 1; fi
grep -q 'the stiffness of a tether is' "$twin/out" || { cat "$twin/out"; exit 1; }
sed 's/tether x by c/tether x/' "$twin/toy.viva" > "$twin/wrong.viva"
if "$viva" derive "$twin/wrong.viva" > "$twin/out" 2>&1; then echo "half a statement is read"; exit 1; fi
grep -q 'wrong.viva:4:9: error: `by` and the stiffness expected' "$twin/out" || { cat "$twin/out"; exit 1; }
"$viva" diagram "$twin/toy.viva" -o "$twin/toy.svg" > /dev/null && grep -q 'plant' "$twin/toy.svg" || { echo "it is not drawn"; exit 1; }
grep -q '^| `tether` |' "$twin/tree/docs/language.md" || { echo "the manual does not know it"; exit 1; }

# the program without the patch shows that all this can fail
if "$build/viva" derive "$twin/toy.viva" > "$twin/out" 2>&1; then echo "the statement is there already"; exit 1; fi
grep -q '`tether` starts no statement' "$twin/out" || { cat "$twin/out"; exit 1; }
