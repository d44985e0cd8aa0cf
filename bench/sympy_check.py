# The equation of the first of n pendulums as written by hand: proved by SymPy to be the one of LagrangesMethod.
import sys

from sympy import Rational, cos, diff, expand, simplify, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

n = int(sys.argv[1])
m, l, g = symbols("m l g")
q = list(dynamicsymbols("q1:%d" % (n + 1)))
t = dynamicsymbols._t
x = y = 0
L = 0
for i in range(n):
    x, y = x + l * sin(q[i]), y - l * cos(q[i])
    L += Rational(1, 2) * m * (diff(x, t) ** 2 + diff(y, t) ** 2) - m * g * y
derived = LagrangesMethod(L, q).form_lagranges_equations()[0]
by_hand = n * m * g * l * sin(q[0])
for j in range(n):
    by_hand += (n - j) * m * l**2 * (cos(q[0] - q[j]) * diff(q[j], t, 2) + sin(q[0] - q[j]) * diff(q[j], t) ** 2)
print("equal" if simplify(expand(derived - by_hand, trig=True)) == 0 else "not shown")
