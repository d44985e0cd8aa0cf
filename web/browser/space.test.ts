// Scenes in space in a browser: turned, moved, in the dark, in print.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { animation, close, example, model, open, type Opened, quit, report, shot, table } from "./support.ts";

const text = `title "A pendulum in space"
param l = 0.5 [m], g = 9.81 [m/s^2]
coord a = 0.3, b = 1.2
init a' = 2
let O = [0, 0, 1] [m]
let P = O + l*[sin(b)*cos(a), sin(b)*sin(a), -cos(b)]
kinetic 1/2*|P'|^2
potential g*P.z
output x = P.x, y = P.y, z = P.z
plot x, y, z
draw support O, rod O P, mass P, trail P
simulate to 4 step 0.01
`;
let file = "";
let path = "";
let o: Opened;
let page: Page;

before(async () => {
  file = model("space", text);
  path = report("space", file);
  o = await open(path);
  page = o.page;
  await page.waitForSelector(".space .view[data-view]");
});

after(async () => {
  await close(o);
  await quit();
});

const view = async (p = page): Promise<number[]> => (await p.locator(".space .view").getAttribute("data-view"))!.split(" ").map(Number);
const settle = (p = page): Promise<void> => p.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

async function at(time: number): Promise<void> {
  const slider = page.getByRole("slider", { name: "Time" });
  const last = Number(await slider.getAttribute("max"));
  await slider.evaluate((el, v) => {
    (el as HTMLInputElement).value = String(v);
    el.dispatchEvent(new Event("input"));
  }, (time / 4) * last);
  await settle();
}

// The middle of all pixels whose hue is that of a variable of the page, in CSS pixels of the canvas; how many there are.
function blob(p: Page, variable: string): Promise<{ x: number; y: number; count: number }> {
  return p.evaluate((name) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".space .view canvas")!;
    const copy = document.createElement("canvas");
    copy.width = canvas.width;
    copy.height = canvas.height;
    const c = copy.getContext("2d", { willReadFrequently: true })!;
    c.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name).trim();
    c.fillRect(0, 0, 1, 1);
    const want = [...c.getImageData(0, 0, 1, 1).data].slice(0, 3);
    c.clearRect(0, 0, 1, 1);
    c.drawImage(canvas, 0, 0);
    const { data, width } = c.getImageData(0, 0, copy.width, copy.height);
    const n = (v: number[]): number => Math.hypot(...v) || 1;
    let [x, y, count] = [0, 0, 0];
    for (let i = 0; i < data.length; i += 4) {
      const rgb = [data[i]!, data[i + 1]!, data[i + 2]!];
      if (data[i + 3]! < 250 || n(rgb) < 60) continue;
      const same = (rgb[0]! * want[0]! + rgb[1]! * want[1]! + rgb[2]! * want[2]!) / (n(rgb) * n(want));
      if (same < 0.995) continue;
      x += (i / 4) % width;
      y += Math.floor(i / 4 / width);
      count++;
    }
    const ratio = canvas.width / canvas.clientWidth;
    return { x: x / count / ratio, y: y / count / ratio, count };
  }, variable);
}

test("it opens without errors, asks for nothing, and the still picture makes room", async () => {
  await shot(page, "space_light");
  assert.ok(((await page.locator(".space canvas").boundingBox())?.height ?? 0) > 200);
  assert.ok(await page.locator("#scene .still").isHidden());
  assert.deepEqual(o.problems, []);
});

test("it starts where the camera of the program stands", async () => {
  const [azimuth, elevation, zoom] = await view();
  assert.ok(Math.abs(azimuth! - (Math.atan2(-2, 1) * 180) / Math.PI) < 0.01, `${azimuth}`);
  assert.ok(Math.abs(elevation! - (Math.asin(1 / Math.sqrt(6)) * 180) / Math.PI) < 0.01, `${elevation}`);
  assert.equal(zoom, 1);
});

test("seen along an axis, the mass moves by what the table says, in every direction", async () => {
  const t = table(file);
  const place = (time: number, name: string): number => t.rows.find((r) => Math.abs(r[0]! - time) < 1e-9)![t.names.indexOf(name)]!;
  for (const [label, right, sign] of [["Look along x", "y", 1], ["Look along y", "x", 1]] as const) {
    await page.getByRole("button", { name: label }).click();
    await at(0);
    const scale = Number(await page.locator(".space .view").getAttribute("data-scale"));
    const from = await blob(page, "--curve0");
    assert.ok(from.count > 60, `${from.count} pixels`);
    for (const time of [0.3, 0.9, 2]) {
      await at(time);
      const to = await blob(page, "--curve0");
      const dx = sign * scale * (place(time, right) - place(0, right));
      const dy = -scale * (place(time, "z") - place(0, "z"));
      assert.ok(Math.abs(to.x - from.x - dx) < 1.5 && Math.abs(to.y - from.y - dy) < 1.5, `${label} at ${time}: ${to.x - from.x} ${to.y - from.y}, not ${dx} ${dy}`);
    }
  }
  await page.getByRole("button", { name: "Show all" }).nth(1).click();
  await settle();
});

test("mouse, keys and buttons turn, move and zoom it", async () => {
  const start = await view();
  await page.locator(".space .view").scrollIntoViewIfNeeded();
  const box = (await page.locator(".space .view").boundingBox())!;
  await page.mouse.move(box.x + 300, box.y + 150);
  await page.mouse.down();
  await page.mouse.move(box.x + 400, box.y + 200, { steps: 4 });
  await page.mouse.up();
  await settle();
  const [a, e] = await view();
  assert.ok(Math.abs(a! - (start[0]! - (100 * 0.009 * 180) / Math.PI)) < 0.1, `${a} from ${start[0]}`);
  assert.ok(e! > start[1]!);
  await page.locator(".space .view").focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("+");
  await settle();
  const turned = await view();
  assert.ok(Math.abs(turned[0]! - a! - 5) < 0.01 && turned[2] === 1.25, `${turned}`);
  const before = await blob(page, "--curve0");
  await page.keyboard.press("Shift+ArrowRight");
  await settle();
  const moved = await blob(page, "--curve0");
  assert.ok(Math.abs(moved.x - before.x - 20) < 1.5 && Math.abs(moved.y - before.y) < 1.5, `${moved.x - before.x}`);
  await page.keyboard.press("0");
  await settle();
  assert.deepEqual(await view(), start);
  await page.getByRole("button", { name: "Turn left" }).click();
  await settle();
  assert.ok(Math.abs((await view())[0]! - start[0]! + 15) < 0.01);
  await page.locator(".space .view").dblclick();
  await settle();
  assert.deepEqual(await view(), start);
});

test("two fingers zoom", async () => {
  const start = await view();
  await page.locator(".space .view").evaluate((el) => {
    const send = (type: string, id: number, x: number): void => void el.dispatchEvent(new PointerEvent(type, { pointerId: id, clientX: x, clientY: 100, pointerType: "touch", bubbles: true }));
    el.setPointerCapture = (): void => {}; // there is no real pointer to hold
    send("pointerdown", 11, 100);
    send("pointerdown", 12, 200);
    send("pointermove", 12, 300);
    send("pointerup", 11, 100);
    send("pointerup", 12, 300);
  });
  await settle();
  assert.ok(Math.abs((await view())[2]! - 2) < 0.01, `${await view()}`);
  await page.getByRole("button", { name: "Show all" }).nth(1).click();
  await settle();
  assert.deepEqual(await view(), start);
});

test("the plots mark the time that is shown", async () => {
  await at(1);
  const over = (await page.locator("#plots .u-over").first().boundingBox())!;
  const now = (await page.locator("#plots .now").first().boundingBox())!;
  assert.ok(Math.abs((now.x - over.x) / over.width - 0.25) < 0.01, `${now.x - over.x} of ${over.width}`);
  await page.getByRole("button", { name: "Play or pause" }).click();
  await page.waitForTimeout(400);
  await page.getByRole("button", { name: "Play or pause" }).click();
  const later = (await page.locator("#plots .now").first().boundingBox())!;
  assert.ok(later.x > now.x + 5, `${later.x} after ${now.x}`);
});

test("trails and poses can be shown and hidden", async () => {
  await at(4);
  const trail = (await blob(page, "--curve1")).count;
  assert.ok(trail > 100, `${trail}`);
  await page.getByLabel("trails").uncheck();
  await settle();
  assert.equal((await blob(page, "--curve1")).count, 0);
  await page.getByLabel("trails").check();
  await page.getByLabel("poses").check();
  await settle();
  await shot(page, "space_poses");
  await page.getByLabel("poses").uncheck();
});

test("light and dark, and the picture follows", async () => {
  const picture = (): Promise<string> => page.evaluate(() => document.querySelector<HTMLCanvasElement>(".space canvas")!.toDataURL());
  // on its way to the button the mouse may cross a plot, whose cursor leads the scene
  await page.getByRole("button", { name: "Light or dark" }).hover();
  await settle();
  const light = await picture();
  await page.getByRole("button", { name: "Light or dark" }).click();
  await settle();
  assert.notEqual(await picture(), light);
  await shot(page, "space_dark");
  await page.getByRole("button", { name: "Light or dark" }).click();
  await settle();
  assert.equal(await picture(), light);
});

test("a print has the still picture", async () => {
  await page.emulateMedia({ media: "print" });
  await shot(page, "space_print");
  assert.ok(await page.locator("#scene .still svg").isVisible());
  assert.equal(await page.locator(".live:visible").count(), 0);
  await page.emulateMedia({ media: "screen" });
});

test("everything has a name, and the keyboard reaches it", async () => {
  const nameless = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("#scene button, #scene input, #scene select, #scene [tabindex]")].filter((e) => {
      const label = (e as HTMLInputElement).labels?.[0]?.textContent ?? "";
      return !(e.getAttribute("aria-label") ?? "").trim() && !e.textContent!.trim() && !label.trim();
    }).length,
  );
  assert.equal(nameless, 0);
  assert.ok(await page.locator(".space .view").evaluate((e) => e.tabIndex === 0));
});

test("the motion alone is a page, too, and obeys the keyboard", async () => {
  const q = await open(animation("space_alone", file, "--theme", "dark", "--camera", "1,1,0.5"));
  await q.page.waitForSelector(".space .view[data-view]");
  const [azimuth] = await view(q.page);
  assert.ok(Math.abs(azimuth! - 45) < 0.01, `${azimuth}`);
  await q.page.locator(".space .view").focus();
  const clock = (): Promise<string> => q.page.locator(".bar output").first().innerText();
  assert.equal(await clock(), "t = 0.00 s");
  await q.page.keyboard.press(" ");
  await q.page.waitForTimeout(400);
  await q.page.keyboard.press(" ");
  assert.notEqual(await clock(), "t = 0.00 s");
  await shot(q.page, "space_alone");
  assert.deepEqual(q.problems, []);
  await close(q);
});

test("on a telephone it fits", async () => {
  const q = await open(path, { width: 360, touch: true });
  await q.page.waitForSelector(".space .view[data-view]");
  assert.ok((await q.page.evaluate(() => document.documentElement.scrollWidth)) <= 360);
  await shot(q.page, "space_narrow");
  await close(q);
});

test("a browser without WebGL keeps the picture and says so", async () => {
  const q = await open(path);
  await q.page.context().close();
  const again = await open(path, { webgl: false });
  assert.ok(await again.page.locator("#scene .still svg").isVisible());
  assert.match(await again.page.locator("#scene .hint").innerText(), /WebGL/);
  await close(again);
});

test("bodies have links, frames, boxes, marks and trails, which can be hidden", async () => {
  const q = await open(animation("bodies", example("exo/exo"), "--case", "falling", "--to", "1"));
  await q.page.waitForSelector(".space .view[data-view]");
  await settle(q.page);
  const picture = (): Promise<string> => q.page.evaluate(() => document.querySelector<HTMLCanvasElement>(".space canvas")!.toDataURL());
  for (const name of ["frames", "inertia boxes"]) {
    const whole = await picture();
    await q.page.getByLabel(name).uncheck();
    await settle(q.page);
    assert.notEqual(await picture(), whole, name);
    await q.page.getByLabel(name).check();
    await settle(q.page);
    assert.equal(await picture(), whole, name);
  }
  await shot(q.page, "space_bodies");
  assert.deepEqual(q.problems, []);
  await close(q);
});

test("pages without space carry nothing of it", () => {
  const flat = report("flat", example("cart_double_pendulum"));
  assert.ok(!readFileSync(flat, "utf8").includes("three.js"));
  assert.ok(readFileSync(path, "utf8").includes("three.js"), "a page in space does");
  assert.ok(statSync(path).size < 1.2e6, `${statSync(path).size}`);
});
