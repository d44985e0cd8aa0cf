#!/bin/sh
# Long runs keep their energy account: a conservative one, a damped and driven one, a stiff one.
set -eu
root=$1
build=$2
relative() { sed 's/.*"relative": \([^,]*\),.*/\1/'; }
check() { # name limit value
  echo "$1: $3 of the energy moved (limit $2)"
  echo "$3 $2" | awk '{exit !($1 < $2)}'
}
check "triple pendulum, 500 s" 1e-7 "$("$build/viva" run "$root/examples/triple_pendulum.viva" --to 500 --every 1 --json | relative)"
check "quarter car, 1000 s" 1e-8 "$("$build/viva" run "$root/examples/quarter_car.viva" --to 1000 --every 1 --json | relative)"
check "electromagnet, 100 s" 1e-8 "$("$build/viva" run "$root/examples/electromagnet.viva" --to 100 --every 0.1 --json | relative)"
check "chain of 20, 50 s" 1e-7 "$("$build/viva" run "$root/examples/chain.viva" --to 50 --every 0.1 --json | relative)"
