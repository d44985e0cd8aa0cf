// The part of an axis that is seen.

export type Range = readonly [number, number];

const place = (v: number, log: boolean) => (log ? Math.log10(v) : v);
const value = (p: number, log: boolean) => (log ? 10 ** p : p);

// The least and the largest number that has a place; null: there is none.
export function extent(values: ArrayLike<number>, log: boolean): Range | null {
  let lo = Infinity;
  let hi = -Infinity;
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    if (!isFinite(v) || (log && v <= 0)) continue;
    if (v < lo) lo = v;
    if (v > hi) hi = v;
  }
  return lo <= hi ? [lo, hi] : null;
}

// A range that can be an axis: never empty, never flat, with a margin at each end.
export function axisRange(r: Range | null, log: boolean, margin: number): Range {
  if (!r) return log ? [1, 10] : [0, 1];
  let lo = place(r[0], log);
  let hi = place(r[1], log);
  if (!(hi > lo)) {
    const half = log ? 0.5 : Math.abs(lo) > 0 ? Math.abs(lo) / 10 : 1;
    lo -= half;
    hi += half;
  } else {
    const more = (hi - lo) * margin;
    lo -= more;
    hi += more;
  }
  if (log) [lo, hi] = [Math.max(lo, -307), Math.min(hi, 308)]; // beyond is 0 or infinite
  return [value(lo, log), value(hi, log)];
}

// Zooms by a factor (below 1: nearer) around a place, which is a part 0 .. 1 of the axis; never beyond the whole, never
// deeper than doubles can tell apart.
export function zoom(view: Range, whole: Range, factor: number, around: number, log: boolean): Range {
  const lo = place(view[0], log);
  const hi = place(view[1], log);
  const from = place(whole[0], log);
  const to = place(whole[1], log);
  const least = Math.max(Math.abs(lo), Math.abs(hi), to - from) * 1e-12;
  const length = Math.min(Math.max((hi - lo) * factor, least), to - from);
  const middle = lo + around * (hi - lo);
  return shifted(middle - around * length, length, from, to, log);
}

// Moves by a part of what is seen, and stops at the ends.
export function pan(view: Range, whole: Range, part: number, log: boolean): Range {
  const lo = place(view[0], log);
  const hi = place(view[1], log);
  return shifted(lo + part * (hi - lo), hi - lo, place(whole[0], log), place(whole[1], log), log);
}

function shifted(start: number, length: number, from: number, to: number, log: boolean): Range {
  const lo = Math.min(Math.max(start, from), to - length);
  return [value(lo, log), value(lo + length, log)];
}

// Both ranges for an area of this size so that one unit is as long in x as in y: the one that is too short grows around its middle.
export function equalized(x: Range, y: Range, width: number, height: number): [Range, Range] {
  const unit = Math.max((x[1] - x[0]) / width, (y[1] - y[0]) / height);
  const grown = (r: Range, size: number): Range => [(r[0] + r[1] - unit * size) / 2, (r[0] + r[1] + unit * size) / 2];
  return [grown(x, width), grown(y, height)];
}
