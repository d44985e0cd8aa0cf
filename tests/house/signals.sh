# Ctrl-C and SIGTERM: one of them ends any verb within a second, and what is due is kept.
#   sh signals.sh ROOT BUILD
viva=$2/viva
dir=$(mktemp -d)
bad=0
fail() { echo "FAILED: $*"; bad=1; }
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
mkdir tmp
TMPDIR=$dir/tmp XDG_CACHE_HOME=$dir/cache
export TMPDIR XDG_CACHE_HOME

now() { date +%s%N; }

# ended NAME SIGNAL WAIT MOST COMMAND...: a signal after WAIT seconds; ends within MOST milliseconds; its status is in $code
ended() {
  name=$1 signal=$2 pause=$3 most=$4
  shift 4
  timeout 60 "$@" > out 2> err &
  keeper=$!
  sleep "$pause"
  pid=$(ps -o pid= --ppid $keeper | tr -d ' ')
  [ -n "$pid" ] || fail "$name: over before the signal ($(cat err))"
  start=$(now)
  for s in $signal; do kill -"$s" $pid 2> /dev/null; done
  wait $keeper
  code=$?
  took=$((($(now) - start) / 1000000))
  [ $took -le "$most" ] || fail "$name: took $took ms"
  [ "$(ls -A | grep -c '\.part$')" = 0 ] || fail "$name: leaves $(ls -A | grep '\.part$')"
  [ -z "$(ls -A tmp)" ] || fail "$name: leaves $(ls tmp)"
}
whole() { [ "$(head -1 "$1")" = "t,x" ] && [ "$(sed 1d "$1" | grep -vcE '^[^,]+,[^,]+$')" = 0 ] && [ "$(wc -l < "$1")" -gt 10 ]; }

printf 'state x = 1\nx%s = -x\nsimulate to 1000000 step 0.00001 every 0.01 by rk4\n' "'" > swing.viva
awk 'BEGIN { for (i = 0; i < 1500000; i++) print "param a" i " = " i }' > large.viva
awk 'BEGIN { for (i = 0; i < 60; i++) { printf "coord q%d = 0.%d\nkinetic 1/2*(", i, i + 1; for (k = 0; k <= i; k++) printf "%scos(q%d)*q%d%c", k ? " + " : "", k, k, 39; print ")^2" } print "simulate to 1e6 step 0.1" }' > long.viva
printf 'state x[i] = i for i in 1 .. 2900\nlet s = sum(x[k], k, 1, 2900)/2900\nx[i]%s = -x[i]*x[1] + s*x[i]^2 for i in 1 .. 2900\nsimulate to 1 by rodas\n' "'" > rod.viva
most=1300 # of a second, with room for a machine that has much to do

# a run: its rows become the table; two signals at once, as timeout(1) sends them, are one
ended "one signal" INT 1 $most $viva run swing.viva --most-steps 1e12 --out a.csv
[ $code = 1 ] && grep -q 'interrupted at t = ' err && whole a.csv || fail "a table after one signal ($code)"
ended "two signals at once" "TERM TERM INT" 1 $most $viva run swing.viva --most-steps 1e12 --out b.csv
[ $code = 1 ] && whole b.csv || fail "a table after two signals at once ($code)"
ended "a picture" TERM 1 $most $viva run swing.viva --most-steps 1e12 --plot p.svg --out c.csv
whole c.csv || fail "a table beside a picture"
ended "a report" INT 1 $most $viva report swing.viva --to 900 -o r.html

# a step that takes long: whoever is at work, it ends, and the rows so far are kept
ended "a long step" TERM 4 $most $viva run rod.viva --out d.csv
[ $code != 0 ] || fail "a long step: status 0"

# reading, deriving, compiling
ended "a large text" INT 0.7 $most $viva derive large.viva
[ $code != 0 ] || fail "a large text: status 0"
ended "a large text, in a report" TERM 0.7 $most $viva report large.viva -o l.html
[ ! -e l.html ] || fail "a report that was not finished is there"
if command -v cc > /dev/null; then ended "compiling" INT 4 $most $viva run long.viva --most-steps 1e12 --backend cc --out e.csv; fi
ended "export" TERM 0.7 $most $viva export c large.viva -o ex


# a sweep: its rows are whole and without holes, and it goes on to the table that it would have been
printf 'param k = 4, d = 0.1\ncoord x = 1\nkinetic 1/2*x%s^2\npotential 1/2*k*x^2\ndissipation 1/2*d*x%s^2\nsimulate to 10\n' "'" "'" > spring.viva
sweep() { $viva sweep spring.viva --samples 6000 --random "k=normal(4, 0.3)" --measure "max(x')" --rtol 1e-12 --threads 2 --out "$@"; }
sweep whole.csv > /dev/null
for pause in 0.1 0.2 0.35; do
  rm -f cut.csv
  timeout -s INT $pause $viva sweep spring.viva --samples 6000 --random "k=normal(4, 0.3)" --measure "max(x')" --rtol 1e-12 --threads 2 --out cut.csv > /dev/null 2>&1
  sweep cut.csv --resume > /dev/null 2> err || fail "a sweep does not go on: $(cat err)"
  cmp whole.csv cut.csv || fail "a sweep that went on is another one"
done

exit $bad
