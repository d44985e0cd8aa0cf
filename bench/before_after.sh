#!/bin/sh
# Is anything slower? Two programs, before and after a change, over a fixed set of commands.
#
#   bench/before_after.sh BEFORE AFTER [ROUNDS] [--wall]
#
# in    paths of two programs `viva`, their libraries beside them; ROUNDS interleaved runs of each command (7); --wall
#       counts no instructions
# out   a line for each command: instructions of both in millions and after/before, the least wall time of both and
#       after/before; at the end the geometric means
# how   instructions by `perf stat -e instructions:u` where the machine counts them, else by valgrind's callgrind, else
#       none. Times are those of the whole command, the least of the rounds, before and after in turn, so that a busy
#       machine disturbs both alike. Batches go through the C interface: tests/same/batch.c is built for each library.
# Ratios count. A command that fails in either program is told and left out.
set -eu
[ $# -ge 2 ] || { echo "usage: bench/before_after.sh BEFORE AFTER [ROUNDS] [--wall]"; exit 2; }
before=$(realpath "$1") after=$(realpath "$2")
rounds=7 count=yes
shift 2
for word; do
  case $word in --wall) count=no ;; *) rounds=$word ;; esac
done
cd "$(dirname "$0")/.."
root=$PWD
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C NO_COLOR=1 XDG_CACHE_HOME="$work/cache"

# ---- the commands: a name, a tab, and what stands behind `viva`

cat > "$work/ladder.viva" <<'END'
param n = 100, k = 100, d = 0.5
coord x[i] = 0.01*i for i in 1 .. n
kinetic 1/2*x[i]'^2 for i in 1 .. n
potential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n
dissipation 1/2*d*x[i]'^2 for i in 1 .. n
output x[1], x[n]
simulate to 1 every 1
END
cat > "$work/delays.viva" <<'END'
state x = 1, y = 0
x' = -delay(x, pi/2, cos(t)) + 0.1*delay(y, 0.3)
y' = delay(x, 0.7) - y
simulate to 40 every 1
END
cat > "$work/ring.viva" <<'END'
param n = 20
state s = 1
s' = -z[1]
unknown z[i] = 0.1 for i in 1 .. n
equation 3*z[i] + z[i]^3 - z[i-1] - z[i+1] = s*cos(i) for i in 2 .. n-1
equation 3*z[1] - z[2] = s
equation 3*z[n] - z[n-1] = sin(t)
output s
simulate to 4 every 1
END
cat > "$work/spread.viva" <<'END'
param a = 1
coord th = 2, x
kinetic 1/2*a*th'^2 + 1/2*x'^2 + 0.3*cos(th)*th'*x'
potential 9.81*(1 - cos(th)) + 2*x^2
dissipation 1/2*0.1*th'^2
simulate to 5 step 0.005 every 1
END
family=$(seq -s , 1 0.02 2)
commands() {
  e=$root/examples
  cat <<END
derive, cart	derive $e/cart_double_pendulum.viva
derive, chain of 20	derive $e/chain.viva
derive solved, triple	derive $e/triple_pendulum.viva --form solved
check, cart	check $e/cart_double_pendulum.viva
linearize, quarter car	linearize $e/quarter_car.viva
linearize, 60 states	linearize $work/ladder.viva --set n=30 --form numeric --json
diagram, pid	diagram $e/blocks/pid_pendulum.viva -o $work/out.svg
report, quarter car	report $e/quarter_car.viva -o $work/out.html
export c, triple	export c $e/triple_pendulum.viva -o $work/c --force
load, one row, ladder	run $work/ladder.viva --method rk4 --to 0.01 --step 0.01 --backend interp
run euler, cart	run $e/cart_double_pendulum.viva --method euler --to 4 --step 0.0001 --every 1 --backend interp
run rk4, cart	run $e/cart_double_pendulum.viva --method rk4 --to 10 --step 0.001 --every 1 --backend interp
run dopri5, triple	run $e/triple_pendulum.viva --method dopri5 --rtol 1e-8 --to 10 --every 1 --backend interp
run dop853, triple	run $e/triple_pendulum.viva --method dop853 --to 10 --every 1 --backend interp
run rodas, quarter car	run $e/quarter_car.viva --method rodas --every 1
run bdf, robot	run $e/robot_on_flexible_base.viva --method bdf --every 1
run bdf, ladder	run $work/ladder.viva --method bdf --rtol 1e-7 --backend interp
run auto, van der Pol	run $e/sdsc/van_der_pol.viva
run tcc, triple	run $e/triple_pendulum.viva --to 10 --every 1 --backend tcc
events, relay	run $e/blocks/relay.viva --to 200 --every 1
events, stick and slip	run $e/blocks/stick_slip.viva --to 100 --every 1
events, thermostat	run $e/blocks/thermostat.viva
samples, controller	run $e/blocks/sampled_controller.viva --to 200 --every 1
memories, antiwindup	run $e/blocks/pid_antiwindup.viva
delays	run $work/delays.viva
unknowns, ring of 20	run $work/ring.viva
table of 10000 rows	run $e/cart_double_pendulum.viva --to 10 --every 0.001 --out $work/out.csv
family of 51	run $e/inverted_pendulum.viva --set m=[$family] --to 1 --every 1
END
}

# ---- measuring

how=none
if [ $count = yes ]; then
  if perf stat -e instructions:u true 2>&1 | grep -q '[0-9] *instructions'; then how=perf
  elif command -v valgrind > /dev/null; then how=valgrind
  fi
fi

# Instructions of one run, in millions.
instructions() { # program arguments...
  case $how in
    perf)
      perf stat -x , -e instructions:u "$@" 2>&1 > /dev/null |
        awk -F , '/instructions/ { printf "%.3f", $1/1e6 }' ;;
    valgrind)
      valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 > /dev/null |
        awk '/Collected/ { printf "%.3f", $NF/1e6 }' ;;
    none) echo 0 ;;
  esac
}

# Wall time of one run in nanoseconds.
nanoseconds() { # program arguments...
  from=$(date +%s%N)
  "$@" > /dev/null 2>&1 || true
  echo $(($(date +%s%N) - from))
}

least() { if [ "$1" -lt "$2" ]; then echo "$1"; else echo "$2"; fi; }

measure() { # name before after arguments...
  name=$1 one=$2 two=$3
  shift 3
  for program in "$one" "$two"; do
    "$program" "$@" > "$work/said" 2>&1 && continue
    echo "$name: fails with $program: $(grep error "$work/said" | head -n 1)"
    return
  done
  b=$(nanoseconds "$one" "$@") a=$(nanoseconds "$two" "$@") i=1
  while [ $i -lt "$rounds" ]; do
    b=$(least "$b" "$(nanoseconds "$one" "$@")")
    a=$(least "$a" "$(nanoseconds "$two" "$@")")
    i=$((i + 1))
  done
  echo "$name|$(instructions "$one" "$@")|$(instructions "$two" "$@")|$b|$a" | tee -a "$work/all" | awk -F '|' '
    { ratio = $2 > 0 ? sprintf("%6.3f", $3/$2) : "     -"
      printf "%-24s %10.1f %10.1f %s  %8.1f %8.1f %5.2f\n", $1, $2, $3, ratio, $4/1e6, $5/1e6, $5/$4 }'
}

echo "instructions: $how; times: the least of $rounds, wall"
printf '%-24s %10s %10s %6s  %8s %8s %5s\n' command before/M after/M ratio before/ms after/ms ratio
tab=$(printf '\t')
commands | while IFS=$tab read -r name words; do
  # no word of a command holds a blank
  # shellcheck disable=SC2086
  measure "$name" "$before" "$after" $words < /dev/null
done
batch_of() { # program executable
  folder=$(dirname "$1")
  cc -O1 -I include tests/same/batch.c -o "$2" -L "$folder" -lviva "-Wl,-rpath,$folder"
}
if batch_of "$before" "$work/batch.before" && batch_of "$after" "$work/batch.after"; then
  for by in rk4 dop853 rodas; do
    measure "batch, $by" "$work/batch.before" "$work/batch.after" "$work/spread.viva" $by interp
  done
fi
awk -F '|' '
  $2 > 0 { n++; s += log($3/$2); if ($3/$2 > worst) { worst = $3/$2; by = $1 } }
  { m++; r += log($5/$4) }
  END {
    if (n) printf "instructions: geometric mean %.3f, the worst %.3f (%s)\n", exp(s/n), worst, by
    if (m) printf "times: geometric mean %.2f\n", exp(r/m)
  }' "$work/all"
