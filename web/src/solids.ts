// The shapes of a scene in space as solids of three.js: one instanced mesh for each kind of part.
//
// in    shapes with their tracks, the size of the scene
// out   a group that can be set to any frame and coloured by the variables of the page
import {
  BoxGeometry,
  BufferGeometry,
  Color,
  ConeGeometry,
  Curve,
  CylinderGeometry,
  EdgesGeometry,
  Float32BufferAttribute,
  Group,
  InstancedMesh,
  Line,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Matrix4,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  SphereGeometry,
  TubeGeometry,
  Vector3,
} from "three";
import type { Vec } from "./camera.ts";
import { variable } from "./dom.ts";
import type { Space, SpaceKind, Track } from "./space_data.ts";

// What the reader may hide.
export type Layer = "trails" | "poses" | "frames" | "boxes" | "ground";

const upward = new Vector3(0, 1, 0);
const one = new Quaternion();
const usualCoils = 7;
const coilLength = 14; // of the spring as it is made, in radii

class Helix extends Curve<Vector3> {
  constructor(private readonly coils: number) {
    super();
  }

  override getPoint(t: number, out = new Vector3()): Vector3 {
    const end = 0.12;
    const s = Math.min(Math.max((t - end) / (1 - 2 * end), 0), 1);
    const r = t < end || t > 1 - end ? 0 : Math.min(1, 12 * Math.min(s, 1 - s));
    const a = 2 * Math.PI * this.coils * s;
    return out.set(r * Math.cos(a), (t - 0.5) * coilLength, r * Math.sin(a));
  }
}

// A ball whose octants alternate: the mark of a centre of mass.
function quartered(): BufferGeometry {
  const ball = new SphereGeometry(1, 16, 12).toNonIndexed();
  const place = ball.getAttribute("position");
  const colours = new Float32Array(3 * place.count);
  for (let i = 0; i < place.count; i += 3) {
    const at = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      at[0]! += place.getX(i + k);
      at[1]! += place.getY(i + k);
      at[2]! += place.getZ(i + k);
    }
    const dark = at[0]! * at[1]! * at[2]! > 0 ? 0 : 1;
    colours.fill(dark, 3 * i, 3 * i + 9);
  }
  ball.setAttribute("color", new Float32BufferAttribute(colours, 3));
  return ball;
}

const vector = (p: Vec): Vector3 => new Vector3(p[0], p[1], p[2]);

// From a to b: a part that is one unit long along y, with its middle in the origin.
function spanning(m: Matrix4, a: Vector3, b: Vector3, radius: number, unitLength = 1): Matrix4 {
  const d = b.clone().sub(a);
  const n = d.length();
  const q = n > 0 ? new Quaternion().setFromUnitVectors(upward, d.divideScalar(n)) : one;
  return m.compose(a.clone().add(b).multiplyScalar(0.5), q, new Vector3(radius, Math.max(n, 1e-9) / unitLength, radius));
}

type Place = (m: Matrix4, track: Track, frame: number) => Matrix4;

interface Part {
  geometry: (like: Track) => BufferGeometry;
  colour: string;
  place: Place;
  translucent?: number;
  marked?: boolean; // its colours are its own
  layer?: Layer;
}

// How each kind is put together.
function partsOf(space: Space, plumb: Vec): Partial<Record<SpaceKind, Part[]>> {
  const size = space.size;
  const thick = 0.0055 * size;
  const arrow = 0.16 * size;
  const head = 0.035 * size;
  const upright = new Quaternion().setFromUnitVectors(upward, vector(plumb));
  const rod = (): BufferGeometry => new CylinderGeometry(1, 1, 1, 14);
  const turnOf = (t: Track, frame: number): Quaternion => {
    const [w, x, y, z] = t.turn(frame);
    return new Quaternion(x, y, z, w);
  };
  const radiusOf = (t: Track, usual: number): number => (t.shape.width === undefined ? usual : t.shape.width / 2);
  const between =
    (radius: number, length = 1): Place =>
    (m, t, frame) => {
      const [a, b] = t.at(frame);
      return spanning(m, vector(a!), vector(b!), radiusOf(t, radius), length);
    };
  const around =
    (scale: number): Place =>
    (m, t, frame) => {
      const r = t.shape.size?.[0] ?? scale;
      return m.compose(vector(t.at(frame)[0]!), one, new Vector3(r, r, r));
    };
  // the ball that rounds an end of a rod
  const capped =
    (k: number, radius: number): Place =>
    (m, t, frame) => {
      const r = radiusOf(t, radius);
      return m.compose(vector(t.at(frame)[k]!), one, new Vector3(r, r, r));
    };
  const ball = (): BufferGeometry => new SphereGeometry(1, 14, 10);
  const boxed: Place = (m, t, frame) => {
    const { axes = [1, 0, 0, 0, 1, 0, 0, 0, 1], half = [1, 1, 1] } = t.shape;
    const least = 1e-4 * size;
    const own = new Matrix4().set(axes[0]!, axes[1]!, axes[2]!, 0, axes[3]!, axes[4]!, axes[5]!, 0, axes[6]!, axes[7]!, axes[8]!, 0, 0, 0, 0, 1);
    const q = turnOf(t, frame);
    m.compose(vector(t.at(frame)[0]!), q, new Vector3(1, 1, 1)).multiply(own);
    return m.scale(new Vector3(Math.max(half[0], least), Math.max(half[1], least), Math.max(half[2], least)));
  };
  const axis = (k: number, colour: string): Part => ({
    geometry: rod,
    colour,
    layer: "frames",
    place: (m, t, frame) => {
      const from = vector(t.at(frame)[0]!);
      const d = new Vector3(k === 0 ? 1 : 0, k === 1 ? 1 : 0, k === 2 ? 1 : 0).applyQuaternion(turnOf(t, frame));
      return spanning(m, from, from.clone().addScaledVector(d, 0.07 * size), 0.5 * thick);
    },
  });
  const tip = (t: Track, frame: number): [Vector3, Vector3, number] => {
    const [a, v] = t.at(frame);
    const d = vector(v!);
    const n = d.length() * arrow;
    return [vector(a!), d.normalize(), n];
  };
  return {
    rod: [
      { geometry: rod, colour: "--ink", place: between(thick) },
      { geometry: ball, colour: "--ink", place: capped(0, thick) },
      { geometry: ball, colour: "--ink", place: capped(1, thick) },
    ],
    line: [
      { geometry: rod, colour: "--ink", place: between(0.45 * thick) },
      { geometry: ball, colour: "--ink", place: capped(1, 0.45 * thick) },
    ],
    spring: [{ geometry: (t) => new TubeGeometry(new Helix(t.shape.coils ?? usualCoils), 32 * (t.shape.coils ?? usualCoils), 0.16, 6), colour: "--ink", place: between(0.017 * size, coilLength) }],
    vector: [
      {
        geometry: rod,
        colour: "--curve3",
        place: (m, t, frame) => {
          const [a, d, n] = tip(t, frame);
          return spanning(m, a, a.clone().addScaledVector(d, Math.max(n - head, 0)), 0.7 * thick);
        },
      },
      {
        geometry: () => new ConeGeometry(1, 1, 18),
        colour: "--curve3",
        place: (m, t, frame) => {
          const [a, d, n] = tip(t, frame);
          const short = Math.min(head, n);
          return spanning(m, a.clone().addScaledVector(d, n - short), a.clone().addScaledVector(d, n), (2.2 * thick * short) / head);
        },
      },
    ],
    mass: [{ geometry: () => new SphereGeometry(1, 28, 20), colour: "--curve0", place: around(0.017 * size) }],
    circle: [{ geometry: () => new SphereGeometry(1, 28, 20), colour: "--curve4", place: around(0.017 * size) }],
    block: [{ geometry: () => new BoxGeometry(2, 2, 2), colour: "--curve4", place: boxed }],
    cart: [
      {
        geometry: () => new BoxGeometry(1, 1, 1),
        colour: "--curve4",
        place: (m, t, frame) => {
          const [w = 0.095 * size, h = 0.05 * size] = t.shape.size ?? [];
          return m.compose(vector(t.at(frame)[0]!), upright, new Vector3(w, h, h));
        },
      },
    ],
    support: [
      {
        geometry: () => new ConeGeometry(0.7, 1, 4).translate(0, -0.5, 0),
        colour: "--soft",
        place: (m, t, frame) => m.compose(vector(t.at(frame)[0]!), upright, new Vector3(0.04 * size, 0.04 * size, 0.04 * size)),
      },
    ],
    com: [{ geometry: quartered, colour: "--ink", marked: true, place: around(0.011 * size) }],
    frame: [axis(0, "--curve3"), axis(1, "--curve5"), axis(2, "--curve0")],
    box: [
      {
        geometry: () => new BoxGeometry(2, 2, 2),
        colour: "--curve4",
        translucent: 0.28,
        layer: "boxes",
        place: boxed,
      },
    ],
  };
}

interface Coloured {
  material: Material & { color: Color };
  name: string; // a variable of the page, or a colour #rrggbb
}

// All solids of the scene at one frame; a pose that is a ghost is fainter.
export class Solids {
  readonly group = new Group();
  private readonly many: { mesh: InstancedMesh; tracks: Track[]; place: Place }[] = [];
  private readonly edges: { line: LineSegments; track: Track; place: Place }[] = [];
  private readonly trails: { line: Line; count: number }[] = [];
  private readonly coloured: Coloured[] = [];
  private readonly owned: { material: Material; member: number; opacity: number }[] = [];
  private readonly layers = new Map<Layer, { visible: boolean }[]>();

  constructor(
    private readonly space: Space,
    tracks: Track[],
    plumb: Vec,
    strength: number,
  ) {
    const parts = partsOf(space, plumb);
    for (const kind of Object.keys(parts) as SpaceKind[]) {
      const own = tracks.filter((t) => t.shape.kind === kind);
      if (!own.length || (strength < 1 && (kind === "support" || kind === "frame"))) continue;
      // those of one colour and one form are one mesh
      const groups = new Map<string, Track[]>();
      for (const t of own) {
        const key = `${t.shape.color ?? ""} ${t.shape.coils ?? ""} ${t.shape.member ?? ""}`;
        groups.set(key, [...(groups.get(key) ?? []), t]);
      }
      for (const group of groups.values()) for (const part of parts[kind]!) this.add(part, group, strength);
    }
    if (strength === 1) for (const t of tracks.filter((t) => t.shape.kind === "trail")) this.addTrail(t);
    this.recolour();
  }

  private add(part: Part, tracks: Track[], strength: number): void {
    const opacity = strength * (part.translucent ?? 1);
    const look = { transparent: opacity < 1, opacity, depthWrite: opacity === 1 };
    const material = part.marked ? new MeshBasicMaterial({ ...look, vertexColors: true }) : new MeshLambertMaterial(look);
    const mesh = new InstancedMesh(part.geometry(tracks[0]!), material, tracks.length);
    mesh.frustumCulled = false;
    this.group.add(mesh);
    this.many.push({ mesh, tracks, place: part.place });
    if (!part.marked) this.coloured.push({ material, name: tracks[0]!.shape.color ?? part.colour });
    if (part.layer) this.layer(part.layer, mesh);
    const member = tracks[0]!.shape.member ?? 0;
    this.owned.push({ material, member, opacity });
    if (part.translucent === undefined) return;
    const drawn = new LineBasicMaterial({ transparent: strength < 1, opacity: strength });
    this.owned.push({ material: drawn, member, opacity: strength });
    this.coloured.push({ material: drawn, name: "--soft" });
    for (const track of tracks) {
      const line = new LineSegments(new EdgesGeometry(part.geometry(track)), drawn);
      line.matrixAutoUpdate = false;
      line.frustumCulled = false;
      this.group.add(line);
      this.edges.push({ line, track, place: part.place });
      if (part.layer) this.layer(part.layer, line);
    }
  }

  private addTrail(t: Track): void {
    const count = t.count;
    const at = new Float32Array(3 * count);
    for (let i = 0; i < count; i++) at.set(t.at(i)[0]!, 3 * i);
    const material = new LineBasicMaterial();
    const line = new Line(new BufferGeometry().setAttribute("position", new Float32BufferAttribute(at, 3)), material);
    line.frustumCulled = false;
    this.group.add(line);
    this.trails.push({ line, count });
    this.coloured.push({ material, name: t.shape.color ?? "--curve1" });
    this.owned.push({ material, member: t.shape.member ?? 0, opacity: 1 });
    this.layer("trails", line);
  }

  private layer(name: Layer, object: { visible: boolean }): void {
    this.layers.set(name, [...(this.layers.get(name) ?? []), object]);
  }

  has(name: Layer): boolean {
    return this.layers.has(name);
  }

  set(name: Layer, on: boolean): void {
    for (const o of this.layers.get(name) ?? []) o.visible = on;
  }

  show(frame: number): void {
    const m = new Matrix4();
    for (const { mesh, tracks, place } of this.many) {
      tracks.forEach((t, i) => mesh.setMatrixAt(i, place(m, t, frame)));
      mesh.instanceMatrix.needsUpdate = true;
    }
    for (const { line, track, place } of this.edges) {
      place(line.matrix, track, frame);
      line.matrixWorldNeedsUpdate = true;
    }
    for (const { line, count } of this.trails) line.geometry.setDrawRange(0, Math.min(Math.floor(frame * this.space.fine) + 1, count));
  }

  // One member stands out; 0: all are the same.
  choose(member: number): void {
    for (const o of this.owned) {
      const faint = member > 0 && o.member > 0 && o.member !== member;
      o.material.opacity = faint ? 0.12 * o.opacity : o.opacity;
      o.material.transparent = o.material.opacity < 1;
      o.material.depthWrite = o.material.opacity === 1;
      o.material.needsUpdate = true;
    }
  }

  recolour(): void {
    for (const { material, name } of this.coloured) material.color.set(name.startsWith("#") ? name : variable(name));
  }
}
