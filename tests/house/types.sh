#!/bin/sh
# One noun, one thing: a type has one meaning in the whole of src/. Two types of one name in two files are not told apart
# by a reader, and no file can include both. Types carry their module where two could be meant: MotionCheck, DiagramGrid.
#   sh types.sh ROOT
# The broken twin shows that the check can fail.
set -eu
export LC_ALL=C

# NAME FILE of every typedef: of bodies, of one line, of functions, of lists. A struct that is declared in one file and
# defined in another is one thing.
types() {
  find "$1/src" -name '*.[ch]' | sort | xargs awk '
    FNR == 1 { inside = 0 }
    { sub(/[ \t]*\/\/.*/, "") }
    /^typedef / && /\{$/ { inside = 1; next }
    inside && /^}/ { inside = 0; take($0); next }
    inside || !/^typedef .*;$/ { next }
    /^typedef (struct|union|enum) [A-Za-z_]+ [A-Za-z_]+;$/ && $3 ";" == $4 { next }
    { take($0) }
    function take(line, name) {
      gsub(/__attribute__ *\(\([^;]*\)\)/, "", line)
      if (match(line, /\(\*[A-Za-z_]+\)/)) { print substr(line, RSTART + 2, RLENGTH - 3), FILENAME; return }
      if (line ~ /^typedef VEC\(/) sub(/VEC\([^)]*\)/, "", line)
      sub(/\(.*/, "", line) # of a function
      sub(/(\[.*)?;.*$/, "", line)
      sub(/[ *]+$/, "", line)
      sub(/.*[ *}]/, "", line)
      if (line != "") print line, FILENAME
    }' | sort -u
}
twice() { types "$1" | awk '{ n[$1]++; where[$1] = where[$1] " " $2 } END { for (x in n) if (n[x] > 1) print x " is in" where[x] }' | sort; }

root=$1
twin=$(mktemp -d)
trap 'rm -rf "$twin"' EXIT
bad=$(twice "$root" | sed "s|$root/src/||g")
[ -z "$bad" ] || { echo "types that mean two things:"; echo "$bad"; exit 1; }

# ---- the broken twin
mkdir -p "$twin/src/a" "$twin/src/b"
cat > "$twin/src/a/one.c" <<'CODE'
typedef struct Work {
  int x;
} Work;
typedef int Two(int x);
typedef struct Later Later;
typedef VEC(Work) WorkList; // one
typedef enum { one } Kind;
CODE
cat > "$twin/src/b/two.c" <<'CODE'
typedef struct {
  int x;
} Work; // again
typedef double (*Two)(int x);
typedef struct Later Later;
struct Later {
  int x;
};
typedef VEC(int) WorkList;
typedef double Kind[4];
typedef double Numbers[4];
CODE
cat > "$twin/expected" <<'CODE'
Kind is in a/one.c b/two.c
Two is in a/one.c b/two.c
Work is in a/one.c b/two.c
WorkList is in a/one.c b/two.c
CODE
twice "$twin" | sed "s|$twin/src/||g" | diff "$twin/expected" - || { echo "a type that means two things is not seen"; exit 1; }
