// Where ticks stand and what they say: 1, 2 or 5 times a power of ten, as in the still pictures.

export interface Ticks {
  at: number[];
  text: string[];
}

// Steps 1, 2, 5, 10, 20, ... by their number; the step 10^power * digit.
function stepOf(index: number): { digit: number; power: number } {
  const power = Math.floor(index / 3);
  return { digit: [1, 2, 5][index - 3 * power]!, power };
}

function linear(lo: number, hi: number, wanted: number): Ticks {
  const span = hi - lo;
  if (!(span > 0) || !isFinite(span)) return { at: [lo], text: [String(lo)] };
  const raw = span / Math.max(wanted, 1);
  // the least step that is large enough; a single tick is too few, then it is the next smaller one
  let index = 3 * Math.floor(Math.log10(raw));
  while (stepSize(index) < raw * (1 - 1e-12)) index++;
  let [first, last] = ends(lo, hi, index);
  if (last - first < 1) [first, last] = ends(lo, hi, --index);
  const { digit, power } = stepOf(index);
  const at: number[] = [];
  const text: string[] = [];
  const most = Math.max(Math.abs(lo), Math.abs(hi));
  for (let k = first; k <= last && at.length < 200; k++) {
    const value = power < 0 ? (k * digit) / 10 ** -power : k * digit * 10 ** power;
    at.push(value);
    text.push(tickText(value, power, most));
  }
  return { at, text };
}

function stepSize(index: number): number {
  const { digit, power } = stepOf(index);
  return digit * 10 ** power;
}

function ends(lo: number, hi: number, index: number): [number, number] {
  const size = stepSize(index);
  return [Math.ceil(lo / size - 1e-9), Math.floor(hi / size + 1e-9)];
}

// Plain where it is short, with a power of ten elsewhere.
function tickText(value: number, power: number, most: number): string {
  if (value === 0) return "0";
  if (most >= 1e6 || most < 1e-3) {
    const digits = Math.max(Math.floor(Math.log10(Math.abs(value))) - power, 0);
    return value.toExponential(Math.min(digits, 15)).replace("e+", "e").replace("-", "−").replace("e-", "e−");
  }
  return value.toFixed(Math.min(Math.max(-power, 0), 20)).replace("-", "−");
}

const raised = "⁰¹²³⁴⁵⁶⁷⁸⁹";

export function powerText(exponent: number): string {
  let out = "10";
  for (const c of String(exponent)) out += c === "-" ? "⁻" : (raised[Number(c)] ?? c);
  return out;
}

function logarithmic(lo: number, hi: number, wanted: number): Ticks {
  const first = Math.ceil(Math.log10(lo) - 1e-9);
  const last = Math.floor(Math.log10(hi) + 1e-9);
  const decades = last - first + 1;
  if (decades < 2) return linear(lo, hi, wanted);
  const every = Math.ceil(decades / Math.max(wanted, 2));
  const at: number[] = [];
  const text: string[] = [];
  for (let k = first; k <= last; k++) {
    if (k % every !== 0) continue;
    at.push(10 ** k);
    text.push(powerText(k));
  }
  return { at, text };
}

export function ticks(lo: number, hi: number, log: boolean, wanted: number): Ticks {
  return log && lo > 0 ? logarithmic(lo, hi, wanted) : linear(lo, hi, wanted);
}
