#!/bin/sh
# clang-tidy finds nothing in src/: .clang-tidy has the list of what it looks for.
#   sh lint.sh ROOT BUILD
set -eu
root=$1
build=$2
# texts of kernels also stand in exported C, which has no size_t for them: their places are counted in unsigned numbers,
# and their unknowns are few
kernels='src/tape/kernel_.*\.c'

if ! command -v clang-tidy > /dev/null; then echo "(without clang-tidy nobody looks for suspicious places)"; exit 0; fi
[ -f "$build/compile_commands.json" ] || { echo "$build has no compile_commands.json"; exit 1; }
words=$(mktemp)
twin=$(mktemp -d)
trap 'rm -rf "$twin" "$words"' EXIT

# -w: the list alone counts; warnings of a second compiler would be errors in builds with VIVA_WERROR, and there alone
check() { xargs -n 8 -P "$(nproc)" clang-tidy --quiet "$@" > "$words" 2> /dev/null; }

cd "$root"
# of gcc alone, and an error of clang
sed 's/ -fcx-limited-range / /g' "$build/compile_commands.json" > "$twin/compile_commands.json"
told() { grep -E 'error: ' "$words" || cat "$words"; exit 1; }
ls src/*/*.c | grep -v "$kernels" | check -p "$twin" --extra-arg=-w || told
ls src/*/*.c | grep "$kernels" | check -p "$twin" --extra-arg=-w --checks=-bugprone-implicit-widening-of-multiplication-result || told

# the broken twins: one line for each kind that was found once
cp .clang-tidy "$twin"
for line in 'int *f(int *a, unsigned n) { return a + n * n; }' 'int f(int a) { return a == 1 || a == 1; }' \
  'unsigned long f(int a, int b) { return (unsigned long)(a * b); }' 'double f(int a) { return 0.5 + a / 4; }' \
  '#include <string.h>
int f(const char *a) { return strcmp(a, "b") && a[1]; }'; do
  printf '%s\n' "$line" > "$twin/wrong.c"
  clang-tidy --quiet "$twin/wrong.c" -- -w > "$words" 2> /dev/null && { echo "not noticed: $line"; exit 1; }
  grep -q 'error: ' "$words" || { echo "not looked at: $line"; exit 1; }
done
