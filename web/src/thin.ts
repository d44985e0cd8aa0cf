// Fewer points, the same picture: no two closer than a part of a pixel. A gap (NaN) ends a piece.

export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
}

export type Place = (value: number) => number;

export function ascending(x: ArrayLike<number>): boolean {
  for (let i = 1; i < x.length; i++) if (x[i]! < x[i - 1]!) return false;
  return true;
}

// Index of the first value that is not below v.
export function lowerBound(x: ArrayLike<number>, v: number): number {
  let lo = 0;
  let hi = x.length;
  while (lo < hi) {
    const middle = (lo + hi) >> 1;
    if (x[middle]! < v) lo = middle + 1;
    else hi = middle;
  }
  return lo;
}

export function trace(pen: Pen, x: ArrayLike<number>, y: ArrayLike<number>, px: Place, py: Place, from: number, to: number): number {
  let drawn = 0;
  let down = false;
  let lastX = NaN;
  let lastY = NaN;
  let heldX = NaN;
  let heldY = NaN;
  for (let i = from; i < to; i++) {
    const u = px(x[i]!);
    const v = py(y[i]!);
    if (!isFinite(u) || !isFinite(v)) {
      if (!Number.isNaN(heldX)) {
        pen.lineTo(heldX, heldY);
        drawn++;
      }
      heldX = lastX = NaN;
      down = false;
      continue;
    }
    if (down && Math.abs(u - lastX) < 0.5 && Math.abs(v - lastY) < 0.5) {
      heldX = u; // the end of a piece is never left out
      heldY = v;
      continue;
    }
    if (down) pen.lineTo(u, v);
    else pen.moveTo(u, v);
    down = true;
    drawn++;
    lastX = u;
    lastY = v;
    heldX = NaN;
  }
  if (!Number.isNaN(heldX)) {
    pen.lineTo(heldX, heldY);
    drawn++;
  }
  return drawn;
}
