// The cursor through colours over time: a line in the still picture, which leads the page and follows it.
import { make, svg } from "./dom.ts";
import { short } from "./format.ts";
import { seek } from "./plot.ts";

export function showHeat(el: HTMLElement): void {
  const picture = el.querySelector("svg");
  const numbers = (name: string): number[] => (el.dataset[name] ?? "").split(" ").map(Number);
  const [from = 0, to = 0] = numbers("time");
  const [low = 0, high = 0] = numbers("index");
  const [left = 0, top = 0, width = 0, height = 0] = numbers("area");
  if (!picture || !(to > from) || !(width > 0)) return;
  const line = svg("g", { class: "now", "aria-hidden": "true", visibility: "hidden" });
  for (const [stroke, w] of [["#fff", "3"], ["#000", "1"]]) line.append(svg("path", { d: `M0,${top}v${height}`, stroke: stroke!, "stroke-width": w! }));
  picture.append(line);
  const words = make("output", { class: "value hint", "aria-live": "polite" });
  const holder = picture.parentElement!;
  Object.entries({ tabindex: "0", role: "application", "aria-roledescription": "plot", "aria-label": `${el.getAttribute("aria-label") ?? ""}. Arrow keys move the cursor.` }).forEach(([k, v]) => holder.setAttribute(k, v));
  el.append(words);
  let at = NaN;
  document.addEventListener("viva-time", (e) => {
    at = (e as CustomEvent<number>).detail;
    const seen = at >= from && at <= to;
    line.setAttribute("visibility", seen ? "visible" : "hidden");
    if (seen) line.setAttribute("transform", `translate(${left + (width * (at - from)) / (to - from)})`);
  });
  holder.addEventListener("mousemove", (e) => {
    const place = picture.getScreenCTM()?.inverse();
    if (!place) return;
    const p = new DOMPoint(e.clientX, e.clientY).matrixTransform(place);
    const [x, y] = [(p.x - left) / width, 1 - (p.y - top) / height];
    if (x < 0 || x > 1 || y < 0 || y > 1) return;
    const time = from + x * (to - from);
    words.textContent = `t = ${short(time)} s, ${(el.dataset["name"] ?? "").split(" (")[0]} = ${Math.round(low + y * (high - low))}`;
    seek(time);
  });
  holder.addEventListener("mouseleave", () => (words.textContent = ""));
  holder.addEventListener("keydown", (e) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[e.key];
    if (!step || e.ctrlKey || e.metaKey || e.altKey) return;
    e.preventDefault();
    const time = Math.min(Math.max((at >= from && at <= to ? at : (from + to) / 2) + (step * (to - from)) / 100, from), to);
    words.textContent = `t = ${short(time)} s`;
    seek(time);
  });
}
