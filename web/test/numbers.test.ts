import assert from "node:assert/strict";
import { test } from "node:test";
import { column, places } from "../src/data.ts";
import { csv, short } from "../src/format.ts";
import { powerText, ticks } from "../src/ticks.ts";
import { axisRange, equalized, extent, pan, zoom } from "../src/view.ts";

// a generator with a seed that is printed when a test fails
function random(seed: number): () => number {
  let s = seed >>> 0;
  return () => {
    s = (Math.imul(s, 1664525) + 1013904223) >>> 0;
    return s / 2 ** 32;
  };
}

test("a column of doubles comes back bit by bit", () => {
  const values = [0, -0, 1 / 3, 1e-300, -1e308, 5e-324, NaN, Infinity];
  const bytes = Buffer.alloc(8 * values.length);
  values.forEach((v, i) => bytes.writeDoubleLE(v, 8 * i));
  const back = column({ data: bytes.toString("base64") });
  assert.equal(back.length, values.length);
  values.forEach((v, i) => assert.ok(Object.is(back[i], v), `${v}`));
});

test("a regular column is computed", () => {
  assert.deepEqual([...column({ from: 1, step: 0.25, count: 4 })], [1, 1.25, 1.5, 1.75]);
});

test("places are small signed numbers", () => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt16LE(-32768, 0);
  bytes.writeInt16LE(321, 2);
  assert.deepEqual([...places(bytes.toString("base64"))], [-32768, 321]);
});

test("numbers of a CSV file read back to the same double, names are quoted where they must", () => {
  const next = random(7);
  const values = Array.from({ length: 200 }, () => (next() - 0.5) * 10 ** (600 * next() - 300));
  const lines = csv(["t", 'a "b", c'], [values, values]).trimEnd().split("\n");
  assert.equal(lines[0], 't,"a ""b"", c"');
  assert.equal(lines.length, 201);
  values.forEach((v, i) => assert.equal(Number(lines[i + 1]!.split(",")[1]), v));
  assert.equal(csv(["x"], [[NaN, Infinity, -Infinity, -0]]), "x\nnan\ninf\n-inf\n-0\n");
});

test("short numbers have six digits at most", () => {
  assert.equal(short(1 / 3), "0.333333");
  assert.equal(short(-2.5), "−2.5");
  assert.equal(short(1.23456789e-9), "1.23457e-9");
  assert.equal(short(1e21), "1e21");
  assert.equal(short(null), "–");
  assert.equal(short(NaN), "–");
});

test("ticks stand at round places inside the axis, are neither too many nor too few, and their words are right", () => {
  const next = random(11);
  for (let i = 0; i < 3000; i++) {
    const lo = (next() - 0.5) * 10 ** Math.floor(40 * next() - 20);
    const hi = lo + Math.abs(lo) * 10 ** (-6 * next()) + 10 ** (20 * next() - 18);
    const wanted = 2 + Math.floor(8 * next());
    const t = ticks(lo, hi, false, wanted);
    assert.ok(t.at.length <= Math.max(wanted + 1, 6) && t.at.length >= 2, `${lo} ${hi} ${wanted}: ${t.at}`);
    const margin = (hi - lo) * 1e-6;
    t.at.forEach((v, k) => {
      assert.ok(v >= lo - margin && v <= hi + margin, `${lo} ${hi}: ${v}`);
      assert.ok(k === 0 || v > t.at[k - 1]!, `${t.at}`);
      const said = Number(t.text[k]!.replace(/−/g, "-"));
      assert.ok(Math.abs(said - v) <= 1e-9 * (Math.abs(v) + (hi - lo)), `${lo} ${hi}: ${v} is called ${t.text[k]}`);
    });
    assert.equal(new Set(t.text).size, t.text.length, `${lo} ${hi}: ${t.text}`);
  }
});

test("a logarithmic axis has powers of ten, as many as there is room for", () => {
  assert.deepEqual(ticks(1e-2, 1e3, true, 8).text, ["10⁻²", "10⁻¹", "10⁰", "10¹", "10²", "10³"]);
  assert.ok(ticks(1e-30, 1e30, true, 6).at.length <= 7);
  assert.equal(powerText(-12), "10⁻¹²");
  // less than two decades: as a linear axis
  assert.deepEqual(ticks(2, 7, true, 5).at, [2, 3, 4, 5, 6, 7]);
});

test("extremes leave out what has no place", () => {
  assert.deepEqual(extent([NaN, 3, -2, Infinity], false), [-2, 3]);
  assert.deepEqual(extent([NaN, 3, -2, 0], true), [3, 3]);
  assert.equal(extent([NaN], false), null);
});

test("an axis is never empty and never flat", () => {
  for (const r of [null, [0, 0], [5, 5], [-1e-300, -1e-300], [1e300, 1e300]] as const) {
    const [lo, hi] = axisRange(r, false, 0.05);
    assert.ok(lo < hi && isFinite(lo) && isFinite(hi), `${r}`);
  }
  const [lo, hi] = axisRange([10, 10], true, 0.05);
  assert.ok(lo > 0 && lo < 10 && hi > 10);
});

test("zooming keeps the place under the cursor and stays inside the whole", () => {
  const next = random(3);
  for (let i = 0; i < 2000; i++) {
    const log = next() < 0.5;
    const whole: [number, number] = log ? [1e-3, 1e4] : [-3, 8];
    let view: readonly [number, number] = whole;
    for (let k = 0; k < 5; k++) view = next() < 0.7 ? zoom(view, whole, 0.3 + next(), next(), log) : pan(view, whole, next() - 0.5, log);
    assert.ok(view[0] >= whole[0] - 1e-9 * Math.abs(whole[0]) && view[1] <= whole[1] * (1 + 1e-9) && view[0] < view[1], `${view}`);
  }
  const near = zoom([0, 10], [0, 10], 0.5, 0.3, false);
  assert.deepEqual(near, [1.5, 6.5]);
  assert.ok(Math.abs(near[0] + 0.3 * (near[1] - near[0]) - 3) < 1e-12);
  // as deep as one likes, and back
  let view: readonly [number, number] = [0, 10];
  for (let k = 0; k < 200; k++) view = zoom(view, [0, 10], 0.5, 0.5, false);
  assert.ok(view[1] > view[0]);
  for (let k = 0; k < 300; k++) view = zoom(view, [0, 10], 2, 0.5, false);
  assert.deepEqual(view, [0, 10]);
});

test("a logarithmic axis over all doubles stays finite and positive", () => {
  const [lo, hi] = axisRange([1e-300, 1e300], true, 0.05);
  assert.ok(lo > 0 && lo <= 1e-300 && hi >= 1e300 && isFinite(hi), `${lo} ${hi}`);
});

test("equal units: a circle is round in any area, and nothing of the data is lost", () => {
  for (const [width, height] of [[600, 300], [300, 600], [400, 400]] as const) {
    const [x, y] = equalized([-1, 3], [10, 12], width, height);
    assert.ok(Math.abs((x[1] - x[0]) / width - (y[1] - y[0]) / height) < 1e-12);
    assert.ok(x[0] <= -1 && x[1] >= 3 && y[0] <= 10 && y[1] >= 12);
    assert.ok(Math.abs(x[0] + x[1] - 2) < 1e-12 && Math.abs(y[0] + y[1] - 22) < 1e-12);
  }
});
