#!/bin/sh
# Rooms have an order, and so have the files in each: order.txt lists both, and a file uses only files before it, by its includes
# and by the symbols that the linker sees. Exceptions are the knots that are listed there by name.
#   sh order.sh ROOT BUILD            checks; the broken twins show that it can fail
#   sh order.sh ROOT BUILD --write    writes order.txt anew: files that came or went, knots that are cut. Look at the difference
set -eu
export LC_ALL=C
root=$1
build=$2
house=$(dirname "$0")
. "$house/graph"
[ -d "$build/CMakeFiles/viva_objects.dir" ] || { echo "$build has no objects"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

files() { (cd "$1/src" && find . -name '*.[ch]' -o -name '*.def') | sed 's/^\.\///' | grep -v '^exact/' | sort; }
uses() { # ROOT BUILD
  symbol_edges "$1" "$2" | sed 's/ /.c /; s/$/.c/'
  include_edges "$1"
}
check() { awk -f "$house/order.awk" "$1" "$work/files" "$work/uses"; } # order.txt

files "$root" > "$work/files"
uses "$root" "$build" > "$work/uses"
if [ "${3:-}" = --write ]; then
  awk -v write=1 -f "$house/order.awk" "$house/order.txt" "$work/files" "$work/uses" > "$work/order"
  cp "$work/order" "$house/order.txt"
  exit 0
fi
bad=$(check "$house/order.txt")
[ -z "$bad" ] || { echo "$bad"; echo "(sh tests/house/order.sh . build --write puts files in order, if there is one, and lists the knots)"; exit 1; }

# ---- the broken twins: a small house, and the faults that each list of it must have
cat > "$work/files" <<'CODE'
low/a.c
low/a.h
low/b.c
low/b.h
low/shared.h
top/c.c
top/d.c
CODE
cat > "$work/uses" <<'CODE'
low/a.c low/a.h
low/b.c low/b.h
low/b.c low/a.h
low/b.c low/a.c
low/b.h low/shared.h
top/c.c low/a.c
top/c.c top/d.c
top/d.c top/c.c
CODE
expect() { # LIST FAULTS
  printf '%s\n' "$1" > "$work/order"
  check "$work/order" | sort > "$work/seen"
  printf '%s' "$2" | sort | diff "$work/seen" - || { echo "the check of the order takes for wrong or right what is not:"; echo "$1"; exit 1; }
}
good='low: shared.h a b
top: c d
knot top: c d'
expect "$good" ''
expect "$(echo "$good" | sed 's/a b/b a/')" 'low/b.c uses low/a.c, which comes after it
low/b.c uses low/a.h, which comes after it
'
expect "$(echo "$good" | sed 's/a b/a.h b a/')" 'low/b.c uses low/a.c, which comes after it
'
expect "$(echo "$good" | grep -v knot)" 'top/c.c uses top/d.c, which comes after it
'
expect "$good
knot low: a b" 'low/a is listed in a knot, but is in none
low/b is listed in a knot, but is in none
'
expect "$(echo "$good" | sed 's/ shared.h//; s/c d$/c d e/; 3s/ e//')" 'low/shared.h is not listed
top/e is listed, but not there
'
expect "top: c d
low: shared.h a b
knot top: c d" 'top/c.c uses low/a.c, whose room comes after its own
'
# what is written is right, and is written so again
echo "# nothing" > "$work/empty"
awk -v write=1 -f "$house/order.awk" "$work/empty" "$work/files" "$work/uses" > "$work/order"
[ -z "$(check "$work/order")" ] || { echo "the order that is written does not hold:"; cat "$work/order"; exit 1; }
awk -v write=1 -f "$house/order.awk" "$work/order" "$work/files" "$work/uses" | diff "$work/order" - || { echo "the order is written in two ways"; exit 1; }
