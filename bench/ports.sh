#!/bin/sh
# Energy and structure: milliseconds of the processor of a cold run, the mean of twenty.
#   sh ports.sh VIVA ROOT     the command, and the folder of the project
# Beside each form stands the Lagrangian one of the same model: the ratio is what the transformation takes.
set -eu
viva=$(realpath "$1")
root=$(realpath "$2")

cost() { # command...
  sh -c 'i=0; while [ $i -lt 20 ]; do "$@" > /dev/null 2>&1; i=$((i + 1)); done; times' sh "$@" |
    sed -n '2p' | tr 'ms' '  ' | awk '{ printf "%.1f", ($1 * 60 + $2 + $3 * 60 + $4) * 1000 / 20 }'
}

line() { # words, options of our command, model and its settings
  words=$1
  options=$2
  shift 2
  ours=$(cost "$viva" derive $options "$@")
  theirs=$(cost "$viva" derive "$@")
  echo "$words: $ours ms, $(echo "$ours $theirs" | awk '{ printf "%.1f", ($2 > 0 ? $1 / $2 : 1) }') times the Lagrangian form"
}

line "--form hamilton, cart with double pendulum" "--form hamilton" "$root/examples/cart_double_pendulum.viva"
line "--form hamilton, 6 pendulums" "--form hamilton" "$root/examples/chain.viva" --set n=6
line "--form hamilton, 50 parts connected" "--form hamilton" "$root/examples/ports/chain.viva"
echo "passivity of 50 parts connected: $(cost "$viva" check --passivity "$root/examples/ports/chain.viva") ms"
