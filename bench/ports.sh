#!/bin/sh
# Energy and structure: seconds of the processor, the least of ten cold runs.
#   sh ports.sh VIVA ROOT     the command, and the folder of the project
# The peer of a form is the same command with --form lagrange: what the transformation adds is the ratio.
set -eu
viva=$(realpath "$1")
root=$(realpath "$2")

least() { # command...
  i=0
  while [ $i -lt 10 ]; do
    /usr/bin/time -f "%U %S" -o /tmp/ports.$$ "$@" > /dev/null 2>&1 || true
    tail -1 /tmp/ports.$$
    i=$((i + 1))
  done | awk '{ t = $1 + $2; if (NR == 1 || t < m) m = t } END { printf "%.3f", m }'
  rm -f /tmp/ports.$$
}

line() { # words, our command, its peer
  ours=$(least $2)
  theirs=$(least $3)
  echo "$1: $ours s, $(echo "$ours $theirs" | awk '{ printf "%.1f", $2 > 0 ? $1 / $2 : 1 }') times the Lagrangian form"
}

cart=$root/examples/cart_double_pendulum.viva
chain=$root/examples/chain.viva
line "--form hamilton, cart with double pendulum" "$viva derive $cart --form hamilton" "$viva derive $cart"
line "--form hamilton, 6 pendulums" "$viva derive $chain --set n=6 --form hamilton" "$viva derive $chain --set n=6"
cells=$root/examples/ports/chain.viva
line "50 parts connected, --form hamilton" "$viva derive $cells --form hamilton" "$viva derive $cells"
echo "50 parts connected, passivity: $(least "$viva" check --passivity "$cells") s"
