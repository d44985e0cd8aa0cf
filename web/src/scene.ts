// The animation in a plane: the shapes, which a player moves.
import { places, type Scene, type Shape } from "./data.ts";
import { make, svg } from "./dom.ts";
import { makePlayer } from "./player.ts";
import * as shapes from "./shapes.ts";

const layers = ["trail", "ground", "support", "cart", "spring", "rod", "mass", "vector"] as const;

interface Moving {
  shape: Shape;
  data: Int16Array;
  el: SVGElement;
}

function outline(shape: Shape, width: number): SVGElement {
  const line = { fill: "none", "stroke-linecap": "round", "stroke-linejoin": "round" };
  switch (shape.kind) {
    case "mass":
      return svg("circle", { r: "7", fill: "var(--curve0)", stroke: "var(--ground)", "stroke-width": "1.5" });
    case "cart": {
      const g = svg("g", { stroke: "var(--ink)", "stroke-width": "1.5" });
      g.append(svg("rect", { x: "-23", y: "-11", width: "46", height: "22", fill: "var(--curve4)" }));
      for (const x of ["-13.8", "13.8"]) g.append(svg("circle", { cx: x, cy: "16", r: "5", fill: "var(--ground)" }));
      return g;
    }
    case "ground":
    case "support": {
      const g = svg("g", { ...line, stroke: "var(--soft)", "stroke-width": "1.2" });
      g.append(svg("path", { d: shape.kind === "ground" ? shapes.ground(width) : shapes.support() }));
      return g;
    }
    case "vector":
      return svg("path", { ...line, stroke: "var(--curve3)", "stroke-width": "2" });
    case "trail":
      return svg("path", { ...line, stroke: "var(--curve1)", "stroke-width": "1.4" });
    case "rod":
      return svg("path", { ...line, stroke: "var(--ink)", "stroke-width": "3.5" });
    case "spring":
      return svg("path", { ...line, stroke: "var(--ink)", "stroke-width": "1.5" });
  }
}

function put(scene: Scene, m: Moving, frame: number): void {
  const n = 2 * m.shape.points;
  const trail = m.shape.kind === "trail";
  const q = shapes.between(m.data, n, trail ? frame * scene.fine : frame, scene.scale);
  const [a = 0, b = 0, c = 0, d = 0] = q;
  if (m.shape.kind === "rod") m.el.setAttribute("d", shapes.rod(a, b, c, d));
  else if (m.shape.kind === "spring") m.el.setAttribute("d", shapes.spring(a, b, c, d));
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
      if (shape.kind !== layer) continue;
      const el = outline(shape, scene.width);
      el.classList.add("shape", shape.kind);
      picture.append(el);
      moving.push({ shape, data: places(shape.data), el });
    }
  }

  const player = makePlayer(scene, (frame) => moving.forEach((m) => put(scene, m, frame)));
  live.append(picture, player.bar);
  figure.append(live);
  figure.classList.add("lively");
  player.show(0);
}
