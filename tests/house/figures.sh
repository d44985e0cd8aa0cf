#!/bin/sh
# The figures of the house: how far its walls are from where they should stand. Prints one table, and what is behind each number.
#   sh figures.sh ROOT BUILD            the table
#   sh figures.sh ROOT BUILD --check    fails where a figure is over its bound; its broken twins show that each can fail
#
# What is counted, in src/ if nothing else is said:
#   cycle_includes     modules (a .c and its .h are one) of the largest set that include each other in a circle
#   cycle_symbols      files of the largest set whose linker symbols use each other in a circle: nm over the objects of the
#                      library and of the command, a symbol that one leaves undefined and another defines
#   cycles_over_3      such sets, by symbols, of more than three files
#   past_waist         behind the waist (rooms after form/, without api/ and cli/), uses of what only the language's Model has:
#                      V->F or V.F, where F is a field of `struct Model` in lang/model.h (with those of system/described.def,
#                      but without arena, sources, diags and pool), and V is `model` or a name that the file or a header of the
#                      room declares as `Model V` or `Model *V`
#   lang_includes      includes of lang/ in system/ and the rooms behind the waist; the diagram and the coloured text may read
#                      ast.h, lexer.h and the words' table
#   layout_files       files that know the order of y: those with a place below
#   layout_places      lines without their comments with `2 * coord_count`, or with `2 * n` or `2 * A->n` in a file where n is
#                      the number of coordinates: it says `n = ... coord_count`, `n = ... coords.count` or `n = o->n`, and for
#                      `A->n` it mentions coordinates, velocities or speeds at all
#   long_functions     functions of more than 60 lines, from the first line of the head to the closing bracket
#   longest_function   lines of the longest
#   wide_structs       structs with more than 40 fields, those of structs inside counted; what a .def brings in counts as one field
#   wide_lines         lines of more than 120 columns, in include/, tests/ and bench/ too
#   no_head            .c and .h that do not start with a comment
#   no_header          .c without a header of its own name that are not named as a part of another one: a header that serves
#                      several files says so in the comment it starts with, on a line `// parts: a.c b.c` (of its own folder).
#                      The files of exact/ and ranks/ are programs or modules of their own, and so is cli/main.c
#   code_share         lines in a hundred that are no comments (lines that start with // do, and those of /* */)
set -eu
export LC_ALL=C
house=$(dirname "$0")
. "$house/graph"

# figure, bound (what it is today: to be lowered as walls move), what it should be in the end, what it is
table="
cycle_includes       3   3  modules in the largest circle of includes
cycle_symbols        3   3  files in the largest circle of linker symbols
cycles_over_3        0   0  circles of linker symbols with more than 3 files
past_waist           0   0  uses of the language's lists behind the waist
lang_includes        0   0  includes of lang/ behind the waist
layout_files         0   1  files that know the order of y
layout_places        0   5  places where they do
long_functions       0   0  functions of more than 60 lines
longest_function    60  60  lines of the longest function
wide_structs         2   0  structs with more than 40 fields
wide_lines           0   0  lines of more than 120 columns
no_head              0   0  files without a head
no_header            0   0  .c without a header that names them
code_share        92.4  88  lines in a hundred that are no comments
"

# ---- what is behind each figure: one line of text for each thing that counts. $1: a folder like ROOT, $2: one like BUILD

sources() { find "$1/src" -name '*.[ch]' | sort; }
behind() { # rooms behind the waist
  for room in "$1"/src/*/; do
    room=$(basename "$room")
    case $room in base | expr | lang | system | form | api | cli | exact | ranks) ;; *) echo "$room" ;; esac
  done
}

cycles_includes() { include_edges "$1" | sed 's/\.[a-z]*//g' | awk -f "$house/knots.awk" | sort -rn; }
cycles_symbols() { symbol_edges "$1" "$2" | awk -f "$house/knots.awk" | sort -rn; }

past_waist() {
  for room in $(behind "$1"); do
    find "$1/src/$room" -name '*.[ch]' | sort | xargs awk '
      FNR == 1 { file++ }
      { sub(/\/\/.*/, "") }
      # the fields of struct Model
      FILENAME ~ /described\.def$/ {
        if (match($0, /[a-z_]+;/)) fields = fields "|" substr($0, RSTART, RLENGTH - 1)
        next
      }
      file == 1 {
        if (/^typedef struct Model \{/) inside = 1
        else if (/^} Model;/) inside = 0
        else if (inside && match($0, /[a-z_]+;/)) {
          field = substr($0, RSTART, RLENGTH - 1)
          if (field !~ /^(arena|sources|diags|pool)$/) fields = fields "|" field
        }
        next
      }
      # the names of Models: those of headers in the whole room, those of a .c in itself
      {
        line[++count] = $0
        where[count] = FILENAME ":" FNR
        own[count] = FILENAME
        rest = $0
        while (match(rest, /(^|[^A-Za-z_])Model \*?[a-z_]+/)) {
          name = substr(rest, RSTART, RLENGTH)
          sub(/.*[ *]/, "", name)
          if (FILENAME ~ /\.h$/) room_names = room_names "|" name
          else names[FILENAME] = names[FILENAME] "|" name
          rest = substr(rest, RSTART + RLENGTH)
        }
      }
      END {
        if (fields == "") { print "lang/model.h has no struct Model"; exit }
        for (i = 1; i <= count; i++) {
          use = "(^|[^A-Za-z_0-9])(model" room_names names[own[i]] ")(->|[.])(" substr(fields, 2) ")([^A-Za-z_0-9]|$)"
          rest = line[i]
          while (match(rest, use)) { print where[i]; rest = substr(rest, RSTART + RLENGTH - 1) }
        }
      }' "$1/src/lang/model.h" "$1/src/system/described.def"
  done
}

lang_includes() {
  for room in system $(behind "$1"); do
    [ ! -d "$1/src/$room" ] || grep -Hn '^#include "lang/' -r "$1/src/$room" |
      grep -vE '/(diagram/[a-z_]*|show/coloured)\.[ch]:[0-9]+:#include "lang/(ast\.h|lexer\.h|words\.h|words\.def)"' || true
  done
}

layout_places() {
  sources "$1" | xargs awk '
    FNR == 1 { flush() }
    { sub(/\/\/.*/, ""); line[++count] = $0; file = FILENAME }
    /(^|[^a-z_])n = ([^;,]*(coord_count|coords\.count)|o->n[,;])/ { bare = 1 }
    /coord|velocit|speed/ { coords = 1 }
    function flush(i) {
      for (i = 1; i <= count; i++)
        if (line[i] ~ /2 \* ([a-z_]+(->|\.))*(coord_count|coords\.count)/ ||
            (bare && line[i] ~ /2 \* n([^a-z_0-9]|$)/) ||
            (coords && line[i] ~ /2 \* ([a-z_]+(->|\.))+n([^a-z_0-9]|$)/)) print file ":" i
      count = bare = coords = 0
    }
    END { flush() }'
}

functions() { # LINES FILE:LINE NAME of every function
  sources "$1" | xargs awk '
    FNR == 1 { start = inside = 0 }
    inside && /^}/ { print FNR - start + 1, FILENAME ":" start, name; inside = start = 0; next }
    inside || /^[ \t]*(\/\/|#)/ { next }
    /^[A-Za-z]/ && !/^(typedef|struct|enum|union)[^(]*$/ { start = FNR; text = "" }
    !start { next }
    { text = text $0 }
    /;[ \t]*(\/\/.*)?$/ { start = 0; next }
    /\{[ \t]*(\/\/.*)?$/ {
      if (text ~ /\(/ && text !~ /^[^(]*=/ && text !~ /^[^(]*\(\*/) {
        name = text
        sub(/\(.*/, "", name)
        sub(/.*[ *]/, "", name)
        inside = 1
      } else start = 0
    }' | sort -rn
}
long_functions() { functions "$1" | awk '$1 > 60'; }

wide_structs() { # FIELDS FILE:LINE NAME
  sources "$1" | xargs awk '
    FNR == 1 { inside = 0 }
    { sub(/\/\/.*/, "") }
    !inside && /^(typedef )?(struct|union)[A-Za-z_ ]*\{/ { inside = 1; start = FNR; fields = 0; text = ""; next }
    !inside { next }
    /^}/ { name = $2; sub(/;.*/, "", name); if (fields > 40) print fields, FILENAME ":" start, name; inside = 0; next }
    { # a declaration may go over several lines; what stands in brackets has no fields
      text = text " " $0
      while (match(text, /\([^()]*\)/) || match(text, /\[[^][]*\]/)) text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
      if (text !~ /[;{][ \t]*$/) next
      n = split(text, part, ";")
      for (i = 1; i < n; i++) if (part[i] ~ /[a-z]/) fields += gsub(/,/, "", part[i]) + 1
      text = ""
    }' | sort -rn
}

wide_lines() {
  for folder in src include tests bench; do [ ! -d "$1/$folder" ] || find "$1/$folder" -name '*.[ch]'; done | sort |
    xargs awk '{ wide = $0; gsub(/[\200-\277]/, "", wide) } length(wide) > 120 { print FILENAME ":" FNR }'
}

no_head() { sources "$1" | xargs awk 'FNR == 1 && !/^(\/\/|\/\*)/ { print FILENAME }'; }

no_header() {
  for room in "$1"/src/*/; do
    case $(basename "$room") in exact | ranks) continue ;; esac
    named=$(find "$room" -name '*.h' | sort | xargs awk '/^\/\// { if (!over[FILENAME] && sub(/^\/\/ parts: /, "")) print; next } { over[FILENAME] = 1 }' /dev/null | tr '\n' ' ')
    for file in "$room"*.c; do
      [ -f "$file" ] && [ ! -f "${file%.c}.h" ] || continue
      [ "$(basename "$room")/$(basename "$file")" != cli/main.c ] || continue
      case " $named " in *" $(basename "$file") "*) ;; *) echo "$file" ;; esac
    done
  done
}

code_share() {
  sources "$1" | xargs awk '
    { all++ }
    /^[ \t]*\/\*/ { block = 1 }
    block || /^[ \t]*\/\// { comments++ }
    /\*\// { block = 0 }
    END { printf "%.1f\n", all ? 100 * (all - comments) / all : 0 }'
}

# ---- the table

# Writes FIGURE VALUE lines to $3/values and what is behind them to $3/FIGURE.
measure() {
  cycles_includes "$1" > "$3/cycle_includes"
  cycles_symbols "$1" "$2" > "$3/cycle_symbols"
  awk '$1 > 3' "$3/cycle_symbols" > "$3/cycles_over_3"
  past_waist "$1" > "$3/past_waist"
  lang_includes "$1" > "$3/lang_includes"
  layout_places "$1" > "$3/layout_places"
  sed 's/:.*//' "$3/layout_places" | sort -u > "$3/layout_files"
  long_functions "$1" > "$3/long_functions"
  functions "$1" | head -5 > "$3/longest_function"
  wide_structs "$1" > "$3/wide_structs"
  wide_lines "$1" > "$3/wide_lines"
  no_head "$1" > "$3/no_head"
  no_header "$1" > "$3/no_header"
  code_share "$1" > "$3/code_share"
  for figure in $figures; do
    case $figure in
      cycle_includes | cycle_symbols | longest_function | code_share) value=$(awk 'NR == 1 { v = $1 } END { print v + 0 }' "$3/$figure") ;;
      *) value=$(wc -l < "$3/$figure") ;;
    esac
    echo "$figure $value"
  done > "$3/values"
}

# figures over their bounds, in words
over() { echo "$table" | awk 'NR == FNR { value[$1] = $2; next } NF && value[$1] > $2 { print $1 " is " value[$1] ", over its bound " $2 }' "$1/values" -; }

root=$1
build=$2
figures=$(echo "$table" | awk 'NF { print $1 }')
[ -d "$build/CMakeFiles/viva_objects.dir" ] || { echo "$build has no objects"; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/seen"
measure "$root" "$build" "$work/seen"
echo "$table" | awk 'NR == FNR { value[$1] = $2; next }
  NR > FNR && !told++ { printf "%-17s %7s %7s %7s\n", "figure", "now", "bound", "aim" }
  NF { what = $0; sub(/^[a-z_0-9]+ +[0-9.]+ +[0-9]+ +/, "", what); printf "%-17s %7s %7s %7s  %s\n", $1, value[$1], $2, $3, what }' "$work/seen/values" -
if [ "${3:-}" != --check ]; then
  for figure in cycle_includes cycle_symbols layout_files long_functions longest_function wide_structs wide_lines no_head no_header; do
    echo
    echo "$figure:"
    sed "s|$root/src/||g; s/^/  /" "$work/seen/$figure"
  done
  for figure in past_waist lang_includes; do
    echo
    echo "$figure, by file:"
    sed "s|$root/src/||; s/:.*//" "$work/seen/$figure" | sort | uniq -c | sort -rn
  done
  exit 0
fi

bad=$(over "$work/seen")
[ -z "$bad" ] || { echo "$bad"; echo "(sh tests/house/figures.sh . build says where)"; exit 1; }

# ---- the broken twin: a small house in which everything is wrong, and the figures that it must have
twin=$work/twin
objects=$twin/build/CMakeFiles/viva_objects.dir/src/sim
mkdir -p "$twin/src/lang" "$twin/src/system" "$twin/src/sim" "$objects"
cat > "$twin/src/lang/model.h" <<'CODE'
// a head
typedef struct Model {
  int *diags;
  VEC(SystemParam) params;
} Model;
CODE
echo 'int coords; // places' > "$twin/src/system/described.def"
i=0
for name in a b c d; do
  next=$(echo abcda | cut -c $((i + 2)))
  i=$((i + 1))
  printf '#include "sim/%s.h"\nint %s_f(int x) { return x ? %s_f(x - 1) : 0; }\n' $next $name $next > "$twin/src/sim/$name.c"
  printf '// parts: e.c\nint %s_f(int x);\n' $name > "$twin/src/sim/$name.h"
done
for name in a b c d; do cc -I"$twin/src" -c "$twin/src/sim/$name.c" -o "$objects/$name.c.o"; done
{
  echo '// a head'
  echo '#include "lang/model.h" // once'
  echo 'int f(const Model *m, System *s) {'
  echo '  int n = s->coord_count; // 2 * n is no place here'
  echo '  g(m->coords, s->model->coords, m->diags, s->coords); // m->coords'
  echo '  return 2 * n + 2 * s->coord_count;'
  echo '}'
  echo 'void long_one(int a,'
  echo '              int b) {'
  awk 'BEGIN { for (i = 0; i < 58; i++) print "  a++;" }'
  echo '}'
  echo 'typedef struct Wide {'
  awk 'BEGIN { for (i = 0; i < 20; i++) print "  double (*f" i ")(int, int), g" i "[2]; // a, b, c" }'
  echo '  struct { int x; } inner;'
  echo '} Wide;'
  awk 'BEGIN { printf "// "; for (i = 0; i < 118; i++) printf "x"; print ""; printf "// "; for (i = 0; i < 117; i++) printf "x"; print "" }'
} > "$twin/src/sim/e.c"
cp "$twin/src/sim/e.c" "$twin/src/sim/f.c"
cat > "$work/expected" <<'CODE'
cycle_includes 4
cycle_symbols 4
cycles_over_3 1
past_waist 4
lang_includes 2
layout_files 2
layout_places 2
long_functions 2
longest_function 61
wide_structs 2
wide_lines 2
no_head 4
no_header 1
code_share 94.7
CODE
mkdir "$work/wrong"
measure "$twin" "$twin/build" "$work/wrong"
diff "$work/expected" "$work/wrong/values" || { echo "the figures of the broken house are other ones"; exit 1; }
[ "$(table=$(echo "$table" | awk 'NF { $2 = 0; print }') && over "$work/wrong" | wc -l)" = "$(echo "$figures" | wc -l)" ] || { echo "a figure over its bound is not noticed"; exit 1; }
