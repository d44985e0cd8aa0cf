#!/bin/sh
# A kernel is one file and one line: a patch that adds a toy applies to a copy of the sources, and what it needs is built and
# works (toy_kernel.c). What does not change is taken from the library that is there.
#   sh toy_kernel.sh ROOT BUILD
set -eu
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT
cp -R "$root/src" "$root/include" "$root/cmake" "$copy"
mkdir -p "$copy/tests" "$copy/made"
cp -R "$root/tests/support.h" "$root/tests/unit" "$root/tests/house" "$copy/tests"
ln -s "$build" "$copy/viva"

# the patch: one new file, one line more in the list, and nothing else
patch=$root/tests/house/toy_kernel.patch
[ "$(grep -c '^diff ' "$patch")" = 2 ] || { echo "the patch changes more than two files"; exit 1; }
[ "$(sed -n '/kernels.def/,$p' "$patch" | grep -c '^[-+][^-+]')" = 1 ] || { echo "the patch changes more than one line of the list"; exit 1; }
(cd "$copy" && git apply "$patch")

# embedded sources, the list, the kernel, the test; in front of the library, so they are taken instead of its own
sources=$(ls "$copy"/src/tape/kernel_*.[ch] "$copy/src/base/random_text.h" | tr '\n' ',')
cmake "-DOUT=$copy/made/kernel_lines.h" "-DFILES=${sources%,}" -P "$copy/cmake/embed_lines.cmake"
flags="-std=c17 -O1 -D_GNU_SOURCE -ffp-contract=off -Wall -Wextra -Werror -Wno-unused-function"
cc $flags -I"$copy" -I"$copy/src" -I"$copy/include" -I"$copy/made" -I"$build/made" -DVIVA_ROOT="\"$root\"" -o "$copy/toy" \
  "$copy/tests/house/toy_kernel.c" "$copy/src/tape/kernel_toy.c" "$copy/src/tape/kernels.c" "$copy/src/tape/emit_sections.c" \
  "$build/libviva_inside.a" -lcmocka -lgmp -lsleef -lexpat -lm -ldl -lpthread
"$copy/toy" > "$copy/log" 2>&1 || { cat "$copy/log"; exit 1; }

# the broken twin: without its line the kernel is not found
sed -i '/KERNEL(toy)/d' "$copy/src/tape/kernels.def"
cc $flags -I"$copy" -I"$copy/src" -I"$copy/include" -I"$copy/made" -I"$build/made" -DVIVA_ROOT="\"$root\"" -o "$copy/twin" \
  "$copy/tests/house/toy_kernel.c" "$copy/src/tape/kernel_toy.c" "$copy/src/tape/kernels.c" "$copy/src/tape/emit_sections.c" \
  "$build/libviva_inside.a" -lcmocka -lgmp -lsleef -lexpat -lm -ldl -lpthread
if "$copy/twin" > /dev/null 2>&1; then echo "the test does not notice a kernel that is missing"; exit 1; fi
