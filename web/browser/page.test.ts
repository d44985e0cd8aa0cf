// The page in a browser.
import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, example, model, open, type Opened, quit, range, report, root, shot, table } from "./support.ts";

let cart = "";
let o: Opened;
let page: Page;

before(async () => {
  cart = report("cart", example("cart_double_pendulum"));
  o = await open(cart);
  page = o.page;
});

after(async () => {
  await close(o);
  await quit();
});

const plots = () => page.locator("#plots .live .panel");

async function drag(p: Page, panel: number, from: [number, number], to: [number, number], shift = false): Promise<void> {
  const over = p.locator(".live .panel").nth(panel).locator(".u-over");
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  if (shift) await p.keyboard.down("Shift");
  await p.mouse.move(box.x + from[0] * box.width, box.y + from[1] * box.height);
  await p.mouse.down();
  await p.mouse.move(box.x + to[0] * box.width, box.y + to[1] * box.height, { steps: 5 });
  await p.mouse.up();
  if (shift) await p.keyboard.up("Shift");
  await p.waitForTimeout(50);
}

// How many pixels of a canvas are near a colour.
function inked(p: Page, panel: number, variable: string): Promise<number> {
  return p.evaluate(
    ([index, name]) => {
      const canvas = document.querySelectorAll<HTMLCanvasElement>(".live .panel canvas")[index as number]!;
      const probe = document.createElement("canvas").getContext("2d")!;
      probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue(name as string).trim();
      probe.fillRect(0, 0, 1, 1);
      const [r, g, b] = probe.getImageData(0, 0, 1, 1).data;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let n = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3]! > 128 && Math.abs(data[i]! - r!) < 24 && Math.abs(data[i + 1]! - g!) < 24 && Math.abs(data[i + 2]! - b!) < 24) n++;
      }
      return n;
    },
    [panel, variable] as const,
  );
}

test("the page opens without errors and asks for nothing", async () => {
  await page.waitForSelector("#plots .live canvas");
  assert.equal(await plots().count(), 2);
  assert.ok(await page.locator("#plots .still").isHidden());
  await shot(page, "light");
  assert.deepEqual(o.problems, []);
});

test("the page is smaller than a megabyte", () => {
  assert.ok(statSync(cart).size < 1e6, `${statSync(cart).size}`);
});

test("equations are drawn", async () => {
  const boxes = await page.locator("#equations math").evaluateAll((all) => all.map((m) => m.getBoundingClientRect()).map((b) => [b.width, b.height]));
  assert.ok(boxes.length >= 3, `${boxes.length} equations`);
  for (const [w, h] of boxes) assert.ok(w! > 60 && h! > 12, `${w} x ${h}`);
  // fractions and accents are laid out, not read as words
  const tall = await page.locator("#equations math").first().evaluate((m) => m.querySelectorAll("mover, msub, msup, mfrac").length);
  assert.ok(tall > 3);
});

test("dragging zooms, both panels follow, and a double click shows all", async () => {
  assert.deepEqual(await range(page, 0), [0, 10]);
  await drag(page, 0, [0.2, 0.5], [0.6, 0.5]);
  const [lo, hi] = await range(page, 0);
  assert.ok(Math.abs(lo - 2) < 0.1 && Math.abs(hi - 6) < 0.1, `${lo} .. ${hi}`);
  assert.deepEqual(await range(page, 1), [lo, hi]);
  await page.locator("#plots .u-over").first().dblclick();
  assert.deepEqual(await range(page, 0), [0, 10]);
});

test("buttons, keys and the wheel zoom and move", async () => {
  await page.getByRole("button", { name: "Zoom in" }).first().click();
  assert.deepEqual(await range(page, 0), [2.5, 7.5]);
  await page.getByRole("button", { name: "Move right" }).first().click();
  assert.deepEqual(await range(page, 0), [3.75, 8.75]);
  await page.getByRole("button", { name: "Zoom out" }).first().click();
  assert.deepEqual(await range(page, 0), [0, 10]);
  await plots().first().focus();
  await page.keyboard.press("+");
  assert.deepEqual(await range(page, 0), [1, 9]);
  await page.keyboard.press("Shift+ArrowLeft");
  const [lo, hi] = await range(page, 0);
  assert.ok(Math.abs(lo - 0.2) < 1e-9 && Math.abs(hi - 8.2) < 1e-9);
  await drag(page, 0, [0.5, 0.5], [0.25, 0.5], true);
  const moved = await range(page, 0);
  assert.ok(Math.abs(moved[0] - 2) < 0.1, `${moved}`);
  await page.keyboard.press("0");
  assert.deepEqual(await range(page, 0), [0, 10]);
  const box = (await page.locator("#plots .u-over").first().boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + 50);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -100);
  await page.keyboard.up("Control");
  await page.waitForTimeout(50);
  const wheeled = await range(page, 0);
  assert.ok(wheeled[1] - wheeled[0] < 8.1, `${wheeled}`);
  await page.getByRole("button", { name: "Show all" }).first().click();
});

test("zooming into a part fits the y axis to it", async () => {
  const whole = await range(page, 0, "y");
  await drag(page, 0, [0.5, 0.5], [0.9, 0.5]);
  const part = await range(page, 0, "y");
  assert.ok(part[1] - part[0] < 0.5 * (whole[1] - whole[0]), `${whole} ${part}`);
  await page.getByRole("button", { name: "Show all" }).first().click();
});

test("the cursor tells the values of the table", async () => {
  const t = table(example("cart_double_pendulum"));
  const over = page.locator("#plots .u-over").nth(1);
  await over.scrollIntoViewIfNeeded();
  const box = (await over.boundingBox())!;
  await page.mouse.move(box.x + 0.4 * box.width, box.y + 60);
  await page.waitForTimeout(100);
  const words = await page.locator("#plots .live .legend").nth(1).innerText();
  const time = Number(/t = ([\d.]+) s/.exec(words)![1]);
  const row = t.rows.find((r) => Math.abs(r[0]! - time) < 1e-9)!;
  for (const name of ["th1", "th2"]) {
    const value = row[t.names.indexOf(name)]!;
    assert.ok(words.includes(String(Number(value.toPrecision(6))).replace("-", "−")), `${name} = ${value} at ${time}: ${words}`);
  }
});

test("the arrow keys move the cursor", async () => {
  await plots().nth(1).focus();
  await page.keyboard.press("ArrowRight");
  const first = await page.locator("#plots .live .legend").nth(1).innerText();
  for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(50);
  assert.notEqual(await page.locator("#plots .live .legend").nth(1).innerText(), first);
});

test("hiding a curve hides it, and showing it brings it back", async () => {
  const box = page.locator("#plots .live .legend").nth(1).getByRole("checkbox").first();
  await page.mouse.move(5, 5);
  const before = await inked(page, 1, "--curve0");
  assert.ok(before > 300, `${before}`);
  await box.uncheck();
  await page.waitForTimeout(50);
  assert.equal(await inked(page, 1, "--curve0"), 0);
  assert.ok((await inked(page, 1, "--curve1")) > 200, "the other one stays");
  await box.check();
  await page.waitForTimeout(50);
  assert.ok((await inked(page, 1, "--curve0")) > 0.8 * before);
});

test("the slider moves the mechanism to where the table says", async () => {
  const t = table(example("cart_double_pendulum"));
  const slider = page.getByRole("slider", { name: "Time" });
  const last = Number(await slider.getAttribute("max"));
  const start = await page.locator("#scene .rod").first().getAttribute("d");
  for (const part of [0.08, 0.13, 0.5]) {
    await slider.evaluate((el, v) => {
      (el as HTMLInputElement).value = String(v);
      el.dispatchEvent(new Event("input"));
    }, part * last);
    const d = (await page.locator("#scene .rod").first().getAttribute("d"))!;
    assert.notEqual(d, start);
    const [x1, y1, x2, y2] = d.match(/-?[\d.]+/g)!.map(Number) as [number, number, number, number];
    const row = t.rows.find((r) => Math.abs(r[0]! - 10 * part) < 1e-9)!;
    const angle = row[t.names.indexOf("th1")]!;
    // the rod stands at the angle from the upright, a 32nd of a pixel more or less
    const seen = Math.atan2(x2 - x1, y1 - y2);
    assert.ok(Math.abs(Math.sin((seen - angle) / 2)) < 2e-3, `at ${10 * part} s: ${seen}, not ${angle}`);
  }
});

test("it plays, pauses and obeys the keyboard", async () => {
  const slider = page.getByRole("slider", { name: "Time" });
  const at = async () => Number(await slider.inputValue());
  await slider.focus();
  const here = await at();
  await page.keyboard.press("ArrowLeft");
  assert.ok((await at()) < here);
  await page.getByRole("button", { name: "Play or pause" }).click();
  const before = await at();
  const moved = async () => {
    for (let waited = 0; waited < 10000 && (await at()) === before; waited += 50) await page.waitForTimeout(50);
    return (await at()) !== before;
  };
  assert.ok(await moved());
  await page.getByRole("button", { name: "Play or pause" }).click();
  const still = await at();
  await page.waitForTimeout(100);
  assert.equal(await at(), still);
});

test("the table that is downloaded has the numbers of `viva run --out`, bit by bit", async () => {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download motion.csv" }).click()]);
  const lines = readFileSync((await download.path())!, "utf8").trimEnd().split("\n");
  const t = table(example("cart_double_pendulum"));
  assert.equal(lines[0], t.names.join(","));
  assert.equal(lines.length, t.rows.length + 1);
  lines.slice(1).forEach((line, i) => assert.deepEqual(line.split(",").map(Number), t.rows[i]));
});

test("the linear model has its eigenvalues, poles and modes", async () => {
  const rows = await page.locator("#linear table", { hasText: "Eigenvalues" }).locator("tbody tr").count();
  assert.equal(rows, 6);
  for (const id of ["poles", "modes"]) assert.ok(((await page.locator(`#${id} .still svg`).boundingBox())?.height ?? 0) > 100, id);
});

test("the model stands there with its colours, letter by letter", async () => {
  const text = await page.locator("#model pre code").first().evaluate((e) => e.textContent);
  assert.equal(text, readFileSync(example("cart_double_pendulum"), "utf8"));
  const colours = await page.locator("#model pre").first().evaluate((e) => new Set([...e.querySelectorAll("span")].map((s) => getComputedStyle(s).color)).size);
  assert.ok(colours >= 5, `${colours} colours`);
});

test("a print has everything and nothing that needs a screen", async () => {
  await page.emulateMedia({ media: "print" });
  await shot(page, "print");
  assert.equal(await page.locator(".live:visible").count(), 0);
  assert.equal(await page.locator("nav:visible").count(), 0);
  const stills = page.locator(".still svg");
  assert.equal(await stills.count(), 5);
  for (let i = 0; i < 5; i++) assert.ok(((await stills.nth(i).boundingBox())?.height ?? 0) > 100);
  for (const id of ["model", "equations", "parameters", "motion", "animation", "energy", "linear", "results", "run"]) assert.ok(await page.locator(`#${id} h2`).isVisible(), id);
  const pdf = await page.pdf({ format: "A4" });
  assert.ok(pdf.length > 20000);
  await page.emulateMedia({ media: "screen" });
});

test("phase planes, springs and vectors live as well", async () => {
  const text = readFileSync(example("quarter_car"), "utf8");
  const file = model("plane", `${text}\nlet W = [0, q1], B = [0, q2], R = [0, x0]\nplot q2' against q2\nplot x0, stroke\nplot q1^2 "square" log\ndraw ground R, spring R W, mass W, spring W B, cart B, vector B [0, Fs], trail B\n`);
  const q = await open(report("plane", file));
  assert.equal(await q.page.locator("#plots .live .panel").count(), 3);
  const [lo, hi] = await range(q.page, 0);
  const y = await range(q.page, 0, "y");
  await drag(q.page, 0, [0.25, 0.25], [0.5, 0.75]);
  const near = await range(q.page, 0);
  const nearY = await range(q.page, 0, "y");
  assert.ok(near[0] > lo && near[1] < hi && nearY[0] > y[0] && nearY[1] < y[1], `${[lo, hi]} ${y}: ${near} ${nearY}`);
  assert.deepEqual(await range(q.page, 1), [0, 2]);
  assert.ok((await inked(q.page, 0, "--curve0")) > 100);
  assert.ok((await inked(q.page, 2, "--curve0")) > 100);
  assert.equal(await q.page.locator("#plots .live .legend").first().locator(".start").innerText(), "○ start");
  assert.equal(await q.page.locator("#plots .live .legend .start").count(), 1, "only a path in the plane has a start");
  const box = q.page.locator("#plots .live .legend").first().getByRole("checkbox");
  await box.uncheck();
  await q.page.waitForTimeout(50);
  assert.equal(await inked(q.page, 0, "--curve0"), 0);
  await box.check();
  const spring = await q.page.locator("#scene .spring").first().getAttribute("d");
  await q.page.getByRole("slider", { name: "Time" }).focus();
  for (let i = 0; i < 30; i++) await q.page.keyboard.press("ArrowRight");
  assert.notEqual(await q.page.locator("#scene .spring").first().getAttribute("d"), spring);
  await shot(q.page, "plane");
  assert.deepEqual(q.problems, []);
  await close(q);
});

test("every example makes a page that opens without a word", async () => {
  for (const name of ["triple_pendulum", "dc_motor", "electromagnet", "rlc_series", "saturating_coil", "two_masses", "robot_on_flexible_base", "crank_elastic"]) {
    const q = await open(report(name, example(name)));
    await q.page.waitForSelector("#plots .live canvas");
    assert.deepEqual(q.problems, [], name);
    await close(q);
  }
});

test("names and titles cannot break out of the page", async () => {
  const file = model("nasty", `title "</script><script>alert(1)</script> & <b>"\nparam m = 1 [kg] "</td><img src=x>"\ncoord x = 1 [m]\nkinetic 1/2*m*x'^2\npotential x^2\nplot x "</script><i>"\nsimulate to 1 step 0.01\n`);
  const q = await open(report("nasty", file));
  await q.page.waitForSelector("#plots .live canvas");
  assert.equal(await q.page.locator("h1").innerText(), "</script><script>alert(1)</script> & <b>");
  assert.equal(await q.page.locator("main img, main i, h1 b").count(), 0);
  assert.deepEqual(q.problems, []);
  await close(q);
});

test("the page does not tell where its files lie", () => {
  assert.ok(!readFileSync(cart, "utf8").includes(root));
});
