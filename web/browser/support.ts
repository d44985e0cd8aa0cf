// A browser, and pages of the program in it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";

// bundled, this lies in web/dist/browser
export const root = process.env["VIVA_ROOT"] ?? fileURLToPath(new URL("../../..", import.meta.url));
export const viva = process.env["VIVA"] ?? join(root, "build/viva");
const folder = mkdtempSync(join(tmpdir(), "viva-page-"));
let browser: Browser | undefined;

export const example = (name: string): string => join(root, "examples", `${name}.viva`);

export function model(name: string, text: string): string {
  const path = join(folder, `${name}.viva`);
  writeFileSync(path, text);
  return path;
}

// Makes the page of a model; returns its path.
export function report(name: string, file: string, ...options: string[]): string {
  const out = join(folder, `${name}.html`);
  execFileSync(viva, ["report", file, "-o", out, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  return out;
}

// A page with the motion alone.
export function animation(name: string, file: string, ...options: string[]): string {
  const out = join(folder, `${name}.html`);
  execFileSync(viva, ["animate", file, "-o", out, ...options], { stdio: ["ignore", "ignore", "inherit"] });
  return out;
}

export function table(file: string, ...options: string[]): { names: string[]; rows: number[][] } {
  const text = execFileSync(viva, ["run", file, "--out", "-", ...options], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8", maxBuffer: 1 << 28 });
  const lines = text.trimEnd().split("\n");
  return { names: lines[0]!.split(","), rows: lines.slice(1).map((l) => l.split(",").map(Number)) };
}

export interface Opened {
  page: Page;
  problems: string[]; // errors and requests; must stay empty
}

export interface Look {
  width?: number;
  dark?: boolean;
  script?: boolean;
  touch?: boolean;
  webgl?: boolean;
}

export async function open(path: string, look: Look = {}): Promise<Opened> {
  browser ??= await chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  const context = await browser.newContext({
    viewport: { width: look.width ?? 1100, height: 900 },
    colorScheme: look.dark ? "dark" : "light",
    javaScriptEnabled: look.script ?? true,
    hasTouch: look.touch ?? false,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10000);
  if (look.webgl === false) await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
  const problems: string[] = [];
  // reading pixels back, as tests do, makes the browser talk
  page.on("console", (m) => (m.type() === "error" || m.type() === "warning") && !m.text().includes("willReadFrequently") && problems.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => problems.push(`error: ${e.message}`));
  page.on("request", (r) => r.url() !== `file://${path}` && !r.url().startsWith("blob:") && problems.push(`request: ${r.url()}`));
  await page.goto(`file://${path}`);
  return { page, problems };
}

export async function close(opened: Opened): Promise<void> {
  await opened.page.context().close();
}

export async function quit(): Promise<void> {
  await browser?.close();
  browser = undefined;
}

// A picture for people to look at, where SHOTS names a folder.
export async function shot(page: Page, name: string): Promise<void> {
  const to = process.env["SHOTS"];
  if (to) await page.screenshot({ path: join(to, `${name}.png`), fullPage: true });
}

export async function range(page: Page, panel: number, axis: "x" | "y" = "x"): Promise<[number, number]> {
  const text = await page.locator(".plot .live [data-x]").nth(panel).getAttribute(`data-${axis}`);
  const [lo, hi] = text!.split(" ").map(Number);
  return [lo!, hi!];
}
