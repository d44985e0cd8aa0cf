#!/usr/bin/python3
"""200 random systems: poles, zeros, gains, margins and peaks of `viva analyze` against Octave's control package (octave-control).

Margins are compared as sets: every gain and phase margin that Octave finds must be among ours, at its frequency.
"""
import json
import math
import os
import random
import subprocess
import sys
import tempfile

from octave_peer import combination, find_octave, mixed_blocks, rows, state_lines

root, build = sys.argv[1:3]
octave = find_octave()
COUNT = 200
random.seed(int(os.environ.get("VIVA_SEED", "19")))


def system():
    """A stable or unstable system of 1 to 6 states with blocks of known kinds, mixed, and sometimes a feedthrough."""
    n = random.randint(1, 6)
    a = mixed_blocks(n, 0.15)
    b = [random.uniform(-2, 2) for _ in range(n)]
    c = [random.uniform(-2, 2) for _ in range(n)]
    d = random.uniform(-0.8, 2) if random.random() < 0.3 else 0.0
    return a, b, c, d


def model(a, b, c, d):
    return "\n".join(["input u = 0", *state_lines(a, b, "u"), f"output y = {combination(c)} + ({d!r})*u"]) + "\n"


def script(systems):
    out = ["pkg load control; warning('off', 'all');"]
    for k, (a, b, c, d) in enumerate(systems):
        out.append(f"s = ss({rows(a)}, {rows([[x] for x in b])}, {rows([c])}, {d!r});")
        out.append("p = pole(s); [z, g] = zero(s); [gm, pm, wg, wp] = margin(s); f = feedback(1, s);")
        out.append("m = NaN; if all(real(pole(f)) < 0), m = norm(f, inf, 1e-10); end;")
        out.append(f"printf('{k}|');" + "printf('%.17g %.17g,', [real(p) imag(p)]'); printf('|');"
                   "printf('%.17g %.17g,', [real(z) imag(z)]'); printf('|%.17g|%.17g|%.17g %.17g %.17g %.17g|%.17g\\n',"
                   "g, dcgain(s), gm, wg, pm, wp, m);")
    return "\n".join(out) + "\n"


def response(a, b, c, d, w):
    """G(i w), by elimination."""
    n = len(b)
    m = [[(1j * w if i == j else 0) - a[i][j] for j in range(n)] + [b[i]] for i in range(n)]
    for k in range(n):
        best = max(range(k, n), key=lambda r: abs(m[r][k]))
        m[k], m[best] = m[best], m[k]
        for i in range(k + 1, n):
            f = m[i][k] / m[k][k]
            m[i] = [x - f * y for x, y in zip(m[i], m[k])]
    x = [0j] * n
    for i in reversed(range(n)):
        x[i] = (m[i][n] - sum(m[i][j] * x[j] for j in range(i + 1, n))) / m[i][i]
    return sum(ci * xi for ci, xi in zip(c, x)) + d


def pairs(text):
    return [complex(*map(float, p.split())) for p in text.split(",") if p.strip()]


def near(x, y, tolerance):
    return abs(x - y) <= tolerance * (1 + abs(y))


def same_set(ours, theirs, tolerance):
    left = list(ours)
    if len(left) != len(theirs):
        return False
    for v in theirs:
        best = min(left, key=lambda w: abs(w - v))
        if not near(best, v, tolerance):
            return False
        left.remove(best)
    return True


systems = [system() for _ in range(COUNT)]
bad = 0
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "peer.m")
    with open(path, "w") as f:
        f.write(script(systems))
    run = subprocess.run([octave, path], capture_output=True, text=True)
    lines = [line for line in run.stdout.splitlines() if line.count("|") == 6]
    if len(lines) != COUNT:
        print("octave gave", len(lines), "of", COUNT, run.stderr[-500:])
        sys.exit(1)
    worst = {}
    for line, s in zip(lines, systems):
        k, poles, zeros, gain, still, margin, peak = line.split("|")
        file = os.path.join(folder, "m.viva")
        with open(file, "w") as f:
            f.write(model(*s))
        ours = json.loads(subprocess.run([os.path.join(build, "viva"), "analyze", file, "--json"], capture_output=True,
                                         text=True, check=True).stdout)
        wrong = []
        if not same_set([complex(*p) for p in ours["poles"]], pairs(poles), 1e-8):
            wrong.append("poles")
        if not same_set([complex(*z) for z in ours["zeros"]], pairs(zeros), 1e-6):
            wrong.append("zeros")
        if not near(ours["gain"], float(gain), 1e-8):
            wrong.append("gain")
        if math.isfinite(float(still)) and not near(ours["static_gain"], float(still), 1e-8):
            wrong.append("static gain")
        gm, wg, pm, wp = map(float, margin.split())
        if math.isfinite(gm) and math.isfinite(wg):
            if not any(near(m["value"], gm, 1e-5) and near(m["frequency"] or 0, wg, 1e-5) for m in ours["margins"]["gain"]):
                wrong.append(f"gain margin {gm} at {wg}: {ours['margins']['gain']}")
        if math.isfinite(pm) and math.isfinite(wp):
            if not any(abs(math.remainder(math.degrees(m["value"]) - pm, 360)) < 1e-3 and near(m["frequency"], wp, 1e-5)
                       for m in ours["margins"]["phase"]):
                wrong.append(f"phase margin {pm} at {wp}: {ours['margins']['phase']}")
        m, found = float(peak), ours["sensitivity"]
        if math.isfinite(m) and found["value"] is not None:
            # ours is a value of the curve, and not below theirs, which now and then stays below
            w = found["frequency"] if found["frequency"] is not None else 1e12
            if not near(abs(1 / (1 + response(*s, w))), found["value"], 1e-8) or found["value"] < m * (1 - 1e-6):
                wrong.append(f"sensitivity peak {m}: {found}")
        if wrong:
            bad += 1
            print("system", k, "differs:", "; ".join(wrong))
            print(model(*s))
print(f"{COUNT - bad} of {COUNT} systems alike")
sys.exit(bad != 0)
