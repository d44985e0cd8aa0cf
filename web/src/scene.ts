// The animation in a plane: the shapes, which a player moves.
import { places, type Scene, type Shape, type ShapeKind } from "./data.ts";
import { make, svg } from "./dom.ts";
import { makePlayer, memberSlider } from "./player.ts";
import * as shapes from "./shapes.ts";

// What lies over what, as in the still pictures; those of one layer in the order in which they were written.
const layers: ShapeKind[][] = [["trail"], ["ground"], ["support"], ["cart"], ["box", "circle"], ["spring"], ["rod", "line"], ["mass"], ["vector"], ["text"]];

interface Moving {
  shape: Shape;
  data: Int16Array;
  el: SVGElement;
}

function outline(shape: Shape, width: number): SVGElement {
  const line = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  const filled = (usual: string) => ({ fill: shape.color ?? usual, stroke: "var(--ink)", "stroke-width": "1.5" });
  const drawn = (usual: string, width: number) => ({ ...line, stroke: shape.color ?? usual, "stroke-width": String(shape.kind === "spring" ? width : (shape.width ?? width)) });
  switch (shape.kind) {
    case "mass":
      return svg("circle", { r: String(shape.size ?? 7), fill: shape.color ?? "var(--curve0)", stroke: "var(--ground)", "stroke-width": "1.5" });
    case "circle":
      return svg("circle", { r: String(shape.size ?? 7), ...filled("var(--curve4)") });
    case "box":
      return svg("path", { ...filled("var(--curve4)"), "stroke-linejoin": "round" });
    case "text": {
      const letters = shape.size ?? 13;
      const g = svg("g", {});
      const words = svg("text", { "text-anchor": "middle", y: (0.35 * letters).toFixed(2), "font-size": String(letters), fill: shape.color ?? "var(--ink)" });
      words.textContent = shape.text ?? "";
      g.append(words);
      return g;
    }
    case "cart": {
      const w = shape.size ?? 46;
      const h = shape.height ?? 22;
      const g = svg("g", { stroke: "var(--ink)", "stroke-width": "1.5" });
      g.append(svg("rect", { x: String(-w / 2), y: String(-h / 2), width: String(w), height: String(h), fill: shape.color ?? "var(--curve4)" }));
      for (const x of [-0.3 * w, 0.3 * w]) g.append(svg("circle", { cx: String(x), cy: String(h / 2 + 5), r: "5", fill: "var(--ground)" }));
      return g;
    }
    case "ground":
    case "support": {
      const g = svg("g", drawn("var(--soft)", 1.2));
      g.append(svg("path", { d: shape.kind === "ground" ? shapes.ground(width) : shapes.support() }));
      return g;
    }
    case "vector":
      return svg("path", drawn("var(--curve3)", 2));
    case "trail":
      return svg("path", drawn("var(--curve1)", 1.4));
    case "rod":
      return svg("path", drawn("var(--ink)", 3.5));
    case "line":
    case "spring":
      return svg("path", drawn("var(--ink)", 1.5));
  }
}

function put(scene: Scene, m: Moving, frame: number): void {
  const n = 2 * m.shape.points;
  const trail = m.shape.kind === "trail";
  const q = shapes.between(m.data, n, trail ? frame * scene.fine : frame, scene.scale);
  const [a = 0, b = 0, c = 0, d = 0] = q;
  if (m.shape.kind === "rod" || m.shape.kind === "line") m.el.setAttribute("d", shapes.rod(a, b, c, d));
  else if (m.shape.kind === "spring") m.el.setAttribute("d", shapes.spring(a, b, c, d, m.shape.coils, m.shape.width));
  else if (m.shape.kind === "box") m.el.setAttribute("d", shapes.box(a, b, c, d, m.shape.ratio ?? 1));
  else if (m.shape.kind === "vector") m.el.setAttribute("d", shapes.arrow(a, b, c, d));
  else if (trail) {
    // points nearer than a pixel add nothing
    const last = Math.floor(frame * scene.fine);
    let path = "";
    let px = NaN;
    let py = NaN;
    for (let i = 0; i <= last && 2 * i + 1 < m.data.length; i++) {
      const x = m.data[2 * i]! / scene.scale;
      const y = m.data[2 * i + 1]! / scene.scale;
      if (Math.abs(x - px) < 1 && Math.abs(y - py) < 1) continue;
      path += `${path ? "L" : "M"}${x.toFixed(1)},${y.toFixed(1)}`;
      px = x;
      py = y;
    }
    m.el.setAttribute("d", `${path}L${a.toFixed(1)},${b.toFixed(1)}`);
  } else m.el.setAttribute("transform", `translate(${a.toFixed(2)} ${b.toFixed(2)})`);
}

export function showScene(figure: HTMLElement, scene: Scene): void {
  const live = make("div", { class: "live" });
  const picture = svg("svg", { viewBox: `0 0 ${scene.width} ${scene.height}`, role: "img", "aria-label": "The moving model" });
  const moving: Moving[] = [];
  for (const layer of layers) {
    for (const shape of scene.shapes) {
      if (!layer.includes(shape.kind)) continue;
      const el = outline(shape, scene.width);
      el.classList.add("shape", shape.kind);
      picture.append(el);
      moving.push({ shape, data: places(shape.data), el });
    }
  }

  const player = makePlayer(scene, (frame) => moving.forEach((m) => put(scene, m, frame)));
  live.append(picture, player.bar);
  if (scene.members) {
    live.append(
      memberSlider(scene.members, (chosen) => {
        for (const m of moving) m.el.style.opacity = chosen && m.shape.member && m.shape.member !== chosen ? "0.13" : "";
      }),
    );
  }
  figure.append(live);
  figure.classList.add("lively");
  player.show(0);
}
