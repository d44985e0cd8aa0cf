#!/bin/sh
# No bit changes: everything that a user can compute is hashed and compared with list.txt.
#
#   same.sh ROOT BUILD                  a part of it, some twenty seconds: the test `same`
#   same.sh ROOT BUILD --all            all: with the pages, 500 models and large systems (`long_same`)
#   same.sh ROOT BUILD WHAT...          these lines of the list alone
#   same.sh ROOT BUILD --show WHAT...   the commands of a line
#   same.sh ROOT BUILD --text WHAT...   what is hashed, to be compared with that of another program, VIVA=PROGRAM
#   same.sh ROOT BUILD --update         writes list.txt and large.txt anew, where a change is meant
#
# A line of the list is `hash  what`. What: examples/chain.viva:run (a verb of an example), docs/events.md (all commands
# of a page), model/017 (a generated model by several methods, and its batch). Each runs in an empty folder of its own,
# in an empty environment. Hashed are both outputs, the statuses and the files that are texts, less the seconds that a
# run took. So tables, event logs, counts of steps and evaluations, warnings and errors count to the last letter.
#
# Functions of libm and choices of code by processor may differ by a bit from machine to machine. The first line of the
# list has the hash of what a machine computes with (machine.c, the compilers); on another one the test is skipped, 77.
#
# Systems from 48 unknowns on are solved by LAPACK, whose bits change with its version and threads: their last rows
# stand in large.txt and count to 1e-12 of the largest value of the row.
set -eu
root=$(cd "$1" && pwd)
build=$(cd "$2" && pwd)
shift 2
here=$root/tests/same
core_models=24 # one of each kind
all_models=500
kinds=24 # of generate.c
workers=2
path=/usr/local/bin:/usr/bin:/bin # where programs and compilers are looked for

LC_ALL=C TZ=UTC NO_COLOR=1
export LC_ALL TZ NO_COLOR
umask 022
for need in viva viva-exact.so viva-balls.so viva-algebra libviva-solvers.so tests/same_batch tests/same_machine; do
  [ -e "$build/$need" ] || { echo "same.sh: $build/$need is missing: ninja -C $build same"; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/bin" "$work/models" "$work/home"
ln -s "${VIVA:-$build/viva}" "$work/bin/viva"
ln -s "$build/tests/same_batch" "$work/bin/batch"
"$build/tests/same_generate" "$work/models" $all_models

# ---- what there is

examples() { (cd "$root" && find examples -name '*.viva' | sort); }
pages() { (cd "$root" && ls README.md docs/*.md); }
model_names() { i=0; while [ $i -lt "$1" ]; do printf 'model/%03d\n' $i; i=$((i + 1)); done; }

verbs="run derive linearize check export diagram report"
list_all() {
  examples | while read -r file; do
    for verb in $verbs; do echo "$file:$verb"; done
  done
  model_names $all_models
  pages
}
# Every example by one verb, one verb after the other; trees of bodies in symbols take seconds each and are left to the
# whole list.
list_core() {
  examples | grep -v '^examples/\(exo\|robots\|bodies\)/' | awk -v verbs="$verbs" '
    BEGIN { n = split(verbs, verb, " ") } { print $0 ":" verb[NR % n + 1] }'
  model_names $core_models
}
list_large() { printf 'large/%s\n' pendulums unknowns bdf; }

# ---- the commands of one line, as a script of the shell

say() { printf '%s\necho "status $?"\n' "$1"; }

# --energy needs a model with energies
account() { # file
  if grep -qE '^(kinetic|potential|lagrangian|dissipation|use)' "$1"; then echo "--all --energy"; else echo --all; fi
}

example_script() { # file verb
  case $2 in
    run) say "viva run $1 --out table.csv"; say "viva run $1 --json $(account "$root/$1") --out all.csv" ;;
    derive)
      for form in lagrange solved matrices state; do say "viva derive $1 --form $form"; done
      say "viva derive $1 --json"
      say "viva derive $1 --format latex --steps" ;;
    linearize) say "viva linearize $1"; say "viva linearize $1 --at start --json" ;;
    check) say "viva check $1 --json" ;;
    export) say "viva export c $1 -o c" ;;
    diagram) say "viva diagram $1 -o diagram.svg" ;;
    report) say "viva report $1 -o page.html" ;;
  esac
}

# Files and commands of a page, in their order. What is built there by a compiler is not ours.
page_script() { # file
  awk '
    /^```/ && kind == "" {
      kind = substr($0, 4)
      if (kind == "") kind = "plain"
      if (kind ~ /^(viva|csv|c) /) { split(kind, w, " "); print "cat > " w[2] " <<\"END OF FILE\"" }
      next
    }
    /^```/ { if (kind ~ /^(viva|csv|c) /) print "END OF FILE"; kind = ""; next }
    kind ~ /^(viva|csv|c) / { print }
    kind == "console" && /^\$ / && !/\$ make / { print substr($0, 3); print "echo \"status $?\"" }' "$root/$1"
}

method() { # number
  set -- $(($1 % 9)) euler heun bs3 rk4 dopri5 dop853 rodas bdf auto
  shift "$1"
  echo "$2"
}

# Three methods for each model; over nine models of a kind each method meets each back end. A family, a run that is held
# and resumed, fixed steps that locate nothing, a batch.
model_script() { # number
  n=${1#0}
  n=${n#0}
  kind=$((n % kinds))
  turn=$((n / kinds + kind))
  file=models/$1.viva
  say "viva run $file --json --method $(method $turn) --backend interp --out 1.csv"
  say "viva run $file --json --method $(method $((turn + 3))) --backend tcc $(account "$work/$file") --out 2.csv"
  case $((n % 11)) in 0) by=cc ;; *) by=interp ;; esac
  say "viva run $file --json --method $(method $((turn + 6))) --backend $by --out 3.csv"
  case $((turn % 4)) in
    0) say "viva run $file --json --set 'a=[0.9, 1.05]' --rtol 1e-8 --out 4.csv" ;;
    1)
      say "viva run $file --to 0.2 --save held --out 4.csv"
      say "viva run $file --resume held --set a=1 --to 0.4 --out 5.csv" ;;
    2)
      say "viva run $file --json --no-events --method rk4 --step 0.01 --to 0.4 --out 4.csv"
      say "viva run $file --method heun --step 0.01 --to 0.2 --check-step --out 5.csv" ;;
    3) say "viva derive $file --form state"; say "viva linearize $file --at start --json" ;;
  esac
  case $((n % 13)) in 0) by=cc ;; *) by=interp ;; esac
  say "batch $file $(method $((turn + 1))) $by"
}

large_script() { # name
  case $1 in
    pendulums) say "viva run examples/chain.viva --set n=48 --to 0.05 --every 0.05 --out table.csv" ;;
    bdf)
      say "viva run examples/chain.viva --set n=24 --method bdf --rtol 1e-9 --to 0.05 --every 0.05 --out table.csv" ;;
    unknowns)
      cat <<'SCRIPT'
cat > ring.viva <<'END'
param n = 60
state s = 1
s' = -z[1]
unknown z[i] = 0.1 for i in 1 .. n
equation 3*z[i] + z[i]^3 - z[i-1] - z[i+1] = s*cos(i) for i in 2 .. n-1
equation 3*z[1] + z[1]^3 - z[2] - z[n] = s
equation 3*z[n] - z[n-1] - z[1] = sin(t)
output s, z[i] for i in 1 .. n
simulate to 1 every 1
END
SCRIPT
      say "viva run ring.viva --out table.csv" ;;
  esac
}

script() { # what
  case $1 in
    model/*) model_script "${1#model/}" ;;
    large/*) large_script "${1#large/}" ;;
    *.md) page_script "$1" ;;
    examples/*:*) example_script "${1%:*}" "${1##*:}" ;;
    *) echo "same.sh: nothing is called $1" >&2; exit 2 ;;
  esac
}

# ---- running and hashing

# Runs a script in a folder of its own.
run_script() { # script folder
  mkdir "$2"
  ln -s "$root/examples" "$2/examples"
  ln -s "$work/models" "$2/models"
  (cd "$2" && env -i LC_ALL=C TZ=UTC NO_COLOR=1 HOME="$work/home" PATH="$work/bin:$path" \
    timeout 120 sh "$1" > .out 2> .err < /dev/null) || true # a command that hangs has no text
}

# C as a compiler reads it: comments and blanks are how the kernels look that it copies.
bare_c() { tr '\n' ' ' < "$1" | sed 's@/\*[^*]*\**\([^/*][^*]*\*\**\)*/@@g' | tr -d ' ' | sed 's/;/;\n/g'; }

# What counts of a folder. Pictures of pixels and saved states do not.
text_of() { # folder
  (cd "$1" && cat .out .err && find . -type f | sort | while read -r file; do
    case $file in
      *.[ch]) echo "== $file"; bare_c "$file" ;;
      *.csv | *.svg | *.html | *.tex | *.dot | *.txt) echo "== $file"; cat "$file" ;;
    esac
  done) |
    sed 's/"seconds": [-+.0-9e]*//g; s/evaluations, [-+.0-9e]* s/evaluations/g
      s/^\(  [a-z0-9]* *\(step\|rtol\) [-.0-9e]*  *[-.0-9e]*  *[-.0-9e]*  *[0-9]*  *[0-9]*\) *[-.0-9e]*$/\1/'
}

hash_of() { sha256sum | cut -c 1-20; }

# One line of the list for each name that is read.
hash_lines() { # worker
  while read -r what; do
    script "$what" > "$work/script$1"
    run_script "$work/script$1" "$work/run$1"
    echo "$(text_of "$work/run$1" | hash_of)  $what"
    rm -rf "$work/run$1"
  done
}

# All names that are read, by several workers; sorted by name.
hash_all() {
  cat > "$work/names"
  k=0
  while [ $k -lt $workers ]; do
    awk -v k=$k -v n=$workers 'NR % n == k' "$work/names" | hash_lines $k > "$work/part$k" &
    k=$((k + 1))
  done
  wait
  cat "$work"/part* | sort -k 2
}

fingerprint() {
  (
    PATH=$path
    "$build/tests/same_machine"
    for by in tcc cc; do if command -v $by > /dev/null; then echo "$by"; fi; done
  ) | hash_of
}

# ---- numbers of large systems

large_numbers() {
  list_large | while read -r what; do
    script "$what" > "$work/script"
    run_script "$work/script" "$work/large"
    echo "$what $(tail -n 1 "$work/large/table.csv" | tr , ' ')"
    rm -rf "$work/large"
  done
}

compare_large() { # expected got
  awk 'function size(x) { return x < 0 ? -x : x }
    NR == FNR { want[$1] = $0; count++; next }
    { if (split(want[$1], w, " ") != NF) { print "changed: " $1; bad = 1; next }
      most = 0; off = 0
      for (i = 2; i <= NF; i++) { if (size(w[i]) > most) most = size(w[i]); d = size($i - w[i]); if (d > off) off = d }
      if (!(off <= 1e-12*most)) { print "changed: " $1 " by " off/most " of its largest value"; bad = 1 }
      count-- }
    END { if (count) print "missing: lines of large systems"; exit bad || count != 0 }' "$1" "$2"
}

# ---- what is asked for

# Lines of the list beside those that were got, for the names in a file.
compare() { # names got
  awk 'FILENAME == ARGV[1] { asked[$1] = 1; next }
    FILENAME == ARGV[2] { if ($2 in asked) want[$2] = $1; next }
    { got[$2] = $1 }
    END { for (w in asked) {
            if (!(w in want)) { print "not in the list: " w; bad = 1 }
            else if (want[w] != got[w]) { print "changed: " w; bad = 1 } }
          exit bad }' "$1" "$here/list.txt" "$2" | sort > "$work/changes"
  [ ! -s "$work/changes" ]
}

tell_changes() {
  cat "$work/changes"
  echo "What runs there: sh tests/same/same.sh $root $build --show WHAT"
  echo "What is hashed: --text WHAT; the same of another program: with VIVA=PROGRAM before it"
}

# Names that the list has and nothing makes any more.
leftovers() {
  list_all | awk 'NR == FNR { there[$1] = 1; next }
    $2 != "machine" && !($2 in there) { print "only in the list: " $2 }' - "$here/list.txt"
}

# The broken twin: another tolerance is another hash, and a number that is off by 1e-11 is seen.
twin() {
  what=examples/blocks/bouncing_ball.viva:run
  script $what | sed 's/--out/--rtol 1e-13 --out/' > "$work/script"
  run_script "$work/script" "$work/twin"
  echo "$(text_of "$work/twin" | hash_of)  $what" > "$work/twin.got"
  echo $what > "$work/twin.names"
  if compare "$work/twin.names" "$work/twin.got"; then echo "the check does not notice another tolerance"; return 1; fi
  awk '{ $3 = sprintf("%.17g", $3*(1 + 1e-11) + 1e-11); print }' "$here/large.txt" > "$work/twin.large"
  if compare_large "$here/large.txt" "$work/twin.large" > /dev/null; then
    echo "the check of large systems does not notice 1e-11"
    return 1
  fi
}

check() { # names
  [ "$(sed -n '1s/  machine$//p' "$here/list.txt")" = "$(fingerprint)" ] || {
    echo "SKIPPED: tests/same/list.txt was made with other functions, another processor or other compilers than these."
    exit 77
  }
  hash_all < "$1" > "$work/got"
  compare "$1" "$work/got" || { tell_changes; exit 1; }
}

mode=${1:-}
case $mode in
  --update)
    { echo "$(fingerprint)  machine"; list_all | hash_all; } > "$work/list"
    large_numbers > "$work/large.txt"
    cp "$work/list" "$here/list.txt"
    cp "$work/large.txt" "$here/large.txt" ;;
  --show)
    shift
    echo "# in an empty folder; viva is $build/viva, batch is $build/tests/same_batch"
    echo "ln -s $root/examples examples; mkdir models; $build/tests/same_generate models $all_models"
    for what; do script "$what" | sed '/^echo "status/d'; done ;;
  --text)
    shift
    for what; do
      script "$what" > "$work/script"
      run_script "$work/script" "$work/one"
      text_of "$work/one"
      rm -rf "$work/one"
    done ;;
  "" | --all)
    if [ -z "$mode" ]; then list_core; else list_all; fi > "$work/asked"
    check "$work/asked"
    left=$(leftovers)
    [ -z "$left" ] || { echo "$left"; exit 1; }
    if [ "$mode" = --all ]; then
      large_numbers > "$work/numbers"
      compare_large "$here/large.txt" "$work/numbers" || exit 1
    fi
    twin
    echo "$(wc -l < "$work/asked") lines are the same" ;;
  *)
    for what; do echo "$what"; done > "$work/asked"
    check "$work/asked"
    echo "the same" ;;
esac
