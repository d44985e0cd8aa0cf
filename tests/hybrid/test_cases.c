// Fixed models, with numbers that were derived by hand from docs/semantics.md: `oracle` asks the oracle for those of
// its class, `library` the library for all.
#define _XOPEN_SOURCE 700
#include "oracle.h"

#include "viva/viva.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct Check {
  double t;
  const char *column;
  double value;
} Check;

typedef struct Case {
  const char *name, *text;
  bool outside; // of the class of the oracle
  bool fails;   // the run stops
  Check checks[6];
} Case;

static const Case cases[] = {
    // the input jumps with the sample: limit(5 - 0) = 1, then x grows by 1/2
    {"a sample of a limiter behind a jump",
     "input r = if(t < 1, 0, 5)\nstate x = 0, c = 0\nx' = c\nevery 0.5 do c := limit(r - x, -1, 1)\noutput c, x\n"
     "simulate to 2 every 0.5\n",
     .checks = {{0.5, "c", 0}, {1, "c", 1}, {1.5, "x", 0.5}, {2, "x", 1}}},
    {"a sample of abs, floor and mod behind a jump",
     "input r = 3*step(t - 1)\nstate a = 0, b = 0, c = 0\nevery 0.5 do a := abs(r - 1), b := floor(r/2), c := mod(r, "
     "2)\n"
     "output a, b, c\nsimulate to 2 every 0.5\n",
     .checks = {{0.5, "a", 1}, {1, "a", 2}, {1, "b", 1}, {1, "c", 1}}},
    // r jumps from 0 to 5 and q from -1 to 2 with the sample; the band of deadzone reaches from -1 to 1
    {"samples of a limiter, corners and a choice behind a jump",
     "input r = if(t < 1, 0, 5), q = 3*step(t - 1) - 1\nstate c = 0, a = 0, b = 0, d = 0, e = 0, k = 0\n"
     "every 0.5 do c := limit(r - 3, -1, 1), a := abs(q), b := max(q, 1), d := if(r > 2, 7, 3), e := min(q, r), "
     "k := deadzone(r, 2)\n"
     "output c, a, b, d, e, k\nsimulate to 1 every 0.5\n",
     .outside = true, .checks = {{1, "c", 1}, {1, "a", 2}, {1, "b", 2}, {1, "d", 7}, {1, "e", 2}, {1, "k", 4}}},
    {"samples of jumps behind a jump",
     "input r = if(t < 1, 0, 5), q = 3*step(t - 1) - 1\nstate e = 0, f = 0, g = 0, s = 0, w = 0\n"
     "every 0.5 do e := floor(q + 0.5), f := mod(r, 3), g := sign(q), s := step(r - 5), w := ramp(q - 1)\n"
     "output e, f, g, s, w\nsimulate to 1 every 0.5\n",
     .outside = true, .checks = {{0.5, "e", -1}, {1, "e", 2}, {1, "f", 2}, {1, "g", 1}, {1, "s", 1}, {1, "w", 1}}},
    // a current controller inside of a speed controller, both limited: from 0.01 steps of 5e-7 of a loop by hand
    {"a cascade of two samples",
     "state w = 0, i = 0, iref = 0, u = 0\ni' = (u - i - 0.05*w)/0.002\nw' = 50*i - w\n"
     "every 0.01 do iref := limit(0.5*(100 - w), -5, 5)\nevery 0.001 do u := limit(10*(iref - i), -24, 24)\n"
     "output i, w, u\nsimulate to 0.1 every 0.01\n",
     .outside = true,
     .checks = {{0, "u", 24},
                {0.01, "i", -1.7840481391788},
                {0.05, "w", 4.7529955171536},
                {0.1, "i", -4.6975742994922},
                {0.1, "w", 9.3585392900472}}},
    // a is 2, 0, 2, 0: |a - 1| is 1
    {"two samples at one time",
     "state a = 0, c = 0\nevery 1 do a := 2 - a\nevery 1 do c := abs(a - 1)\noutput a, c\nsimulate to 3 every 1\n",
     .checks = {{0, "c", 1}, {1, "a", 0}, {1, "c", 1}, {3, "c", 1}}},
    {"a fast sample behind a slow one",
     "state a = 0, n = 0\nevery 1 do a := a + 1\nevery 0.5 do n := max(n, floor(a/2))\noutput a, n\n"
     "simulate to 4 every 0.5\n",
     .checks = {{0.5, "a", 1}, {1, "n", 1}, {2.5, "n", 1}, {3, "n", 2}}},
    // p = 2 sin(t): v = p - 1/2 up to 3/2, w = v - 1/2 up to 1. p turns back at pi/2; at t = 3 v has come down to
    // p + 1/2 = 0.782, and w rests between 0.282 and 1.282
    {"a play behind a play",
     "state p = 0, q = 2\np' = q\nq' = -p\nlet v = backlash(p, 1)\nlet w = backlash(v, 1)\noutput p, v, w\n"
     "simulate to 3 every 1\n",
     .outside = true, .checks = {{3, "w", 1}}},
    // the same with corners: x rises to 2 and falls; v = 3/2 from t = 2 on, w = 1; v = x + 1/2 from t = 3 on; w = v +
    // 1/2
    // from v = 1/2 on
    {"a play behind a play, straight",
     "state x = 0\nx' = if(t < 2, 1, -1)\nlet v = backlash(x, 1)\nlet w = backlash(v, 1)\noutput v, w\n"
     "simulate to 5 every 0.5\n",
     .checks = {{2, "v", 1.5}, {2, "w", 1}, {3, "v", 1.5}, {3.5, "v", 1}, {4, "w", 1}, {5, "w", 0}}},
    {"a play behind a latch",
     "state x = 0\nx' = 1\nlet w = backlash(x - 0.25*latch(x > 1, 0 > 1), 1)\noutput w\nsimulate to 1.5 every 0.25\n",
     .checks = {{1, "w", 0.5}, {1.25, "w", 0.5}, {1.5, "w", 0.75}}},
    {"a condition for no number, and",
     "state r = -1, y = 0\nr' = 1\ny' = if(latch((r > 0) and (max(r, 0) <= 0), 0 > 1) > 0.5, 1, 0)\noutput y\n"
     "simulate to 10 every 10\n",
     .checks = {{10, "y", 0}}},
    {"a condition for no number, nested",
     "state x = 1, y = 0\nx' = -1\ny' = if(latch(max(min(x, 0), 0) < 0, 0 > 1) > 0.5, 1, 0)\noutput y\n"
     "simulate to 10 every 10\n",
     .checks = {{10, "y", 0}}},
    {"conditions for no number, by mod and ramp",
     "state x = 3, n = 0\nx' = -1\nwhen abs(mod(x, 1.5) - 0.75) - 0.75 > 0 do n := n + 1\n"
     "when not ((ramp(x) <= 0) or (x > 0)) do n := n + 1\noutput n\nsimulate to 7 every 7\n",
     .checks = {{7, "n", 0}}},
    // p^2 is not negative, nor is what it was
    {"the range of a delayed square",
     "state p = 0, q = 1, y = 0\np' = q\nq' = -p\ny' = latch(delay(p^2, 1.36) < 0, 0)\noutput y\nsimulate to 10 every "
     "10\n",
     .outside = true, .checks = {{10, "y", 0}}},
    // x falls from 0: floor is -1 at once, x < 0 becomes true once
    {"a start on a jump of floor",
     "state x = 0, n = 0, y = 0\nx' = -0.5\ny' = floor(x)\nwhen x < 0 do n := n + 1\noutput n, y\nsimulate to 1 every "
     "1\n",
     .checks = {{0, "n", 1}, {1, "n", 1}, {1, "y", -1}}},
    {"a start on a jump of mod",
     "state x = 0, y = 0\nx' = -1\ny' = if(latch(mod(x, 2) < 0, 0 > 1) > 0.5, 1, 0)\noutput y\nsimulate to 10 every "
     "10\n",
     .checks = {{10, "y", 0}}},
    // abs(t) < t never; sign(t) is 1 behind the start, so p*sign(t) <= 1/2 is true AT 0 and false until p = 0.5
    {"time at the start",
     "state p = 1, n = 0, k = 0\np' = -0.25\nwhen abs(t) < t do n := n + 1\nwhen p*sign(t) <= 0.5 do k := k + 1\n"
     "output n, k\nsimulate to 4 every 1\n",
     .checks = {{0, "n", 0}, {0, "k", 0}, {1, "k", 0}, {2, "k", 1}, {4, "n", 0}}},
    // true AT 0 by both, false behind by both
    {"a state that leaves time behind",
     "state p = 0, n = 0\np' = 2\nwhen (t <= 0) or (p <= t) do n := n + 1\noutput n\nsimulate to 1 every 1\n",
     .checks = {{0, "n", 0}, {1, "n", 0}}},
    // q = 2 sin(t): q^2 is above sign(..) = 0 for q < 0, from pi and 3 pi on, and above 1 from q = 1 on, at pi/6 and 13
    // pi/6
    {"a sign behind two corners",
     "state q = 0, p = 2, n = 0\nq' = p\np' = -q\nwhen sign(ramp(rectify(q))) < q*q do n := n + 1\noutput n\n"
     "simulate to 10 every 1\n",
     .outside = true, .checks = {{0, "n", 0}, {1, "n", 1}, {3, "n", 1}, {4, "n", 2}, {7, "n", 3}, {10, "n", 4}}},
    // p rises to 1 and falls to 0, three times, then falls to -2: p*p is 1 at t = 1, 3, 5 alone, and at t = 7 for good
    {"the square of what touches",
     "state p = 0, n = 0\np' = if(t < 6, 1 - 2*mod(floor(t), 2), -1)\nwhen floor(p*p) > 0.5 do n := n + 1\noutput n\n"
     "simulate to 8 every 2\n",
     .outside = true, .checks = {{0, "n", 0}, {2, "n", 1}, {4, "n", 2}, {6, "n", 3}, {8, "n", 4}}},
    // never below 0; on a plateau at 0 for half of the time
    {"a plateau at the limit",
     "state q = 1, p = 0, n = 0\nq' = p\np' = -q\nwhen mod(rectify(q), 0.75) >= 0 do n := n + 1\noutput n\n"
     "simulate to 10 every 5\n",
     .outside = true, .checks = {{0, "n", 0}, {5, "n", 0}, {10, "n", 0}}},
    {"a wall", "state x = 2\nx' = -1\nwhen x < 1 do x := 1\noutput x\nsimulate to 3 every 1\n", .fails = true,
     .checks = {{0, "x", 2}}},
    // 1/2 - z = 0
    {"friction that holds",
     "state x = 1\nx' = 0.5 - sign(x)\noutput x, z = sign(x), a = x > 0\nsimulate to 4 every 1\n",
     .checks = {{1, "z", 1}, {3, "x", 0}, {3, "z", 0.5}, {3, "a", 0}}},
    // x - y slides down: x' = -1 - z is below y' = 1. Then x' = -z = 0
    {"more elements than motions to hold",
     "state x = 0, y = 0\nx' = 1 - step(x - y) - step(x)\ny' = 1\noutput x, y\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "x", 0}, {1, "x", 0}, {1, "y", 1}}},
    // 0 above and -1 below: together they drive y away, and at zero -1 + 0 does
    {"operators of one guard that drive apart",
     "state y = 0.5\ny' = sign(y - 0.5) - step(y - 0.5)\noutput y\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "y", 0}, {1, "y", -0.5}}},
    // -2 above, -1 below: it crosses
    {"operators of one guard that let pass",
     "state x = 1\nx' = -2 + step(x) - sign(x)\nlet m = latch(x != 0, x == 0)\noutput x, m\nsimulate to 2 every 0.5\n",
     .checks = {{0.5, "x", 0}, {0.5, "m", 1}, {1, "x", -0.5}, {2, "x", -1.5}}},
    // 1 below and -2 above: a third of the way. Conditions have their values for zero
    {"operators of one guard that hold",
     "state x = 0, y = 0\nx' = -0.5 - sign(x) - 0.5*sign(2*x)\ny' = if(x > 0, 0, 3)\nlet w = integral(1, 0, 0 > 1, x "
     ">= "
     "0)\noutput x, y, w, z = sign(-x)\nsimulate to 2 every 1\n",
     .checks = {{0, "z", 1 / 3.}, {2, "x", 0}, {2, "y", 6}, {2, "w", 0}}},
    // y + p + 1 and y are zero together: -1 below and -3 above
    {"guards that differ by a discrete state",
     "state y = 0, p = -1\ny' = -2 + sign(y + p + 1) - 2*sign(y)\noutput y\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "y", -0.5}, {1, "y", -1}}},
    // 1 - 2.5 z = 0
    {"an `if` that holds",
     "state x = 1, y = 0.5\nx' = if(x > 0, -1 - y, 1)\ny' = 0\noutput x, z = x > 0\nsimulate to 2 every 0.5\n",
     .outside = true, .checks = {{0.5, "x", 0.25}, {1, "x", 0}, {1, "z", 0}, {2, "x", 0}}},
    // both at rest carry their parts of t, three and one, up to 4; then t - 2
    {"frictions of one velocity with other ratios",
     "state v = 0, w = 0\nlet f = friction(v, 1, 3)\nv' = t + f + friction(v, 1, 1)\nw' = f\noutput v, w\n"
     "simulate to 5 every 1\n",
     .outside = true, .checks = {{4, "v", 0}, {4, "w", -6}, {5, "v", 2.5}, {5, "w", -7}}},
    // v moves from t = 1 on: (t - 1)^2/2
    {"functions beside friction that lets go",
     "state v = 0, y = 0, w = 0\nv' = t - sign(v)\ny' = if(v > 0, 1, 0)\nw' = abs(v)\noutput v, y, w\n"
     "simulate to 2 every 0.5\n",
     .outside = true, .checks = {{1, "y", 0}, {2, "v", 0.5}, {2, "y", 1}, {2, "w", 1 / 6.}}},
    // 3 below and -2 above hold x, and x + q is zero with it
    {"a guard beside one that is held",
     "state x = 0, q = 0\nx' = -1 + if(x <= 0, 3, -2)\nevery 0.5 do q := 1\nwhen x + q > 0 do q := 0\noutput x, q\n"
     "simulate to 0.75 every 0.25\n",
     .checks = {{0, "q", 0}, {0.25, "x", 0}, {0.5, "q", 0}, {0.75, "q", 0}}},
    {"an output by a scaled guard",
     "state x = 0\nx' = 1 - 2*(x > 0)\noutput z = (2*(0 - x)) < 0\nsimulate to 1 every 0.5\n",
     .checks = {{0, "z", 0.5}, {1, "z", 0.5}}},
    // sign(0) = 0 holds x, and step(0) = 1 goes on
    {"operators of a guard that is driven away",
     "state x = 3, y = 3\nx' = sign(x - 3)\ny' = -2*step(x - 3)\noutput x, y\nsimulate to 1 every 0.5\n",
     .checks = {{1, "x", 3}, {1, "y", 1}}},
    // at t = 0.75 y' is -1, p = 1 turns it round behind 1.5, and at 1.5 again y >= 1.5 becomes true
    {"a limit that is left and reached again",
     "state y = 1.5, z = 0, p = 0\ny' = -2 + p - 2*sign(y - 1.5)\nevery 0.75 do p := -1\nevery 1 do p := 0\n"
     "when y >= 1.5 do z := 1\nwhen -y > -1.5 do p := 1\noutput y, z, p\nsimulate to 0.75 every 0.25\n",
     .checks = {{0.5, "z", 0}, {0.75, "z", 1}, {0.75, "p", 1}}},
    {"a latch that drives back to its limit",
     "state x = 0\nx' = 1 - step(x - 0.5) + if(m > 0.5, -0.5, 1)\nlet m = latch(x > 0.5, x <= 0.5)\noutput x\n"
     "simulate to 1 every 0.5\n",
     .fails = true, .checks = {{0, "x", 0}}},
    {"a corner that is turned round for ever",
     "state x = 0, z = 0\nx' = 1 - 2*(z < 0)\nz' = if(x <= 0, 1, -1)\noutput x\nsimulate to 1 every 0.5\n",
     .fails = true},
    {"complementary conditions",
     "state x = -1\nx' = 1\nlet m = latch(x > 0, x <= 0)\noutput m\nsimulate to 2 every 0.5\n",
     .checks = {{0.5, "m", 0}, {1, "m", 1}, {2, "m", 1}}},
    // y is set to 0 as t leaves it; then to where t has moved to, which is above 0
    {"what is set to what has moved",
     "state y = 0, n = 0\ny' = 1\nwhen y > 0 do y := t, n := n + 1\noutput y, n\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "n", 2}, {1, "y", 1}, {1, "n", 2}}},
    // z comes back to 1/2 while y has fallen below it
    {"one guard comes back, the other goes on",
     "state y = 1.5, z = 0.5, p = 0, n = 0\ny' = -2\nz' = p - 0.5\nwhen (z < 0.5) or (y < 0.5) do y := 0.5, p := 1, n "
     ":= "
     "n + 1\noutput y, z, n\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "n", 1}, {1, "n", 1}, {1, "y", -1.5}, {1, "z", 1}}},
    // x is 2 again at once: mod(x, 2) is 0
    {"floor comes back",
     "state x = 2, q = 0, n = 0\nx' = 0.5 + q\nevery 1.5 do q := -1\nwhen mod(x, 2) < 0 do n := n + 1\nwhen 2 > x do q "
     ":= "
     "0\noutput x, n\nsimulate to 1 every 0.5\n",
     .checks = {{0, "n", 0}, {1, "n", 0}, {1, "x", 2.5}}},
    // w is 0 at the point behind, too, and w == 0 has not become true
    {"a memory that lets something move",
     "state z = 1.5, r = 0\nz' = -1\nlet m = latch(z > 1, z < 1)\nlet w = integral(1, 0, 0, m > 0.5)\nwhen w == 0 do r "
     ":= "
     "1\noutput r, w\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "r", 0}, {1, "r", 0}, {1, "w", 0.5}}},
    {"time behind a sum, in a row",
     "state x = 0\nx' = 1\nlet m = hysteresis(t + 1, -1, 1.5, 1, 0)\noutput m\nsimulate to 1 every 0.25\n",
     .checks = {{0.25, "m", 0}, {0.5, "m", 1}}},
    {"time behind a sum, beside a sample",
     "state x = 0\nx' = 1\nevery 0.5 do x := 0\nwhen t + 0.5 >= 1 do stop\noutput x\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "x", 0}}},
    // x comes to 1 at every half
    {"an event beside a row",
     "state x = 0, p = 0\nx' = 2\nlet m = latch(x >= 1, x < 1)\nwhen 0 > 0.5 do p := limit(t, -1, 1)\nwhen m > 0.5 do "
     "x := "
     "0\noutput x\nsimulate to 2 every 0.5\n",
     .checks = {{0.5, "x", 0}, {1, "x", 0}, {1.5, "x", 0}, {2, "x", 0}}},
    // y is 1 from t = 5/12 on at every twelfth
    {"events beside rows",
     "state y = 0, q = 3\ny' = q\nlet m = backlash(y, 1.5)\nwhen m > 0.5 do y := 1\noutput y\nsimulate to 3.125 every "
     "0.5\n",
     .checks = {{0.5, "y", 1}, {2, "y", 1}, {3, "y", 1}, {3.125, "y", 1.125}}},
    // the play rests at 1/2
    {"a play that rests at a limit",
     "state y = 0\ny' = 1.5\nlet m = backlash(abs(y - 0.5), 1)\nwhen m > 0.5 do y := y - 1\noutput y\n"
     "simulate to 4.125 every 0.5\n",
     .checks = {{4, "y", 1}, {4.125, "y", 1.1875}}},
    // x(1/2) = 1; the difference stays
    {"a delay beside what it delays",
     "state x = 0\nx' = 2\nlet m = latch(delay(x, 1.5) + 2 == 3, delay(x, 1.5) + (2 - x) != 3)\nevery 1 do x := 0\n"
     "output m\nsimulate to 2.125 every 0.25\n",
     .checks = {{1.75, "m", 0}, {2, "m", 1}}},
    // the reset of w stands before
    {"the place of an integral in the text",
     "state p = -1, q = 0\nlet w = integral(1, 0, p < 0.5, 0)\nevery 1 do p := -p\nwhen t >= 1 do q := w\noutput q, w\n"
     "simulate to 1.5 every 0.5\n",
     .checks = {{0.5, "w", 0.5}, {1, "q", 0}, {1.5, "q", 0}}},
    // x stays at 0
    {"a rate that was set to zero",
     "state x = 1, p = 0, q = 0, r = 0\nx' = q\nevery 1 do q := x\nevery 1 do q := -q\nwhen x == 0 do p := 1\n"
     "when not (t <= 1) do r := 0\nwhen x >= 0 do p := 0\noutput p\nsimulate to 1 every 0.25\n",
     .checks = {{0.75, "p", 0}, {1, "p", 1}}},
    // p falls from 0: floor(p) AFTER the start is -1, and that is its image at 0.5, in both readings
    {"a sample of a delayed floor, where its history ends",
     "state p = 0, c = 9\np' = -1\nevery 0.5 do c := delay(floor(p), 0.5)\noutput c\nsimulate to 0.75 every 0.25\n",
     .checks = {{0.5, "c", -1}}},
    // p is y(0) = 0 again, up to rounding, so x stays at 0
    {"the image of a state that starts at zero",
     "state x = 0, y = 0, p = 0\nx' = p\ny' = 1 + sign(x)\nevery 0.5 do p := delay(y, 1.5)\noutput y\n"
     "simulate to 1.75 every 0.25\n",
     .checks = {{1.5, "y", 1.5}, {1.75, "y", 1.75}}},
    // q is y at its limit 0, up to rounding, so z stays at 0
    {"a rate that is rounding",
     "state x = 0, y = -1, z = 0, q = 0\nx' = 1\ny' = 1\nz' = q\nwhen not (z < 0) and y >= 0 do q := y\noutput z\n"
     "simulate to 1.5 every 0.5\n",
     .checks = {{1, "z", 0}, {1.5, "z", 0}}},
    // until 0.5 both sides lead back to x = 1; from there on x' is 1 above and 3 below
    {"a function of time lets go",
     "state x = 1.5\nx' = 3 - 2*step(x - 1) + if(t <= 0.5, -2, 0)\noutput x\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "x", 1}, {1, "x", 1.5}}},
    // with both operators at zero y' = 3/2, so y rises and leaves x behind: y' = 1 - 1 + 1
    {"two guards that leave together",
     "state x = 0, y = -1\nx' = -2\ny' = 1 + if(y - x <= -1, 0.5, -1) + 1*(y > -1)\noutput y\n"
     "simulate to 0.5 every 0.5\n",
     .checks = {{0.5, "y", -0.5}}},
    // from the operators at zero both fall: z' = -1 + 1 - 1
    {"a sign that holds beside one that drives away",
     "state y = 0, z = 0\ny' = 1\nz' = -1 - sign(z - y) + sign(z)\noutput z\nsimulate to 0.5 every 0.5\n",
     .checks = {{0.5, "z", -0.5}}},
    // z' = -2 with both at zero, then x' = -2 + 2 and z' = -1
    {"a comparison that could hold, and need not",
     "state x = 0, z = 1\nx' = -2 - 2*sign(z - 1)\nz' = -1 - 1*(z - x >= 1)\noutput x, z\n"
     "simulate to 0.5 every 0.5\n",
     .checks = {{0.5, "x", 0}, {0.5, "z", 0.5}}},
    // w rises at once, so x' = -2 + 1
    {"an integral beside a sign that holds",
     "state x = 0\nx' = -2*sign(w) - sign(x)\nlet w = integral(1, 0, x > 0, 0)\noutput x\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "x", -0.5}, {1, "x", -1}}},
    // below 0 x' = -1/2, above 0 it is 0, and at 0 3/2: only the way down agrees with its flow
    {"one choice of sides agrees",
     "state x = 0\nx' = 2*step(x) + if(x <= 0, -0.5, -2)\noutput x\nsimulate to 1 every 0.5\n",
     .checks = {{0.5, "x", -0.25}, {1, "x", -0.5}}},
    // x - w stays at 0 until w is reset and held there at t = 1
    {"what sticks lets go where a memory is held",
     "state x = 0\nx' = if(x - w < 0, 2, 1)\nlet w = integral(1, 0, x > 1, 0)\noutput x, w\nsimulate to 2 every 0.5\n",
     .checks = {{0.5, "w", 0.5}, {1, "w", 0}, {2, "x", 2}, {2, "w", 0}}},
    // p becomes -1, and x begins to fall; the first `when` stops it at once
    {"what is stopped behind its limit is at it",
     "state x = 0, p = 0\nx' = p\nevery 1 do p := -1\nwhen x - 1 < -1 and p <= -1 do p := 0\n"
     "when max(x, 0) < 0 do p := 1\noutput p\nsimulate to 0.5 every 0.25\n",
     .checks = {{0, "p", 0}, {0.5, "p", 0}}},
    // at t = 2 z falls from 0 and is stopped: mod(z, 2) is no negative number
    {"a mod that is stopped behind its jump",
     "state x = 1, y = 3, z = 1, p = 0\ny' = -1\nz' = p\nevery 0.5 do p := 0\nevery 1 do p := -1\n"
     "when mod(z, 2) < 0 do x := 0\nwhen not (floor(y) > 0) do p := 0\noutput x\nsimulate to 2 every 0.5\n",
     .checks = {{1.5, "x", 1}, {2, "x", 1}}},
    // 2*0 is 0: once x has moved the condition is true again
    {"zero is doubled for ever", "state x = -1\nx' = 1\nwhen x > 0 do x := 2*x\noutput x\nsimulate to 2 every 0.5\n",
     .fails = true, .checks = {{0.5, "x", -0.5}}},
    // at 1.5 x is set to 2, and y and x turn each other round
    {"a sign that is turned round for ever",
     "state x = 0, y = 0.5\nx' = 1\ny' = -1 + if(x <= 0, 2, -0.5)\nevery 0.5 do x := 2\nwhen max(y, x) > 2 do x := -x\n"
     "output x\nsimulate to 3 every 0.5\n",
     .fails = true, .checks = {{0, "x", -2}, {1, "x", -2}}},
    // x rests at 0 by a value of `step` of 0, which is shown by the same operator in other words
    {"an output by the operator that holds",
     "state x = 2\nx' = -2*step(2*x)\nlet m = latch(x >= 0, 0 < 0)\noutput x, shown = (-x) <= 0\n"
     "simulate to 1.5 every 0.5\n",
     .checks = {{0.5, "shown", 1}, {1.5, "x", 0}, {1.5, "shown", 0}}},
};

typedef struct Table {
  char columns[most_outputs][64];
  double rows[oracle_rows][most_outputs + 1];
  int count, width;
} Table;

static bool take_header(void *self, const char *const *names, size_t count) {
  Table *t = self;
  for (size_t i = 1; i < count && i <= most_outputs; i++) snprintf(t->columns[i - 1], 64, "%s", names[i]);
  t->width = (int)count - 1;
  return true;
}

static bool take_row(void *self, const double *values, size_t count) {
  Table *t = self;
  if (t->count == oracle_rows || count > most_outputs + 1) return false;
  memcpy(t->rows[t->count++], values, count * sizeof *values);
  return true;
}

static bool ask_oracle(const Case *c, Table *t, bool *failed) {
  static Model m;
  static Answer answer;
  char error[200];
  if (!model_read(c->text, &m, error)) {
    printf("%s: %s\n", c->name, error);
    return false;
  }
  oracle_run(&m, twin_none, &answer);
  if (answer.why) printf("%s: %s\n", c->name, answer.why);
  for (int i = 0; i < m.output_count; i++) snprintf(t->columns[i], 64, "%s", m.outputs[i].name);
  t->width = m.output_count;
  t->count = answer.row_count;
  for (int r = 0; r < answer.row_count; r++) {
    t->rows[r][0] = answer.row_t[r];
    memcpy(t->rows[r] + 1, answer.rows[r], sizeof answer.rows[r]);
  }
  *failed = answer.ending != ends_done && answer.ending != ends_stop;
  return answer.why == NULL;
}

static bool ask_library(const Case *c, Table *t, bool *failed) {
  viva_model *model = NULL;
  viva_run *run = NULL;
  bool ok = viva_model_parse("m.viva", c->text, strlen(c->text), NULL, &model) == VIVA_OK;
  if (ok) *failed = viva_run_model(model, NULL, &(viva_sink){t, take_header, take_row}, &run) != VIVA_OK;
  viva_run_free(run);
  viva_model_free(model);
  return ok;
}

static bool is_right(const Case *c, const Table *t) {
  bool right = true;
  for (size_t k = 0; k < sizeof c->checks / sizeof *c->checks && c->checks[k].column; k++) {
    const Check *check = &c->checks[k];
    double found = NAN;
    for (int r = 0; r < t->count; r++)
      for (int i = 0; i < t->width; i++)
        if (fabs(t->rows[r][0] - check->t) < 1e-9 && strcmp(t->columns[i], check->column) == 0)
          found = t->rows[r][i + 1];
    if (fabs(found - check->value) <= 1e-9 * (1 + fabs(check->value))) continue;
    printf("%s: %s(%g) is %.12g, not %g\n", c->name, check->column, check->t, found, check->value);
    right = false;
  }
  return right;
}

int main(int argc, char **argv) {
  bool library = argc > 1 && strcmp(argv[1], "library") == 0;
  int wrong = 0, count = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    static Table t;
    const Case *c = &cases[i];
    if (c->outside && !library) continue;
    bool failed = false;
    memset(&t, 0, sizeof t);
    count++;
    bool right = library ? ask_library(c, &t, &failed) : ask_oracle(c, &t, &failed);
    if (right && failed != c->fails) {
      printf("%s: it %s\n", c->name, failed ? "stops" : "does not stop");
      right = false;
    }
    if (!right || !is_right(c, &t)) wrong++;
  }
  printf("%d of %d wrong\n", wrong, count);
  return wrong > 0;
}
