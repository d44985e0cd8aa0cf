#!/bin/sh
# The event iteration is C99 without allocation, and needs nothing but libm and what every compiler asks for itself
# (memset, memcpy, memmove): exported C may contain its text. Shows that it can fail, too.
set -eu
root=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

parts="hybrid/instant.c hybrid/loop_choices.c hybrid/zero_set.c hybrid/stick.c numerics/least_norm.c"
allowed=" fabs fmax fmin sqrt nearbyint floor memset memcpy memmove "

check() { # folder with the sources
  bad=0
  rm -f "$work"/*.o
  for part in $parts; do
    cc -std=c99 -pedantic -Wall -Wextra -Werror -O2 -I"$1" -c "$1/$part" -o "$work/$(basename "$part" .c).o" || return 1
  done
  nm -g --defined-only "$work"/*.o | awk 'NF == 3 { print $3 }' > "$work/own"
  for name in $(nm -u "$work"/*.o | awk '$1 == "U" { print $2 }' | sort -u | grep -vxFf "$work/own"); do
    case "$allowed" in
      *" $name "*) ;;
      *) echo "the event iteration calls $name"; bad=1 ;;
    esac
  done
  return $bad
}

check "$root/src"

# the broken twin
cp -r "$root/src" "$work/src"
printf '#include <stdlib.h>\nvoid *instant_more(void);\nvoid *instant_more(void) { return malloc(8); }\n' >> "$work/src/hybrid/zero_set.c"
if check "$work/src" > /dev/null; then echo "the check does not notice an allocation"; exit 1; fi
