#!/bin/sh
# Meanings are enums: nobody looks for English words in a finished sentence. Searches for a literal word (strstr, strncmp
# and their sisters) are those of the list below, which look at names of files, formats and languages, or they are wrong.
# Shows that it can fail, too.
set -eu
root=$1

# ROOM LITERAL, as it is written between the quotes; a blank inside a literal is an underscore here
allowed='
api (0)
base inf
base nan
base 0x
base TMPDIR=
base /dev/fd/
base /proc/self/fd/
hybrid _do
sim viva_state
sim model
sim _no_events
show \\mathrm
show \\text
show ohm
show \\frac
expr theta
lang ${
lang $(
lang xacro:
lang q[
expr cancel\t
tape tape
tape cc
tape part-
tape /*_section_
tape M(
tape viva_
tape VIVA_
tape M_
tape FP_
api ,done,
api #_
api #_done
api #_viva_sweep
'

check() { # folder with the sources
  bad=0
  for file in "$1"/*/*.[ch]; do
    # calls up to the first literal in them, whatever lines they are broken into; brackets inside may be one deep
    tr '\n' ' ' < "$file" |
      grep -oE 'str(str|casestr|ncmp|ncasecmp)\(([^()"]|\([^()"]*\))*"[^"]*"' |
      sed 's/^[^"]*"//; s/"$//; s/ /_/g' > "$twin/found" || continue
    while IFS= read -r word; do
      name=${file#"$1"/}
      printf '%s\n' "$allowed" | grep -qxF "${name%%/*} $word" || { echo "$name looks for \"$word\""; bad=1; }
    done < "$twin/found"
  done
  return $bad
}

twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
check "$root/src"

# the broken twin
mkdir -p "$twin/src/sim"
printf 'bool silent(const char *what) {\n  return strstr(text_of(what),\n                "singular") != NULL;\n}\n' > "$twin/src/sim/wrong.c"
if check "$twin/src" > /dev/null; then echo "the check does not notice a search for an English word"; exit 1; fi
