import assert from "node:assert/strict";
import { test } from "node:test";
import { arrow, between, rod, spring } from "../src/shapes.ts";
import { ascending, lowerBound, nearest, trace } from "../src/thin.ts";

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
  assert.equal(nearest([0, 10, 20], [0, 0, NaN], same, same, 12, 1), 1);
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
