#!/bin/sh
# What is a robot, by us and by urdfdom's check_urdf (Debian's liburdfdom-tools): both accept the examples, and both refuse
# the files of tests/reference/urdf/refused. Those of tests/reference/urdf/stricter are accepted there and refused here:
# a mass below zero, a link with two parents, a joint that mimics itself and so on make no motion. Those of
# tests/reference/urdf/milder are refused there and accepted here: blanks around a number say nothing else.
#
#   urdf.sh SOURCE BUILD        exit 77: check_urdf is not installed
set -eu
root=$1
viva=$2/viva
command -v check_urdf >/dev/null 2>&1 || { echo "skipped: check_urdf is not installed (liburdfdom-tools)"; exit 77; }
bad=0
count=0

# FILE, then 0 or 1: must check_urdf accept it, must we
look() {
  count=$((count + 1))
  theirs=0
  timeout 20 check_urdf "$1" >/dev/null 2>&1 || theirs=$?
  ours=0
  "$viva" import "$1" >/dev/null 2>&1 || ours=$?
  [ "$ours" -eq 0 ] || [ "$ours" -eq 2 ] || { echo "$1: viva ends with $ours"; bad=1; }
  [ $((theirs == 0)) -eq "$2" ] || { echo "$1: check_urdf ends with $theirs"; bad=1; }
  [ $((ours == 0)) -eq "$3" ] || { echo "$1: viva ends with $ours"; bad=1; }
}

for f in "$root"/examples/robots/*.urdf; do look "$f" 1 1; done
for f in "$root"/tests/reference/urdf/refused/*.urdf; do look "$f" 0 0; done
for f in "$root"/tests/reference/urdf/stricter/*.urdf; do look "$f" 1 0; done
for f in "$root"/tests/reference/urdf/milder/*.urdf; do look "$f" 0 1; done
[ $bad -eq 0 ] && echo "$count files: check_urdf agrees"
exit $bad
