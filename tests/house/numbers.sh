#!/bin/sh
# Numbers become text and come back in one place, src/base/number.c, which no locale of a host program touches: elsewhere in
# the library there is no strtod, no sscanf, and no snprintf of a number with a point. (The command itself never sets a locale.)
set -eu
root=$1

check() { # folder with the sources
  bad=0
  for file in $(find "$1" -name '*.[ch]' ! -path '*/cli/*' ! -path '*/exact/*' ! -path '*/base/number.c'); do
    # without comments; joined lines are rare enough to be seen as they are
    seen=$(sed 's|//.*||' "$file" | grep -nE '(^|[^_a-z])(strtod|strtof|strtold|atof|sscanf|fscanf|setlocale|toupper|tolower|isalpha|isalnum|isspace|isprint)[[:space:]]*\(' || true)
    [ -z "$seen" ] || { echo "$file: $seen"; bad=1; }
    seen=$(sed 's|//.*||' "$file" | grep -nE '(^|[^_a-z])v?(sn|s|f)?printf[[:space:]]*\([^"]*"[^"]*%[-+ #0]*[0-9.*]*[aefgAEFG]' | grep -vE 'text_put|put_template|_text\[\]|^[0-9]+: *"' || true)
    [ -z "$seen" ] || { echo "$file: $seen"; bad=1; }
    seen=$(sed 's|//.*||' "$file" | grep -nE '(^|[^_a-z])v(sn|s|f)?printf[[:space:]]*\(' || true)
    [ -z "$seen" ] || { echo "$file: $seen"; bad=1; }
  done
  return $bad
}

check "$root/src"

# the broken twins
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
for line in 'x = strtod(s, NULL);' 'snprintf(out, sizeof out, "%.17g", x);' 'sscanf(s, "%lf", &x);' 'vsnprintf(p, n, format, args);' 'snprintf(out, 20, "t = %g", x);'; do
  echo "$line" > "$twin/wrong.c"
  if check "$twin" > /dev/null; then echo "the check does not notice: $line"; exit 1; fi
done
