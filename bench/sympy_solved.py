# n pendulums of equal masses solved for their accelerations by SymPy.
import sys

from sympy import Rational, cos, diff, sin, solve, symbols
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
equations = LagrangesMethod(L, q).form_lagranges_equations()
print(solve(list(equations), [diff(a, t, 2) for a in q], dict=True))
