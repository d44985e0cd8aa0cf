# The first document's experiment: damping of a cart with two pendulums by a genetic algorithm, `viva fit --method ga` beside the same
# algorithm in NumPy with motions by SciPy's odeint (LSODA), 70 individuals, 30 generations, ranges 0 .. 10.
#
#   python3 bench/fit_ga.py build/viva [DATA.csv]              one seed of both: seconds and processor time
#   python3 bench/fit_ga.py build/viva [DATA.csv] --seeds 100  R^2 of both over so many seeds and a rank test; motions of the
#                                                        peer by RK4 in C (a step of 1/1000 s) then, for time's sake
import ctypes
import json
import os
import subprocess
import sys
import tempfile
import time
from math import cos, sin

import numpy as np
from scipy.integrate import odeint
from scipy.stats import mannwhitneyu

MODEL = """
param m1 = 1, m2 = 0.5, m3 = 0.3, l1 = 0.2, l2 = 0.2, g = 9.81, d1 = 5, d2 = 5, d3 = 5
coord x, th1, th2 = pi/8
let P1 = [x + l1*sin(th1), l1*cos(th1)]
let P2 = P1 + [l2*sin(th2), l2*cos(th2)]
kinetic 1/2*m1*x'^2 + 1/2*m2*|P1'|^2 + 1/2*m3*|P2'|^2
potential m2*g*P1.y + m3*g*P2.y
dissipation 1/2*d1*x'^2 + 1/2*d2*th1'^2 + 1/2*d3*th2'^2
"""
START = [0, 0, np.pi / 8, 0, 0, 0]

# M a = r of the same cart, by hand: numbers are m1 + m2 + m3, (m2 + m3) l1, m3 l2, ...
C_MOTION = r"""
#include <math.h>
static void rates(const double *y, const double *d, double *f) {
  double c1 = cos(y[1]), s1 = sin(y[1]), c2 = cos(y[2]), s2 = sin(y[2]), c12 = c1*c2 + s1*s2, s12 = s1*c2 - c1*s2;
  double b = .16*c1, c = .06*c2, e = .012*c12;
  double r1 = -d[0]*y[3] + .16*y[4]*y[4]*s1 + .06*y[5]*y[5]*s2, r2 = -d[1]*y[4] - .012*y[5]*y[5]*s12 + 1.5696*s1,
         r3 = -d[2]*y[5] + .012*y[4]*y[4]*s12 + .5886*s2;
  double p = b/1.8, q = c/1.8, D = .032 - p*b, E = e - p*c, F = .012 - q*c, u = r2 - p*r1, v = r3 - q*r1, det = D*F - E*E;
  f[0] = y[3], f[1] = y[4], f[2] = y[5];
  f[4] = (u*F - E*v)/det, f[5] = (D*v - E*u)/det, f[3] = (r1 - b*f[4] - c*f[5])/1.8;
}
void motion(const double *d, int rows, int steps, double h, double *x) {
  double y[6] = {0, 0, 3.14159265358979323846/8}, k[4][6], z[6];
  for (int r = 0; r < rows; r++) {
    x[r] = y[0];
    for (int s = 0; s < steps; s++) {
      rates(y, d, k[0]);
      for (int j = 1; j < 4; j++) {
        for (int i = 0; i < 6; i++) z[i] = y[i] + (j == 3 ? h : h/2)*k[j - 1][i];
        rates(z, d, k[j]);
      }
      for (int i = 0; i < 6; i++) y[i] += h/6*(k[0][i] + 2*k[1][i] + 2*k[2][i] + k[3][i]);
    }
  }
}
"""


def rates(y, t, d1, d2, d3):
    x, a, b, v, w1, w2 = y
    c1, s1, c2, s2 = cos(a), sin(a), cos(b), sin(b)
    c12, s12 = c1 * c2 + s1 * s2, s1 * c2 - c1 * s2
    B, C, E = 0.16 * c1, 0.06 * c2, 0.012 * c12
    r1 = -d1 * v + 0.16 * w1 * w1 * s1 + 0.06 * w2 * w2 * s2
    r2 = -d2 * w1 - 0.012 * w2 * w2 * s12 + 1.5696 * s1
    r3 = -d3 * w2 + 0.012 * w1 * w1 * s12 + 0.5886 * s2
    p, q = B / 1.8, C / 1.8
    D, F, E = 0.032 - p * B, 0.012 - q * C, E - p * C
    u, v3 = r2 - p * r1, r3 - q * r1
    det = D * F - E * E
    a1, a2 = (u * F - E * v3) / det, (D * v3 - E * u) / det
    return v, w1, w2, (r1 - B * a1 - C * a2) / 1.8, a1, a2


def evolve(r2, seed, population=70, generations=30, low=0.0, high=10.0, n=2, pc=0.7, pm=0.1):
    """Roulette by max(R^2, 0), SBX by Deb's formula with one spread a crossing, one gene mutated, the best kept aside."""
    chance = np.random.default_rng(seed)
    people = chance.uniform(low, high, (population, 3))
    fit = r2(people)
    best = fit.max()
    for _ in range(generations):
        weight = np.maximum(np.where(np.isfinite(fit), fit, 0), 0)
        if weight.sum() > 0:
            wheel = np.cumsum(weight / weight.sum())
            parents = np.minimum(np.searchsorted(wheel, chance.uniform(size=population)), population - 1)
        else:
            parents = chance.integers(0, population, population)
        people = people[parents].copy()
        for i in range(0, population - 1, 2):
            if chance.uniform() < pc:
                a, b, r = people[i].copy(), people[i + 1].copy(), chance.uniform()
                beta = ((2 * r) if r < 0.5 else 1 / (2 * (1 - r))) ** (1 / (n + 1))
                apart = beta * np.abs(b - a)
                people[i], people[i + 1] = (a + b - apart) / 2, (a + b + apart) / 2
        people = np.clip(people, low, high)
        for i in range(population):
            if chance.uniform() < pm:
                people[i, chance.integers(3)] = chance.uniform(low, high)
        fit = r2(people)
        best = max(best, fit.max())
    return best


def children_time():
    t = os.times()
    return t.children_user + t.children_system


def main():
    words = [w for w in sys.argv[1:] if not w.startswith("--")]
    seeds = int(words.pop()) if "--seeds" in sys.argv else 0
    viva = os.path.abspath(words[0])
    here = os.path.dirname(os.path.abspath(__file__))
    path = os.path.abspath(words[1] if len(words) > 1 else here + "/../tests/reference/cart_double_pendulum_data.csv")
    times, data = np.loadtxt(path, delimiter=",", skiprows=1).T
    total = ((data - data.mean()) ** 2).sum()
    work = tempfile.mkdtemp()
    model = work + "/cart.viva"
    with open(model, "w") as f:
        f.write(MODEL)

    def fit(seed):
        options = ["--by", "x", "--method", "ga", "--no-profiles", "--seed", str(seed), "--json"]
        for name in ("d1", "d2", "d3"):
            options += ["--free", name + "=0:10"]
        # a search that ends below R^2 = 0 says so with status 1, and has its best
        return json.loads(subprocess.run([viva, "fit", model, path] + options, capture_output=True).stdout)

    if seeds:
        source = work + "/motion.c"
        with open(source, "w") as f:
            f.write(C_MOTION)
        subprocess.run(["cc", "-O3", "-march=native", "-shared", "-fPIC", "-o", work + "/motion.so", source, "-lm"], check=True)
        motion = ctypes.CDLL(work + "/motion.so").motion
        steps = int(round((times[1] - times[0]) * 1000))
        h = (times[1] - times[0]) / steps

        known = {}  # a copy is not simulated again

        def by_c(people):
            out, row = [], np.empty(len(times))
            at = row.ctypes.data_as(ctypes.c_void_p)
            for d in people:
                if d.tobytes() in known:
                    out.append(known[d.tobytes()])
                    continue
                motion(np.ascontiguousarray(d).ctypes.data_as(ctypes.c_void_p), len(times), steps, ctypes.c_double(h), at)
                out.append(known.setdefault(d.tobytes(), 1 - ((row - data) ** 2).sum() / total))
            return np.array(out)

        theirs = np.array([evolve(by_c, 1000 + s) for s in range(seeds)])
        ours = np.array([fit(s + 1)["r2"] for s in range(seeds)])
        p = mannwhitneyu(ours, theirs, alternative="less").pvalue
        for name, r2 in (("NumPy", theirs), ("viva", ours)):
            q = np.quantile(r2, [0.1, 0.25, 0.5, 0.75, 0.9])
            print("%-6s R^2 over %d seeds, quantiles 10 25 50 75 90 %%: %s" % (name, seeds, " ".join("%.3f" % v for v in q)))
        print("probability of such ranks, or worse ones for viva, if both are alike: %.3f" % p)
        return
    start, cpu = time.perf_counter(), time.process_time()
    evolve(lambda people: np.array([1 - ((odeint(rates, START, times, args=tuple(d), rtol=1e-7, atol=1e-9,
                                                  mxstep=200000)[:, 0] - data) ** 2).sum() / total for d in people]), 1000)
    wall, cpu = time.perf_counter() - start, time.process_time() - cpu
    print("NumPy and SciPy: 2170 simulations, %.2f s, %.2f s of a processor" % (wall, cpu))
    own_wall, own_cpu, count = [], [], []
    for seed in range(1, 8):
        start, before = time.perf_counter(), children_time()
        count.append(fit(seed)["simulations"])
        own_wall.append(time.perf_counter() - start)
        own_cpu.append(children_time() - before)
    print("viva fit, 7 seeds, medians: %.3f s, %.3f s of processors, %d of 2170 individuals are new" % (
        np.median(own_wall), np.median(own_cpu), np.median(count)))
    print("times faster: %.1f by the clock, %.1f in processor time" % (wall / np.median(own_wall), cpu / np.median(own_cpu)))


main()
