// A scene in space that is turned with the mouse, a finger or the keyboard, by three.js.
//
// Where the browser has no WebGL the still picture stays, and the page says so.
import { AmbientLight, BufferGeometry, DirectionalLight, Float32BufferAttribute, LineBasicMaterial, LineSegments, Matrix4, OrthographicCamera, Scene as World, Vector3, WebGLRenderer } from "three";
import { type Basis, extentOf, look, sum, turned, type Vec, type View, viewOf } from "./camera.ts";
import { button, make, svg, variable } from "./dom.ts";
import { short } from "./format.ts";
import { makePlayer, memberSlider } from "./player.ts";
import { type Layer, Solids } from "./solids.ts";
import style from "./space.css";
import { type Space, Track } from "./space_data.ts";

const poses = 8;
const keys = "Arrow keys turn it, with Shift they move it; plus and minus zoom, 0 shows all, the space bar plays.";

function groundLines(space: Space): Float32Array {
  const { origin, u, v, step, across, along } = space.ground;
  const point = (i: number, k: number): Vec => sum(sum(origin, u, step * i), v, step * k);
  const out: number[] = [];
  for (let i = 0; i <= across; i++) out.push(...point(i, 0), ...point(i, along));
  for (let k = 0; k <= along; k++) out.push(...point(0, k), ...point(across, k));
  return new Float32Array(out);
}

// The corners of everything: of the box of the scene, and of the ground.
function corners(space: Space): Vec[] {
  const { origin, u, v, step, across, along } = space.ground;
  const out: Vec[] = [];
  for (let b = 0; b < 4; b++) {
    const p = sum(sum(origin, u, b & 1 ? step * across : 0), v, b & 2 ? step * along : 0);
    out.push(p);
  }
  for (const t of space.shapes) {
    if (t.kind === "ground") continue;
    const track = new Track(space, t);
    const last = track.count - 1;
    const reach = t.half ? Math.hypot(...t.half) : 0.03 * space.size;
    for (let i = 0; i <= 40; i++) {
      const all = track.at((last * i) / 40);
      for (const p of t.kind === "vector" ? all.slice(0, 1) : all) {
        for (let k = 0; k < 3; k++) for (const s of [-reach, reach]) out.push([p[0] + (k === 0 ? s : 0), p[1] + (k === 1 ? s : 0), p[2] + (k === 2 ? s : 0)]);
      }
    }
  }
  return out;
}

class SpaceView {
  readonly el: HTMLElement;
  readonly solids: Solids;
  private readonly renderer: WebGLRenderer;
  private readonly world = new World();
  private readonly camera = new OrthographicCamera();
  private readonly light = new DirectionalLight(0xffffff, 2.1);
  private readonly ground: LineSegments;
  private readonly axes = svg("svg", { viewBox: "-50 -50 100 100", "aria-hidden": "true", class: "axes" });
  private readonly words = svg("svg", { "aria-hidden": "true", class: "words" });
  private frame = 0;
  private readonly all: Vec[];
  private readonly start: View;
  private ghosts: Solids[] = [];
  private view: View;
  private zoom = 1;
  private shift: [number, number] = [0, 0]; // of the picture, in lengths of the model
  private wanted = false;
  private readonly held = new Map<number, { x: number; y: number }>();

  constructor(
    private readonly space: Space,
    private readonly tracks: Track[],
    private readonly toggle: () => void,
  ) {
    this.renderer = new WebGLRenderer({ antialias: true, alpha: true, preserveDrawingBuffer: true });
    this.start = this.view = viewOf(space.camera.from, space.camera.up);
    this.solids = new Solids(space, tracks, this.view.plumb, 1);
    this.ground = new LineSegments(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(groundLines(space), 3)), new LineBasicMaterial());
    this.all = corners(space);
    this.world.add(this.solids.group, this.ground, new AmbientLight(0xffffff, 1.5), this.light);
    const squares = make("p", { class: "squares" }, `squares of ${short(space.ground.step)} ${space.unit}`.trim());
    this.el = make("div", { class: "view", tabindex: "0", role: "application", "aria-roledescription": "scene in space", "aria-label": `The moving model. ${keys}` }, this.renderer.domElement, this.axes, squares, this.words);
    this.renderer.domElement.setAttribute("aria-hidden", "true");
    this.listen();
    this.recolour();
  }

  // ---- what is seen

  has(layer: Layer): boolean {
    return layer === "ground" || layer === "poses" || this.solids.has(layer);
  }

  set(layer: Layer, on: boolean): void {
    if (layer === "ground") this.ground.visible = on;
    else if (layer === "poses") this.setGhosts(on);
    else this.solids.set(layer, on);
    for (const g of this.ghosts) g.set(layer, on);
    this.redraw();
  }

  // Poses at equal times, the earlier the fainter, as in the still picture.
  private setGhosts(on: boolean): void {
    if (on && !this.ghosts.length) {
      for (let i = 0; i < poses; i++) {
        const part = i / (poses - 1);
        const g = new Solids(this.space, this.tracks, this.view.plumb, 0.1 + 0.3 * part * part);
        g.show(part * (this.space.frames - 1));
        this.ghosts.push(g);
        this.world.add(g.group);
      }
    }
    for (const g of this.ghosts) g.group.visible = on;
  }

  choose(member: number): void {
    this.solids.choose(member);
    for (const g of this.ghosts) g.choose(member);
    this.redraw();
  }

  recolour(): void {
    this.solids.recolour();
    for (const g of this.ghosts) g.recolour();
    (this.ground.material as LineBasicMaterial).color.set(variable("--grid"));
    this.redraw();
  }

  show(frame: number): void {
    this.frame = frame;
    this.solids.show(frame);
    this.redraw();
  }

  // ---- the camera

  // Lengths of the model across one pixel, so that everything is seen from where it started.
  private scale(): number {
    const { width, height } = this.size();
    const e = extentOf(look(this.start), this.all);
    return Math.max((2 * e.width) / (0.94 * width), (2 * e.height) / (0.94 * height)) / this.zoom;
  }

  private size(): { width: number; height: number } {
    const width = Math.max(this.el.clientWidth || 640, 200);
    return { width, height: Math.round(Math.min(Math.max(0.62 * width, 240), 560)) };
  }

  private aim(b: Basis): void {
    const { width, height } = this.size();
    const s = this.scale();
    const from = look(this.start);
    // the middle of what is seen at first stays the middle of all turning
    const e = extentOf(from, this.all);
    const { middle, size } = this.space;
    const depth = from.toward[0] * middle[0] + from.toward[1] * middle[1] + from.toward[2] * middle[2];
    let target: Vec = sum(sum(sum([0, 0, 0], from.right, e.x), from.up, e.y), from.toward, depth);
    target = sum(sum(target, b.right, this.shift[0]), b.up, this.shift[1]);
    const far = 20 * size;
    const c = this.camera;
    [c.left, c.right, c.top, c.bottom] = [(-s * width) / 2, (s * width) / 2, (s * height) / 2, (-s * height) / 2];
    [c.near, c.far] = [0, 2 * far];
    const at = sum(target, b.toward, far);
    c.position.set(at[0], at[1], at[2]);
    c.quaternion.setFromRotationMatrix(new Matrix4().makeBasis(new Vector3(...b.right), new Vector3(...b.up), new Vector3(...b.toward)));
    c.updateProjectionMatrix();
    // the light comes over the left shoulder
    const l = sum(sum(b.toward, b.right, -0.5), b.up, 0.7);
    this.light.position.set(l[0], l[1], l[2]);
  }

  turn(azimuth: number, elevation: number): void {
    this.view = turned(this.view, azimuth, elevation);
    this.redraw();
  }

  lookFrom(from: Vec): void {
    this.view = viewOf(from, this.start.plumb);
    this.redraw();
  }

  move(right: number, up: number): void {
    this.shift = [this.shift[0] - right * this.scale(), this.shift[1] - up * this.scale()];
    this.redraw();
  }

  zoomBy(factor: number): void {
    this.zoom = Math.min(Math.max(this.zoom * factor, 0.1), 100);
    this.redraw();
  }

  reset(): void {
    this.view = this.start;
    this.zoom = 1;
    this.shift = [0, 0];
    this.redraw();
  }

  // ---- drawing

  redraw(): void {
    if (this.wanted) return;
    this.wanted = true;
    requestAnimationFrame(() => this.draw());
  }

  private draw(): void {
    this.wanted = false;
    const b = look(this.view);
    const { width, height } = this.size();
    this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.renderer.domElement.style.height = `${height}px`;
    this.aim(b);
    this.renderer.render(this.world, this.camera);
    this.drawAxes(b);
    this.drawWords(width, height);
    // for scripts and tests: what is seen
    const degrees = 180 / Math.PI;
    this.el.dataset["view"] = [this.view.azimuth * degrees, this.view.elevation * degrees, this.zoom].map((v) => v.toFixed(3)).join(" ");
    this.el.dataset["scale"] = String(1 / this.scale());
  }

  // Words stand on the picture, where their points are seen.
  private drawWords(width: number, height: number): void {
    const texts = this.tracks.filter((t) => t.shape.kind === "text");
    if (!texts.length) return;
    this.words.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.words.replaceChildren();
    for (const t of texts) {
      const at = new Vector3(...t.at(this.frame)[0]!).project(this.camera);
      const letters = t.shape.size ? t.shape.size[0]! / this.scale() : 13;
      const x = ((at.x + 1) / 2) * width;
      const y = ((1 - at.y) / 2) * height + 0.35 * letters;
      const words = svg("text", { x: x.toFixed(1), y: y.toFixed(1), "text-anchor": "middle", "font-size": letters.toFixed(1), fill: t.shape.color?.startsWith("--") ? `var(${t.shape.color})` : (t.shape.color ?? "var(--ink)") });
      words.textContent = t.shape.text ?? "";
      this.words.append(words);
    }
  }

  private drawAxes(b: Basis): void {
    this.axes.replaceChildren();
    ["x", "y", "z"].forEach((name, i) => {
      const x = b.right[i]!;
      const y = -b.up[i]!;
      const seen = Math.hypot(x, y);
      const [dx, dy] = seen > 0.2 ? [x / seen, y / seen] : [1, 1];
      this.axes.append(svg("path", { d: `M0,0L${(30 * x).toFixed(2)},${(30 * y).toFixed(2)}`, stroke: `var(--curve${[3, 5, 0][i]})`, "stroke-width": "2", "stroke-linecap": "round" }));
      const text = svg("text", { x: (30 * x + 9 * dx).toFixed(2), y: (30 * y + 9 * dy + 4).toFixed(2), "text-anchor": "middle", "font-size": "12", fill: "var(--ink)" });
      text.textContent = name;
      this.axes.append(text);
    });
  }

  // ---- mouse, fingers, keys

  private listen(): void {
    const { el } = this;
    el.addEventListener("pointerdown", (e) => {
      this.held.set(e.pointerId, { x: e.clientX, y: e.clientY });
      el.setPointerCapture(e.pointerId);
    });
    el.addEventListener("pointermove", (e) => this.drag(e));
    for (const end of ["pointerup", "pointercancel"] as const) el.addEventListener(end, (e) => this.held.delete(e.pointerId));
    el.addEventListener("contextmenu", (e) => e.preventDefault());
    el.addEventListener("dblclick", () => this.reset());
    // the wheel scrolls the page; with Ctrl it zooms
    el.addEventListener(
      "wheel",
      (e) => {
        if (!e.ctrlKey && !e.metaKey) return;
        e.preventDefault();
        this.zoomBy(e.deltaY > 0 ? 0.8 : 1.25);
      },
      { passive: false },
    );
    el.addEventListener("keydown", (e) => this.key(e));
    new ResizeObserver(() => this.redraw()).observe(el);
  }

  // One pointer turns, with Shift or another button it moves; two move and zoom.
  private drag(e: PointerEvent): void {
    const last = this.held.get(e.pointerId);
    if (!last) return;
    const [dx, dy] = [e.clientX - last.x, e.clientY - last.y];
    const others = [...this.held.entries()].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    this.held.set(e.pointerId, { x: e.clientX, y: e.clientY });
    const other = others[0];
    if (other) {
      const before = Math.hypot(last.x - other.x, last.y - other.y);
      const now = Math.hypot(e.clientX - other.x, e.clientY - other.y);
      if (before > 0 && now > 0) this.zoomBy(now / before);
      this.move(dx / 2, -dy / 2);
    } else if (e.shiftKey || (e.buttons & 6) !== 0) this.move(dx, -dy);
    else this.turn(-dx * 0.009, dy * 0.009);
  }

  private key(e: KeyboardEvent): void {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[e.key];
    if (step && e.shiftKey) this.move(20 * step[0]!, 20 * step[1]!);
    else if (step) this.turn((step[0]! * Math.PI) / 36, (step[1]! * Math.PI) / 36);
    else if (e.key === "+" || e.key === "=") this.zoomBy(1.25);
    else if (e.key === "-") this.zoomBy(0.8);
    else if (e.key === "0") this.reset();
    else if (e.key === " ") this.toggle();
    else return;
    e.preventDefault();
  }
}

function boxes(view: SpaceView): HTMLElement {
  const list = make("ul", { class: "shown", "aria-label": "What is shown" });
  const layers: [Layer, string, boolean][] = [
    ["trails", "trails", true],
    ["frames", "frames", true],
    ["boxes", "inertia boxes", true],
    ["poses", "poses", false],
    ["ground", "ground", true],
  ];
  for (const [layer, name, on] of layers) {
    if (!view.has(layer)) continue;
    const box = make("input", { type: "checkbox" });
    box.checked = on;
    box.addEventListener("change", () => view.set(layer, box.checked));
    list.append(make("li", {}, make("label", {}, box, name)));
  }
  return list;
}

export function showSpace(figure: HTMLElement, space: Space): void {
  document.head.append(make("style", {}, style));
  figure.classList.add("space");
  const tracks = space.shapes.map((s) => new Track(space, s));
  const live = make("div", { class: "live" });
  let view: SpaceView;
  const player = makePlayer(space, (frame) => view.show(frame));
  try {
    view = new SpaceView(space, tracks, player.toggle);
  } catch {
    figure.append(make("p", { class: "hint", role: "note" }, "This browser shows no pictures in space (WebGL): the picture stands still."));
    return;
  }
  const bar = make(
    "div",
    { class: "bar", role: "group", "aria-label": "View" },
    button("+", "Zoom in", () => view.zoomBy(1.5)),
    button("−", "Zoom out", () => view.zoomBy(1 / 1.5)),
    button("◀", "Turn left", () => view.turn(-Math.PI / 12, 0)),
    button("▶", "Turn right", () => view.turn(Math.PI / 12, 0)),
    button("▲", "Turn up", () => view.turn(0, Math.PI / 12)),
    button("▼", "Turn down", () => view.turn(0, -Math.PI / 12)),
    button("x", "Look along x", () => view.lookFrom([1, 0, 0])),
    button("y", "Look along y", () => view.lookFrom([0, -1, 0])),
    button("z", "Look along z", () => view.lookFrom([0, 0, 1])),
    button("Show all", "Show all", () => view.reset()),
  );
  const hint = make("p", { class: "hint" }, "Drag to turn, Shift and drag to move, Ctrl and the wheel to zoom, double-click for the start.");
  live.append(view.el, player.bar);
  if (space.members) live.append(memberSlider(space.members, (member) => view.choose(member)));
  live.append(bar, boxes(view), hint);
  figure.append(live);
  figure.classList.add("lively");
  const recolour = (): void => view.recolour();
  document.addEventListener("viva-theme", recolour);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", recolour);
  player.show(0);
}
