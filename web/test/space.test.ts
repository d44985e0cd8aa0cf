// Scenes in space, as far as they can be computed without a page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { cross, dot, extentOf, groundOf, look, project, turned, unit, type Vec, viewOf } from "../src/camera.ts";
import { type Space, type SpaceShape, Track } from "../src/space_data.ts";

const close = (a: number, b: number, what = ""): void => assert.ok(Math.abs(a - b) < 1e-12, `${what} ${a}, not ${b}`);
const closeAll = (a: Vec, b: Vec): void => a.forEach((v, i) => close(v, b[i]!));

test("the isometric view is that of the textbook", () => {
  const b = look(viewOf([1, 1, 1], [0, 0, 1]));
  closeAll(b.right, [-Math.SQRT1_2, Math.SQRT1_2, 0]);
  closeAll(b.up, [-1 / Math.sqrt(6), -1 / Math.sqrt(6), 2 / Math.sqrt(6)]);
  for (let i = 0; i < 3; i++) close(Math.hypot(b.right[i]!, b.up[i]!), Math.sqrt(2 / 3));
});

test("a view is the one that it was made from, whatever points up", () => {
  const ups: Vec[] = [[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 0, -1], [1, 2, -0.5]];
  const froms: Vec[] = [[1, -2, 1], [1, 1, 0.5], [-0.3, 0.2, 0.1], [0, -1, 0.2]];
  for (const up of ups) {
    for (const from of froms) {
      const b = look(viewOf(from, up));
      closeAll(b.toward, unit(from));
      closeAll(b.right, unit(cross(up, from)));
      closeAll(b.up, cross(b.toward, b.right));
    }
  }
});

test("axes of the picture stay at right angles through any turning, and never go over the top", () => {
  let view = viewOf([1, -2, 1], [0, 0, 1]);
  for (let i = 0; i < 500; i++) {
    view = turned(view, 0.37 * Math.sin(i), 0.29 * Math.cos(3 * i));
    const b = look(view);
    for (const v of [b.right, b.up, b.toward]) close(dot(v, v), 1);
    close(dot(b.right, b.up), 0);
    close(dot(b.right, b.toward), 0);
    assert.ok(dot(b.up, view.plumb) >= -1e-12, "upside down");
    assert.ok(Math.abs(view.azimuth) <= Math.PI);
  }
  const whole = turned(turned(view, Math.PI, 0), Math.PI, 0);
  closeAll(look(whole).toward, look(view).toward);
  close(turned(view, 0, 10).elevation, Math.PI / 2);
});

test("the ground spans what is at right angles to up", () => {
  closeAll(groundOf([0, 0, 1])[0], [1, 0, 0]);
  closeAll(groundOf([0, 0, 1])[1], [0, 1, 0]);
  for (const up of [[0, 1, 0], [1, 0, 0], [0.6, 0, 0.8]] as Vec[]) {
    const [u, v] = groundOf(up);
    closeAll(cross(u, v), up);
    close(dot(u, u), 1);
  }
});

test("lengths across the line of sight have one scale, and the extent holds all points", () => {
  const b = look(viewOf([1, -2, 1], [0, 0, 1]));
  const points: Vec[] = [[0, 0, 0], [1, 2, 3], [-1, 0.5, 2], [4, -1, 0]];
  for (const p of points) {
    const q = project(b, p);
    close(Math.hypot(...q), Math.hypot(...p));
  }
  const e = extentOf(b, points);
  for (const p of points) {
    const [x, y] = project(b, p);
    assert.ok(Math.abs(x - e.x) <= e.width + 1e-12 && Math.abs(y - e.y) <= e.height + 1e-12);
  }
});

// Numbers -1 .. 1 as the page holds them.
const packed = (values: number[]): string => Buffer.from(new Int16Array(values.map((v) => Math.round(32767 * v))).buffer).toString("base64");

function scene(shape: SpaceShape): Space {
  return {
    frames: 3,
    fine: 2,
    from: 0,
    to: 1,
    speed: 1,
    unit: "m",
    size: 4,
    middle: [1, 2, 3],
    half: 2,
    camera: { from: [1, -2, 1], up: [0, 0, 1] },
    ground: { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], step: 1, across: 1, along: 1 },
    shapes: [shape],
  };
}

const near = (a: readonly number[], b: readonly number[], least = 2e-4): void => a.forEach((v, i) => assert.ok(Math.abs(v - b[i]!) < least, `${a}, not ${b}`));

test("places come back, between frames on the straight line", () => {
  const shape: SpaceShape = { kind: "rod", points: 2, data: packed([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, -1]) };
  const t = new Track(scene(shape), shape);
  assert.equal(t.count, 3);
  near(t.at(0)[0]!, [1, 2, 3]);
  near(t.at(0)[1]!, [3, 2, 3]);
  near(t.at(1)[1]!, [1, 4, 3]);
  near(t.at(0.5)[1]!, [2, 3, 3]);
  near(t.at(99)[1]!, [1, 2, 1]);
  near(t.at(-5)[1]!, [3, 2, 3]);
});

test("one frame means that it rests; vectors have no place but a length; turns are unit quaternions", () => {
  const rest: SpaceShape = { kind: "mass", points: 1, data: packed([0.5, 0, 0]) };
  near(new Track(scene(rest), rest).at(1.7)[0]!, [2, 2, 3]);
  const arrow: SpaceShape = { kind: "vector", points: 2, data: packed([0, 0, 0, 0.5, 0, -0.5]) };
  near(new Track(scene(arrow), arrow).at(0)[1]!, [0.5, 0, -0.5]);
  const h = Math.SQRT1_2;
  const frame: SpaceShape = { kind: "frame", points: 1, data: packed([0, 0, 0]), turn: packed([1, 0, 0, 0, h, 0, 0, h]) };
  const t = new Track(scene(frame), frame);
  near(t.turn(0), [1, 0, 0, 0]);
  near(t.turn(1), [h, 0, 0, h]);
  // half way between no turn and a quarter
  near(t.turn(0.5), [Math.cos(Math.PI / 8), 0, 0, Math.sin(Math.PI / 8)]);
  near(new Track(scene(rest), rest).turn(0), [1, 0, 0, 0]);
});
