// What the page holds for its script: see src/show/report_data.h of the program.

import type { Space } from "./space_data.ts";

export interface Axis {
  name: string;
  unit: string | null;
  log: boolean;
  from?: number; // where it begins and ends, where that is said
  to?: number;
}

export interface Curve {
  kind: "line" | "points" | "band";
  name: string | null;
  unit: string | null;
  style: number;
  x: number;
  y: number;
  y2?: number;
  t?: number; // of a path in the plane: when
  right?: boolean; // measured at the right
  color?: string; // of one of many, by the panel's bar
  dash?: number; // where it is not that of its style
}

export interface Event {
  at: number;
  name: string | null;
}

export interface Panel {
  x: Axis;
  y: Axis;
  right?: Axis; // where curves are measured at the right
  seconds?: number; // one of the x axis, where that is the time in another unit
  bar?: Axis; // what tells many curves apart, from dark to light
  phase: boolean;
  index?: boolean; // over an index: nothing of the time has a place on it
  row?: boolean; // of a grid: it starts a row
  whole?: boolean; // of a grid: it is a row of its own
  caption?: string; // words above it
  note?: string; // what the picture leaves out
  equal: boolean;
  height: number;
  curves: Curve[];
  events: Event[];
}

export interface Figure {
  id: string;
  columns?: number; // of a grid; else panels stand below each other
  panels: Panel[];
}

export interface Table {
  id: string;
  file: string;
  columns: { name: string; column: number }[];
}

export type ShapeKind = "rod" | "spring" | "vector" | "mass" | "trail" | "cart" | "ground" | "support" | "box" | "circle" | "line" | "text";

// Lengths are in pixels.
export interface Shape {
  kind: ShapeKind;
  points: number;
  data: string;
  color?: string;
  size?: number; // a radius, the width of a cart, the height of letters
  height?: number; // of a cart
  ratio?: number; // of a box: how high it is, its width being 1
  width?: number; // of a line, of the coils of a spring
  coils?: number;
  text?: string;
  member?: number; // of a family, counted from 1
}

export interface Scene {
  width: number;
  height: number;
  frames: number;
  fine: number;
  scale: number;
  from: number;
  to: number;
  speed: number;
  members?: string[]; // of a family
  shapes: Shape[];
}

export type Column = { data: string } | { from: number; step: number; count: number };

export interface PageData {
  columns: Column[];
  figures: Figure[];
  tables: Table[];
  scene: Scene | null;
  space?: Space;
}

function bytes(base64: string): Uint8Array {
  const text = atob(base64);
  const out = new Uint8Array(text.length);
  for (let i = 0; i < out.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

// The numbers of a column. Bytes are least first, as on every machine a browser runs on.
export function column(c: Column): Float64Array {
  if ("data" in c) return new Float64Array(bytes(c.data).buffer);
  const out = new Float64Array(c.count);
  for (let i = 0; i < c.count; i++) out[i] = c.from + c.step * i;
  return out;
}

export function places(base64: string): Int16Array {
  return new Int16Array(bytes(base64).buffer);
}
