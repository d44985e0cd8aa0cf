"""What the peers of Octave's control package (octave-control) share: the program, random systems, matrices as text."""
import random
import shutil
import subprocess
import sys


def find_octave():
    """The program; without its control package the test is skipped."""
    octave = shutil.which("octave-cli") or shutil.which("octave")
    probe = octave and subprocess.run([octave, "--eval", "pkg load control; disp(1)"], capture_output=True, text=True)
    if not probe or probe.stdout.strip() != "1":
        print("skipped: Octave with its control package is not installed (package octave-control)")
        sys.exit(77)
    return octave


def mixed_blocks(n, most):
    """A matrix of n rows: real and swinging blocks with real parts up to `most`, and some entries below them."""
    a = [[0.0] * n for _ in range(n)]
    i = 0
    while i < n:
        re = random.uniform(-3, most)
        if i + 1 < n and random.random() < 0.5:
            im = random.uniform(0.3, 5)
            a[i][i] = a[i + 1][i + 1] = re
            a[i][i + 1], a[i + 1][i] = im, -im
            i += 2
        else:
            a[i][i] = re
            i += 1
    for r in range(n):
        for c in range(r):
            if random.random() < 0.4:
                a[r][c] += random.uniform(-1, 1)
    return a


def state_lines(a, b, entry):
    """x' = A x + B (entry), as statements of a model."""
    n = len(b)
    lines = ["state " + ", ".join(f"x{i} = 0" for i in range(n))]
    for i in range(n):
        lines.append(f"x{i}' = " + combination(a[i]) + f" + ({b[i]!r})*{entry}")
    return lines


def combination(c):
    return " + ".join(f"({c[j]!r})*x{j}" for j in range(len(c)))


def rows(m):
    return "[" + ";".join(",".join(repr(x) for x in r) for r in m) + "]"
