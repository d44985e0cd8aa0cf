#!/bin/sh
# Little memory: numbers need no symbols, and where LAPACK's library has no room that is told, not waited for.
# Not with sanitizers, which take terabytes of addresses.
set -eu
build=$2
if ldd "$build/viva" 2> /dev/null | grep -q "libasan\|libclang_rt.asan" || grep -q "VIVA_SANITIZE:BOOL=ON" "$build/CMakeCache.txt"; then exit 0; fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat > angles.viva <<'END'
param m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81
coord a = 0.4, b = 0.3
kinetic 1/2*m1*l1^2*a'^2 + 1/2*m2*(l1^2*a'^2 + l2^2*b'^2 + 2*l1*l2*a'*b'*cos(1.9*a - 0.7*b))
potential -(m1 + m2)*g*l1*cos(1.9*a) - m2*g*l2*cos(0.7*b)
END
for form in numeric both; do
  (ulimit -v 4000000; timeout -s KILL 20 "$build/viva" linearize angles.viva --form $form --at "a=0.4,a'=1,b'=2" > out) || { echo "linearize --form $form needs more than 4 GB or 20 s"; exit 1; }
  grep -q "1 eigenvalue right of the imaginary axis, 3 left of it" out || { echo "another verdict with --form $form"; exit 1; }
done
# a value that is made of 6,000 parameters: their values are put in at once, not one by one
cat > many.viva <<'END'
param n = 6000
param p[i] = 1 + i/1000 for i in 1 .. n
let s[1] = p[1]
let s[i] = s[i-1] + p[i] for i in 2 .. n
state x = 1
x' = -x*s[n]/1000
output x
END
(ulimit -v 1000000; timeout -s KILL 20 "$build/viva" linearize many.viva > out) || { echo "linearize with 6,000 parameters needs more than 1 GB or 20 s"; exit 1; }
# n + n*(n + 1)/2000 = 24003
grep -q "A = \[-24.003\]" out || { echo "another matrix with 6,000 parameters"; exit 1; }
# from next to nothing to plenty: an answer, or the words "out of memory"; never a wait. LAPACK serves the linear model,
# the rounding that bdf measures, and dense systems of rodas; with one thread of its own, and with as many as it likes
cat > stiff.viva <<'END'
state u[i] = i/100 for i in 1 .. 70
let s = sum(u[i], i, 1, 70)/70
u[i]' = 900*(s - u[i]) - u[i]^3 for i in 1 .. 70
simulate to 0.01 every 0.01
END
climb() { # what must be said, command and options
  said=$1
  shift
  answers=0
  for room in 30000 60000 90000 120000 150000 180000 210000 240000 300000 400000 4000000; do
    status=0
    (ulimit -v $room; timeout -s KILL 20 "$build/viva" "$@" > out 2> err) || status=$?
    case $status in
      0) grep -q "$said" out || { echo "$* in $room kB: no answer"; exit 1; }
         answers=$((answers + 1)) ;;
      1) grep -q "out of memory" err || { echo "$* in $room kB: $(cat err)"; exit 1; } ;;
      127) ;; # not even its libraries have room
      *) echo "$* in $room kB: status $status"; exit 1 ;;
    esac
  done
  [ $answers -gt 0 ] || { echo "$*: no answer in any room"; exit 1; }
}
for threads in 1 4; do
  OPENBLAS_NUM_THREADS=$threads
  export OPENBLAS_NUM_THREADS
  climb Stability linearize angles.viva --form numeric
  climb "method       bdf" run stiff.viva --method bdf
  climb "method       rodas" run stiff.viva --method rodas
done
unset OPENBLAS_NUM_THREADS
# exact algebra, by FLINT and with numbers of many digits: FLINT would end the program where it is out of memory
cat > proof.viva <<'END'
param m = 1, l = 2, g = 123456789012345678901234567890123/7, k = 1/99999999999999999999^5
coord x, th
kinetic 1/2*m*(x' + l*cos(th)*th')^2 + 1/2*m*l^2*sin(th)^2*th'^2 + 1/2*x'^2
potential -m*g*l*cos(th) + k*x^4
END
seen=0
for room in 20000 30000 40000 50000 60000 80000 100000 130000 160000 200000 400000; do
  for words in "derive proof.viva --form solved" "derive proof.viva --steps" "check proof.viva --equation x''=exp(x)*ln(th)"; do
    status=0
    (ulimit -v $room; timeout -s KILL 20 "$build/viva" $words > out 2> err) || status=$?
    case $status in
      0) seen=$((seen + 1)) ;;
      1) grep -q "out of memory\|cannot be loaded\|cannot be started\|limits of memory\|^different\|^undecided" out err || { echo "$words, $room kB: $(cat out err)"; exit 1; } ;;
      127) ;;
      *) echo "$words, $room kB: status $status: $(cat err)"; exit 1 ;;
    esac
  done
done
[ $seen -ge 3 ] || { echo "exact algebra has no answer, even with plenty"; exit 1; }
# a thousand delays of one signal keep one record of it: delay(x, T) of x = exp(-t) with the past 0 is exp(T - t)
printf "state x = 1\nx' = -x\noutput y[i] = delay(x, 0.001*i) for i in 1 .. 1000\nsimulate to 1 every 0.5\n" > delays.viva
(ulimit -v 800000; timeout -s KILL 60 "$build/viva" run delays.viva --out delays.csv > out 2> err) || { echo "1000 delays: $(cat err)"; exit 1; }
tail -1 delays.csv | tr , '\n' | sed 1d | awk '{d = $1 - exp(NR/1000 - 1); if (d*d > 1e-20) {print "delay " NR ": " $1; bad = 1}} END {exit bad || NR != 1000}' ||
  { echo "1000 delays are wrong"; exit 1; }
# 500 unknowns in a ring: most of their matrix is zero, and costs nothing. All are alike: u/2 + u^3/10 = x
cat > ring.viva <<'END'
state x = 1
unknown u[i] = 1 for i in 1 .. 500
equation u[i] + 0.1*u[i]^3 = 0.5*u[i-1] + x for i in 2 .. 500
equation u[1] + 0.1*u[1]^3 = 0.5*u[500] + x
x' = -u[1]
output x, first = u[1], last = u[500]
simulate to 1 every 0.5
END
timeout -s KILL 15 "$build/viva" run ring.viva --out ring.csv > out 2> err || { echo "500 unknowns in a ring take more than 15 s: $(cat err)"; exit 1; }
awk -F , 'NR > 1 {d = $3/2 + $3^3/10 - $2; if (d*d > 1e-24 || $3 != $4) bad = 1} END {exit bad || NR != 4}' ring.csv || { echo "500 unknowns in a ring are wrong"; exit 1; }
# 200,000 parameters: what a line of the text takes is counted in hundreds of bytes, not in thousands
awk 'BEGIN { print "coord x = 1\nkinetic 1/2*x'"'"'^2\npotential 1/2*p1*x^2"; for (i = 1; i <= 200000; i++) print "param p" i " = " i }' > many.viva
(ulimit -v 500000; timeout -s KILL 30 "$build/viva" derive many.viva > out 2> err) || { echo "200000 parameters: $(cat err)"; exit 1; }
grep -q "p200000 = 200000" out || { echo "200000 parameters: not all are there"; exit 1; }
# a report on a chain of 2,000 masses: proofs give back what they took (6.1 GB for 1,000 masses when they kept it)
cat > chain.viva <<'END'
coord x[i] for i in 1 .. 2000
kinetic x[i]'^2 for i in 1 .. 2000
potential (x[i] - x[i+1])^2 for i in 1 .. 1999
END
(ulimit -v 1000000; timeout -s KILL 60 "$build/viva" check chain.viva > out 2> err) || { echo "check of 2000 masses: $(head -c 300 err)"; exit 1; }
grep -q "the energy" out && grep -q "the momentum of\|A search was given up" out || { echo "check of 2000 masses: what is missing is not said"; exit 1; }
