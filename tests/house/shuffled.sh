#!/bin/sh
# Nobody knows the order of y: the command built with a shuffled one (VIVA_SHUFFLED, system/layout.c) writes the tables of
# rk4 bit for bit as the usual command does, with events and without, for the examples and for generated models. Methods
# with steps of their own sum up their errors in the order of y, and pivot in it: their tables are equal to 1e-6 of each
# column's size at a tolerance of 1e-9; what is zero but for rounding, as a multiplier of least norm may be, to 1e-10 of the
# largest number. Shows that the order is another one, and that differences are seen.
set -eu
root=$1
build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
usual=$build/viva
shuffled=$build/tests/viva_shuffled
[ -x "$shuffled" ] || { echo "$shuffled is not built"; exit 1; }

table() { # program, model, where to, end, method and what else
  program=$1 model=$2 out=$3 end=$4
  shift 4
  timeout 60 "$program" run "$model" --method "$@" --to "$end" --all --backend interp --out "$out" > "$out.out" 2>&1
}

# Are all numbers of two tables equal, to a part of the largest of their column?
near() {
  awk -F, -v part=1e-6 '
    FNR == 1 { file++; if (file == 1) head = $0; else if ($0 != head) { print "another head"; bad = 1 } next }
    file == 1 { rows = FNR; for (i = 1; i <= NF; i++) { x[FNR, i] = $i; a = $i < 0 ? -$i : $i; if (a > size[i]) size[i] = a; if (a > most) most = a } next }
    { for (i = 1; i <= NF; i++) { d = $i - x[FNR, i]; d = d < 0 ? -d : d
        if (d > part * size[i] && d > 1e-10 * most) { print "row " FNR ", column " i ": " x[FNR, i] ", " $i; bad = 1; exit } } }
    END { if (!bad && FNR != rows) { print FNR " rows, not " rows; bad = 1 } exit bad }' "$1" "$2"
}

models() {
  find "$root/examples" -name '*.viva' | sort
  find "$work/models" -name '*.viva' | sort
}

mkdir "$work/models"
(cd "$work/models" && "$build/tests/same_generate" "$work/models" 80 > /dev/null)
# Both commands by a method, and what compares their tables.
both() { # model, comparison, method and what else
  model=$1 compare=$2
  shift 2
  table "$usual" "$model" "$work/a.csv" 1 "$@" || return 0 # no model of its own, or not for this method
  count=$((count + 1))
  if ! table "$shuffled" "$model" "$work/b.csv" 1 "$@"; then
    echo "$model by $1 does not run: $(head -1 "$work/b.csv.out")"
    bad=1
  elif ! "$compare" "$work/a.csv" "$work/b.csv"; then
    echo "$model by $1 differs"
    bad=1
  fi
}

same() { cmp -s "$1" "$2"; }
next_method() { # each model by one of them, in turn
  case $1 in dopri5) echo dop853 ;; dop853) echo rodas ;; rodas) echo bdf ;; *) echo dopri5 ;; esac
}

bad=0
count=0
for model in $(models); do both "$model" same rk4 --energy; done
[ "$count" -ge 60 ] || { echo "only $count models were compared"; exit 1; }
count=0
method=dopri5
for model in $(models); do
  both "$model" near "$method" --rtol 1e-9
  method=$(next_method "$method")
done
[ "$count" -ge 60 ] || { echo "only $count models were compared"; exit 1; }
[ "$bad" = 0 ] || exit 1

# the order is another one: saved states have y as it stands
model=$root/examples/cart_double_pendulum.viva
for program in "$usual" "$shuffled"; do
  "$program" run "$model" --method rk4 --to 0.1 --save "$work/$(basename "$program").state" --out "$work/x.csv" > /dev/null 2>&1
done
if cmp -s "$work/viva.state" "$work/viva_shuffled.state"; then echo "the order of y is the usual one"; exit 1; fi
# and a last bit is seen: a step more
table "$usual" "$model" "$work/a.csv" 1 rk4
table "$usual" "$model" "$work/b.csv" 1.001 rk4
if same "$work/a.csv" "$work/b.csv"; then echo "the check does not notice another table"; exit 1; fi
# and other steps: a coarse tolerance
table "$usual" "$model" "$work/a.csv" 1 dopri5 --rtol 1e-9
table "$usual" "$model" "$work/b.csv" 1 dopri5 --rtol 1e-3
if near "$work/a.csv" "$work/b.csv" > /dev/null; then echo "the check does not notice other digits"; exit 1; fi
