#!/bin/sh
# Every picture that the README and the gallery show is there, is made by docs/gallery/make, and no other lies around.
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
exit $bad
