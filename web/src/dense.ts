// Many points on few pixels: a path of them would cost the browser far more than looking at each number once.

import type { Pen } from "./thin.ts";

// From values to pixels: a + b*v, of v or its logarithm.
export interface Map {
  log: boolean;
  a: number;
  b: number;
}

export function mapOf(min: number, max: number, from: number, to: number, log: boolean): Map {
  const lo = log ? Math.log10(min) : min;
  const hi = log ? Math.log10(max) : max;
  const b = (to - from) / (hi - lo);
  return { log, a: from - b * lo, b };
}

export const at = (m: Map, v: number): number => m.a + m.b * (m.log ? Math.log10(v) : v);

// The least and the largest of every 64 numbers, so that a column of pixels need not look at each.
export interface Blocks {
  lo: Float64Array;
  hi: Float64Array; // NaN in both: the block has a gap, or a number that has no place
}

const size = 64;

export function blocksOf(y: ArrayLike<number>, log: boolean): Blocks {
  const n = Math.floor(y.length / size);
  const lo = new Float64Array(n);
  const hi = new Float64Array(n);
  for (let b = 0; b < n; b++) {
    let least = Infinity;
    let most = -Infinity;
    let whole = true;
    for (let i = b * size; i < (b + 1) * size; i++) {
      const v = y[i]!;
      if (!(v - v === 0) || (log && v <= 0)) whole = false;
      if (v < least) least = v;
      if (v > most) most = v;
    }
    lo[b] = whole ? least : NaN;
    hi[b] = whole ? most : NaN;
  }
  return { lo, hi };
}

function boundary(x: ArrayLike<number>, v: number, lo: number, hi: number): number {
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (x[middle]! < v) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

// The least and the largest place of each column of pixels, joined with the end of the column before; NaN: nothing. x never
// falls.
export function envelope(x: ArrayLike<number>, y: ArrayLike<number>, from: number, to: number, mx: Map, my: Map, width: number, blocks: Blocks): { lo: Float64Array; hi: Float64Array } {
  const lo = new Float64Array(width).fill(NaN);
  const hi = new Float64Array(width).fill(NaN);
  const edge = (u: number) => (mx.log ? 10 ** ((u - mx.a) / mx.b) : (u - mx.a) / mx.b);
  let i = boundary(x, edge(0), from, to);
  for (let u = 0; u < width; u++) {
    const end = boundary(x, edge(u + 1), i, to);
    if (end === i) continue;
    let least = Infinity;
    let most = -Infinity;
    const take = (v: number): void => {
      if (v < least) least = v;
      if (v > most) most = v;
    };
    // the line from the column before, unless a gap lies between; what is no number takes no part
    if (i > from && isFinite(at(my, y[i]!))) take(at(my, y[i - 1]!));
    while (i < end) {
      const b = i / size;
      if (i % size === 0 && i + size <= end && blocks.lo[b]! <= blocks.hi[b]!) {
        take(at(my, blocks.lo[b]!));
        take(at(my, blocks.hi[b]!));
        i += size;
      } else {
        const v = at(my, y[i]!);
        if (v - v === 0) take(v);
        i++;
      }
    }
    if (least <= most) {
      lo[u] = least;
      hi[u] = most;
    }
  }
  return { lo, hi };
}

// One line through the columns of pixels, by their least and largest places, and how long it is. A column that is higher than a
// pixel is entered at the end that is nearer to where the line was.
export function outline(pen: Pen, lo: ArrayLike<number>, hi: ArrayLike<number>, left: number): number {
  let length = 0;
  let last = NaN;
  for (let u = 0; u < lo.length; u++) {
    const least = lo[u]!;
    const most = hi[u]!;
    if (!(least <= most)) {
      last = NaN;
      continue;
    }
    const x = left + u + 0.5;
    const start = Number.isNaN(last);
    const flat = most - least < 1;
    const first = flat ? (least + most) / 2 : !start && Math.abs(last - most) < Math.abs(last - least) ? most : least;
    if (start) pen.moveTo(x, first);
    else pen.lineTo(x, first);
    if (!start) length += Math.hypot(1, first - last);
    last = first;
    if (flat) continue;
    last = first === least ? most : least;
    pen.lineTo(x, last);
    length += most - least;
  }
  return length;
}

// Pixels that a path in the plane goes over, each marked once: a picture of w by h, 1 where there is ink.
export function ink(x: ArrayLike<number>, y: ArrayLike<number>, mx: Map, my: Map, w: number, h: number): Uint8Array {
  const out = new Uint8Array(w * h);
  let px = NaN;
  let py = NaN;
  for (let i = 0; i < x.length; i++) {
    const u = at(mx, x[i]!);
    const v = at(my, y[i]!);
    if (!(u - u === 0) || !(v - v === 0)) {
      px = NaN;
      continue;
    }
    const start = Number.isNaN(px);
    const a = start ? u : px;
    const b = start ? v : py;
    px = u;
    py = v;
    // outside on one side
    if ((a < 0 && u < 0) || (b < 0 && v < 0) || (a >= w && u >= w) || (b >= h && v >= h)) continue;
    const within = a >= 0 && b >= 0 && u >= 0 && v >= 0 && a < w && u < w && b < h && v < h;
    const [from, to] = within ? all : inside(a, b, u, v, w, h);
    const n = Math.ceil(1.2 * Math.max(Math.abs(u - a), Math.abs(v - b)) * (to - from));
    const step = n ? (to - from) / n : 0;
    const dx = step * (u - a);
    const dy = step * (v - b);
    let qx = a + from * (u - a);
    let qy = b + from * (v - b);
    for (let k = 0; k <= n; k++, qx += dx, qy += dy) {
      if (qx >= 0 && qy >= 0 && qx < w && qy < h) out[(qy | 0) * w + (qx | 0)] = 1;
    }
  }
  return out;
}

const all: [number, number] = [0, 1];

// The part of a segment that lies inside the picture (from > to: none, and then one step tells it).
function inside(a: number, b: number, u: number, v: number, w: number, h: number): [number, number] {
  let from = 0;
  let to = 1;
  for (const [p, d, size] of [
    [a, u - a, w],
    [b, v - b, h],
  ] as const) {
    if (d === 0) continue;
    const near = (0 - p) / d;
    const far = (size - p) / d;
    from = Math.max(from, Math.min(near, far));
    to = Math.min(to, Math.max(near, far));
  }
  return to >= from ? [from, to] : [0, 0];
}

// The nearest point to a place; -1: there is none.
export function nearest(x: ArrayLike<number>, y: ArrayLike<number>, mx: Map, my: Map, left: number, top: number): number {
  let best = Infinity;
  let index = -1;
  for (let i = 0; i < x.length; i++) {
    const d = (at(mx, x[i]!) - left) ** 2 + (at(my, y[i]!) - top) ** 2;
    if (d < best) {
      best = d;
      index = i;
    }
  }
  return index;
}
