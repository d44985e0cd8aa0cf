# Tables on the disk: what a run leaves when it is killed, interrupted, or cannot write.
#   sh files.sh ROOT BUILD
viva=$2/viva
dir=$(mktemp -d)
bad=0
fail() { echo "FAILED: $*"; bad=1; }
trap 'umount "$dir/small" 2>/dev/null; rm -rf "$dir"' EXIT
cd "$dir" || exit 1

cat > swing.viva <<END
coord x = 1
kinetic 1/2*x'^2
potential 1/2*x^2
simulate to 1000000 step 0.00001 every 0.01 by rk4
END
echo "t,x,x'" > header

# all lines but perhaps the last are whole: three numbers
whole() { sed '$d' "$1" | sed 1d | grep -vcE '^[^,]+,[^,]+,[^,]+$'; }

# what a killed run left: the one file NAME.RANDOM.part
left() { ls -A | grep -E "^$1\.[a-z2-7]{10}\.part$"; }

# killed: the rows so far stand in a .part, and nothing claims to be the table
$viva run swing.viva --most-steps 1e12 --out a.csv > out 2> err &
pid=$!
sleep 3
kill -9 $pid
wait $pid 2>/dev/null
[ -e a.csv ] && fail "a killed run leaves a table"
[ "$(left a.csv | wc -l)" = 1 ] || fail "a killed run leaves one file"
part=$(left a.csv)
[ "$(wc -l < "$part")" -gt 10 ] || fail "a killed run leaves no rows"
head -1 "$part" | cmp -s - header || fail "a killed run leaves no header"
[ "$(whole "$part")" = 0 ] || fail "a killed run leaves broken lines"
cp "$part" before

# the next run leaves it alone, and leaves none of its own
$viva run swing.viva --to 1 --step 0.1 --out a.csv > out 2> err || fail "a table after a killed run"
[ "$(left a.csv)" = "$part" ] && cmp -s "$part" before || fail "what a killed run left is touched"
[ "$(wc -l < a.csv)" = 12 ] || fail "a table of 11 rows"

# slow rows reach the disk too: one a second and more
$viva run swing.viva --most-steps 1e12 --step 0.00001 --every 40 --out slow.csv > out 2> err &
pid=$!
sleep 3
kill -9 $pid
wait $pid 2>/dev/null
head -1 "$(left slow.csv)" | cmp -s - header || fail "slow rows do not reach the disk"

# interrupted: a whole table with the rows so far, status 1, and the time in words
$viva run swing.viva --most-steps 1e12 --out b.csv > out 2> err &
pid=$!
sleep 1
kill -INT $pid
wait $pid
[ $? = 1 ] || fail "an interrupted run has status 1"
grep -q 'interrupted at t = [0-9]' err || fail "an interrupted run says when"
[ -e b.csv ] && [ -z "$(left b.csv)" ] || fail "an interrupted run keeps its table"
[ "$(whole b.csv)" = 0 ] && [ "$(tail -c 1 b.csv | wc -l)" = 1 ] || fail "the table of an interrupted run is whole"

# a disk that fills up: nothing half-written, status 1, a message
mkdir small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
  $viva run swing.viva --step 0.001 --every 0.01 --to 1000 --out small/c.csv > out 2> err
  [ $? = 1 ] || fail "a full disk has status 1"
  grep -q '"small/c.csv" cannot be written: No space left' err || fail "a full disk is named"
  [ -z "$(ls small)" ] || fail "a full disk keeps half a table"
else
  echo "(no small disk to fill: mount needs root)"
fi
if [ -e /dev/full ]; then
  $viva run swing.viva --to 1 --step 0.1 --out /dev/full > out 2> err
  [ $? = 1 ] && grep -q 'No space left' err || fail "/dev/full"
  [ -c /dev/full ] || fail "/dev/full is gone"
  $viva derive swing.viva > /dev/full 2> err
  [ $? = 1 ] && grep -q 'standard output cannot be written: No space left' err || fail "equations on a full disk"
fi

# a closed standard output, with and without a table of its own
$viva derive swing.viva >&- 2> err
[ $? = 1 ] && grep -q 'standard output cannot be written' err || fail "a closed standard output"
$viva run swing.viva --to 1 --step 0.1 --out - >&- 2> err
[ $? = 1 ] && grep -q 'cannot be written' err || fail "a table on a closed standard output"
$viva run swing.viva --to 1 --step 0.1 --out d.csv >&- 2>&-
[ "$(wc -l < d.csv)" = 12 ] || fail "with all streams closed the table holds what was printed"
$viva run swing.viva --to 1000 --step 0.01 --out - 2> err | head -3 > out
[ "$(wc -l < out)" = 3 ] || fail "a reader that leaves"

# a folder that is not there, or may not be written
$viva run swing.viva --to 1 --step 0.1 --out nowhere/e.csv > out 2> err
[ $? = 1 ] && grep -q '"nowhere/e.csv" cannot be written: No such file' err || fail "a folder that is not there"
mkdir locked && chmod 500 locked
if [ "$(id -u)" != 0 ]; then
  $viva run swing.viva --to 1 --step 0.1 --out locked/e.csv > out 2> err
  [ $? = 1 ] && grep -q 'Permission denied' err || fail "a locked folder"
fi
mkdir table.csv
$viva run swing.viva --to 1 --step 0.1 --out table.csv > out 2> err
[ $? = 1 ] && grep -q 'cannot be written: Is a directory' err || fail "a folder as the table"

# a link keeps standing, also one that points to nothing yet
mkdir real
echo old > real/f.csv
ln -s real/f.csv f.csv
ln -s real/g.csv g.csv
for link in f g; do
  $viva run swing.viva --to 1 --step 0.1 --out $link.csv > out 2> err || fail "a link as the table"
  [ -L $link.csv ] && [ ! -L real/$link.csv ] && [ "$(wc -l < real/$link.csv)" = 12 ] || fail "the link $link.csv is gone"
done
[ "$(ls -A . real | grep -c '\.part$')" = 2 ] || fail "a .part is left over"

exit $bad
