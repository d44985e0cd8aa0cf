#!/usr/bin/python3
"""A fit of ten million rows: how much memory it takes, and whether it is right.

    fit_rows.py ROOT BUILD [ROWS]

y = a exp(-k t) + sin(t) with noise of 0.05, over 10 s. The truth lies within four standard errors (more would happen once in 16,000 times), these
are the ones that the slopes of the closed form give, and the program takes at most 32 bytes a row beside 40 MB: times, data and residuals stay,
tables of slopes do not.
"""
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile

MODEL = '''param k = 2, a = 1
state x = 1
x' = -k*x
fit k in 0.1 .. 10, a in 0.1 .. 10 to "rows.csv" by a*x + sin(t) = "y"
'''


def main():
    build, rows = sys.argv[2], int(sys.argv[3]) if len(sys.argv) > 3 else 10_000_000
    a, k, noise, end = 1.3, 1.7, 0.05, 10
    random.seed(7)
    gauss = random.gauss
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, 'rows.csv'), 'w') as f:
            f.write('t,y\n')
            for first in range(0, rows, 100_000):
                f.write(''.join('%.9g,%.6g\n' % (t, a * math.exp(-k * t) + math.sin(t) + gauss(0, noise))
                                for t in (end * i / rows for i in range(first, min(first + 100_000, rows)))))
        with open(os.path.join(folder, 'm.viva'), 'w') as f:
            f.write(MODEL)
        out = subprocess.run([os.path.join(build, 'viva'), 'fit', os.path.join(folder, 'm.viva'), '--json'],
                             capture_output=True, text=True)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
    if out.returncode:
        print(out.stderr)
        return 1
    found = json.loads(out.stdout)
    # information of a exp(-k t), as integrals over the time
    e = lambda n: math.factorial(n) / (2 * k) ** (n + 1)
    m = [[a * a * e(2), -a * e(1)], [-a * e(1), e(0)]]
    det = m[0][0] * m[1][1] - m[0][1] ** 2
    step = end / rows
    errors = {'k': noise * math.sqrt(m[1][1] / det * step), 'a': noise * math.sqrt(m[0][0] / det * step)}
    ok = memory < 32 * rows + 40e6
    for name, truth in (('k', k), ('a', a)):
        p = found['parameters'][name]
        off = abs(p['value'] - truth) / p['stderr']
        good = off < 4 and abs(p['stderr'] / errors[name] - 1) < 0.01 and p['interval'][0] < p['value'] < p['interval'][1]
        ok = ok and good
        print('%s = %.7g, %.2f standard errors off the truth, std. error %.4g, by the closed form %.4g%s' %
              (name, p['value'], off, p['stderr'], errors[name], '' if good else '   FAILED'))
    print('%d rows, %d simulations, %.0f MB: %.1f bytes a row' %
          (rows, found['simulations'], memory / 1e6, memory / rows))
    return 0 if ok else 1


if __name__ == '__main__':
    sys.exit(main())
