#!/usr/bin/python3
"""Nonlinear regression problems of NIST's Statistical Reference Datasets (StRD), as models without motion.

    nist.py ROOT BUILD

All 27 problems of tests/reference/nist: data, two starts and certified values are NIST's. `viva fit` with auto must find the certified
values to six digits and end with status 0 from both starts, once without ranges and once with wide ones: the model has the start as its
values, and a range goes from 0 to ten times the larger of the two starts, to both sides where signs differ. The certified sum of squares is
computed here first, so that a slip in the tables would be seen. With ranges the whole box is searched, and terms that are alike may come in any order.
"""
import csv
import itertools
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile

# unknowns of terms that may stand in each other's place
ALIKE = {'Lanczos': [(0, 1), (2, 3), (4, 5)], 'Gauss': [(2, 3, 4), (5, 6, 7)], 'ENSO': [(3, 4, 5), (6, 7, 8)]}


def problems(folder):
    found = []
    with open(os.path.join(folder, 'problems.txt')) as f:
        for line in f:
            words = line.split()
            if not words or line[0] == '#':
                continue
            if line[0] != ' ':
                found.append({'name': words[0], 'unknowns': []})
            elif words[0] == 'y':
                found[-1]['model'] = line.strip()
            elif words[0] == 'rss':
                found[-1]['rss'] = float(words[1])
            else:
                found[-1]['unknowns'].append((words[1], words[2], float(words[3])))
    return found


def squares(problem, folder):
    with open(os.path.join(folder, problem['name'] + '.csv')) as f:
        rows = [r for r in csv.DictReader(f)]
    formula = problem['model'].split('=', 1)[1].strip().replace('^', '**')
    for name in ('x1', 'x2'):
        formula = formula.replace('table("%s.csv", "%s", t)' % (problem['name'], name), name)
    names = dict((n, getattr(math, n)) for n in ('exp', 'cos', 'sin', 'atan', 'pi'))
    values = dict(('b%d' % (i + 1), u[2]) for i, u in enumerate(problem['unknowns']))
    first = list(rows[0])[0]
    total = 0
    for row in rows:
        known = dict((k, float(v)) for k, v in row.items() if k not in ('y', first))
        total += (eval(formula, names, dict(values, t=float(row[first]), **known)) - float(row['y'])) ** 2
    return total


def range_of(unknown):
    numbers = [float(unknown[0]), float(unknown[1])]
    most = 10 * max(abs(n) for n in numbers)
    low = -most if min(numbers + [unknown[2]]) < 0 else 0
    high = most if max(numbers + [unknown[2]]) > 0 else 0
    return '=%r:%r' % (low, high)


def fit(viva, folder, problem, start, ranged):
    path = os.path.join(folder, 'model.viva')
    with open(path, 'w') as f:
        f.write('param ' + ', '.join('b%d = %s' % (i + 1, u[start]) for i, u in enumerate(problem['unknowns'])) + '\n')
        f.write('output %s\n' % problem['model'])
    command = [viva, 'fit', path, os.path.join(folder, problem['name'] + '.csv'), '--by', 'y', '--json', '--no-profiles']
    for i, u in enumerate(problem['unknowns']):
        command += ['--free', 'b%d%s' % (i + 1, range_of(u) if ranged else '')]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return None, run.stderr
    found = json.loads(run.stdout)
    return [found['parameters']['b%d' % (i + 1)]['value'] for i in range(len(problem['unknowns']))], found['simulations']


def off_by(found, problem, ranged):
    certified = [u[2] for u in problem['unknowns']]
    orders = [list(range(len(certified)))]
    terms = next((v for k, v in ALIKE.items() if problem['name'].startswith(k)), None)
    if ranged and terms:
        orders = []
        for turned in itertools.permutations(terms):
            order = list(range(len(certified)))
            for here, there in zip(terms, turned):
                for i, k in zip(here, there):
                    order[i] = k
            orders.append(order)
    return min(max(abs(found[k] / c - 1) for k, c in zip(order, certified)) for order in orders)


def main():
    root = os.path.join(os.path.abspath(sys.argv[1]), 'tests', 'reference', 'nist')
    viva = os.path.join(os.path.abspath(sys.argv[2]), 'viva')
    bad, every = 0, problems(root)
    with tempfile.TemporaryDirectory() as folder:
        for problem in every:
            name, rss = problem['name'], problem['rss']
            shutil.copy(os.path.join(root, name + '.csv'), folder)
            if rss > 1e-20 and abs(squares(problem, folder) / rss - 1) > 1e-6:  # Lanczos1: nothing but rounding is left
                print('the tables of %s are wrong: %r, certified %r' % (name, squares(problem, folder), rss))
                bad += 1
            for ranged, start in itertools.product((False, True), (0, 1)):
                found, work = fit(viva, folder, problem, start, ranged)
                off = off_by(found, problem, ranged) if found else math.inf
                if off > 1e-6:
                    print('%s, start %d, %s ranges: off by %.1e; %s' % (name, start + 1, 'with' if ranged else 'without', off, work))
                    bad += 1
    print('%d problems from two starts each, without and with ranges: %d not found' % (len(every), bad))
    return bad != 0 or len(every) != 27


if __name__ == '__main__':
    sys.exit(main())
