# Outputs: nothing that is read is written to, nothing of others is hit by a name that can be guessed, two runs that write
# one file leave one of them whole.
#   sh outputs.sh ROOT BUILD
viva=$2/viva
dir=$(mktemp -d)
bad=0
fail() { echo "FAILED: $*"; bad=1; }
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat > m.viva <<'END'
use "part.viva" as p
input u = table("u.csv", "u", t)
state x = 1
x' = -x + u + p.a
draw mass [x, 0]
simulate to 1 step 0.1
END
printf 'param a = 0\n' > part.viva
printf 't,u\n0,0\n1,0\n' > u.csv
printf 'state x = 1\nx%s = -x\nsimulate to 1 step 0.1\n' "'" > plain.viva
data=vanderpol.dat
cp "$1/examples/sdsc/$data" .
$viva run m.viva --save state > out 2> err || fail "a saved state: $(cat err)"
ln m.viva hard.csv
ln -s u.csv soft.csv
mkdir sub keep
for f in m.viva part.viva u.csv plain.viva state $data; do cp $f keep/$f; done

# every verb, every option, every way to the same file: refused with status 2, and nothing is touched
refused() {
  timeout 20 "$@" > out 2> err
  [ $? = 2 ] || fail "status 2 for: $*"
  grep -q 'needs another name' err || fail "no message for: $* ($(cat err))"
  for f in keep/*; do cmp -s "$f" "${f##*/}" || { fail "${f##*/} is destroyed by: $*"; cp "$f" "${f##*/}"; }; done
}
refused $viva run m.viva --out u.csv
refused $viva run m.viva --out ./sub/../u.csv
refused $viva run m.viva --out hard.csv
refused $viva run m.viva --out soft.csv
refused $viva run m.viva --save m.viva
refused $viva run m.viva --save part.viva
refused $viva run m.viva --save u.csv
refused $viva run m.viva --resume state --to 2 --save state
refused $viva run m.viva --out t.csv --save t.csv
refused $viva run m.viva --out t.csv --save ./T.csv
refused $viva export latex m.viva -o m.viva
refused $viva export latex m.viva -o part.viva
refused $viva export dot m.viva -o m.viva
refused $viva export dot m.viva -o soft.csv
refused $viva import $data -o $data
ln plain.viva sub/main.c
refused $viva export c plain.viva -o sub --force
rm sub/main.c
for output in "run m.viva --plot" "linearize m.viva --plot" "linearize m.viva --plot-modes" "diagram m.viva -o" "animate m.viva -o"; do
  ln -f m.viva m.svg
  refused $viva $output m.svg
done
ln -f m.viva m.html
refused $viva report m.viva -o m.html
refused $viva animate m.viva -o m.html
rm -f m.svg m.html
$viva run - --save m.viva < m.viva > out 2> err
[ $? = 2 ] && cmp -s m.viva keep/m.viva || fail "the file that standard input is read from"

# files of another are not hit by an export, nor those that were changed since; --force means it
mkdir c
echo 'int main(void) { return 7; }' > c/main.c
cp c/main.c own
$viva export c plain.viva -o c > out 2> err
[ $? = 2 ] && grep -q '"c/main.c" is there' err && grep -q -- '--force' err || fail "an export over a file of another"
cmp -s c/main.c own && [ "$(ls c)" = main.c ] || fail "an export that is refused writes something"
$viva export c plain.viva -o c --force > out 2> err || fail "--force"
$viva export c plain.viva -o c > out 2> err || fail "an export over itself"
echo '/* mine */' >> c/model.c
$viva export c plain.viva -o c > out 2> err
[ $? = 2 ] && grep -q '"c/model.c" is there' err || fail "an export over a changed one"

# names that can be guessed: a link, a pipe, a file of the user
echo precious > precious
echo mine > mine
mkdir d
beside() { # NAME COMMAND...
  name=$1
  shift
  ln -s "$dir/precious" "$name.part"
  timeout 20 $viva "$@" > out 2> err || fail "$* beside a link"
  [ -s "$name" ] && [ -L "$name.part" ] && [ ! -L "$name" ] || fail "$* with a link as $name.part"
  rm -f "$name.part"
  mkfifo "$name.part"
  timeout 20 $viva "$@" > out 2> err || fail "$* beside a pipe"
  rm -f "$name.part"
  cp mine "$name.part"
  timeout 20 $viva "$@" > out 2> err || fail "$* beside a file"
  cmp -s mine "$name.part" || fail "$* destroys $name.part"
  rm -f "$name.part"
}
beside o.csv run plain.viva --out o.csv
beside o.svg run plain.viva --plot o.svg
beside o.state run plain.viva --save o.state
beside o.html report plain.viva -o o.html
beside a.svg animate m.viva -o a.svg
beside o.tex export latex plain.viva -o o.tex
beside o.dot export dot plain.viva -o o.dot
beside i.viva import $data -o i.viva
for f in model.c model.h main.c Makefile; do beside d/$f export c plain.viva -o d; done
if command -v ffmpeg > /dev/null; then beside a.gif animate m.viva -o a.gif --to 0.2; fi
[ "$(cat precious)" = precious ] || fail "a file behind a link is destroyed"

# two runs that write one table: one of the two, whole
printf 'state x = 1\nx%s = -x\nsimulate to 20000 step 0.1 by rk4\n' "'" > one.viva
printf 'state longer = 2\nlonger%s = -longer/2\nsimulate to 20000 step 0.1 by rk4\n' "'" > two.viva
$viva run one.viva --out one.csv > out 2> err
$viva run two.viva --out two.csv > out 2> err
for i in 1 2 3; do
  $viva run one.viva --out both.csv > out1 2> err1 & first=$!
  $viva run two.viva --out both.csv > out2 2> err2 & second=$!
  wait $first || fail "the first of two"
  wait $second || fail "the second of two"
  cmp -s both.csv one.csv || cmp -s both.csv two.csv || fail "two runs leave a mixture"
done

# the mode of an existing file stays; a new one has that of the umask
umask 027
$viva run plain.viva --out new.csv > out 2> err
[ "$(stat -c %a new.csv)" = 640 ] || fail "a new file has mode $(stat -c %a new.csv)"
umask 022
for mode in 600 664; do
  chmod $mode new.csv
  $viva run plain.viva --out new.csv > out 2> err
  [ "$(stat -c %a new.csv)" = $mode ] || fail "the mode $mode of an existing file is lost"
done

# pipes and devices are written directly, under any name
mkfifo pipe.mat
cat pipe.mat > piped & reader=$!
timeout 20 $viva run plain.viva --out pipe.mat > out 2> err || fail "a pipe as the table"
wait $reader
[ -p pipe.mat ] && [ "$(wc -l < piped)" = 12 ] || fail "a table through a pipe"
$viva run plain.viva --out /dev/null > out 2> err || fail "/dev/null"
[ -c /dev/null ] || fail "/dev/null is gone"
$viva run plain.viva --out /dev/stdout 2> err | head -1 > piped
[ "$(cat piped)" = "t,x" ] || fail "/dev/stdout, a pipe"
$viva run plain.viva --out /dev/stdout > stream 2> err
[ "$(wc -l < stream)" = 12 ] || fail "/dev/stdout, a file"
$viva run plain.viva --out stream > stream 2> err
[ "$(wc -l < stream)" = 12 ] || fail "the file that standard output goes to"
$viva run plain.viva --out /dev/fd/5 5> stream > out 2> err
[ "$(wc -l < stream)" = 12 ] || fail "/dev/fd/5"

# a name that promises something else
$viva run plain.viva --out x.xls > out 2> err
[ $? = 2 ] && grep -q -- '--out x.csv' err && [ ! -e x.xls ] || fail "a table called x.xls"

# a limit of file sizes is a write error, and what is not there is not told
(ulimit -f 8; $viva run one.viva --out limit.csv > out 2> err; echo $? > code)
[ "$(cat code)" = 1 ] && grep -q '"limit.csv" cannot be written: File too large' err || fail "a file that may not grow: $(cat err)"
grep -q 'table ' out && fail "a table is told that is not there"
[ "$(ls -A | grep -c '\.part$')" = 0 ] && [ ! -e limit.csv ] || fail "half a table is left"

# a long name
long=$(printf '%0250d' 0).csv
$viva run plain.viva --out "$long" > out 2> err || fail "a long name: $(cat err)"

exit $bad
