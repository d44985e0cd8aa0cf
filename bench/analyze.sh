#!/bin/sh
# Linear analysis of large and of many systems, beside Octave's control package where it is installed.
#   sh bench/analyze.sh BUILD
# Prints: the frequency response of 10^4 sparse states at 200 frequencies with the dominant poles (processor time), and the
# largest error of a margin of 200 loops K/(s + p)^3 against its closed form, ours and Octave's.
set -eu
build=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# a chain of 5000 masses, held at its first end, pushed and watched at the last
cat > "$work/chain.viva" <<'CODE'
param n = 5000, k = 1, c = 0.01
input u = 0
coord x[i] for i in 1 .. n
kinetic 1/2*x[i]'^2 for i in 1 .. n
potential 1/2*k*(x[i] - x[i-1])^2 for i in 2 .. n
potential 1/2*k*x[1]^2
dissipation 1/2*c*(x[i]' - x[i-1]')^2 for i in 2 .. n
dissipation 1/2*c*x[1]'^2
force x[n] = u
output y = x[n]
CODE
echo "10^4 states, 200 frequencies and dominant poles:"
( time -p "$build/viva" analyze "$work/chain.viva" --path "u:x[5000]" --plot "bode=$work/bode.csv" ) 2>&1 | grep -v "^real\|^sys" | tail -20
echo "rows of the curve: $(($(wc -l < "$work/bode.csv") - 1))"

python3 - "$build" "$work" <<'CODE'
import json, math, subprocess, sys, time, shutil
build, work = sys.argv[1:3]
worst, begin = 0.0, time.process_time()
loops = [(0.5 + 0.03 * i, 0.3 + 0.05 * i) for i in range(200)]
def times():
    import resource
    r = resource.getrusage(resource.RUSAGE_CHILDREN)
    return r.ru_utime + r.ru_stime
t0 = times()
for K, p in loops:
    with open(f"{work}/m.viva", "w") as f:
        f.write(f"param p = {p!r}, K = {K!r}\ninput u = 0\nstate a = 0, b = 0, c = 0\na' = -p*a + K*u\nb' = -p*b + a\nc' = -p*c + b\noutput y = c\n")
    out = json.loads(subprocess.run([f"{build}/viva", "analyze", f"{work}/m.viva", "--json"], capture_output=True, text=True, check=True).stdout)
    g = out["margins"]["gain"][0]
    worst = max(worst, abs(g["value"] * K / (8 * p**3) - 1), abs(g["frequency"] / (math.sqrt(3) * p) - 1))
print(f"margins of 200 loops: largest relative error {worst:.2g}, {times() - t0:.2f} s of processor time, with starts of the program")
octave = shutil.which("octave-cli") or shutil.which("octave")
if octave:
    script = "pkg load control; w = 0;\n" + "".join(
        f"[g, p, wg] = margin(tf({K!r}, conv(conv([1 {p!r}], [1 {p!r}]), [1 {p!r}]))); w = max([w abs(g*{K!r}/(8*{p!r}^3) - 1) abs(wg/(sqrt(3)*{p!r}) - 1)]);\n"
        for K, p in loops) + "printf('%.3g\\n', w);\n"
    with open(f"{work}/o.m", "w") as f:
        f.write(script)
    t0 = times()
    r = subprocess.run([octave, f"{work}/o.m"], capture_output=True, text=True)
    print(f"Octave: largest relative error {r.stdout.strip()}, {times() - t0:.2f} s of processor time, one start")
else:
    print("Octave is not installed (octave-control)")
CODE
