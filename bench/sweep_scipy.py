"""The sweep of bench/sweep.c by SciPy: solve_ivp in a loop. Prints seconds for one sample.

    sweep_scipy.py smooth|events METHOD SAMPLES
"""

import sys
import time

import numpy as np
from scipy.integrate import solve_ivp


def smooth(a, b):
    return solve_ivp(
        lambda t, y: [y[1], -a * np.sin(y[0]) - b * y[1]], (0, 10), [1.0, 0.0], method=method, rtol=1e-8, atol=1e-10
    ).y[0, -1]


def height(t, y):
    return y[0]


height.terminal = True
height.direction = -1


def events(a, b):
    t, y = 0.0, [1.0, 0.0]
    while True:
        s = solve_ivp(
            lambda t, y: [y[1], -9.81 - b * y[1]], (t, 2), y, method=method, rtol=1e-8, atol=1e-10, events=height
        )
        t, y = s.t[-1], s.y[:, -1]
        if s.status == 0:
            return y[0]
        y = [0.0, -a * y[1]]


kind, method, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
draw = np.random.default_rng(1)
start = time.process_time()
for i in range(count):
    if kind == "smooth":
        smooth(draw.uniform(5, 15), draw.uniform(0, 0.5))
    else:
        events(draw.uniform(0.8, 0.9), draw.uniform(0, 0.5))
print((time.process_time() - start) / count)
