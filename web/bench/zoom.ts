// How long a frame takes while a page with 300,000 points is zoomed: node test/run.mjs bench
import { statSync } from "node:fs";
import { close, model, open, quit, report } from "../browser/support.ts";

const file = model("long", "param k = 40\ncoord x = 1 [m], y [m]\nkinetic 1/2*x'^2 + 1/2*y'^2\npotential 1/2*k*x^2 + 1/2*3*k*(x - y)^2\nplot x, y\nplot x'\nplot y' against y\nsimulate to 300 step 0.001\n");
const page = report("long", file);
console.log(`Page with 300,001 points a curve: ${(statSync(page).size / 1e6).toFixed(1)} MB`);
const start = Date.now();
const o = await open(page);
await o.page.waitForSelector("#plots .live canvas");
console.log(`  opened and drawn after ${Date.now() - start} ms`);

// Zooms in and out again, one key a frame: the script's own time, and the time from frame to frame. Of several rounds the
// best time of each step counts, because other programs run, too.
const rounds = 8;
for (const [name, index] of [["two panels over time", 0], ["phase plane", 2]] as const) {
  const least: { own: number[]; between: number[] } = { own: [], between: [] };
  for (let round = 0; round < rounds; round++) {
    const times = await o.page.evaluate(async (panel) => {
      const el = document.querySelectorAll<HTMLElement>("#plots .live .panel")[panel]!;
      el.scrollIntoView();
      const frame = () => new Promise<number>((done) => requestAnimationFrame(done));
      const own: number[] = [];
      const between: number[] = [];
      let last = await frame();
      for (let i = 0; i < 60; i++) {
        const t = performance.now();
        el.dispatchEvent(new KeyboardEvent("keydown", { key: i < 30 ? "+" : "-", bubbles: true }));
        await Promise.resolve();
        own.push(performance.now() - t);
        const now = await frame();
        between.push(now - last);
        last = now;
      }
      return { own, between };
    }, index);
    for (const k of ["own", "between"] as const) least[k] = times[k].map((v, i) => Math.min(v, least[k][i] ?? Infinity));
  }
  const of = (v: number[], part: number) => [...v].sort((a, b) => a - b)[Math.min(Math.floor(part * v.length), v.length - 1)]!.toFixed(1);
  console.log(`  zooming, ${name}: script ${of(least.own, 0.5)} ms (worst step ${of(least.own, 1)}), frame to frame ${of(least.between, 0.5)} ms (worst step ${of(least.between, 1)})`);
}
await close(o);
await quit();
