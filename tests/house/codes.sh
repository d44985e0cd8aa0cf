#!/bin/sh
# Every kind of diagnostic has a case in tests/bad that is named after it, and every file of src/ stays small.
set -eu
root=$1
missing=""
for code in $(sed -n 's/^DIAG(\([a-z_0-9]*\),.*/\1/p' "$root/src/base/diag.def"); do
  ls "$root/tests/bad/${code}"__*.case > /dev/null 2>&1 || missing="$missing $code"
done
[ -z "$missing" ] || { echo "no case in tests/bad for:$missing"; exit 1; }
# the public header is a catalogue: it may be long
long=$(find "$root/src" -name '*.[ch]' -exec wc -l {} + | awk '$2 != "total" && $1 > 800 {print $2}')
[ -z "$long" ] || { echo "too long: $long"; exit 1; }
