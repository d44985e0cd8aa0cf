#!/bin/sh
# Every picture that the README, the gallery and pages show is there, is made by docs/gallery/make, and no other lies around.
set -eu
root=$1
cd "$root"
bad=0
shown=$(sed -n 's/.*(\(docs\/gallery\/[a-z_0-9]*\.svg\)).*/\1/p; s/.*](\(docs\/gallery\/[a-z_0-9]*\.svg\)) |.*/\1/p' README.md | sort -u)
[ "$(grep -o '](docs/gallery/[a-z_0-9]*\.svg)' README.md | sort -u | wc -l)" -ge 3 ] || { echo "README.md shows fewer than three pictures"; bad=1; }
for f in $shown $(sed -n 's/.*](\([a-z_0-9]*\.\(svg\|txt\)\)).*/docs\/gallery\/\1/p' docs/gallery/README.md | sort -u); do
  [ -f "$f" ] || { echo "$f is shown, but not there"; bad=1; }
done
for f in docs/gallery/*.svg docs/gallery/*.txt; do
  name=$(basename "$f")
  grep -q "($name)" docs/gallery/README.md || { echo "$f is not shown in the gallery"; bad=1; }
  grep -q "$name" docs/gallery/make || { echo "$f is not made by docs/gallery/make"; bad=1; }
done
# pictures of other pages: docs/PAGE.md shows docs/PAGE/NAME.svg
for f in docs/*/*.svg; do
  page=$(dirname "$f")
  [ "$page" != docs/gallery ] || continue
  grep -q "($(basename "$page")/$(basename "$f"))" "$page.md" || { echo "$f is not shown in $page.md"; bad=1; }
  grep -q "/$(basename "$f")" docs/gallery/make || { echo "$f is not made by docs/gallery/make"; bad=1; }
done
for f in $(grep -ho ']([a-z_]*/[a-z_0-9]*\.svg)' docs/*.md | tr -d '()]' | sort -u); do
  [ -f "docs/$f" ] || { echo "docs/$f is shown, but not there"; bad=1; }
done
exit $bad
