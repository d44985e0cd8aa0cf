#!/bin/sh
# A folder of src/ may include itself and the folders above it in the table of ARCHITECTURE.md (order.txt has the same order);
# the command only the public header and two files of base/ that stand alone, number and words. Shows that it can fail, too.
set -eu
root=$1
order=$(sed -n 's/^\([a-z]*\):.*/\1/p' "$(dirname "$0")/order.txt" | grep -vx cli)
table=$(sed -n 's/^| `src\/\([a-z]*\)\/`.*/\1/p' "$root/ARCHITECTURE.md" | grep -vxE 'cli|exact')
[ "$order" = "$table" ] || { echo "the rooms of order.txt are not those of the table in ARCHITECTURE.md"; exit 1; }

check() { # folder with the sources
  bad=0
  above=""
  for room in $order; do
    above="$above $room"
    for file in "$1/$room"/*.[ch] "$1/$room"/*.def; do
      [ -f "$file" ] || continue
      for seen in $(sed -n 's/^#include "\([a-z]*\)\/.*/\1/p' "$file" | sort -u); do
        case " $above " in
          *" $seen "*) ;;
          *) [ "$room/$seen" = "api/viva" ] || { echo "$file includes $seen/"; bad=1; } ;;
        esac
      done
    done
  done
  for file in "$1"/cli/*.[ch]; do
    [ -f "$file" ] || continue
    for seen in $(sed -n 's/^#include "\([a-z]*\/.*\)"/\1/p' "$file" | sort -u); do
      case $seen in cli/* | viva/* | base/number.h | base/words.h) ;; *) echo "$file includes $seen"; bad=1 ;; esac
    done
  done
  # the module and the helper know the ring and their own room alone
  for file in "$1"/exact/*.[ch]; do
    [ -f "$file" ] || continue
    if grep '^#include "' "$file" | grep -Eqv '"(expr/ring|ideal).h"'; then echo "$file includes more than expr/ring.h"; bad=1; fi
  done
  return $bad
}

check "$root/src"

# the broken twin
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
mkdir -p "$twin/base" "$twin/cli"
echo '#include "lang/parser.h"' > "$twin/base/wrong.c"
if check "$twin" > /dev/null; then echo "the check does not notice a wrong include"; exit 1; fi
rm "$twin/base/wrong.c"
mkdir "$twin/exact"
echo '#include "expr/pool.h"' > "$twin/exact/wrong.c"
if check "$twin" > /dev/null; then echo "the check does not notice a wrong include of the module"; exit 1; fi
rm "$twin/exact/wrong.c"
echo '#include "base/arena.h"' > "$twin/cli/wrong.c"
if check "$twin" > /dev/null; then echo "the check does not notice a wrong include of the command"; exit 1; fi
