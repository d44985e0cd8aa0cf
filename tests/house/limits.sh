# Where memory is short, and files that are not what they seem: messages, never a crash.
#   sh limits.sh ROOT BUILD
viva=$2/viva
dir=$(mktemp -d)
bad=0
fail() { echo "FAILED: $*"; bad=1; }
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
printf 'state x = 1\nx%s = -x\nplot x\nsimulate to 1 step 0.1\n' "'" > m.viva

# the libraries that draw PNG and PDF end the program when it is out of memory: it is asked for first
if ! $viva run m.viva --plot p.png > out 2>&1; then
  grep -q 'librsvg' out || fail "a PNG: $(cat out)"
elif ! objdump -p "$2/libviva.so" 2> /dev/null | grep -q asan; then
  for room in 60 100 140 180 220 260 300 340 420 500 540 700; do
    for kind in png pdf; do
      (ulimit -v ${room}000; timeout 60 $viva run m.viva --plot p.$kind > out 2> err)
      code=$?
      [ $code = 0 ] || [ $code = 1 ] || fail "a $kind with $room MB ends with $code"
      [ $code = 0 ] || [ -s err ] || fail "a $kind with $room MB says nothing"
    done
  done
fi

# a file that claims to be a terabyte
truncate -s 1T huge 2> /dev/null || { echo "(no sparse files here)"; exit $bad; }
tried() {
  (ulimit -v 2000000; timeout 10 "$@" > out 2>&1)
  [ $? = 2 ] && grep -q 'too large' out || fail "$*: $(head -c 200 out)"
}
tried $viva derive huge
tried $viva run m.viva --resume huge
tried $viva import huge
printf 'use "huge" as h\nstate x = 1\nx%s = -x\n' "'" > part.viva
tried $viva derive part.viva

# 60,000 attributes in one tag: each is looked for behind the one before (0.05 s; 10 s and more when each search began at
# the start of the tag)
awk 'BEGIN { printf "<robot name=\"r\""; for (i = 0; i < 60000; i++) printf " a%d=\"1\"", i; print "><link name=\"a\"/></robot>" }' > wide.urdf
timeout 5 $viva import wide.urdf > out 2>&1
[ $? = 0 ] && grep -q 'body a on ground' out || fail "60000 attributes: $(head -c 200 out)"

# a model through a pipe that is open already; one that is not would keep us waiting
[ "$(cat m.viva | $viva run /dev/stdin --out - 2> err | wc -l)" = 12 ] || fail "a model through a pipe: $(cat err)"
[ "$($viva run /dev/fd/4 --out - 4< m.viva 2> err | wc -l)" = 12 ] || fail "a model through a descriptor: $(cat err)"
mkfifo pipe
for words in "run pipe" "run m.viva --resume pipe" "import pipe"; do
  timeout 10 $viva $words > out 2>&1
  [ $? = 2 ] && grep -q 'a device or a pipe' out || fail "$words: $(cat out)"
done
exit $bad
