#!/bin/sh
# The pages of all examples in a browser: every formula is drawn, none is an error, fractions and roots have their height, and
# dots stand above their letters.
set -eu
root=$1
build=$2
browser=""
for name in chromium chromium-browser google-chrome; do
  if command -v $name > /dev/null 2>&1; then browser=$name; fi
done
if [ -z "$browser" ]; then
  echo "skipped: there is no chromium"
  exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat > "$folder/script" <<'END'
<script>
const all = [...document.querySelectorAll('math')], bad = [];
for (const m of all) {
  const r = m.getBoundingClientRect();
  if (r.width < 2 || r.height < 5) bad.push('empty ' + m.textContent);
  if (m.querySelector('merror')) bad.push('error ' + m.textContent);
}
for (const f of document.querySelectorAll('mfrac')) {
  const [a, b] = [...f.children].map(x => x.getBoundingClientRect());
  if (a.bottom > b.top + 1) bad.push('fraction ' + f.textContent);
}
for (const o of document.querySelectorAll('mover')) {
  const [a, b] = [...o.children].map(x => x.getBoundingClientRect());
  if (b.top >= a.top) bad.push('dot ' + o.textContent);
}
for (const s of document.querySelectorAll('msup')) {
  const [a, b] = [...s.children].map(x => x.getBoundingClientRect());
  if (b.left < a.right - 2) bad.push('power ' + s.textContent);
}
document.body.innerHTML = '<p id="result">' + (bad.length ? 'BAD ' + bad.slice(0, 5).join(' | ') : 'GOOD ' + all.length) + '</p>';
</script>
END
look() { # file
  timeout 60 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$folder/profile" --dump-dom "file://$1" 2> /dev/null | sed -n 's/.*<p id="result">\(.*\)<\/p>.*/\1/p'
}
count=0
for file in "$root"/examples/*.viva "$root"/tests/long/blocks.viva; do
  name=$(basename "$file" .viva)
  for form in lagrange matrices solved; do
    # the policy of the page would keep the script of this test out
    "$build/viva" derive "$file" --format html --steps --form $form | sed "s/<meta http-equiv=\"Content-Security-Policy\"[^>]*>//" > "$folder/page.html"
    cat "$folder/script" >> "$folder/page.html"
    result=$(look "$folder/page.html")
    case "$result" in
      GOOD*) count=$((count + ${result#GOOD })) ;;
      *) echo "$name, $form: $result"; exit 1 ;;
    esac
  done
done
# a page that is wrong is noticed
{ printf '<!DOCTYPE html><body><math></math>'; cat "$folder/script"; } > "$folder/broken.html"
case "$(look "$folder/broken.html")" in
  BAD*) ;;
  *) echo "an empty formula is not noticed"; exit 1 ;;
esac
echo "$count formulas of all examples are drawn"
