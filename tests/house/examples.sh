# The index of the examples has every one of them, with its picture.
#   sh examples.sh ROOT BUILD
cd "$1/examples" || exit 1
bad=0
fail() { echo "FAILED: $*"; bad=1; }
most=1500000 # bytes of all pictures

sh pictures/make --index | cmp -s - README.md || fail "README.md is not what pictures/make --index writes"
listed=${TMPDIR:-/tmp}/viva-listed.$$
trap 'rm -f "$listed"' EXIT
grep -v -e '^#' -e '^$' pictures/list.txt | cut -d'|' -f1 | sed 's/ *$//' > "$listed"

for file in $(find . -name '*.viva' -o -name '*.urdf' -o -name '*.dat' -o -name '*.c' | sed 's|^\./||' | sort); do
  [ "$(grep -cxF "$file" "$listed")" = 1 ] || fail "$file has no line of its own in pictures/list.txt"
  picture=pictures/$(printf '%s' "$file" | tr '/.' '__').svg
  [ -s "$picture" ] && grep -q '</svg>' "$picture" || fail "$file has no picture: pictures/make BUILD $file"
  grep -qF "($file)" README.md || fail "$file is not in README.md: is its subject one of list.txt?"
done
while read -r file; do
  [ -e "$file" ] || fail "pictures/list.txt names $file, which is not there"
done < "$listed"
[ "$(ls pictures/*.svg | wc -l)" = "$(wc -l < "$listed")" ] || fail "there are pictures of no example"
[ "$(cat pictures/*.svg | wc -c)" -le $most ] || fail "the pictures have more than $most bytes"
exit $bad
