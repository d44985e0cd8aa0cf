// For everybody: without a mouse, without colours, on a telephone, in the dark, without script.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { close, example, open, quit, report, shot } from "./support.ts";

let cart = "";

before(() => {
  cart = report("cart", example("cart_double_pendulum"));
});

after(quit);

// Words whose contrast with what lies behind them is below 4.5 (3 for large ones).
function pale(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!;
    const rgba = (c: string): number[] => {
      probe.clearRect(0, 0, 1, 1);
      probe.fillStyle = c;
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data];
    };
    const light = (c: number[]): number =>
      [0.2126, 0.7152, 0.0722].reduce((sum, w, i) => {
        const v = c[i]! / 255;
        return sum + w * (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
      }, 0);
    const behind = (el: Element | null): number[] => {
      for (let e = el; e; e = e.parentElement) {
        const c = rgba(getComputedStyle(e).backgroundColor);
        if (c[3]! > 250) return c;
      }
      return [255, 255, 255, 255];
    };
    const bad: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let n = walker.nextNode(); n; n = walker.nextNode()) {
      const el = n.parentElement!;
      if (!n.textContent!.trim() || el.closest("script, style, .still, .skip, svg") || !el.getClientRects().length) continue;
      const style = getComputedStyle(el);
      const a = light(rgba(style.color)) + 0.05;
      const b = light(behind(el)) + 0.05;
      const ratio = Math.max(a, b) / Math.min(a, b);
      const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
      if (ratio < (large ? 3 : 4.5)) bad.push(`${ratio.toFixed(2)} ${el.className || el.tagName}: ${n.textContent!.trim().slice(0, 40)}`);
    }
    return bad;
  });
}

test("landmarks, one title, headings in order, a language", async () => {
  const o = await open(cart);
  const facts = await o.page.evaluate(() => ({
    lang: document.documentElement.lang,
    title: document.title,
    landmarks: ["header", "nav", "main", "footer"].map((t) => document.querySelectorAll(t).length),
    headings: [...document.querySelectorAll("h1, h2, h3")].map((h) => Number(h.tagName[1])),
    ids: [...document.querySelectorAll("[id]")].map((e) => e.id),
    links: [...document.querySelectorAll("nav a")].map((a) => a.getAttribute("href")!.slice(1)),
    sections: [...document.querySelectorAll("main > section")].map((s) => [s.id, document.getElementById(s.getAttribute("aria-labelledby")!)?.textContent]),
  }));
  assert.equal(facts.lang, "en");
  assert.equal(facts.title, "Cart with an inverted double pendulum");
  assert.deepEqual(facts.landmarks, [1, 1, 1, 1]);
  assert.equal(facts.headings.filter((h) => h === 1).length, 1);
  facts.headings.forEach((h, i) => assert.ok(i === 0 || h - facts.headings[i - 1]! <= 1, `${facts.headings}`));
  assert.equal(new Set(facts.ids).size, facts.ids.length, "ids are unique");
  assert.deepEqual(facts.links, facts.sections.map((s) => s[0]));
  for (const [id, name] of facts.sections) assert.ok(name, id!);
  await close(o);
});

test("everything that can be used has a name, and tables have heads", async () => {
  const o = await open(cart);
  const nameless = await o.page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a, input, select, [tabindex], figure, svg[role=img]")]
      .filter((e) => e.getClientRects().length)
      .filter((e) => {
        const label = (e as HTMLInputElement).labels?.[0]?.textContent ?? "";
        return !(e.getAttribute("aria-label") ?? "").trim() && !e.textContent!.trim() && !label.trim();
      })
      .map((e) => e.outerHTML.slice(0, 100)),
  );
  assert.deepEqual(nameless, []);
  const headless = await o.page.evaluate(() => [...document.querySelectorAll("table")].filter((t) => !t.caption || [...t.querySelectorAll("th")].some((h) => !h.scope)).length);
  assert.equal(headless, 0);
  const still = await o.page.evaluate(() => [...document.querySelectorAll(".still svg")].filter((s) => !s.querySelector("title, desc")?.textContent).length);
  assert.equal(still, 0);
  await close(o);
});

test("the keyboard reaches everything in the order of the page, and one sees where it is", async () => {
  const o = await open(cart);
  const expected = await o.page.evaluate(() => {
    const all = [...document.querySelectorAll<HTMLElement>("a[href], button, input, select, [tabindex]")].filter((e) => e.getClientRects().length && e.tabIndex >= 0);
    all.forEach((e, i) => (e.dataset["order"] = String(i)));
    return { count: all.length, positive: all.filter((e) => e.tabIndex > 0).length };
  });
  assert.equal(expected.positive, 0);
  assert.ok(expected.count > 20, `${expected.count}`);
  for (let i = 0; i < expected.count; i++) {
    await o.page.keyboard.press("Tab");
    const at = await o.page.evaluate(() => {
      const e = document.activeElement as HTMLElement;
      const s = getComputedStyle(e);
      return { order: e.dataset["order"], ring: s.outlineStyle !== "none" && parseFloat(s.outlineWidth) >= 2, html: e.outerHTML.slice(0, 80) };
    });
    assert.equal(at.order, String(i), at.html);
    assert.ok(at.ring, at.html);
  }
  await close(o);
});

test("words stand out from their ground, light and dark", async () => {
  for (const dark of [false, true]) {
    const o = await open(cart, { dark });
    assert.deepEqual(await pale(o.page), [], dark ? "dark" : "light");
    if (dark) await shot(o.page, "dark");
    await close(o);
  }
});

test("the button changes between light and dark, and the plots follow", async () => {
  const o = await open(cart);
  const ground = () => o.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const first = await ground();
  const picture = () => o.page.evaluate(() => document.querySelector<HTMLCanvasElement>(".live canvas")!.toDataURL());
  const drawn = await picture();
  await o.page.getByRole("button", { name: "Light or dark" }).click();
  await o.page.waitForTimeout(50);
  assert.notEqual(await ground(), first);
  assert.notEqual(await picture(), drawn);
  assert.deepEqual(await pale(o.page), []);
  // paper stays white
  await o.page.emulateMedia({ media: "print" });
  assert.equal(await ground(), "rgb(255, 255, 255)");
  assert.deepEqual(o.problems, []);
  await close(o);
});

test("a telephone needs no sideways scrolling", async () => {
  const o = await open(cart, { width: 360, touch: true });
  await o.page.waitForSelector("#plots .live canvas");
  const wide = await o.page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  assert.ok(wide[0]! <= wide[1]!, `${wide}`);
  const small = await o.page.evaluate(() => [...document.querySelectorAll<HTMLElement>("button, select")].filter((e) => e.getClientRects().length && e.getBoundingClientRect().height < 24).length);
  assert.equal(small, 0);
  await o.page.getByRole("button", { name: "Zoom in" }).first().tap();
  await shot(o.page, "phone");
  assert.deepEqual(o.problems, []);
  await close(o);
});

test("plots follow the width of the window", async () => {
  const o = await open(cart);
  const width = () => o.page.locator("#plots canvas").first().evaluate((c) => c.clientWidth);
  const wide = await width();
  await o.page.setViewportSize({ width: 500, height: 800 });
  // a machine with other work draws later
  for (let i = 0; i < 50 && (await width()) >= 0.6 * wide; i++) await o.page.waitForTimeout(100);
  assert.ok((await width()) < 0.6 * wide);
  await close(o);
});

test("without script the pictures stand in their places, also in the dark", async () => {
  for (const dark of [false, true]) {
    const o = await open(cart, { script: false, dark });
    assert.equal(await o.page.locator(".still svg:visible").count(), 5);
    const curve = o.page.locator("#plots .still path.curve").first();
    assert.equal(await curve.evaluate((e) => getComputedStyle(e).stroke), dark ? "rgb(86, 180, 233)" : "rgb(0, 114, 178)");
    await shot(o.page, dark ? "static_dark" : "static");
    assert.deepEqual(o.problems, []);
    await close(o);
  }
});

test("who wants less motion gets none unasked", async () => {
  const o = await open(cart);
  const slider = o.page.getByRole("slider", { name: "Time" });
  await o.page.waitForTimeout(300);
  assert.equal(await slider.inputValue(), "0");
  await close(o);
});
