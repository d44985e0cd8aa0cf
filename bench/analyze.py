#!/usr/bin/python3
"""Linear analysis, beside Octave's control package in the same run where it is installed.

    python3 bench/analyze.py BUILD

Prints: the frequency response of 10^4 sparse states at 200 frequencies with the dominant poles; the largest error of margins of
200 loops K/(s + p)^3 and of 200 loops K e^(-s T)/s against their equations; root loci of 200 random systems with 10 crossings of
branches each: how many branches were exchanged. Times are those of the processor.
"""
import json
import math
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

build = sys.argv[1]
octave = shutil.which("octave-cli") or shutil.which("octave")
if octave and subprocess.run([octave, "--eval", "pkg load control; disp(1)"], capture_output=True, text=True).stdout.strip() != "1":
    octave = None
if not octave:
    print("(without Octave's control package: octave-control)")
folder = tempfile.mkdtemp()
random.seed(19)


def spent():
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime


def write(name, text):
    path = os.path.join(folder, name)
    with open(path, "w") as f:
        f.write(text)
    return path


def viva(*arguments):
    return subprocess.run([os.path.join(build, "viva"), "analyze", *arguments], capture_output=True, text=True, check=True).stdout


def run_octave(text):
    """What a script prints, and the time of the processor that it took."""
    begin = spent()
    out = subprocess.run([octave, write("o.m", text)], capture_output=True, text=True).stdout.strip()
    return out, spent() - begin


CHAIN = """param n = 5000, k = 1, c = 0.01
input u = 0
coord x[i] for i in 1 .. n
kinetic 1/2*x[i]'^2 for i in 1 .. n
potential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n
potential 1/2*k*x[1]^2
dissipation 1/2*c*(x[i]' - x[i-1]')^2 for i in 2 .. n
dissipation 1/2*c*x[1]'^2
force x[n] = u
output y = x[n]
"""
CHAIN_OCTAVE = """n = 5000; e = ones(n, 1);
L = spdiags([-e 2*e -e], -1:1, n, n); L(n, n) = 1;
A = [sparse(n, n) speye(n); -L -0.01*L]; b = sparse(2*n, 1); b(2*n) = 1;
t = cputime; for w = logspace(-4, 0.6, 200), x = (1i*w*speye(2*n) - A) \\ b; g = x(n); end
a = cputime - t; t = cputime; p = eigs(A, 12, 0.001i); printf('%.2f %.2f\\n', a, cputime - t);
"""


def large():
    file, table = write("chain.viva", CHAIN), os.path.join(folder, "bode.csv")
    begin = spent()
    out = viva(file, "--path", "u:x[5000]", "--plot", "bode=" + table)
    print(f"10^4 states, from text to {sum(1 for _ in open(table)) - 1} frequencies and dominant poles: {spent() - begin:.2f} s")
    # of a chain held at one end the frequencies are 2 sin((2 j - 1) pi/(4 n + 2)), and damping adds -c w^2/2
    worst, found = 0.0, 0
    for line in out.splitlines():
        if "weight" not in line:
            continue
        re, im = line.split("weight")[0].replace("i", "").split("+-")
        size = math.hypot(float(re), float(im))
        j = round((2 * 5000 + 1) / math.pi * 2 * math.asin(size / 2) / 2 + 0.5)
        exact = 2 * math.sin((2 * j - 1) * math.pi / (4 * 5000 + 2))
        worst, found = max(worst, abs(size / exact - 1)), found + 1
    print(f"  {found} dominant poles, as printed to 6 digits within {worst:.1g} of closed forms")
    if octave:
        out, _ = run_octave(CHAIN_OCTAVE)
        print(f"  Octave: {out.split()[0]} s for the same frequencies by its sparse factors, {out.split()[1]} s for 12 poles beside a place (eigs)")


def margins():
    loops = [(0.5 + 0.03 * i, 0.3 + 0.05 * i) for i in range(200)]
    worst, begin = 0.0, spent()
    for K, p in loops:
        file = write("m.viva", f"param p = {p!r}, K = {K!r}\ninput u = 0\nstate a = 0, b = 0, c = 0\na' = -p*a + K*u\nb' = -p*b + a\n"
                               "c' = -p*c + b\noutput y = c\n")
        g = json.loads(viva(file, "--json"))["margins"]["gain"][0]
        worst = max(worst, abs(g["value"] * K / (8 * p**3) - 1), abs(g["frequency"] / (math.sqrt(3) * p) - 1))
    print(f"margins of 200 loops K/(s + p)^3: largest relative error {worst:.2g}, {spent() - begin:.2f} s with 200 starts of the program")
    if octave:
        out, took = run_octave("pkg load control; w = 0;\n" + "".join(
            f"[g, p, wg] = margin(tf({K!r}, conv(conv([1 {p!r}], [1 {p!r}]), [1 {p!r}]))); "
            f"w = max([w abs(g*{K!r}/(8*{p!r}^3) - 1) abs(wg/(sqrt(3)*{p!r}) - 1)]);\n" for K, p in loops) + "printf('%.2g', w);\n")
        print(f"  Octave: {out}, {took:.2f} s with one start")
    worst = 0.0
    for i in range(200):
        K, T = 0.2 + 0.01 * i, 0.05 + 0.002 * i
        file = write("d.viva", f"param K = {K!r}, T = {T!r}\ninput r = 0\nlet e = r - y\nlet y = integral(K*delay(e, T), 0)\noutput y\n")
        m = json.loads(viva(file, "--open", "e", "--json"))["margins"]
        gain, phase = m["gain"][0], m["phase"][0]
        worst = max(worst, abs(gain["value"] * 2 * K * T / math.pi - 1), abs(gain["frequency"] * 2 * T / math.pi - 1),
                    abs(phase["value"] / (math.pi / 2 - K * T) - 1), abs(phase["frequency"] / K - 1),
                    abs(m["delay"] * K / (math.pi / 2 - K * T) - 1))
    print(f"margins of 200 loops K e^(-s T)/s: largest relative error {worst:.2g} (Octave has no dead time in margins)")


def crossing_system(n):
    """A(K) = T (D + K S) T^-1 with branches d + s K, each pair of which crosses inside 0 < K < 1."""
    while True:
        lines = [(random.uniform(-4, -1), random.uniform(-3, 3)) for _ in range(n)]
        at = sorted((b[0] - a[0]) / (a[1] - b[1]) for i, a in enumerate(lines) for b in lines[:i])
        if all(0.02 < k < 0.98 for k in at) and all(y - x > 2e-3 for x, y in zip(at, at[1:])):
            break
    t = [[random.uniform(-1, 1) + (2 if i == j else 0) for j in range(n)] for i in range(n)]
    inverse = [[float(i == j) for j in range(n)] for i in range(n)]
    work = [row[:] for row in t]
    for c in range(n):
        best = max(range(c, n), key=lambda r: abs(work[r][c]))
        work[c], work[best], inverse[c], inverse[best] = work[best], work[c], inverse[best], inverse[c]
        f = work[c][c]
        work[c], inverse[c] = [x / f for x in work[c]], [x / f for x in inverse[c]]
        for r in range(n):
            if r != c:
                f = work[r][c]
                work[r] = [x - f * y for x, y in zip(work[r], work[c])]
                inverse[r] = [x - f * y for x, y in zip(inverse[r], inverse[c])]
    part = lambda k: [[sum(t[i][m] * lines[m][k] * inverse[m][j] for m in range(n)) for j in range(n)] for i in range(n)]
    return lines, part(0), part(1)


def loci():
    n, exchanged, crossings, begin, off = 5, 0, 0, spent(), 0.0
    for _ in range(200):
        lines, d, s = crossing_system(n)
        text = ["param K = 0", "input u = 0", "state " + ", ".join(f"x{i}" for i in range(n))]
        for i in range(n):
            terms = " + ".join(f"({d[i][j]!r} + K*({s[i][j]!r}))*x{j}" for j in range(n))
            text.append(f"x{i}' = {terms} + u")
        text.append("output y = x0")
        table = os.path.join(folder, "locus.csv")
        viva(write("l.viva", "\n".join(text) + "\n"), "--path", "u:y", "--over", "K=0:1", "--plot", "locus=" + table)
        rows = [[float(x) for x in line.split(",")] for line in open(table).read().splitlines()[1:]]
        crossings += n * (n - 1) // 2
        for i in range(n):
            # the line that the branch begins on, which it must not leave
            own = min(lines, key=lambda line: abs(line[0] - rows[0][1 + 2 * i]))
            far = max(abs(r[1 + 2 * i] - own[0] - own[1] * r[0]) for r in rows)
            exchanged += far > 1e-6
            off = max(off, far if far < 1e-6 else 0)
    print(f"root loci of 200 random systems with 10 crossings each: {exchanged} branches exchanged at {crossings} crossings, "
          f"others off by {off:.1g} at most, {spent() - begin:.2f} s with 200 starts of the program")


try:
    large()
    margins()
    loci()
finally:
    shutil.rmtree(folder)
