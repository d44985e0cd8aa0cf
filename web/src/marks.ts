// The start of a path in the plane, and arrows at equal distances along the part of it that is seen, at most six.
import type { Place } from "./thin.ts";

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Marks {
  start: { x: number; y: number } | null;
  arrows: { x: number; y: number; ux: number; uy: number }[];
}

export function marks(x: ArrayLike<number>, y: ArrayLike<number>, px: Place, py: Place, box: Box, apart: number): Marks {
  const out: Marks = { start: null, arrows: [] };
  const inside = (u: number, v: number) => u >= box.left && u <= box.right && v >= box.top && v <= box.bottom;
  // each step of the path that ends inside; gaps (NaN) make none
  const walk = (each: (u: number, v: number, du: number, dv: number, step: number) => void) => {
    let lastX = NaN;
    let lastY = NaN;
    for (let i = 0; i < x.length; i++) {
      const u = px(x[i]!);
      const v = py(y[i]!);
      const step = Math.sqrt((u - lastX) ** 2 + (v - lastY) ** 2);
      if (step > 0 && isFinite(step) && inside(u, v)) each(u, v, u - lastX, v - lastY, step);
      lastX = u;
      lastY = v;
    }
  };
  for (let i = 0; i < x.length && !out.start; i++) {
    const u = px(x[i]!);
    const v = py(y[i]!);
    if (!isFinite(u) || !isFinite(v)) continue;
    if (!inside(u, v)) break;
    out.start = { x: u, y: v };
  }
  let length = 0;
  walk((_u, _v, _du, _dv, step) => (length += step));
  const spacing = Math.max(length / 6.5, apart);
  let next = Math.min(spacing, length) / 2;
  let run = 0;
  walk((u, v, du, dv, step) => {
    run += step;
    if (run < next || out.arrows.length === 6) return;
    out.arrows.push({ x: u, y: v, ux: du / step, uy: dv / step });
    while (next <= run) next += spacing;
  });
  return out;
}
