# Printed equations of n pendulums beside SymPy's, at random points.
import json
import random
import subprocess
import sys

from sympy import Rational, cos, diff, lambdify, sin, symbols
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

root, build = sys.argv[1:3]
worst = 0
for n in (1, 2, 3, 5):
    text = subprocess.run([build + "/viva", "derive", root + "/examples/chain.viva", "--set", "n=%d" % n, "--json"],
                          check=True, capture_output=True, text=True).stdout
    equations = json.loads(text)["equations"]
    m, l, g = symbols("m l g")
    q = [dynamicsymbols("q%d" % i) for i in range(1, n + 1)]
    t = dynamicsymbols._t
    x, y, L = 0, 0, 0
    for i in range(n):
        x, y = x + l * sin(q[i]), y - l * cos(q[i])
        L += Rational(1, 2) * m * (diff(x, t) ** 2 + diff(y, t) ** 2) - m * g * y
    residuals = LagrangesMethod(L, q).form_lagranges_equations()
    plain = symbols("q1:%d v1:%d a1:%d" % (n + 1, n + 1, n + 1))
    swap = [(q[i].diff(t, 2), plain[2 * n + i]) for i in range(n)] + [(q[i].diff(t), plain[n + i]) for i in range(n)]
    swap += [(q[i], plain[i]) for i in range(n)]
    theirs = lambdify([m, l, g, *plain], [r.subs(swap) for r in residuals], "math")
    for _ in range(20):
        point = [random.uniform(0.2, 2) for _ in range(3 + 3 * n)]
        names = {"m": point[0], "l": point[1], "g": point[2], "sin": __import__("math").sin, "cos": __import__("math").cos}
        for i in range(n):
            names["th_%d" % (i + 1)], names["v_%d" % (i + 1)], names["a_%d" % (i + 1)] = point[3 + i], point[3 + n + i], point[3 + 2 * n + i]
        for e, want in zip(equations, theirs(*point)):
            damping = 0  # the example has dampers between the links; SymPy's model has none
            for i in range(2, n + 1):
                k = int(e["of"][3:-1])
                rate = names["v_%d" % i] - names["v_%d" % (i - 1)]
                damping += 1e-4 * rate * ((k == i) - (k == i - 1))
            side = []
            for part in (e["lhs"], e["rhs"]):
                for i in range(n, 0, -1):
                    part = part.replace("th[%d]''" % i, "a_%d" % i).replace("th[%d]'" % i, "v_%d" % i).replace("th[%d]" % i, "th_%d" % i)
                side.append(eval(part.replace("^", "**"), {}, names))
            error = abs(side[0] - side[1] - damping - want) / (1 + abs(want))
            worst = max(worst, error)
            assert error < 1e-11, (n, e, error)
print("equations of 1, 2, 3 and 5 pendulums agree with SymPy's: %.1e" % worst)
