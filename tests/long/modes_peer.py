#!/usr/bin/python3
"""Assembly modes beside PHCpack: as many complex solutions, and the same real positions.

    modes_peer.py ROOT BUILD

The equations are written here once more, as circles and spheres over the places of nodes. A driven bar is a known place
here; `viva` also counts the solutions with that bar the other way round, so it has twice as many. Without `phc` (Debian's
phcpack): exit 77.
"""
import json
import math
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile


def phc(equations):
    """All isolated solutions, each a dictionary of complex numbers."""
    open("in", "w", encoding="ascii").write("%d\n%s;\n" % (len(equations), ";\n".join(equations)))
    if os.path.exists("out"):
        os.remove("out")
    subprocess.run(["phc", "-b", "in", "out"], check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=600)
    text = open("in", encoding="ascii").read().split("THE SOLUTIONS")[1]
    found = []
    for block in re.split(r"^solution \d+ :", text, flags=re.M)[1:]:
        rows = re.findall(r"^ (\w+) :\s+(\S+)\s+(\S+)$", block, re.M)
        found.append({name: complex(float(a), float(b)) for name, a, b in rows})
    return found


def viva(program, text):
    open("m.viva", "w", encoding="ascii").write(text)
    done = subprocess.run([program, "equilibrium", "m.viva", "--problem", "modes", "--json"], check=True, capture_output=True)
    return json.loads(done.stdout)


def circle(a, b, length, places):
    """|a - b|^2 = length^2, where places has names of unknowns or numbers."""
    terms = ["((%s) - (%s))^2" % (p if isinstance(p, str) else "%.17g" % p, q if isinstance(q, str) else "%.17g" % q)
             for p, q in zip(places[a], places[b])]
    return "%s - %.17g" % (" + ".join(terms), length * length)


def linkage(rng, bars, fixed, driven):
    """A random planar linkage, drawn in a position that it has: its text, equations and unknowns."""
    node = {c: (rng.uniform(-3, 3), rng.uniform(-3, 3)) for c in "ABCDEFG"[: 7 if len(bars) > 3 else 4]}
    text = "".join("node %s = [%.17g, %.17g]%s\n" % (c, p[0], p[1], " fixed" if c in fixed else "") for c, p in node.items())
    length = {b: math.dist(node[b[0]], node[b[1]]) for b in bars}
    text += "".join("bar %s: %s %s length %.17g\n" % (b, b[0], b[1], length[b]) for b in bars)
    angle = math.atan2(node[driven[1]][1] - node[driven[0]][1], node[driven[1]][0] - node[driven[0]][0])
    text += "drive %s.angle from %.17g to 9 steps 1\n" % (driven, angle)
    known = set(fixed) | {driven[0], driven[1]}  # the drawing has the driven bar where it is held
    places = {c: p if c in known else ("x" + c, "y" + c) for c, p in node.items()}
    equations = [circle(b[0], b[1], length[b], places) for b in bars if not (b[0] in known and b[1] in known)]
    return text, equations, [c for c in node if c not in known]


def real_places(found, names):
    return sorted([s[n].real for n in names] for s in found if all(abs(s[n].imag) < 1e-8 for n in names))


def compare(program, text, equations, names, columns, factor):
    found, ours = phc(equations), viva(program, text)
    modes = ours["modes"]
    assert modes["all"], modes
    assert modes["solutions"] == factor * len(found), (modes, len(found))
    at = [ours["columns"].index(c) for c in columns]
    mine = sorted([row[i] for i in at] for row in ours["rows"])
    theirs = real_places(found, names)
    assert len(mine) == len(theirs), (len(mine), len(theirs))
    apart = lambda p, q: max(abs(a - b) for a, b in zip(p, q))
    off = max((min(apart(p, q) for q in theirs) for p in mine), default=0)
    off = max(off, max((min(apart(p, q) for p in mine) for q in theirs), default=0))
    assert off < 1e-8, off
    print("%d solutions, %d real, %.1e apart" % (len(found), len(mine), off))


def platform(root):
    """The example's platform by three corners of its plate; the other ones are combinations of them."""
    text = open(os.path.join(root, "examples/positions/stewart.viva"), encoding="utf-8").read()
    pi = math.pi
    base = [(math.cos(2*pi*(i - 1)/6 + (-1)**i*0.3 + 0.05*i**2), math.sin(2*pi*(i - 1)/6 + (-1)**i*0.3 + 0.05*i), 0.03*i*i)
            for i in range(1, 7)]
    plate = [(0.6*math.cos(2*pi*(i - 1)/6 - (-1)**i*0.3 + 0.07*i) + 0.1, 0.6*math.sin(2*pi*(i - 1)/6 - (-1)**i*0.3), 1.2)
             for i in range(1, 7)]
    corner = {k: tuple("%s%d" % (c, k) for c in "xyz") for k in (1, 2, 3)}
    places = {"A%d" % (i + 1): p for i, p in enumerate(base)}
    (x1, y1), (x2, y2), (x3, y3) = (p[:2] for p in plate[:3])
    det = (x2 - x1)*(y3 - y1) - (x3 - x1)*(y2 - y1)
    for i, p in enumerate(plate):
        a = ((p[0] - x1)*(y3 - y1) - (x3 - x1)*(p[1] - y1))/det
        b = ((x2 - x1)*(p[1] - y1) - (p[0] - x1)*(y2 - y1))/det
        if i < 3:
            places["P%d" % (i + 1)] = corner[i + 1]
        else:
            places["P%d" % (i + 1)] = tuple("%.17g*%s + %.17g*%s + %.17g*%s" % (1 - a - b, corner[1][k], a, corner[2][k], b, corner[3][k])
                                            for k in range(3))
    equations = [circle("P%d" % a, "P%d" % b, math.dist(plate[a - 1], plate[b - 1]), places) for a, b in ((1, 2), (1, 3), (2, 3))]
    equations += [circle("A%d" % i, "P%d" % i, math.dist(base[i - 1], plate[i - 1]), places) for i in range(1, 7)]
    equations = [e.replace("+ -", "- ") for e in equations]
    return text, equations, list(corner[1]), ["P[1].x", "P[1].y", "P[1].z"]


def main():
    root, program = os.path.abspath(sys.argv[1]), os.path.join(os.path.abspath(sys.argv[2]), "viva")
    if not shutil.which("phc"):
        print("skipped: no phc (Debian's phcpack)")
        sys.exit(77)
    rng = random.Random(20)
    kinds = [(["AB", "BC", "CD"], "AD", "AB"), (["AB", "BC", "CD", "BE", "CE", "EF", "FG"], "ADG", "GF"),
             (["AB", "BC", "CD", "CE", "DE", "EF", "FG"], "ADG", "AB")]
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        for k in range(9):
            bars, fixed, driven = kinds[k % 3]
            bars = [driven if set(b) == set(driven) else b for b in bars]
            text, equations, free = linkage(rng, bars, fixed, driven)
            names = [a + c for c in free for a in "xy"]
            compare(program, text, equations, names, ["%s.%s" % (c, a) for c in free for a in "xy"], 2)
        text, equations, names, columns = platform(root)
        compare(program, text, equations, names, columns, 1)


main()
