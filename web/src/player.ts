// Play and pause, a slider for the time, the speed: for every picture that moves. Whoever listens for "viva-time" on the
// document is told the time that is shown; "viva-seek" asks for one, and is heard while nothing plays.
import { button, make } from "./dom.ts";

export interface Clock {
  frames: number;
  from: number;
  to: number;
  speed: number;
}

export interface Player {
  bar: HTMLElement;
  show: (frame: number) => void;
  toggle: () => void;
}

// A slider over the members of a family: the chosen one stands out, the others are ghosts; at its left all are the same.
export function memberSlider(names: string[], choose: (member: number) => void): HTMLElement {
  const slider = make("input", { type: "range", min: "0", max: String(names.length), step: "1", value: "0", "aria-label": "Member", "aria-valuetext": "all" });
  const shown = make("output", {}, "all");
  slider.addEventListener("input", () => {
    const member = Number(slider.value);
    const name = member ? (names[member - 1] ?? "") : "all";
    shown.textContent = name;
    slider.setAttribute("aria-valuetext", name);
    choose(member);
  });
  return make("div", { class: "bar members" }, make("span", {}, "member"), slider, shown);
}

export function makePlayer(clock: Clock, draw: (frame: number) => void): Player {
  const last = clock.frames - 1;
  const span = clock.to - clock.from || 1;
  const slider = make("input", { type: "range", min: "0", max: String(last), step: "any", value: "0", "aria-label": "Time" });
  const time = make("output");
  const speed = make("select", { "aria-label": "Speed" });
  for (const s of new Set([0.1, 0.25, 0.5, 1, 2, 4, 10, clock.speed])) {
    const option = make("option", { value: String(s) }, `${s}×`);
    option.selected = s === clock.speed;
    speed.append(option);
  }
  let now = 0;
  let before = 0;
  let going = false;

  const show = (frame: number): void => {
    now = Math.min(Math.max(frame, 0), last);
    draw(now);
    const t = clock.from + (span * now) / last;
    time.textContent = `t = ${t.toFixed(2)} s`;
    slider.value = String(now);
    slider.setAttribute("aria-valuetext", `${t.toFixed(2)} seconds`);
    document.dispatchEvent(new CustomEvent("viva-time", { detail: t }));
  };
  const step = (ms: number): void => {
    if (!going) return;
    if (before) now += (((ms - before) / 1000) * Number(speed.value) * last) / span;
    before = ms;
    show(now >= last ? 0 : now);
    requestAnimationFrame(step);
  };
  const play = button("Play", "Play or pause", () => toggle());
  const toggle = (): void => {
    going = !going;
    before = 0;
    play.textContent = going ? "Pause" : "Play";
    if (going) requestAnimationFrame(step);
  };
  const jump = (frame: number): void => {
    if (going) toggle();
    show(frame);
  };
  slider.addEventListener("input", () => jump(Number(slider.value)));
  // the cursor of a plot leads what stands still
  document.addEventListener("viva-seek", (e) => {
    e.preventDefault();
    if (!going) show((((e as CustomEvent<number>).detail - clock.from) / span) * last);
  });
  // without this the arrow keys would move by one part in thousands
  slider.addEventListener("keydown", (e) => {
    const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[e.key];
    if (by === undefined) return;
    e.preventDefault();
    jump(now + (by * last) / 200);
  });
  return { bar: make("div", { class: "bar" }, play, slider, time, make("label", {}, "speed ", speed)), show, toggle };
}
