#!/bin/sh
# Batches over several threads under ThreadSanitizer: nothing is shared without a lock. The library is built once more for that,
# without optimization, which is the quickest.
#   sh threads.sh ROOT BUILD
set -eu
root=$1
build=$2/tsan
[ -f "$build/build.ninja" ] || cmake -S "$root" -B "$build" -G Ninja -DVIVA_TSAN=ON \
  -DCMAKE_BUILD_TYPE=Debug "-DCMAKE_C_FLAGS_DEBUG=-O0 -g1" > /dev/null
words=$(mktemp)
trap 'rm -f "$words"' EXIT
cmake --build "$build" --target threads_batches threads_racing > "$words" 2>&1 || { cat "$words"; exit 1; }

# some kernels spread addresses wider than ThreadSanitizer can follow
plain=""
"$build/tests/threads_racing" > "$words" 2>&1 || true
if grep -q 'unexpected memory mapping' "$words"; then plain="setarch -R"; fi

status=0
$plain "$build/tests/threads_racing" > "$words" 2>&1 || status=$?
if grep -qE 'unexpected memory mapping|setarch: ' "$words"; then
  echo "(ThreadSanitizer does not run on this kernel: nothing is looked at)"
  exit 0
fi
[ $status = 66 ] && grep -q 'data race' "$words" || { echo "the race of the broken twin is not seen"; cat "$words"; exit 1; }
$plain "$build/tests/threads_batches" > "$words" 2>&1 || { head -60 "$words"; exit 1; }
