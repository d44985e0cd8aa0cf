#!/usr/bin/python3
"""200 random systems: best feedback, observer, H2 and Hinf norms, sampled equations, the step response and the poles along a gain
against Octave's control package (octave-control).

Weights are random and positive. Sampled equations are written as a model, read again and compared by poles, zeros and gain.
"""
import csv
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
COUNT = int(os.environ.get("VIVA_COUNT", "200"))
PERIOD = 0.1
GAINS = [0.1, 0.5, 2.0]
random.seed(int(os.environ.get("VIVA_SEED", "91")))


def system():
    """A stable system of 1 to 5 states, blocks of known kinds, mixed."""
    n = random.randint(1, 5)
    a = mixed_blocks(n, -0.1)
    b = [random.uniform(0.3, 2) * random.choice((-1, 1)) for _ in range(n)]
    c = [random.uniform(0.3, 2) * random.choice((-1, 1)) for _ in range(n)]
    q = [random.uniform(0.1, 3) for _ in range(n)]
    return a, b, c, q, random.uniform(0.05, 2)


def model(a, b, c):
    return "\n".join(["param k = 0", "input u = 0", "let v = u - k*y", *state_lines(a, b, "v"),
                      f"let y = {combination(c)}", "output y"]) + "\n"


def script(systems):
    out = ["pkg load control; warning('off', 'all'); more off;",
           "function c(z), printf('%.17g %.17g,', [real(z(:)) imag(z(:))]'); printf('|'); end",
           "function r(z), printf('%.17g,', z); printf('|'); end"]
    for k, (a, b, c, q, w) in enumerate(systems):
        n = len(b)
        out.append(f"A = {rows(a)}; B = {rows([[x] for x in b])}; C = {rows([c])}; s = ss(A, B, C, 0);")
        out.append(f"Q = diag([{','.join(map(repr, q))}]); R = {w!r}; printf('{k}|'); r(lqr(A, B, Q, R));")
        out.append(f"r(lqe(A, eye({n}), C, Q, R)); r(norm(s, 2)); r(norm(s, inf, 1e-10));")
        for method in ("zoh", "tustin", "matched"):
            if method == "matched":
                out.append("d = c2d(zpk(s), %r, 'matched'); [z, p, g] = zpkdata(d, 'v'); c(p); r(dcgain(d));" % PERIOD)
            else:
                out.append(f"d = c2d(s, {PERIOD!r}, '{method}'); c(pole(d)); [z, g] = zero(d); c(z); r(g);")
        out.append("[y, t] = step(s, 0:0.25:5); r(y);")
        for g in GAINS:
            out.append(f"c(eig(A - {g!r}*B*C));")
        out.append("printf('\\n');")
    return "\n".join(out) + "\n"


def numbers(text):
    return [float(x) for x in text.split(",") if x.strip()]


def pairs(text):
    return [complex(*map(float, p.split())) for p in text.split(",") if p.strip()]


def near(x, y, tolerance):
    return abs(x - y) <= tolerance * (1 + abs(y))


def same(ours, theirs, tolerance):
    return len(ours) == len(theirs) and all(near(x, y, tolerance) for x, y in zip(ours, theirs))


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


def viva(*arguments):
    return subprocess.run([os.path.join(build, "viva"), "analyze", *arguments], capture_output=True, text=True, check=True).stdout


def step_at(path, times):
    """Values of the response between its rows, which lie close together: by the cubic through four of them."""
    with open(path) as f:
        table = [(float(r["t"]), float(r["y"])) for r in csv.DictReader(f)]
    rows_, out = [], []
    for r in table:
        if not rows_ or r[0] > rows_[-1][0]:
            rows_.append(r)
    for t in times:
        if t > rows_[-1][0]:
            break
        i = max(1, min(len(rows_) - 3, next(k for k, r in enumerate(rows_) if r[0] >= t) - 1))
        four, value = rows_[i - 1:i + 3], 0.0
        for j, (tj, yj) in enumerate(four):
            f = yj
            for m, (tm, _) in enumerate(four):
                if m != j:
                    f *= (t - tm) / (tj - tm)
            value += f
        out.append(value)
    return out


systems = [system() for _ in range(COUNT)]
bad = 0
with tempfile.TemporaryDirectory() as folder:
    names = ("peer.m", "m.viva", "d.viva", "step.csv", "locus.csv")
    path, file, other, table, locus = (os.path.join(folder, x) for x in names)
    with open(path, "w") as f:
        f.write(script(systems))
    run = subprocess.run([octave, path], capture_output=True, text=True)
    lines = [line.split("|") for line in run.stdout.splitlines() if line.count("|") > 15]
    if len(lines) != COUNT:
        print("octave gave", len(lines), "of", COUNT, run.stderr[-500:])
        sys.exit(1)
    for line, (a, b, c, q, w) in zip(lines, systems):
        with open(file, "w") as f:
            f.write(model(a, b, c))
        weights = f"Q=diag({', '.join(map(repr, q))}), R={w!r}" if len(q) > 1 else f"Q={q[0]!r}, R={w!r}"
        ours = json.loads(viva(file, "--path", "u:y", "--json", "--lqr", weights, "--kalman", weights, "--norms"))
        viva(file, "--path", "u:y", "--plot", "step=" + table)
        wrong = []
        if not same(ours["lqr"]["K"][0], numbers(line[1]), 1e-8):
            wrong.append(f"feedback {ours['lqr']['K'][0]}: {line[1]}")
        if not same([r[0] for r in ours["kalman"]["L"]], numbers(line[2]), 1e-8):
            wrong.append(f"observer {ours['kalman']['L']}: {line[2]}")
        if not near(ours["norms"]["h2"], float(line[3][:-1]), 1e-9):
            wrong.append(f"H2 {ours['norms']['h2']}: {line[3]}")
        if not near(ours["norms"]["hinf"], float(line[4][:-1]), 1e-7):
            wrong.append(f"Hinf {ours['norms']['hinf']}: {line[4]}")
        at = 5
        for method in ("zoh", "tustin", "matched"):
            viva(file, "--path", "u:y", "--discretize", f"{method}:{PERIOD!r}", "-o", other)
            d = json.loads(viva(other, "--json"))
            if not same_set([complex(*p) for p in d["poles"]], pairs(line[at]), 1e-7):
                wrong.append(f"{method}: poles {d['poles']}: {line[at]}")
            if method == "matched":
                if not near(d["static_gain"], float(line[at + 1][:-1]), 1e-6):
                    wrong.append(f"matched: gain {d['static_gain']}: {line[at + 1]}")
                at += 2
                continue
            # zeros at infinity of ours are huge or none where theirs are rounding
            zeros = [z for z in pairs(line[at + 1]) if abs(z) < 1e6]
            if not same_set([complex(*z) for z in d["zeros"] if abs(complex(*z)) < 1e6], zeros, 1e-5):
                wrong.append(f"{method}: zeros {d['zeros']}: {line[at + 1]}")
            at += 3
        theirs, got = numbers(line[at]), step_at(table, [0.25 * i for i in range(21)])
        if not same(got, theirs[:len(got)], 1e-5) or len(got) < 4:
            wrong.append(f"step {got}: {theirs}")
        viva(file, "--path", "u:y", "--over", "k=0:2", "--plot", "locus=" + locus)
        for g, end in zip(GAINS, line[at + 1:]):
            one = json.loads(viva(file, "--path", "u:y", "--set", f"k={g!r}", "--json"))
            if not same_set([complex(*p) for p in one["poles"]], pairs(end), 1e-8):
                wrong.append(f"poles with k = {g}: {one['poles']}: {end}")
        with open(locus) as f:
            last = [float(x) for x in f.read().splitlines()[-1].split(",")]
        if not same_set([complex(*p) for p in zip(last[1::2], last[2::2])], pairs(line[at + len(GAINS)]), 1e-8):
            wrong.append(f"end of the locus {last}: {line[at + len(GAINS)]}")
        if wrong:
            bad += 1
            print("system", line[0], "differs:", "; ".join(wrong))
            print(model(a, b, c))
print(f"{COUNT - bad} of {COUNT} systems alike")
sys.exit(bad != 0)
