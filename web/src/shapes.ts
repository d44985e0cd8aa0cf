// Outlines of the shapes that move, as the still pictures have them.

const f = (v: number) => v.toFixed(2);

export function rod(a: number, b: number, c: number, d: number): string {
  return `M${f(a)},${f(b)}L${f(c)},${f(d)}`;
}

export function spring(a: number, b: number, c: number, d: number, turns = 7, width = 14): string {
  const n = Math.hypot(c - a, d - b);
  const u = n ? (c - a) / n : 1;
  const v = n ? (d - b) / n : 0;
  const end = Math.min(10, n / 5);
  const coil = (n - 2 * end) / (2 * turns);
  let s = `M${f(a)},${f(b)}L${f(a + end * u)},${f(b + end * v)}`;
  for (let i = 0; i < 2 * turns; i++) {
    const along = end + (i + 0.5) * coil;
    const side = ((i % 2 ? -1 : 1) * width) / 2;
    s += ` ${f(a + along * u - side * v)},${f(b + along * v + side * u)}`;
  }
  return `${s} ${f(c - end * u)},${f(d - end * v)} ${f(c)},${f(d)}`;
}

export function arrow(a: number, b: number, c: number, d: number): string {
  const n = Math.hypot(c - a, d - b);
  const head = Math.min(9, n / 2);
  const u = n ? (c - a) / n : 0;
  const v = n ? (d - b) / n : 0;
  const tip = `${f(c)},${f(d)}`;
  return `M${f(a)},${f(b)}L${tip} ${f(c - head * (u - 0.5 * v))},${f(d - head * (v + 0.5 * u))} ${tip} ${f(c - head * (u + 0.5 * v))},${f(d - head * (v - 0.5 * u))}`;
}

// From its middle (a, b) and the middle (c, d) of a side; ratio: how high it is, its width being 1.
export function box(a: number, b: number, c: number, d: number, ratio: number): string {
  const x = c - a;
  const y = d - b;
  const u = -ratio * y;
  const v = ratio * x;
  return `M${f(a + x + u)},${f(b + y + v)}L${f(a - x + u)},${f(b - y + v)} ${f(a - x - u)},${f(b - y - v)} ${f(a + x - u)},${f(b + y - v)}Z`;
}

export function ground(width: number): string {
  let s = `M${-width},0H${width}`;
  for (let x = -width + 12; x < width; x += 12) s += `M${x},0l-8,8`;
  return s;
}

// A triangle below its pin, on a short line with strokes.
export function support(): string {
  let s = "M0,0L-8,13H8ZM-14,13H14";
  for (let x = -7; x <= 14; x += 7) s += `M${x},13l-5,5`;
  return s;
}

// The places of a shape at a frame, which need not be whole: its numbers, between the two frames around it.
export function between(data: Int16Array, numbers: number, frame: number, scale: number): number[] {
  const count = data.length / numbers;
  const i = Math.min(Math.max(Math.floor(frame), 0), Math.max(count - 2, 0));
  const part = Math.min(Math.max(frame - i, 0), 1);
  const out: number[] = [];
  for (let k = 0; k < numbers; k++) {
    const a = data[i * numbers + k] ?? 0;
    const b = data[(i + 1) * numbers + k] ?? a;
    out.push((a + part * (b - a)) / scale);
  }
  return out;
}
