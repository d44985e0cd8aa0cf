#!/bin/sh
# The waist stands without the language: no symbol that an object of src/lang defines is in the programs of tests/waist, nor
# asked for by the rooms behind the waist but the diagram and the coloured text. Shows that it can fail, too.
set -eu
root=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
objects=$build/CMakeFiles/viva_objects.dir/src

nm -A --defined-only "$objects"/lang/*.o | awk '$(NF - 1) ~ /^[BCDGRTVW]$/ { print $NF }' | sort -u > "$work/all"
# without names that other rooms use inside a file: in a program both look alike
find "$objects" -name '*.o' ! -path '*/lang/*' -exec nm --defined-only {} + 2> /dev/null | awk 'NF >= 2 { print $NF }' |
  sort -u | comm -13 - "$work/all" > "$work/lang"
[ "$(wc -l < "$work/lang")" -gt 50 ] || { echo "the objects of lang/ are not where they should be"; exit 1; }

found() { # symbols of the language in a program, or in objects
  nm "$@" 2> /dev/null | awk 'NF >= 2 { print $NF }' | sort -u | comm -12 - "$work/lang"
}

for program in "$build"/tests/waist_test_body "$build"/tests/waist_test_ring; do
  [ -f "$program" ] || { echo "$program is not built"; exit 1; }
  bad=$(found "$program")
  [ -z "$bad" ] || { echo "$program holds the language:" $bad; exit 1; }
done
for room in system tape solve statics algebra rest linear sim; do
  bad=$(found "$objects/$room"/*.o)
  [ -z "$bad" ] || { echo "$room/ asks for the language:" $bad; exit 1; }
done

# the broken twin: a formulation is described by the language in form/describe.c
[ -n "$(found "$objects"/form/describe.c.o "$objects"/lang/elab*.o)" ] || { echo "the check sees no symbol of the language"; exit 1; }
