import assert from "node:assert/strict";
import { test } from "node:test";
import { arrow, between, rod, spring } from "../src/shapes.ts";
import { blocksOf, envelope, ink, mapOf, nearest, outline } from "../src/dense.ts";
import { marks } from "../src/marks.ts";
import { ascending, lowerBound, trace } from "../src/thin.ts";

class Recorder {
  points: [number, number][] = [];
  pieces = 0;
  moveTo(x: number, y: number): void {
    this.pieces++;
    this.points.push([x, y]);
  }
  lineTo(x: number, y: number): void {
    this.points.push([x, y]);
  }
}

const same = (v: number) => v;

test("thinning keeps the extremes and the ends, within half a pixel", () => {
  const n = 100000;
  const x = Float64Array.from({ length: n }, (_, i) => (700 * i) / n);
  const y = Float64Array.from({ length: n }, (_, i) => 100 + 80 * Math.sin(i / 9000) + (i === 55555 ? 300 : 0));
  const pen = new Recorder();
  const drawn = trace(pen, x, y, same, same, 0, n);
  assert.ok(drawn < 4000, `${drawn}`);
  assert.equal(Math.max(...pen.points.map((p) => p[1])), y[55555]);
  assert.deepEqual(pen.points[0], [x[0], y[0]]);
  assert.deepEqual(pen.points.at(-1), [x[n - 1], y[n - 1]]);
});

test("a gap ends a piece", () => {
  const pen = new Recorder();
  trace(pen, [0, 10, 20, 30, 40], [0, 5, NaN, 5, 0], same, same, 0, 5);
  assert.equal(pen.pieces, 2);
  assert.equal(pen.points.length, 4);
});

test("bounds and order", () => {
  assert.equal(lowerBound([1, 2, 2, 5], 2), 1);
  assert.equal(lowerBound([1, 2, 2, 5], 6), 4);
  assert.ok(ascending([1, 1, 2]));
  assert.ok(!ascending([1, 0]));
  const one = mapOf(0, 1, 0, 1, false);
  assert.equal(nearest([0, 10, 20], [0, 0, NaN], one, one, 12, 1), 1);
});

test("a rod, a spring and an arrow end at their points", () => {
  for (const draw of [rod, spring, arrow]) {
    const path = draw(10, 20, 110, 20);
    assert.ok(path.startsWith("M10.00,20.00"), path);
    assert.ok(path.includes("110.00,20.00"), path);
  }
  assert.ok(!/NaN/.test(spring(5, 5, 5, 5) + arrow(5, 5, 5, 5)));
});

test("between two frames a shape lies between", () => {
  const data = Int16Array.from([0, 0, 32, 64, 64, 128]);
  assert.deepEqual(between(data, 2, 0.5, 32), [0.5, 1]);
  assert.deepEqual(between(data, 2, 2, 32), [2, 4]);
  assert.deepEqual(between(data, 2, 99, 32), [2, 4]);
  assert.deepEqual(between(Int16Array.from([32, 64]), 2, 3, 32), [1, 2]);
});

test("no extreme is lost in a column of pixels, and columns touch", () => {
  const n = 200000;
  const width = 300;
  const x = Float64Array.from({ length: n }, (_, i) => i / n);
  const y = Float64Array.from({ length: n }, (_, i) => Math.sin(i / 7) * Math.cos(i / 9000));
  y[77777] = 5;
  y[123456] = -6;
  const mx = mapOf(0, 1, 0, width, false);
  const my = mapOf(-10, 10, 0, 200, false);
  const { lo, hi } = envelope(x, y, 0, n, mx, my, width, blocksOf(y, false));
  const want = { lo: new Array<number>(width).fill(Infinity), hi: new Array<number>(width).fill(-Infinity) };
  for (let i = 0; i < n; i++) {
    const c = Math.floor(x[i]! * width);
    const v = ((y[i]! + 10) / 20) * 200;
    want.lo[c] = Math.min(want.lo[c]!, v);
    want.hi[c] = Math.max(want.hi[c]!, v);
  }
  for (let c = 0; c < width; c++) {
    assert.ok(lo[c]! <= want.lo[c]! + 1e-9 && hi[c]! >= want.hi[c]! - 1e-9);
    // the line from the column before is all that may be more
    if (c) assert.ok(lo[c]! >= Math.min(want.lo[c]!, want.lo[c - 1]!) - 1e-9 && hi[c]! <= Math.max(want.hi[c]!, want.hi[c - 1]!) + 1e-9);
    if (c) assert.ok(lo[c]! <= hi[c - 1]! + 1e-9 && hi[c]! >= lo[c - 1]! - 1e-9);
  }
});

test("nothing bridges a gap", () => {
  const m = mapOf(0, 10, 0, 10, false);
  const y = [5, 5, NaN, 7];
  const { lo } = envelope([0.5, 1.5, 2.5, 8.5], y, 0, 4, m, m, 10, blocksOf(y, false));
  assert.deepEqual([...lo].map((v) => (Number.isNaN(v) ? "-" : v)), [5, 5, "-", "-", "-", "-", "-", "-", 7, "-"]);
});

test("ink lies on the path, inside the picture, however long its segments are", () => {
  const m = mapOf(0, 100, 0, 100, false);
  const out = ink([10.5, 1e6 + 0.5, NaN, 50.5, 50.5], [10.5, 1e6 + 0.5, 0, -1e6, 1e6], m, m, 100, 100);
  // the diagonal from (10, 10), and the column 50
  for (let i = 0; i < 100; i++) {
    assert.equal(out[i * 100 + 50], 1, `column ${i}`);
    assert.equal(out[i * 100 + i], i >= 10 || i === 50 ? 1 : 0, `diagonal ${i}`);
  }
  assert.equal(out.reduce((a, b) => a + b, 0), 100 + 90 - 1);
});

test("blocks with gaps are looked at one by one", () => {
  const y = Float64Array.from({ length: 256 }, (_, i) => i);
  y[70] = NaN;
  const b = blocksOf(y, false);
  assert.deepEqual([b.lo[0], b.hi[0], b.lo[3], b.hi[3]], [0, 63, 192, 255]);
  assert.ok(Number.isNaN(b.lo[1]!));
  assert.ok(Number.isNaN(blocksOf(y, true).lo[0]!), "zero has no logarithm");
  const x = Float64Array.from({ length: 256 }, (_, i) => i / 256);
  const { lo, hi } = envelope(x, y, 0, 256, mapOf(0, 1, 0, 2, false), mapOf(0, 1, 0, 1, false), 2, b);
  assert.deepEqual([lo[0], hi[0], lo[1], hi[1]], [0, 127, 127, 255]);
});

test("a logarithmic map", () => {
  const m = mapOf(1, 1000, 0, 300, true);
  assert.ok(Math.abs(m.a + m.b * Math.log10(10) - 100) < 1e-9);
});

test("a path has its start, and arrows at equal distances along what is seen of it", () => {
  const box = { left: 0, top: 0, right: 1000, bottom: 100 };
  const same = (v: number) => v;
  const x = Float64Array.from({ length: 1002 }, (_, i) => i - 1);
  x[0] = NaN; // a gap comes first
  const y = x.map(() => 50);
  const m = marks(x, y, same, same, box, 120);
  assert.deepEqual(m.start, { x: 0, y: 50 });
  const apart = 1000 / 6.5;
  assert.deepEqual(m.arrows.map((a) => a.x), Array.from({ length: 6 }, (_, k) => Math.ceil(apart * (k + 0.5))));
  assert.ok(m.arrows.every((a) => a.ux === 1 && a.uy === 0 && a.y === 50));
  // zoomed: the start is outside, arrows are where one looks
  const part = marks(x, y, (v) => (v - 400) * 10, same, box, 120);
  assert.equal(part.start, null);
  assert.equal(part.arrows.length, 6);
  // one long segment, a point, nothing
  assert.equal(marks([0, 1000], [0, 0], same, same, box, 120).arrows.length, 1);
  assert.deepEqual(marks([5], [5], same, same, box, 120), { start: { x: 5, y: 5 }, arrows: [] });
  assert.deepEqual(marks([], [], same, same, box, 120), { start: null, arrows: [] });
});

test("with more rows than pixels a slow curve is one line, as long as it is, and a fast one is long", () => {
  const n = 20001;
  const width = 600;
  const x = Float64Array.from({ length: n }, (_, i) => (20 * i) / (n - 1));
  const mx = mapOf(0, 20, 0, width, false);
  const my = mapOf(-1, 1, 200, 0, false);
  const line = (w: number): { pen: Recorder; length: number } => {
    const y = x.map((t) => Math.cos(w * t));
    const { lo, hi } = envelope(x, y, 0, n, mx, my, width, blocksOf(y, false));
    const pen = new Recorder();
    return { pen, length: outline(pen, lo, hi, 0) };
  };
  // cos t goes up and down 20/pi times by 200 pixels; its length lies between that and the sum with the width
  const slow = line(1);
  const rise = (6 * 2 + (1 - Math.cos(20 - 6 * Math.PI))) * 100;
  assert.ok(slow.length > rise - 20 && slow.length < rise + width, `${slow.length}`);
  assert.equal(slow.pen.pieces, 1);
  for (const [u, v] of slow.pen.points) assert.ok(Math.abs(v - (100 - 100 * Math.cos((20 * u) / width))) < 4, `${u} ${v}`);
  assert.ok(line(500).length > 8 * width);
});

test("an instant is an upright line between both of its limits", () => {
  const pen = new Recorder();
  trace(pen, [0, 50, 50, 100], [0, 0, 80, 80], same, same, 0, 4);
  assert.deepEqual(pen.points, [[0, 0], [50, 0], [50, 80], [100, 80]]);
  const m = mapOf(0, 100, 0, 100, false);
  const y = [0, 0, 80, 80];
  const { lo, hi } = envelope([0, 50.5, 50.5, 99], y, 0, 4, m, m, 100, blocksOf(y, false));
  assert.deepEqual([lo[50], hi[50], lo[99], hi[99]], [0, 80, 80, 80]);
});
