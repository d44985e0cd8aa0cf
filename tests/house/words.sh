#!/bin/sh
# Private words do not come back, and the glossary names what is there.
#
# in    the root of the tree
# out   a line for each form that stands oftener in src/, include/, docs/*.md and *.md than its bound (what it was when it was
#       counted last: to be lowered to 0), and for each file or function of docs/glossary.md that is not there; 1 then
set -eu
export LC_ALL=C
cd "$1"
bad=0

# bound, form: an extended regular expression
while read -r bound form; do
  count=$(grep -rohE -- "$form" src include docs/*.md ./*.md | wc -l)
  [ "$count" -le "$bound" ] || { echo "'$form' stands $count times, its bound is $bound: see docs/glossary.md"; bad=1; }
done <<'END'
0 memory is out
0 hangs? together
0 \bso many\b
0 \banew\b
0 \bdust\b
0 \bhair\b
0 \bblur\b
0 (is|are) told
0 told apart
0 to no effect
0 what remembers
0 [A-Za-z]Wish\b|[A-Za-z]Road\b
0 \bwish\b
92 ghosts
0 SystemTurn|unit_turns
END

terms=0
while IFS='|' read -r _ term _ where _; do
  file=$(echo "$where" | sed -n 's/^ `\(src\/[^`]*\)`.*/\1/p')
  [ -n "$file" ] || continue
  terms=$((terms + 1))
  name=$(echo "$where" | sed -n 's/^[^,]*, `\([^`]*\)`.*/\1/p')
  if [ ! -f "$file" ]; then
    echo "docs/glossary.md:$term: there is no $file"
    bad=1
  elif [ -n "$name" ] && ! grep -qw -- "$name" "$file"; then
    echo "docs/glossary.md:$term: there is no $name in $file"
    bad=1
  fi
done < docs/glossary.md
[ "$terms" -ge 50 ] || { echo "docs/glossary.md has $terms terms"; bad=1; }
exit $bad
