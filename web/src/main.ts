// Takes the place of the still pictures of a page.
import uplotStyle from "uplot/dist/uPlot.min.css";
import { column, type PageData } from "./data.ts";
import { button, make } from "./dom.ts";
import { csv } from "./format.ts";
import { showHeat } from "./heat.ts";
import { redrawAll, showFigure } from "./plot.ts";
import { showScene } from "./scene.ts";

type Theme = "light" | "dark";

function recolour(): void {
  redrawAll();
  document.dispatchEvent(new Event("viva-theme"));
}

// Light or dark as the reader's machine says, until a button says otherwise.
function themeButton(): void {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  const current = (): Theme => (root.dataset["theme"] as Theme | undefined) ?? (system.matches ? "dark" : "light");
  const b = button("", "Light or dark", () => {
    root.dataset["theme"] = current() === "dark" ? "light" : "dark";
    name();
    recolour();
  });
  const name = (): void => {
    b.textContent = current() === "dark" ? "Light" : "Dark";
  };
  b.className = "theme";
  name();
  system.addEventListener("change", () => {
    name();
    recolour();
  });
  document.querySelector("header")?.prepend(b);
}

function download(file: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  const a = make("a", { href: url, download: file });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

function start(): void {
  const holder = document.getElementById("viva-data");
  if (!holder) return;
  const data = JSON.parse(holder.textContent ?? "") as PageData;
  document.head.append(make("style", {}, uplotStyle));
  themeButton();
  // a column is decoded when it is first needed
  const decoded = new Map<number, Float64Array>();
  const values = (index: number): Float64Array => {
    let v = decoded.get(index);
    if (!v) decoded.set(index, (v = column(data.columns[index]!)));
    return v;
  };
  for (const figure of data.figures) {
    const el = document.getElementById(figure.id);
    if (el) showFigure(el, figure, values);
  }
  for (const el of document.querySelectorAll<HTMLElement>("figure[data-time]")) showHeat(el);
  const scene = document.getElementById("scene");
  if (scene && data.scene) showScene(scene, data.scene);
  for (const table of data.tables) {
    const at = document.getElementById(`${table.id}-download`);
    at?.prepend(
      button("Download CSV", `Download ${table.file}`, () =>
        download(table.file, csv(table.columns.map((c) => c.name), table.columns.map((c) => values(c.column)))),
      ),
      " ",
    );
  }
}

start();
