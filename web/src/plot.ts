// Panels that can be zoomed, moved and read, by uPlot.
//
// Curves over one ascending x go to uPlot as aligned columns. Paths in the plane, points and bands are faceted: each has its
// own x, and is drawn by what stands here. The part that is seen belongs to the panel, never to uPlot.
import uPlot from "uplot";
import type { Axis, Curve, Figure, Panel } from "./data.ts";
import { button, make, svg, variable } from "./dom.ts";
import { short } from "./format.ts";
import { at, type Blocks, blocksOf, envelope, ink, type Map as PixelMap, mapOf, nearest, outline } from "./dense.ts";
import { marks } from "./marks.ts";
import { ascending, lowerBound, trace } from "./thin.ts";
import { ticks } from "./ticks.ts";
import { axisRange, equalized, extent, pan, type Range, zoom } from "./view.ts";

type Values = (column: number) => Float64Array;

const dashes = [[], [8, 5], [1, 4], [10, 4, 1, 4]];
const colour = (c: Curve): string => c.color ?? variable(`--curve${c.style % 7}`);
const dashOf = (c: Curve): number[] => (c.dash !== undefined ? dashes[c.dash % 4]! : c.color ? [] : dashes[c.style % 4]!);
const font = "12px system-ui, sans-serif";
const dashed = 5000; // points of a path in the plane; beyond, dashes only cost time
const longest = 8; // widths of the area that a dashed line may be long; beyond, dashes say nothing
const none = { moveTo(): void {}, lineTo(): void {} };
const linear = uPlot.paths.linear!();

const all: PanelView[] = [];

export function redrawAll(): void {
  for (const p of all) p.redraw();
}

// What moves in the page tells its time, which all panels mark: over time by a line, paths in the plane by a dot.
document.addEventListener("viva-time", (e) => {
  for (const p of all) p.mark((e as CustomEvent<number>).detail);
});

// The cursor of a panel over time asks for that time. What moves takes it over; where nothing does, the panels mark it.
let sought = NaN;
export function seek(time: number): void {
  if (time === sought) return;
  sought = time;
  const free = document.dispatchEvent(new CustomEvent("viva-seek", { detail: time, cancelable: true }));
  if (free) document.dispatchEvent(new CustomEvent("viva-time", { detail: time }));
}

function axisName(name: string, unit: string | null): string {
  return unit ? `${name} [${unit}]`.trim() : name;
}

function sharedUnit(curves: Curve[]): string | null {
  const units = new Set(curves.map((c) => c.unit ?? ""));
  return units.size === 1 ? [...units][0]! : null;
}

// The only curve names its axis.
function onlyName(curves: Curve[]): string {
  return curves.length === 1 ? (curves[0]!.name ?? "") : "";
}

// Where an axis begins and ends: as it is said, else as the data have it.
function limits(axis: Axis, data: Range): Range {
  return axis.from !== undefined && axis.to !== undefined ? [axis.from, axis.to] : data;
}

type Key = "x" | "y" | "right";

// Numbers for uPlot: what has no place is null.
function placed(values: Float64Array, log: boolean): uPlot.TypedArray | (number | null)[] {
  for (let i = 0; i < values.length; i++) {
    const v = values[i]!;
    if (!isFinite(v) || (log && v <= 0)) return Array.from(values, (w) => (isFinite(w) && !(log && w <= 0) ? w : null));
  }
  return values;
}

class PanelView {
  readonly el: HTMLElement;
  readonly aligned: boolean;
  private readonly u: uPlot;
  private readonly shown: boolean[];
  private readonly values: HTMLElement[] = [];
  private readonly samples: (SVGElement | null)[] = []; // lines of the legend
  private readonly at = make("output", { class: "value", "aria-live": "polite" });
  private readonly dataX: Range;
  private readonly dataY: Range;
  private wholeX: Range;
  private wholeY: Range;
  private x: Range;
  private y: Range;
  private peers: PanelView[] = [];
  private layer: HTMLCanvasElement | null = null;
  private readonly now = make("div", { class: "now", "aria-hidden": "true" });
  private readonly dots: { el: HTMLElement; curve: number }[] = [];
  private time = NaN;
  private readonly order = new Map<number, boolean>();
  private readonly blocked = new Map<number, Blocks>();

  constructor(
    readonly panel: Panel,
    private readonly column: Values,
    name: string,
    sync: string,
  ) {
    const first = panel.curves[0];
    this.aligned = !panel.phase && !!first && panel.curves.every((c) => c.kind === "line" && c.x === first.x) && ascending(column(first.x));
    this.shown = panel.curves.map(() => true);
    this.dataX = this.wholeX = this.x = limits(panel.x, axisRange(this.union((c) => [c.x], panel.x.log), panel.x.log, panel.phase ? 0.05 : 0));
    this.dataY = this.wholeY = this.y = limits(panel.y, axisRange(this.union((c) => (c.y2 === undefined ? [c.y] : [c.y, c.y2]), panel.y.log), panel.y.log, 0.05));
    const keys = "Arrow keys move the cursor, with Shift the picture; plus and minus zoom, 0 shows all.";
    const holder = make("div", { class: "panel", tabindex: "0", role: "application", "aria-roledescription": "plot", "aria-label": `${name}. ${keys}` });
    this.el = make("div", {}, holder, this.legend());
    const told = panel.curves.some((c) => c.name === panel.caption); // by the legend
    if (panel.note) this.el.prepend(make("p", { class: "hint note" }, panel.note));
    if (panel.caption && !told) this.el.prepend(make("p", { class: "hint caption" }, panel.caption));
    this.u = new uPlot(this.options(sync), this.data(), holder);
    holder.addEventListener("keydown", (e) => this.key(e));
    holder.addEventListener("wheel", (e) => this.wheel(e), { passive: false });
    this.u.over.addEventListener("mousedown", (e) => this.grab(e), true);
    this.u.over.addEventListener("dblclick", () => this.reset());
    this.u.over.addEventListener("mouseleave", () => this.read());
    this.u.over.append(this.now);
    panel.curves.forEach((c, i) => {
      if (!panel.phase || c.t === undefined) return;
      const el = make("div", { class: "dot", "aria-hidden": "true" });
      Object.assign(el.style, { position: "absolute", width: "11px", height: "11px", margin: "-5.5px", borderRadius: "50%", border: "2px solid var(--ground)", background: c.color ?? `var(--curve${c.style % 7})`, pointerEvents: "none", display: "none" });
      this.dots.push({ el, curve: i });
      this.u.over.append(el);
    });
  }

  // ---- set-up

  private union(which: (c: Curve) => number[], log: boolean): Range | null {
    let out: Range | null = null;
    for (const c of this.panel.curves) {
      for (const i of which(c)) {
        const r = extent(this.column(i), log);
        if (r) out = out ? [Math.min(out[0], r[0]), Math.max(out[1], r[1])] : r;
      }
    }
    return out;
  }

  private data(): uPlot.AlignedData {
    const { curves, x, y } = this.panel;
    if (this.aligned) return [placed(this.column(curves[0]!.x), x.log), ...curves.map((c) => placed(this.column(c.y), y.log))] as uPlot.AlignedData;
    return [null, ...curves.map((c) => [this.column(c.x), this.column(c.y)])] as unknown as uPlot.AlignedData;
  }

  private size(): { width: number; height: number } {
    const width = Math.max(this.el.clientWidth || 720, 240);
    return { width, height: Math.round(Math.min(this.panel.height, this.panel.phase ? width : 1e4)) + 60 };
  }

  private options(sync: string): uPlot.Options {
    const { panel } = this;
    const left = panel.curves.filter((c) => !c.right);
    const right = panel.curves.filter((c) => c.right);
    const axis = (key: Key, name: string): uPlot.Axis => ({
      scale: key,
      side: key === "x" ? 2 : key === "y" ? 3 : 1,
      label: name,
      labelSize: 22,
      labelFont: font,
      font,
      stroke: () => (key === "right" && right.length === 1 ? colour(right[0]!) : variable("--ink")),
      grid: { show: key !== "right", stroke: () => variable("--grid"), width: 1 },
      ticks: { stroke: () => variable("--soft"), width: 1, size: 4 },
      size: (_u, labels) => (key === "x" ? 30 : Math.max(56, 16 + 7.2 * Math.max(...(labels ?? [""]).map((s) => s.length), 1))),
      incrs: [Number.MAX_VALUE], // uPlot's own end at 1e32 and would leave larger axes bare
      filter: (_u, splits) => splits, // they are thinned already
      splits: (u, _i, lo, hi) => this.ticks(u, key, lo, hi).at,
      values: (u, splits) => {
        const s = u.scales[key]!;
        const t = this.ticks(u, key, s.min!, s.max!);
        return splits.map((v) => t.text[t.at.indexOf(v)] ?? "");
      },
    });
    return {
      mode: this.aligned ? 1 : 2,
      ...this.size(),
      legend: { show: false },
      cursor: {
        drag: { x: true, y: panel.phase, uni: 12, setScale: false },
        ...(panel.phase ? {} : { sync: { key: `${panel.x.name === "t" ? "" : sync} ${panel.x.name} ${panel.seconds ?? ""}`, scales: ["x", null] as [string, null], filters: { pub: (type: string) => type === "mousemove" || type === "mouseleave" } } }),
        points: { show: this.aligned },
      },
      scales: {
        x: { time: false, auto: false, distr: panel.x.log ? 3 : 1, range: () => [this.x[0], this.x[1]] },
        y: { auto: this.aligned, distr: panel.y.log ? 3 : 1, range: (_u, lo, hi) => this.yRange("y", lo, hi) },
        ...(panel.right ? { right: { auto: true, distr: panel.y.log ? (3 as const) : (1 as const), range: (_u: uPlot, lo: number, hi: number) => this.yRange("right", lo, hi) } } : {}),
      },
      series: [{}, ...panel.curves.map((c, i) => this.series(c, i))],
      axes: [
        axis("x", axisName(panel.x.name, panel.x.unit)),
        axis("y", axisName(panel.y.name || onlyName(left), sharedUnit(left))),
        ...(panel.right ? [axis("right", axisName(onlyName(right), sharedUnit(right)))] : []),
      ],
      hooks: {
        setSelect: [(u) => this.select(u)],
        setCursor: [() => this.read()],
        setScale: [(u) => this.note(u)],
        drawClear: [(u) => this.undash(u)],
        draw: [(u) => this.events(u), (u) => this.direction(u)],
      },
    };
  }

  private ticks(u: uPlot, key: Key, lo: number, hi: number) {
    const log = this.panel[key]!.log;
    const room = (key === "x" ? u.bbox.width / 84 : u.bbox.height / 42) / devicePixelRatio;
    const most = this.panel.index && key === "x" ? Math.max(Math.floor(hi - lo), 1) : Infinity; // between two indices is nothing
    return ticks(lo, hi, log, Math.min(Math.max(Math.floor(room), 2), most));
  }

  private yRange(key: "y" | "right", lo: number | null, hi: number | null): uPlot.Range.MinMax {
    if (!this.aligned) return [this.y[0], this.y[1]];
    const r = limits(this.panel[key]!, axisRange(lo === null || hi === null ? null : [lo, hi], this.panel.y.log, 0.05));
    return [r[0], r[1]];
  }

  private series(c: Curve, index: number): uPlot.Series {
    const base: uPlot.Series = {
      label: c.name ?? "",
      scale: c.right ? "right" : "y",
      stroke: () => colour(c),
      width: 1.6,
      dash: dashOf(c),
      cap: "round",
      pxAlign: 0, // whole pixels would make stairs of a slope
      points: { show: false },
    };
    if (this.aligned) return { ...base, paths: (u, i, from, to) => this.overTime(u, i, from, to, c) };
    return {
      ...base,
      facets: [{ scale: "x", auto: false }, { scale: "y", auto: false }],
      fill: () => colour(c),
      paths: (u, i) => this.paths(u, i, c, index),
    };
  }

  // ---- drawing

  // Places in the canvas (device pixels), or from the corner of the plotting area in CSS pixels.
  private map(u: uPlot, key: Key, canvas: boolean): PixelMap {
    const { min, max } = u.scales[key]!;
    const { left, top, width, height } = u.bbox;
    const r = canvas ? 1 : 1 / devicePixelRatio;
    const [x, y] = canvas ? [left, top] : [0, 0];
    return key === "x" ? mapOf(min!, max!, x, x + width * r, this.panel.x.log) : mapOf(min!, max!, y + height * r, y, this.panel.y.log);
  }

  private envelope(u: uPlot, c: Curve, from: number, to: number): { lo: Float64Array; hi: Float64Array } {
    const { left, width } = u.bbox;
    const mx = this.map(u, "x", true);
    return envelope(this.column(c.x), this.column(c.y), from, to + 1, { ...mx, a: mx.a - left }, this.map(u, c.right ? "right" : "y", true), Math.ceil(width), this.blocks(c.y));
  }

  // A curve over the common x: by uPlot, or, with many points to a pixel, one line through the columns of pixels; where that goes
  // to and fro, a bar for each of them.
  private overTime(u: uPlot, series: number, from: number, to: number, c: Curve): uPlot.Series.Paths | null {
    const { left, top, width, height } = u.bbox;
    if (to - from < 4 * width) return linear(u, series, from, to);
    const { lo, hi } = this.envelope(u, c, from, to);
    const path = new Path2D();
    if (outline(path, lo, hi, left) <= longest * width) return { stroke: path, fill: null, clip: null, band: null, gaps: [], flags: 3 };
    const thick = 1.4 * devicePixelRatio;
    u.ctx.save();
    u.ctx.beginPath();
    u.ctx.rect(left, top, width, height);
    u.ctx.clip();
    u.ctx.fillStyle = colour(c);
    for (let i = 0; i < lo.length; i++) {
      if (lo[i]! <= hi[i]!) u.ctx.fillRect(left + i, lo[i]! - thick / 2, 1, hi[i]! - lo[i]! + thick);
    }
    u.ctx.restore();
    return null;
  }

  // A path in the plane with very many points: pixels instead of strokes.
  private inked(u: uPlot, c: Curve): void {
    const { left, top, width, height } = u.bbox;
    const [w, h] = [Math.ceil(width), Math.ceil(height)];
    const mx = this.map(u, "x", true);
    const my = this.map(u, "y", true);
    const cells = ink(this.column(c.x), this.column(c.y), { ...mx, a: mx.a - left }, { ...my, a: my.a - top }, w, h);
    const layer = (this.layer ??= document.createElement("canvas"));
    layer.width = w;
    layer.height = h;
    const context = layer.getContext("2d")!;
    context.fillStyle = colour(c);
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
    const picture = context.createImageData(w, h);
    const pixel = new Uint32Array(picture.data.buffer);
    const word = ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
    for (let i = 0; i < cells.length; i++) if (cells[i]) pixel[i] = word;
    context.putImageData(picture, 0, 0);
    u.ctx.drawImage(layer, Math.round(left), Math.round(top));
  }

  private blocks(column: number): Blocks {
    let b = this.blocked.get(column);
    if (!b) this.blocked.set(column, (b = blocksOf(this.column(column), this.panel.y.log)));
    return b;
  }

  private sorted(column: number): boolean {
    let s = this.order.get(column);
    if (s === undefined) this.order.set(column, (s = ascending(this.column(column))));
    return s;
  }

  private paths(u: uPlot, _series: number, c: Curve, index: number): uPlot.Series.Paths | null {
    if (!this.shown[index]) return null;
    const x = this.column(c.x);
    const y = this.column(c.y);
    const mx = this.map(u, "x", true);
    const my = this.map(u, "y", true);
    const px = (v: number) => at(mx, v);
    const py = (v: number) => at(my, v);
    const path = new Path2D();
    if (c.kind === "line") {
      const sorted = this.sorted(c.x);
      if (!sorted && x.length > 20000) {
        this.inked(u, c);
        return null;
      }
      const from = sorted ? Math.max(lowerBound(x, this.x[0]) - 1, 0) : 0;
      const to = sorted ? Math.min(lowerBound(x, this.x[1]) + 1, x.length) : x.length;
      trace(path, x, y, px, py, from, to);
      return { stroke: path, fill: null, clip: null, band: null, gaps: [], flags: 3 };
    }
    if (c.kind === "points") {
      const r = 2.4 * devicePixelRatio;
      for (let i = 0; i < x.length; i++) {
        const a = px(x[i]!);
        const b = py(y[i]!);
        if (!isFinite(a) || !isFinite(b)) continue;
        path.moveTo(a + r, b);
        path.arc(a, b, r, 0, 2 * Math.PI);
      }
      return { stroke: null, fill: path, clip: null, band: null, gaps: [], flags: 3 };
    }
    const y2 = this.column(c.y2 ?? c.y);
    trace(path, x, y, px, py, 0, x.length);
    for (let i = x.length - 1; i >= 0; i--) {
      const b = py(y2[i]!);
      if (isFinite(b)) path.lineTo(px(x[i]!), b);
    }
    path.closePath();
    u.ctx.save();
    u.ctx.globalAlpha = 0.22;
    u.ctx.fillStyle = colour(c);
    u.ctx.beginPath();
    u.ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    u.ctx.clip();
    u.ctx.fill(path);
    u.ctx.restore();
    return null;
  }

  // A line that goes to and fro many times is solid, and so is its sample: its dashes would say nothing, and are slow.
  private undash(u: uPlot): void {
    this.panel.curves.forEach((c, i) => {
      const dash = this.keepsDashes(u, c) ? dashOf(c) : [];
      u.series[i + 1]!.dash = dash;
      this.samples[i]?.setAttribute("stroke-dasharray", dash.join(" "));
    });
  }

  private keepsDashes(u: uPlot, c: Curve): boolean {
    const x = this.column(c.x);
    if (!this.aligned) return x.length <= dashed;
    const from = Math.max(lowerBound(x, this.x[0]) - 1, 0);
    const to = Math.min(lowerBound(x, this.x[1]), x.length - 1);
    if (to - from < 4 * u.bbox.width) return true;
    const { lo, hi } = this.envelope(u, c, from, to);
    return outline(none, lo, hi, 0) <= longest * u.bbox.width;
  }

  private events(u: uPlot): void {
    const { ctx, bbox } = u;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = variable("--soft");
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([devicePixelRatio, 4 * devicePixelRatio]);
    ctx.font = `${11 * devicePixelRatio}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    const words: Range[] = []; // the first has the first choice of a place; who has no room keeps silent
    for (const e of this.panel.events) {
      const at = u.valToPos(e.at, "x", true);
      if (!(at >= bbox.left && at <= bbox.left + bbox.width)) continue;
      ctx.beginPath();
      ctx.moveTo(at, bbox.top);
      ctx.lineTo(at, bbox.top + bbox.height);
      ctx.stroke();
      if (!e.name) continue;
      const width = ctx.measureText(e.name).width;
      const left = Math.min(at + 4, bbox.left + bbox.width - width);
      const apart = 8 * devicePixelRatio;
      if (words.some(([lo, hi]) => left < hi + apart && left + width + apart > lo)) continue;
      ctx.fillText(e.name, left, bbox.top + 12 * devicePixelRatio);
      words.push([left, left + width]);
    }
    ctx.restore();
  }

  // Where a path in the plane starts, and which way it goes.
  private direction(u: uPlot): void {
    if (!this.panel.phase) return;
    const { ctx, bbox } = u;
    const r = devicePixelRatio;
    const mx = this.map(u, "x", true);
    const my = this.map(u, "y", true);
    const box = { left: bbox.left, top: bbox.top, right: bbox.left + bbox.width, bottom: bbox.top + bbox.height };
    ctx.save();
    ctx.setLineDash([]);
    ctx.beginPath();
    ctx.rect(bbox.left - 5 * r, bbox.top - 5 * r, bbox.width + 10 * r, bbox.height + 10 * r);
    ctx.clip();
    this.panel.curves.forEach((c, i) => {
      if (!this.shown[i] || c.kind !== "line" || c.color) return; // on one of many they would be too many
      const m = marks(this.column(c.x), this.column(c.y), (v) => at(mx, v), (v) => at(my, v), box, 120 * r);
      ctx.fillStyle = colour(c);
      for (const a of m.arrows) {
        const [ux, uy, s] = [a.ux, a.uy, 7 * r];
        ctx.beginPath();
        ctx.moveTo(a.x + s * ux, a.y + s * uy);
        ctx.lineTo(a.x - 0.5 * s * ux - 0.62 * s * uy, a.y - 0.5 * s * uy + 0.62 * s * ux);
        ctx.lineTo(a.x - 0.5 * s * ux + 0.62 * s * uy, a.y - 0.5 * s * uy - 0.62 * s * ux);
        ctx.fill();
      }
      if (!m.start) return;
      ctx.beginPath();
      ctx.arc(m.start.x, m.start.y, 4 * r, 0, 2 * Math.PI);
      ctx.fillStyle = variable("--ground");
      ctx.fill();
      ctx.strokeStyle = variable("--ink");
      ctx.lineWidth = 1.4 * r;
      ctx.stroke();
    });
    ctx.restore();
  }

  redraw(): void {
    this.u.redraw(true, true);
  }

  // A line at the time that is shown elsewhere.
  mark(time: number): void {
    const { panel, now, x } = this;
    this.time = time;
    const at = time / (panel.seconds ?? 1);
    const seen = !panel.phase && panel.x.name === "t" && at >= x[0] && at <= x[1];
    Object.assign(now.style, { position: "absolute", top: "0", bottom: "0", width: "1px", background: "var(--soft)", pointerEvents: "none" });
    now.style.display = seen ? "block" : "none";
    if (seen) now.style.left = `${this.u.valToPos(at, "x")}px`;
    for (const d of this.dots) this.place(d.el, d.curve, time);
  }

  // The dot of a path at a time, on the straight line between two rows.
  private place(el: HTMLElement, curve: number, time: number): void {
    const c = this.panel.curves[curve]!;
    const t = this.column(c.t!);
    const i = Math.min(Math.max(lowerBound(t, time), 1), t.length - 1);
    const part = t[i]! > t[i - 1]! ? Math.min(Math.max((time - t[i - 1]!) / (t[i]! - t[i - 1]!), 0), 1) : 1;
    const between = (v: Float64Array): number => v[i - 1]! + part * (v[i]! - v[i - 1]!);
    const left = at(this.map(this.u, "x", false), between(this.column(c.x)));
    const top = at(this.map(this.u, "y", false), between(this.column(c.y)));
    const { clientWidth, clientHeight } = this.u.over;
    const seen = this.shown[curve] && t.length > 1 && left >= 0 && left <= clientWidth && top >= 0 && top <= clientHeight;
    el.style.display = seen ? "block" : "none";
    if (seen) Object.assign(el.style, { left: `${left}px`, top: `${top}px` });
  }

  fit(): void {
    const s = this.size();
    if (s.width !== this.u.width || s.height !== this.u.height) this.u.setSize(s);
    if (this.panel.equal) this.equalize();
  }

  // One unit is as long in x as in y: the whole is widened to the shape of the area; a part that is looked at stays.
  private equalize(): void {
    const whole = this.x === this.wholeX && this.y === this.wholeY;
    const { clientWidth, clientHeight } = this.u.over;
    if (!clientWidth || !clientHeight) return;
    [this.wholeX, this.wholeY] = equalized(this.dataX, this.dataY, clientWidth, clientHeight);
    if (whole) this.reset();
  }

  // ---- legend and values

  private legend(): HTMLElement {
    const list = make("ul", { class: "legend", "aria-label": "Curves" });
    const mixed = sharedUnit(this.panel.curves) === null && !this.panel.right; // the axis says no unit, so the names do
    this.panel.curves.forEach((c, i) => {
      const box = make("input", { type: "checkbox" });
      box.checked = true;
      box.addEventListener("change", () => this.show(i, box.checked));
      const sample = svg("svg", { width: "28", height: "10", "aria-hidden": "true" });
      const stroke = c.color ?? `var(--curve${c.style % 7})`;
      if (c.kind === "points") sample.append(svg("circle", { cx: "14", cy: "5", r: "3", fill: stroke }));
      else if (c.kind === "band") sample.append(svg("rect", { width: "28", height: "10", fill: stroke, opacity: "0.3" }));
      else sample.append(svg("path", { d: "M1,5H27", stroke, "stroke-width": "2", fill: "none", "stroke-dasharray": dashOf(c).join(" ") }));
      this.samples.push(c.kind === "line" ? (sample.firstElementChild as SVGElement) : null);
      const value = make("span", { class: "value" });
      this.values.push(value);
      list.append(make("li", {}, make("label", {}, box, sample, make("span", {}, axisName(c.name ?? "", mixed ? c.unit : null) + (c.right ? " →" : ""))), " ", value));
    });
    if (this.panel.phase && !this.panel.bar) list.append(make("li", { class: "start" }, "○ start"));
    list.append(make("li", {}, this.at));
    const { bar, curves } = this.panel;
    if (!bar) return list;
    // many curves: their names are there for whoever asks
    const words = `${curves.length} curves by ${axisName(bar.name, bar.unit)}, from ${short(bar.from ?? 0)} (dark) to ${short(bar.to ?? 0)} (light)`;
    return make("details", { class: "many" }, make("summary", {}, words), list);
  }

  private show(index: number, on: boolean): void {
    this.shown[index] = on;
    this.u.setSeries(index + 1, { show: on });
    this.apply();
  }

  // What the cursor is over.
  private read(): void {
    const { left = -1, top = -1, idx } = this.u.cursor;
    const { panel } = this;
    const unit = (u: string | null) => (u ? ` ${u}` : "");
    this.at.textContent = "";
    if (left >= 0 && !panel.phase && panel.x.name === "t") seek(this.u.posToVal(left, "x") * (panel.seconds ?? 1));
    panel.curves.forEach((c, i) => {
      const el = this.values[i]!;
      el.textContent = "";
      if (left < 0 || !this.shown[i]) return;
      const x = this.column(c.x);
      const y = this.column(c.y);
      if (this.aligned) {
        if (idx === null || idx === undefined) return;
        el.textContent = short(y[idx]) + unit(c.unit);
        this.at.textContent = `${panel.x.name} = ${short(x[idx])}${unit(panel.x.unit)}`;
        return;
      }
      const k = nearest(x, y, this.map(this.u, "x", false), this.map(this.u, "y", false), left, top);
      if (k >= 0) el.textContent = `${short(y[k])}${unit(c.unit)} at ${panel.x.name} = ${short(x[k])}${unit(panel.x.unit)}`;
    });
  }

  // ---- moving about

  // Panels over the same quantity move together: over time, or over one part of an index.
  together(w: PanelView): boolean {
    if (w === this) return true;
    const [a, b] = [this.panel, w.panel];
    const alike = !a.phase && !b.phase && a.x.name === b.x.name && a.x.log === b.x.log && a.seconds === b.seconds;
    return alike && this.dataX[0] === w.dataX[0] && this.dataX[1] === w.dataX[1];
  }

  join(peers: PanelView[]): void {
    this.peers = peers;
  }

  private set(x: Range, y: Range): void {
    for (const p of this.panel.phase ? [this] : this.peers) {
      p.x = x;
      if (p === this && !this.aligned) p.y = y;
      p.apply();
    }
  }

  private apply(): void {
    this.u.batch(() => {
      this.u.setScale("x", { min: this.x[0], max: this.x[1] });
      if (!this.aligned) this.u.setScale("y", { min: this.y[0], max: this.y[1] });
    });
  }

  // What is seen, for scripts and tests.
  private note(u: uPlot): void {
    for (const key of ["x", "y"]) this.el.dataset[key] = `${u.scales[key]?.min} ${u.scales[key]?.max}`;
    if (!Number.isNaN(this.time)) this.mark(this.time);
  }

  zoomBy(factor: number, ax = 0.5, ay = 0.5): void {
    const { panel } = this;
    const y = panel.phase ? zoom(this.y, this.wholeY, factor, ay, panel.y.log) : this.y;
    this.set(zoom(this.x, this.wholeX, factor, ax, panel.x.log), y);
  }

  panBy(x: number, y = 0): void {
    const { panel } = this;
    this.set(pan(this.x, this.wholeX, x, panel.x.log), panel.phase ? pan(this.y, this.wholeY, y, panel.y.log) : this.y);
  }

  reset(): void {
    this.set(this.wholeX, this.wholeY);
  }

  private select(u: uPlot): void {
    const { left, top, width, height } = u.select;
    if (width < 4 && height < 4) return;
    const x: Range = width >= 4 ? [u.posToVal(left, "x"), u.posToVal(left + width, "x")] : this.x;
    const tall = this.panel.phase && height >= 4 && height < u.over.clientHeight;
    const y: Range = tall ? [u.posToVal(top + height, "y"), u.posToVal(top, "y")] : this.y;
    u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
    this.set(x, y);
  }

  // Shift and drag moves the picture.
  private grab(e: MouseEvent): void {
    if (!e.shiftKey || e.button !== 0) return;
    e.preventDefault();
    e.stopImmediatePropagation();
    let { clientX, clientY } = e;
    const move = (m: MouseEvent): void => {
      this.panBy((clientX - m.clientX) / this.u.over.clientWidth, (m.clientY - clientY) / this.u.over.clientHeight);
      clientX = m.clientX;
      clientY = m.clientY;
    };
    const up = (): void => {
      removeEventListener("mousemove", move);
      removeEventListener("mouseup", up);
    };
    addEventListener("mousemove", move);
    addEventListener("mouseup", up);
  }

  // The wheel scrolls the page; with Ctrl it zooms.
  private wheel(e: WheelEvent): void {
    if (!e.ctrlKey && !e.metaKey) return;
    e.preventDefault();
    const box = this.u.over.getBoundingClientRect();
    this.zoomBy(e.deltaY > 0 ? 1.25 : 0.8, (e.clientX - box.left) / box.width, 1 - (e.clientY - box.top) / box.height);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (step && e.shiftKey) this.panBy(0.1 * step[0]!, 0.1 * step[1]!);
    else if (step) this.moveCursor(step[0]!, step[1]!);
    else if (e.key === "+" || e.key === "=") this.zoomBy(0.8);
    else if (e.key === "-") this.zoomBy(1.25);
    else if (e.key === "0") this.reset();
    else return;
    e.preventDefault();
  }

  private moveCursor(dx: number, dy: number): void {
    const { over, cursor } = this.u;
    const start = (v: number | undefined, size: number) => (v === undefined || v < 0 ? size / 2 : v);
    const clamp = (v: number, size: number) => Math.min(Math.max(v, 0), size);
    const left = clamp(start(cursor.left, over.clientWidth) + (dx * over.clientWidth) / 100, over.clientWidth);
    const top = clamp(start(cursor.top, over.clientHeight) - (dy * over.clientHeight) / 50, over.clientHeight);
    this.u.setCursor({ left, top }, true);
  }
}

export function showFigure(el: HTMLElement, figure: Figure, column: Values): void {
  const live = make("div", { class: "live" });
  el.append(live);
  el.classList.add("lively");
  const holder = figure.columns ? make("div", { class: "grid" }) : live;
  if (figure.columns) holder.style.setProperty("--columns", String(figure.columns));
  const views = figure.panels.map((panel) => {
    const names = panel.curves.map((c) => c.name ?? "").join(", ");
    const view = new PanelView(panel, column, `${names} ${panel.phase ? "against" : "over"} ${panel.x.name}`, figure.id);
    holder.append(view.el);
    if (figure.columns && panel.whole) view.el.style.gridColumn = "1 / -1";
    else if (figure.columns && panel.row) view.el.style.gridColumnStart = "1";
    return view;
  });
  for (const v of views) v.join(views.filter((w) => v.together(w)));
  const each = (f: (v: PanelView) => void) => () => {
    const done: PanelView[] = []; // one of those that move together moves all of them
    for (const v of views) {
      if (done.some((w) => v.together(w))) continue;
      f(v);
      done.push(v);
    }
  };
  live.prepend(
    make(
      "div",
      { class: "bar", role: "group", "aria-label": "Zoom" },
      button("+", "Zoom in", each((v) => v.zoomBy(0.5))),
      button("−", "Zoom out", each((v) => v.zoomBy(2))),
      button("◀", "Move left", each((v) => v.panBy(-0.25))),
      button("▶", "Move right", each((v) => v.panBy(0.25))),
      button("Show all", "Show all", each((v) => v.reset())),
      make("span", { class: "hint" }, "Drag to zoom, Shift and drag to move, double-click for all."),
    ),
  );
  if (holder !== live) live.append(holder);
  all.push(...views);
  const fit = (): void => views.forEach((v) => v.fit());
  fit();
  new ResizeObserver(fit).observe(live);
}
