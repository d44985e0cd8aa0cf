#!/bin/sh
# Every command with every model of a generated list: models without states, parameters or coordinates, with one statement
# alone, with outputs that have no value, and parts of all kinds connected in pairs. Each ends with status 0, 1 or 2, says
# why where it is not 0, and never says "out of memory", for memory is not limited here.
#   sh every.sh ROOT BUILD
viva=$2/viva
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
bad=0
count=0
ulimit -t 20
try() { # words of a command
  count=$((count + 1))
  echo "\$ viva $*" >> all
  said=$("$viva" "$@" 2>&1 >> all)
  status=$?
  why=
  case $status in
    0) ;;
    1 | 2) [ -n "$said" ] || [ "$1" = check ] || [ "$1" = diff ] || why="status $status, and nothing is said" ;;
    *) why="status $status" ;;
  esac
  case $said in *'out of memory'*) why='"out of memory"' ;; esac
  [ -n "$why" ] || return 0
  bad=$((bad + 1))
  echo "FAILED: $why: viva $*"
  sed 's/^/    /' m.viva
}

printf 't,y,z\n0,1,2\n0.1,2,2\n0.2,2.5,2\n0.3,2.6,2\n0.4,2.7,1\n' > data.csv
printf '2*1 = 2\n' > lines.txt
one() { # the model m.viva: commands that read it alone
  for words in "derive m.viva" "derive m.viva --json" "derive m.viva --format latex --steps" "derive m.viva --form solved" \
    "derive m.viva --form matrices --numeric" "derive m.viva --form state" "derive m.viva --form hamilton" \
    "derive m.viva --form kinematics" "derive m.viva --origins" "check m.viva" "check m.viva --json" \
    "check m.viva --passivity" "check m.viva --equations lines.txt" "diff m.viva m.viva" "linearize m.viva" \
    "linearize m.viva --at start --json" "linearize m.viva --plot p.svg --plot-modes q.svg" "equilibrium m.viva" \
    "equilibrium m.viva --json --plot p.svg" "equilibrium m.viva --search x=-1:1" "equilibrium m.viva --over p=0:2" \
    "equilibrium m.viva --reach x=1" "equilibrium m.viva --problem modes" "equilibrium m.viva --problem deformed" \
    "diagram m.viva -o p.svg" "animate m.viva -o p.svg --to 0.1" "animate m.viva -o p.html --to 0.1 --fps 4" \
    "report m.viva -o p.html --to 0.4 --steps" "report m.viva -o p.html --vary p=[1,2] --to 0.1" \
    "export c m.viva -o c --force" "export latex m.viva" "export dot m.viva"; do
    # shellcheck disable=SC2086
    try $words
  done
}
more() { # the model m.viva: commands with times, outputs and parameters
  for words in "run m.viva --to 0.4" "run m.viva --to 0.4 --json --all --energy --out p.csv --plot p.svg --power --phase" \
    "run m.viva --to 0.4 --method rodas" "run m.viva --to 0.4 --method bdf" "run m.viva --to 0.4 --step 0.1 --method gauss4" \
    "run m.viva --to 0.4 --step 0.1 --method verlet --check-step" "run m.viva --to 0.4 --step 0.1 --method rk4 --no-events" \
    "run m.viva --to 0.4 --terminal --measure max(y) --measure final(x)" "run m.viva --to 0.4 --save p.state" \
    "run m.viva --to 0.4 --compare rk4,dopri5" "run m.viva --inverse data.csv" \
    "sensitivity m.viva --to 0.4" "sensitivity m.viva --to 0.4 --by x --plot p.svg" "sensitivity m.viva --to 0.4 --by p --json" \
    "sweep m.viva --to 0.4 --vary p=[1,2] --measure final(y) --out s.csv" "sweep m.viva --vary x=[1,2] --to 0.4" \
    "sweep m.viva --random p=normal(1,0.1) --samples 4 --measure final(y) --indices --to 0.4" \
    "fit m.viva data.csv --free p=0:5 --by y --method lm" "fit m.viva data.csv --free x=0:5 --by y --method lm" \
    "fit m.viva --minimize final(y)^2 --free p=0:5 --to 0.4 --method lm" "fit m.viva --design --free p=0:5 --by y --to 0.4" \
    "analyze m.viva --path u:y" "analyze m.viva --open x" "analyze m.viva --over p=0:2" "analyze m.viva --lqr Q=1,R=1" \
    "analyze m.viva --kalman Q=1,R=1 --json" "analyze m.viva --path u:y --norms --realize observable" \
    "report m.viva -o p.html --path u:y --to 0.4"; do
    # shellcheck disable=SC2086
    try $words
  done
}

models() { # one model a line, with \n between its lines
  cat <<'END'

title "nothing"
output y = 1
output y = t
param p = 1
param p = 1\noutput y = p
param p[i] = i for i in 1 .. 3\noutput p
input u = 0
input u = sin(t)\noutput y = u, w = u'
output y = friction(t, 1, 1.2)
output y = t\nwhen t > 0.2 do stop
let y = all(1, t > 0.2)\noutput z = friction(y, 1, 1.2)
state x = 1\nx' = 0
state x = 1\nx' = 0\noutput y = 2
param p = 1\nstate x = 1\nx' = -p*x\noutput y = ln(-x)
param p = 1\nstate x = 1\nx' = -p*x\noutput x, y = 1/(t - 0.2)
output y = ln(-1)
output y = ln(t)
param p = 1\noutput y = p/t
state x = 0\nx' = 1/x
coord x\nkinetic 1/2*x'^2\noutput y = 1/x
coord x
coord x\nkinetic 1/2*x'^2
coord x\npotential x^2
coord x\ndissipation x'^2
coord x\nforce x = 1
coord x\ninput u = 0\nforce x = u
coord x, y\nkinetic 1/2*(x' + y')^2
coord x\nconstraint x = 1
coord x\nkinetic 1/2*x'^2\nconstraint x = 1\nconstraint x = 1
coord x, y\npotential x^2 + y^2\nconstraint x + y = 1
param p = 1\ncoord x\ninput u = sin(t)\npotential p*x^2\nforce x = u\noutput y = x'
coord x\ninput F\nkinetic 1/x'*x'^2\npotential 1/2*x^2\nforce x = F
coord x, y\nkinetic 1/2*x'^2 + 1/2*y'^2*(sin(2*x)^2 - 4*sin(x)^2*cos(x)^2)\npotential y^2
coord x\nkinetic 1/2*x'^2\npotential friction(1, 1, 1.2)
param p = 1\ncoord q\nkinetic 1/2*q'^2\npotential q^2\ndraw mass [q, backlash(q, q')]
state z = 0\nz' = (1 <= friction(t, 1, 1.2)) - z
state x = 0\nx' = friction(t, 1, 1.2)
unknown x = 1\nequation x^2 = 2
unknown x = 1\nequation x^2 = 2 + t\noutput y = x
unknown x = 1\nequation 0 = 0
unknown x = 1\nequation x = x
unknown x\nequation exp(x) = 0
state x = 1\nequation x' + x = 0
state x\nequation x = sin(t)\noutput y = x
state x = 0\nevery 0.1 do x := x + 1
state x = 0, y = 1\nwhen y > 0 do x := 1
every 0.1 do stop
output y = delay(t, 0.1)
output y = noise(1, 0.1)
output y = latch(t > 0.1, t > 0.2) + pulse(t > 0.1, 0.1)
output y = hysteresis(t, 0, 0.1, 1, 2) + backlash(t, 0.1)
output y = table("data.csv", "y", t)
output y = sum(i, i, 1, 0)
let a = 1, b = a
hamiltonian 1
state x = 1, z\nhamiltonian 1/2*x^2 + 1/2*z^2
state x = 1\nhamiltonian x
state x = 1\nhamiltonian 1/2*x^2\ninterconnection 0\ndamping 0\ninput u = 0\nport u by [1]
draw mass [0, 0]
draw mass [t, 0], rod [0, 0] [t, 0]
plot t
output y = t\nplot y against y
simulate to 0
output y = t\nsimulate to 0 step 0
output y = t\nsimulate to 0 every 0.1
param p = 1\ncase one: p = 2
param p = 1\nfit p in 0 .. 5 to "data.csv" by y\noutput y = p
param p = 1\noutput y = p*t\nfit p in 0 .. 5 to "data.csv" by y
drive t from 0 to 1 steps 3
param p = 1\ndrive p from 0 to 1 steps 3
coord x\ndrive x from 0 to 1 steps 3
param g = 9.81\nbody B mass 1
body B mass 1 inertia [1, 1, 1] joint hinge x about z
param p = 1\ninput u = 0\nstate x = 1\nx' = -p*x + u\noutput y = x
param p = 1\ninput u = 0\ncoord x = 0.1\nkinetic 1/2*x'^2\npotential 1/2*p*x^2\nforce x = u\noutput y = x
fun f(c) = c^2\noutput y = f(t)
init x = 1
END
}

models > list
while IFS= read -r line; do
  printf '%b\n' "$line" > m.viva
  one
  more
done < list

# parts of all kinds, connected in pairs
part() { printf '%b\n' "$2" > "$1.viva"; }
part capacitor "param C = 1 [F]\ncoord q [C]\ninput u = 0 [V]\npotential q^2/(2*C)\nport u by [1]"
part inductor "param L = 1 [H]\ncoord q [C]\ninput u = 0 [V]\nkinetic 1/2*L*q'^2\nport u by [1]"
part resistor "param R = 1 [ohm]\ncoord q [C]\ninput u = 0 [V]\ndissipation 1/2*R*q'^2\nport u by [1]"
part loose "coord q [C]\ninput u = 0 [V]\nport u by [1]"
part flux "param L = 1 [H]\nstate x = 1 [Wb]\ninput u = 0 [V]\nhamiltonian x^2/(2*L)\ninterconnection 0\nport u by [1]"
part charge "param C = 1 [F]\nstate x = 1 [C]\ninput u = 0 [A]\nhamiltonian x^2/(2*C)\ninterconnection 0\nport u by [1]"
part plain "state x = 1\ninput u = 0\nhamiltonian x^2/2\ninterconnection 0\nport u by [1]"
set -- capacitor inductor resistor loose flux charge plain
for a; do
  for b; do
    printf 'use "%s.viva" as c\nuse "%s.viva" as l\nconnect c.u, l.u\n' "$a" "$b" > m.viva
    for words in "run m.viva --to 0.1" "derive m.viva --form state" "derive m.viva --form hamilton" "check m.viva --passivity" \
      "linearize m.viva" "equilibrium m.viva" "sensitivity m.viva --to 0.1"; do
      # shellcheck disable=SC2086
      try $words
    done
  done
done
if grep -q 'out of memory' all; then
  grep -B1 'out of memory' all | head
  bad=$((bad + 1))
fi
echo "$count commands, $bad bad"
[ $bad = 0 ]
