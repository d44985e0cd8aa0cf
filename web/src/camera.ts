// From where a scene in space is seen, by the rules of src/show/camera.c of the program: parallel rays at right angles to
// the picture, so that lengths across the line of sight have one scale.

export type Vec = readonly [number, number, number];

// Three unit vectors at right angles: on the picture, and from the scene to the viewer.
export interface Basis {
  right: Vec;
  up: Vec;
  toward: Vec;
}

// By two angles around what points up.
export interface View {
  plumb: Vec;
  azimuth: number;
  elevation: number;
}

export const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const unit = (a: Vec): Vec => {
  const n = Math.hypot(...a);
  return [a[0] / n, a[1] / n, a[2] / n];
};
export const sum = (a: Vec, b: Vec, times = 1): Vec => [a[0] + times * b[0], a[1] + times * b[1], a[2] + times * b[2]];

// Two directions of the ground; axes of the model where what points up is one.
export function groundOf(plumb: Vec): [Vec, Vec] {
  const size = plumb.map(Math.abs);
  const along = size.indexOf(Math.max(...size));
  const first: Vec = along === 0 ? [0, 1, 0] : [1, 0, 0];
  const u = unit(sum(first, plumb, -dot(first, plumb)));
  return [u, cross(plumb, u)];
}

export function viewOf(from: Vec, up: Vec): View {
  const plumb = unit(up);
  const [u, v] = groundOf(plumb);
  const d = unit(from);
  return { plumb, azimuth: Math.atan2(dot(d, v), dot(d, u)), elevation: Math.asin(Math.min(Math.max(dot(d, plumb), -1), 1)) };
}

export function look(view: View): Basis {
  const [u, v] = groundOf(view.plumb);
  const [c, s] = [Math.cos(view.azimuth), Math.sin(view.azimuth)];
  const level = sum([u[0] * c, u[1] * c, u[2] * c], v, s);
  const right = cross(view.plumb, level);
  const e = view.elevation;
  const toward = sum([level[0] * Math.cos(e), level[1] * Math.cos(e), level[2] * Math.cos(e)], view.plumb, Math.sin(e));
  return { right, up: cross(toward, right), toward };
}

// Turned about what points up and about the level axis of the picture; never over the top.
export function turned(view: View, azimuth: number, elevation: number): View {
  const most = Math.PI / 2;
  let a = (view.azimuth + azimuth) % (2 * Math.PI);
  if (a > Math.PI) a -= 2 * Math.PI;
  if (a < -Math.PI) a += 2 * Math.PI;
  return { plumb: view.plumb, azimuth: a, elevation: Math.min(Math.max(view.elevation + elevation, -most), most) };
}

// To the right, up, toward the viewer.
export const project = (b: Basis, p: Vec): Vec => [dot(b.right, p), dot(b.up, p), dot(b.toward, p)];

// The part of the picture that points take: its middle and half of its width and height.
export function extentOf(b: Basis, points: Vec[]): { x: number; y: number; width: number; height: number } {
  const x = points.map((p) => dot(b.right, p));
  const y = points.map((p) => dot(b.up, p));
  const [x0, x1, y0, y1] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
  return { x: (x0 + x1) / 2, y: (y0 + y1) / 2, width: (x1 - x0) / 2, height: (y1 - y0) / 2 };
}
