#!/usr/bin/python3
"""Tables as .csv, .json, .mat and .npz hold the same numbers, bit for bit, read by Python, NumPy and Octave.

    tables.py ROOT BUILD

NumPy and Octave are used where they are installed; which one was not there is said. Without both: exit 77.
"""
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zipfile

MODEL = """param k = 3
coord x[i] = i for i in 1 .. 2
let P = [x[1], x[2]]
kinetic 1/2*x[i]'^2 for i in 1 .. 2
potential k/2*x[i]^2 for i in 1 .. 2
output P, x[1]', α = x[1]^2, x_1_dot = x[2]', third = x[1]/3, Δφ = x[1], end = x[2], x[2]'
simulate to 1 by rk4
"""
VARIABLES = ["t", "P_x", "P_y", "x_1_dot_2", "alpha", "x_1_dot", "third", "Deltaphi", "end_", "x_2_dot"]


def read_csv(path):
    lines = open(path, encoding="utf-8").read().split("\n")
    names = lines[0].split(",")
    return names, [[float(x) for x in line.split(",")] for line in lines[1:] if line]


def bits(values):
    return [struct.pack("<d", v) for v in values]


def main():
    build = sys.argv[2]
    viva = os.path.join(build, "viva")
    skipped = []
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        open("m.viva", "w", encoding="utf-8").write(MODEL)
        for ending in ("csv", "json", "mat", "npz"):
            subprocess.run([viva, "run", "m.viva", "--every", "0.125", "--out", "t." + ending], check=True,
                           stdout=subprocess.DEVNULL)
        names, rows = read_csv("t.csv")
        assert len(rows) == 9 and len(names) == len(VARIABLES), names
        columns = list(zip(*rows))

        table = json.load(open("t.json", encoding="utf-8"))
        assert table["columns"] == names
        for row, other in zip(rows, table["rows"]):
            assert bits(row) == bits(float("nan") if v is None else v for v in other)

        archive = zipfile.ZipFile("t.npz")
        assert archive.testzip() is None
        for name, column in zip(names, columns):
            data = archive.read(name + ".npy")
            assert data[-8 * len(rows):] == b"".join(bits(column)), name

        try:
            import numpy
            arrays = numpy.load("t.npz")
            assert arrays.files == names
            for name, column in zip(names, columns):
                assert arrays[name].tobytes() == b"".join(bits(column)), name
        except ImportError:
            skipped.append("NumPy")

        if shutil.which("octave-cli"):
            wanted = "; ".join("fwrite(f, %s, 'double')" % v for v in VARIABLES)
            script = "load t.mat; f = fopen('out', 'wb'); %s; fclose(f); printf('%%s\\n', columns'(:));" % wanted
            out = subprocess.run(["octave-cli", "--norc", "--eval", script], check=True, capture_output=True, text=True)
            assert open("out", "rb").read() == b"".join(b"".join(bits(c)) for c in columns)
            assert names[3] in out.stdout, out.stdout
        else:
            skipped.append("Octave")
    print("tables: %d columns of %d rows the same in four forms%s" %
          (len(names), len(rows), "; not installed: " + ", ".join(skipped) if skipped else ""))
    return 77 if len(skipped) == 2 else 0


sys.exit(main())
