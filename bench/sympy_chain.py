# n pendulums by SymPy's LagrangesMethod, timed in a cold process from import to printed equations.
import sys

from sympy import Rational, cos, diff, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

n = int(sys.argv[1])
m, l, g = symbols("m l g")
q = dynamicsymbols("q1:%d" % (n + 1))
if n == 1:
    q = [q] if not isinstance(q, (list, tuple)) else list(q)
t = dynamicsymbols._t
x = y = 0
L = 0
for i in range(n):
    x, y = x + l * sin(q[i]), y - l * cos(q[i])
    L += Rational(1, 2) * m * (diff(x, t) ** 2 + diff(y, t) ** 2) - m * g * y
method = LagrangesMethod(L, q)
print(method.form_lagranges_equations())
