#!/usr/bin/python3
"""Every unit of the table, with and without prefixes, against udunits2 (package udunits-bin)."""
import ctypes
import os
import re
import subprocess
import sys
import tempfile

root, build = sys.argv[1:3]
try:
    lib = ctypes.CDLL("libudunits2.so.0")
except OSError:
    print("skipped: libudunits2 is not installed (package udunits-bin)")
    sys.exit(0)

# what udunits calls otherwise, or rounds
other = {
    "ohm": "ohm", "Ohm": "ohm", "Ω": "ohm", "rev": "turn", "rpm": "turn/min", "rps": "turn/s", "gon": "0.9 degree", "arcmin": "degree/60",
    "arcsec": "degree/3600", "turn": "360 degree", "VA": "V.A", "Wh": "W.h", "Ah": "A.h", "day": "86400 s", "mi": "1609.344 m", "yd": "0.9144 m",
    "nmi": "1852 m", "mil": "in/1000", "mph": "1609.344 m/h", "knot": "1852 m/h", "oz": "lb/16", "slug": "lbf.s2/ft", "hp": "550 ft.lbf/s",
    "psi": "lbf/in2", "mmHg": "133.322387415 Pa", "l": "L", "L": "L", "t": "1000 kg", "eV": "1.602176634e-19 J", "dyn": "1e-5 N", "erg": "1e-7 J",
    "kgf": "9.80665 N", "atm": "101325 Pa", "in": "inch", "ft": "foot", "lb": "pound", "h": "hour", "min": "minute", "deg": "degree",
}
base = ["m", "kg", "s", "A", "K", "mol", "cd", "rad"]

lib.ut_read_xml.restype = ctypes.c_void_p
lib.ut_parse.restype = ctypes.c_void_p
lib.ut_get_converter.restype = ctypes.c_void_p
lib.cv_convert_double.restype = ctypes.c_double
lib.ut_parse.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]
lib.ut_get_converter.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
lib.cv_convert_double.argtypes = [ctypes.c_void_p, ctypes.c_double]
lib.ut_set_error_message_handler.argtypes = [ctypes.c_void_p]
system = lib.ut_read_xml(None)


def peer(text, si):
    a, b = (lib.ut_parse(system, t.encode(), 1) for t in (text, si))
    cv = lib.ut_get_converter(a, b) if a and b else None
    return lib.cv_convert_double(cv, 1.0) if cv else None


table = open(os.path.join(root, "src/system/units.c"), encoding="utf-8").read()
rows = re.findall(r'^ *\{"([^"]+)", .*, (true|false), \{([-0-9, ]+)\}\},$', table, re.M)
assert len(rows) > 60, len(rows)
units = []
for name, prefixed, dims in rows:
    powers = [int(x) for x in dims.split(",")]
    powers += [0] * (8 - len(powers))
    si = " ".join("%s%d" % (b, p) for b, p in zip(base, powers) if p) or "1"
    units.append((name, other.get(name, name), si))
    for prefix, factor in (("k", "1e3"), ("m", "1e-3"), ("u", "1e-6"), ("M", "1e6"), ("n", "1e-9"), ("G", "1e9"), ("da", "10")):
        if prefixed == "true":
            units.append((prefix + name, factor + " (" + other.get(name, name) + ")", si))
names = {n for n, _, _ in rows}
units = [u for u in units if not (u[0] in names and u[0] not in other and u[1].startswith("1e"))]

with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "u.viva")
    with open(path, "w", encoding="utf-8") as f:
        f.write("state z\nz' = 0\n")
        for i, u in enumerate(units):
            f.write("param u%d = 1 [%s]\n" % (i, u[0]))
        f.write("output " + ", ".join("u%d" % i for i in range(len(units))) + "\n")
    run = subprocess.run([os.path.join(build, "viva"), "run", path, "--to", "1", "--every", "1", "--out", "-"], capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    lines = run.stdout.splitlines()
    ours = dict(zip(lines[0].split(","), map(float, lines[1].split(","))))
bad = 0
for i, (name, theirs, si) in enumerate(units):
    want = peer(theirs, si)
    if want is None:
        print("udunits cannot read %s as %s in %s" % (name, theirs, si))
        bad += 1
    elif abs(ours["u%d" % i] - want) > 1e-12 * abs(want):
        print("%s: %r here, %r by udunits" % (name, ours["u%d" % i], want))
        bad += 1
print("%d units, %d differ" % (len(units), bad))
sys.exit(bad != 0)
