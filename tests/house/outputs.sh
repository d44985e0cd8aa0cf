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

# the same, generated: every option that writes, pointed at every file that its command reads, by a link, a hard link and
# another spelling
printf "param k = 1\nparam c = 1\nuse \"part.viva\" as p\nstate x = 1\nx' = -k*x + p.a\noutput y = x\nfit k in 0 .. 5 to \"d.csv\" by x\n" > f.viva
sed 's/part.viva/rivals_part.viva/; s/-k\*x/-k*x*(1 + c)/' f.viva > r.viva
cp part.viva rivals_part.viva
printf 't,x\n0,1\n0.5,0.6\n1,0.37\n1.5,0.22\n2,0.14\n' > d.csv
printf 't,x\n0,1\n0.5,0.6\n1,0.37\n1.5,0.22\n2,0.14\n' > motion.csv
printf "param p = 1\ncoord x = 1\nkinetic 1/2*x'^2\npotential p*x^2\ninput u = 0\nforce x = u\noutput y = x\n" > spring.viva
$viva sweep spring.viva --vary "p=[1, 2]" --to 0.1 --out table.csv > out 2> err || fail "a sweep: $(cat err)"
for f in f.viva r.viva rivals_part.viva d.csv motion.csv spring.viva table.csv; do cp $f keep/$f; done
cat > commands <<'END'
run m.viva --to 0.1|--out --plot --save|m.viva part.viva u.csv
run m.viva --resume state --to 2|--out --plot --save|m.viva part.viva u.csv state
run m.viva --compare rk4,heun|--plot|m.viva part.viva u.csv
run spring.viva --inverse motion.csv|--out|spring.viva motion.csv
run m.viva --set x=[1,2]|--out --plot|m.viva part.viva u.csv
sweep m.viva --vary x=[1,2] --to 0.1|--out --rows --plot|m.viva part.viva u.csv
sweep m.viva --vary x=[1,2] --to 0.1 --resume|--out|m.viva part.viva u.csv
sweep table.csv|--plot|table.csv
fit f.viva --rival r.viva|-o --plot --out --evolution|f.viva part.viva d.csv r.viva rivals_part.viva
fit spring.viva d.csv --free p=0:5 --by x|-o --plot --out|spring.viva d.csv
report m.viva --to 0.1|-o|m.viva part.viva u.csv
report spring.viva --sweep table.csv --to 0.1|-o|spring.viva table.csv
animate m.viva --to 0.1|-o|m.viva part.viva u.csv
diagram m.viva|-o|m.viva part.viva u.csv
export latex m.viva|-o|m.viva part.viva u.csv
export dot m.viva|-o|m.viva part.viva u.csv
import vanderpol.dat|-o|vanderpol.dat
linearize m.viva|--plot --plot-modes|m.viva part.viva u.csv
analyze spring.viva --path u:y|--plot=bode --plot=step|spring.viva
analyze spring.viva --path u:y --realize controllable|-o|spring.viva
equilibrium spring.viva|--trace --plot|spring.viva
equilibrium spring.viva --problem initial|--out|spring.viva
equilibrium spring.viva --problem synthesis --pass 1 --free p=0:1|-o|spring.viva
sensitivity m.viva --to 0.1|--out --plot|m.viva part.viva u.csv
END
# an option and its file as words: `--plot=bode f` is --plot bode=f
words() { case $1 in *=*) echo "${1%%=*} ${1#*=}=$2" ;; *) echo "$1 $2" ;; esac; }
while IFS='|' read -r line outs reads; do
  for out in $outs; do
    rm -f *.html
    for file in $reads; do
      ln -s $file soft_$file.html
      refused $viva $line $(words $out soft_$file.html)
    done
    ln $file hard.html
    refused $viva $line $(words $out ./sub/../hard.html)
    # two outputs with one name, which is a file, a link to it, or nothing yet
    for other in $outs; do
      [ $out = $other ] && continue
      rm -f one.csv two.csv
      ln -s one.csv two.csv
      refused $viva $line $(words $out one.csv) $(words $other ./one.csv)
      refused $viva $line $(words $out one.csv) $(words $other two.csv)
      [ ! -e one.csv ] || fail "$out and $other of one name leave a file: $line"
      echo mine > one.csv
      refused $viva $line $(words $out two.csv) $(words $other one.csv)
      [ "$(cat one.csv)" = mine ] || fail "$out and $other of one name overwrite a file: $line"
    done
  done
done < commands
rm -f *.html one.csv two.csv

# none is missing: what the help calls a file is written above, or is read
for command in derive run linearize analyze equilibrium check animate diagram report 'export latex' 'export dot' import fit \
  sensitivity sweep; do
  $viva $command --help | sed -n 's/^  \(-[-a-z]*\) \([^ ]*\).*/\1 \2/p' | grep -E 'FILE|TABLE|MOTION|FITTED' | while read -r name value; do
    case "$command $name" in 'check --equations' | 'run --inverse' | 'run --resume' | 'report --sweep' | 'fit --rival') continue ;; esac
    grep -E "^$command [^|]*\|([^|]* )?$name[ =|]" commands > /dev/null || echo "$command $name $value"
  done > missing
  [ -s missing ] && fail "outputs that are not tried: $(cat missing)"
done

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

# a table of a sweep stays until the new one is complete, also behind a link
again() { $viva sweep spring.viva --vary "p=1:1:$1" --to ${2:-0.1} --measure "max(x)" --out sweeps/s.csv $3 > out 2> err; }
mkdir sweeps real
again 4 || fail "a sweep: $(cat err)"
mv sweeps/s.csv real/s.csv
ln -s ../real/s.csv sweeps/s.csv
chmod 640 real/s.csv
cp real/s.csv before
(ulimit -f 2; again 3000)
[ $? = 1 ] && grep -q 's.csv.part" cannot be written' err || fail "a sweep that may not grow: $(cat err)"
cmp -s real/s.csv before || fail "a sweep that failed empties the old table"
grep -q '^10,' real/s.csv.part || fail "a sweep that failed keeps no rows"
again 3000
[ $? = 2 ] && grep -q 'unfinished sweep, which would be lost' err || fail "an unfinished sweep beside a table: $(cat err)"
again 3000 0.1 --resume || fail "a sweep beside a table does not go on: $(cat err)"
[ -L sweeps/s.csv ] && [ "$(wc -l < real/s.csv)" = 3006 ] && [ ! -e real/s.csv.part ] || fail "a sweep that went on does not replace the table"
[ "$(stat -c %a real/s.csv)" = 640 ] || fail "a table that is replaced has mode $(stat -c %a real/s.csv)"
again 4 && cmp -s real/s.csv before || fail "a sweep does not replace a table"
ln -s "$dir/precious" real/s.csv.part
again 5
[ $? = 1 ] && [ "$(cat precious)" = precious ] && cmp -s real/s.csv before || fail "a link as the part of a sweep: $(cat err)"
rm real/s.csv.part
cp mine real/s.csv.part
again 5
[ $? = 2 ] && grep -q 'is in the way' err && cmp -s mine real/s.csv.part || fail "a file of another as the part of a sweep: $(cat err)"
rm real/s.csv.part
$viva sweep spring.viva --vary "p=[1]" --to -1 --out sweeps/none.csv > out 2> err
[ ! -e sweeps/none.csv ] || fail "a sweep that is refused leaves a file"

refused $viva sweep spring.viva --vary p=[1,2] --to 0.1 --out sweeps/none.csv --rows sweeps/none.csv.part

# rows of a sweep that goes on are those that it would write; a changed byte is seen
rm -f sweeps/s.csv
$viva sweep spring.viva --vary p=1:1:6 --to 0.1 --measure "max(x)" --out whole.csv > out 2> err
damaged() { # SED-COMMAND
  sed -e "$1" whole.csv | grep -v '^# done' > sweeps/s.csv
  cp sweeps/s.csv before
  cmp -s before whole.csv && fail "nothing is damaged: $1"
  again 6 0.1 --resume
  [ $? = 2 ] && grep -q 'is damaged: line ' err && cmp -s before sweeps/s.csv || fail "a damaged row is taken over: $1 ($(cat err))"
}
damaged 's/^\(2,.*\),done,/\1,dne,/'
damaged 's/^\(2,.*\),done,/\1,,done,/'
damaged 's/^\(2,.*\),done,.*/\1,done,really/; s/^3,.*/3/'
damaged 's/^2,3,/2,3.5,/'
damaged 's/^2,3,/2,3.0,/'
damaged 's/^2,3,[0-9.]*/2,3,nan/'
damaged 's/^2,3,[0-9.]*/2,3,1.5e999/'
damaged 's/^2,3,[0-9.]*/2,3,/'
damaged 's/^2,.*,done,/2,3,,failed,"half/'
damaged '/^2,/d'
damaged 's/^3,.*/&\n&/'
sed -e '/^5,/d' whole.csv > sweeps/s.csv
again 6 0.1 --resume
[ $? = 2 ] && grep -q 'is damaged' err || fail "a table that claims to be done: $(cat err)"
grep -v '^# done' whole.csv | grep -v '^[345],' > sweeps/s.csv
again 6 0.1 --resume && cmp -s whole.csv sweeps/s.csv || fail "a sound table does not go on: $(cat err)"

# a measure without a value is an empty cell with a message; a sweep without any value is no success
$viva sweep spring.viva --vary p=0:1:2 --to 0.1 --measure "ln(mean(x) - 0.999)" --measure "max(x)" --out nan.csv > out 2> err || fail "a measure without a value: $(cat err)"
[ "$(grep -c nan nan.csv)" = 0 ] && grep -q '^2,2,,1,done,ln(mean(x) - 0.999) has no value$' nan.csv || fail "a row without a value: $(cat nan.csv)"
$viva sweep spring.viva --vary p=1:1:2 --to 0.1 --measure "ln(-max(x))" --out nan.csv > out 2> err
[ $? = 1 ] && grep -q 'no sample has a value' err && grep -q '^# done' nan.csv || fail "a sweep of failures: $(cat err)"

# what never ends, or waits for a writer, is no table and no file of equations
mkfifo fifo
head -c 300 /dev/zero > zeros.csv
for input in /dev/zero fifo zeros.csv nowhere.csv .; do
  timeout 20 $viva report spring.viva --sweep $input -o page.html > out 2> err
  [ $? = 2 ] && [ -s err ] || fail "report --sweep $input: $(cat err)"
  [ $input = zeros.csv ] && continue
  timeout 20 $viva check spring.viva --equations $input > out 2> err
  [ $? = 2 ] && grep -q 'cannot be read' err || fail "check --equations $input: $(cat err)"
  timeout 20 $viva fit f.viva --rival $input > out 2> err
  [ $? = 2 ] && grep -q 'cannot be read' err || fail "fit --rival $input: $(cat err)"
done
echo "x'' = -2*p*x + u" | timeout 20 $viva check spring.viva --equations /dev/stdin > out 2> err || fail "equations from standard input: $(cat err)"

# a file that cannot be written is status 1 with every command
for output in "run plain.viva --out o/x.csv" "run plain.viva --save o/x" "run m.viva --plot o/x.svg" "sweep spring.viva --vary p=[1] --to 1 --out o/x.csv" \
  "sweep spring.viva --vary p=[1] --to 1 --rows o/x.csv" "fit f.viva -o o/x.viva" "fit f.viva --out o/x.csv" "report plain.viva -o o/x.html" \
  "animate m.viva -o o/x.svg" "diagram m.viva -o o/x.svg" "export latex m.viva -o o/x.tex" "export dot m.viva -o o/x.dot" "export c plain.viva -o o/x" \
  "import $data -o o/x.viva" "linearize plain.viva --plot o/x.svg" "analyze spring.viva --path u:y --plot bode=o/x.svg" \
  "equilibrium spring.viva --trace o/x.csv" "sensitivity spring.viva --to 1 --out o/x.csv"; do
  timeout 20 $viva $output > out 2> err
  [ $? = 1 ] && grep -q 'cannot be written: No such file' err || fail "status 1 for: $output ($(cat err))"
done

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
