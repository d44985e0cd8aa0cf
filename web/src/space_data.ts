// A scene in space as the page holds it: see src/show/space_data.h of the program.
import type { Vec } from "./camera.ts";
import { places } from "./data.ts";

export type SpaceKind = "rod" | "spring" | "vector" | "mass" | "trail" | "cart" | "ground" | "support" | "block" | "circle" | "line" | "text" | "frame" | "box" | "com";

export interface SpaceShape {
  kind: SpaceKind;
  points: number;
  data: string;
  turn?: string;
  axes?: number[];
  half?: Vec;
  color?: string;
  size?: number[]; // in lengths: a radius, the height of letters, sides of a cart
  width?: number;
  coils?: number;
  text?: string;
  member?: number; // of a family, counted from 1
}

export interface Space {
  frames: number;
  fine: number;
  from: number;
  to: number;
  speed: number;
  unit: string;
  size: number;
  middle: Vec;
  half: number;
  camera: { from: Vec; up: Vec };
  ground: { origin: Vec; u: Vec; v: Vec; step: number; across: number; along: number };
  members?: string[]; // of a family
  shapes: SpaceShape[];
}

const full = 32767;

// Numbers of a frame, which need not be whole, between the two frames around it. One frame alone: it rests.
function between(data: Int16Array, numbers: number, frame: number): number[] {
  const count = data.length / numbers;
  const i = Math.min(Math.max(Math.floor(frame), 0), Math.max(count - 2, 0));
  const part = count > 1 ? Math.min(Math.max(frame - i, 0), 1) : 0;
  const out: number[] = [];
  for (let k = 0; k < numbers; k++) {
    const a = data[i * numbers + k] ?? 0;
    out.push((a + part * ((data[(i + 1) * numbers + k] ?? a) - a)) / full);
  }
  return out;
}

// Where a shape is at a frame.
export class Track {
  private readonly data: Int16Array;
  private readonly turns: Int16Array | null;

  constructor(
    private readonly space: Space,
    readonly shape: SpaceShape,
  ) {
    this.data = places(shape.data);
    this.turns = shape.turn === undefined ? null : places(shape.turn);
  }

  get count(): number {
    return this.data.length / (3 * this.shape.points);
  }

  private placed(part: number[], at: number): Vec {
    const { middle, half } = this.space;
    return [middle[0] + half * part[at]!, middle[1] + half * part[at + 1]!, middle[2] + half * part[at + 2]!];
  }

  // Its points; the second of a vector is a part of the longest one.
  at(frame: number): Vec[] {
    const q = between(this.data, 3 * this.shape.points, frame);
    const out: Vec[] = [];
    for (let k = 0; k < this.shape.points; k++) {
      const vector = this.shape.kind === "vector" && k === 1;
      out.push(vector ? [q[3]!, q[4]!, q[5]!] : this.placed(q, 3 * k));
    }
    return out;
  }

  // A unit quaternion w x y z.
  turn(frame: number): [number, number, number, number] {
    if (!this.turns) return [1, 0, 0, 0];
    const [w = 1, x = 0, y = 0, z = 0] = between(this.turns, 4, frame);
    const n = Math.hypot(w, x, y, z) || 1;
    return [w / n, x / n, y / n, z / n];
  }
}
