// Families in a page, and one cursor through plots and mechanism.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { animation, close, model, open, type Opened, quit, range, report, shot, table } from "./support.ts";

const text = `title "Crane"
param l = 0.8 [m], g = 9.81 [m/s^2]
coord th = 1 [rad]
let P = [l*sin(th), -l*cos(th)]
kinetic 1/2*|P'|^2
potential g*P.y
plot th
plot th' against th
draw rod [0, 0] P, mass P, line [-0.2, 0] [0.2, 0]
simulate to 2 step 0.01
`;
let file = "";
let o: Opened;
let page: Page;

before(async () => {
  file = model("crane", text);
  o = await open(report("crane", file));
  page = o.page;
});

after(async () => {
  await close(o);
  await quit();
});

async function pointAt(part: number): Promise<void> {
  const over = page.locator("#plots .live .panel").first().locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await page.mouse.move(box.x + part * box.width, box.y + 0.5 * box.height);
  await page.waitForTimeout(80);
}

// The number in a text such as "t = 0.50 s".
const number = (s: string | null): number => Number(/-?[0-9.]+/.exec(s ?? "")![0]);

test("the cursor of a plot leads the mechanism and the dot of the phase plane", async () => {
  const t = table(file);
  for (const part of [0.25, 0.5, 0.8]) {
    await pointAt(part);
    const time = number(await page.locator("#scene .bar output").first().textContent());
    assert.ok(Math.abs(time - 2 * part) < 0.015, `${time} at ${part}`);
    const row = t.rows[Math.round(time / 0.01)]!;
    const [th, rate] = [row[t.names.indexOf("th")]!, row[t.names.indexOf("th'")]!];
    // the rod hangs where the table says
    const d = (await page.locator("#scene .live .rod").first().getAttribute("d"))!;
    const [x0, y0, x1, y1] = [...d.matchAll(/-?[0-9.]+/g)].map(Number);
    const angle = Math.atan2(x1! - x0!, y1! - y0!);
    assert.ok(Math.abs(angle - th) < 0.05, `${angle} is not ${th}`);
    // the dot stands where the path is
    const dot = await page.locator("#plots .live .dot").evaluate((el) => {
      const over = el.parentElement!;
      return [parseFloat((el as HTMLElement).style.left) / over.clientWidth, parseFloat((el as HTMLElement).style.top) / over.clientHeight];
    });
    const [x, y] = [await range(page, 1, "x"), await range(page, 1, "y")];
    assert.ok(Math.abs(x[0] + dot[0]! * (x[1] - x[0]) - th) < 0.05);
    assert.ok(Math.abs(y[1] - dot[1]! * (y[1] - y[0]) - rate) < 0.15);
  }
  assert.deepEqual(o.problems, []);
});

test("while it plays the cursor does not hold it", async () => {
  await page.locator("#scene button", { hasText: "Play" }).click();
  await pointAt(0.1);
  await page.waitForTimeout(300);
  const first = number(await page.locator("#scene .bar output").first().textContent());
  await page.waitForTimeout(300);
  assert.notEqual(number(await page.locator("#scene .bar output").first().textContent()), first);
  await page.locator("#scene button", { hasText: "Pause" }).click();
});

test("a slider chooses a member, and the others are ghosts", async () => {
  const family = await open(report("members", file, "--set", "l=[0.4, 0.6, 0.8]"));
  const faint = () => family.page.locator("#scene .live .rod").evaluateAll((all) => all.map((el) => Number(getComputedStyle(el).opacity)));
  assert.deepEqual(await faint(), [1, 1, 1]);
  const slider = family.page.locator("#scene input[aria-label=Member]");
  await slider.fill("2");
  assert.deepEqual(await faint(), [0.13, 1, 0.13]);
  assert.equal(await slider.getAttribute("aria-valuetext"), "l = 0.6 m");
  // what rests in all of them is there once, and stays
  assert.equal(await family.page.locator("#scene .live .line").count(), 1);
  await shot(family.page, "members");
  await slider.fill("0");
  assert.deepEqual(await faint(), [1, 1, 1]);
  assert.deepEqual(family.problems, []);
  await close(family);
});

test("many members have a bar of colours, also in the page with the motion alone", async () => {
  const alone = await open(animation("many", file, "--set", "l=0.3:0.1:1.2"));
  assert.equal(await alone.page.locator("svg.bar").count(), 1);
  await alone.page.locator("#member").fill("10");
  assert.equal(await alone.page.locator("#who").textContent(), "l = 1.2 m");
  const seen = await alone.page.locator("path[data-s]").evaluateAll((all) => all.filter((el) => getComputedStyle(el).opacity === "1").length);
  assert.equal(seen, 2); // a rod, and the line of all
  assert.deepEqual(alone.problems, []);
  await close(alone);
});

const rod = `param n = 8, a = 5 [1/s], Th = 350 [K]
coord x = 0.3 [m]
state T[i] = 300 [K] for i in 1 .. n
let T[0] = Th
let T[n+1] = T[n]
let P = [x, 0]
kinetic 1/2*x'^2
potential 8 [1/s^2]*x^2
T[i]' = a*(T[i-1] - 2*T[i] + T[i+1]) for i in 1 .. n
plot x
heat T[i] over i
plot T[i] over i
plot T[i] over i in 2 .. 5
draw mass P
simulate to 4 step 0.01
`;

test("apart, the panels of members stand in a grid, and below each other on a telephone", async () => {
  const page = report("apart", file, "--set", "l=[0.4,0.8,1.2,1.6]", "--apart");
  for (const [width, columns] of [[1100, 2], [360, 1]] as const) {
    const opened = await open(page, { width });
    const boxes = await opened.page.locator("#plots .live .panel").evaluateAll((all) => all.map((el) => el.getBoundingClientRect()).map((b) => [Math.round(b.left), Math.round(b.top), b.width] as const));
    assert.equal(boxes.length, 8); // two plots of four members
    assert.equal(new Set(boxes.map((b) => b[0])).size, columns);
    assert.equal(new Set(boxes.map((b) => b[1])).size, 8 / columns);
    assert.ok(boxes.every((b) => b[2] > 230 && b[2] < 1100 / columns));
    await shot(opened.page, `apart${width}`);
    assert.deepEqual(opened.problems, []);
    await close(opened);
  }
});

test("members with many curves have a panel each, which says whose it is", async () => {
  const many = `param n = 14, a = 5 [1/s]
state T[i] = i for i in 1 .. n
T[i]' = -a*T[i] for i in 1 .. n
plot T[1]
plot T[i] for i in 1 .. n
simulate to 1 step 0.1
`;
  const opened = await open(report("many", model("many", many), "--set", "a=1:1:6"));
  assert.equal(await opened.page.locator("#plots .live .panel").count(), 7);
  assert.deepEqual(await opened.page.locator("#plots .live .caption").allTextContents(), [1, 2, 3, 4, 5, 6].map((a) => `a = ${a} 1/s`));
  const widths = await opened.page.locator("#plots .live .panel").evaluateAll((all) => all.map((el) => el.getBoundingClientRect().width));
  assert.ok(widths[0]! > 1.8 * widths[1]!, `${widths}`);
  assert.deepEqual(opened.problems, []);
  await close(opened);
});

test("the cursor goes through colours over time, both ways", async () => {
  const opened = await open(report("rod", model("rod", rod)));
  const p = opened.page;
  const heat = p.locator("figure[data-time]");
  assert.equal(await heat.count(), 1);
  const area = (await heat.getAttribute("data-area"))!.split(" ").map(Number);
  const line = heat.locator("g.now");
  const at = async (): Promise<number> => Number(/[0-9.]+/.exec((await line.getAttribute("transform"))!)![0]);
  // from a plot to the colours: a quarter of the time is a quarter of the area
  const over = p.locator("#plots .live .u-over").first();
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await p.mouse.move(box.x + 0.25 * box.width, box.y + 20);
  await p.waitForTimeout(80);
  assert.equal(await line.getAttribute("visibility"), "visible");
  assert.ok(Math.abs((await at()) - area[0]! - 0.25 * area[2]!) < 3, `${await at()}`);
  // from the colours to plots and mechanism; the words tell index and time
  const svg = heat.locator("svg");
  await svg.scrollIntoViewIfNeeded();
  const picture = (await svg.boundingBox())!;
  const [width, height] = await svg.evaluate((el) => [(el as unknown as SVGSVGElement).viewBox.baseVal.width, (el as unknown as SVGSVGElement).viewBox.baseVal.height]);
  const y = area[1]! + area[3]! * (1 - 3.5 / 10); // the fourth of the ten rows 0 .. 9
  await p.mouse.move(picture.x + ((area[0]! + area[2]! / 2) * picture.width) / width!, picture.y + (y * picture.height) / height!);
  await p.waitForTimeout(80);
  const time = number(await p.locator("#scene .bar output").first().textContent());
  assert.ok(Math.abs(time - 2) < 0.03, `${time}`);
  assert.match((await heat.locator("output").textContent())!, /^t = (1\.9[6-9]|2(\.0[0-4])?)[0-9]* s, i = 3$/);
  // by the keyboard
  await heat.locator(".still").focus();
  await p.keyboard.press("ArrowRight");
  await p.waitForTimeout(80);
  assert.ok(Math.abs((await at()) - area[0]! - 0.51 * area[2]!) < 5, `${await at()}`);
  await shot(p, "heat");
  // profiles over a part of the index have an axis of their own
  assert.deepEqual(await range(p, 1), [0, 9]);
  assert.deepEqual(await range(p, 2), [2, 5]);
  await p.getByRole("button", { name: "Show all" }).last().click();
  assert.deepEqual(await range(p, 2), [2, 5]);
  assert.deepEqual(opened.problems, []);
  await close(opened);
});
