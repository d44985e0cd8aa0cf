// The script that only pages with a scene in space hold: it shows that scene, in a page of `viva report` or alone.
import type { PageData } from "./data.ts";
import { showSpace } from "./space.ts";
import type { Space } from "./space_data.ts";

function start(): void {
  const figure = document.getElementById("scene");
  const alone = document.getElementById("viva-space");
  const page = document.getElementById("viva-data");
  const space = alone ? (JSON.parse(alone.textContent ?? "") as Space) : page ? (JSON.parse(page.textContent ?? "") as PageData).space : undefined;
  if (figure && space) showSpace(figure, space);
}

start();
