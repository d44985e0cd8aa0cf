// Bundles the scripts of pages, one file each, with the hash of what they are made from (check.sh): node build.mjs FOLDER
import { createHash } from "node:crypto";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { basename, dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

// Shaders of three.js: those of the materials that src/solids.ts uses, without comments and margins. All others are left
// empty; they would be a fifth of the script.
const three = join(here, "node_modules/three/src");
const shaderFolder = join(three, "renderers/shaders");
const materials = ["meshlambert", "meshbasic"];

function includedBy(name, found) {
  if (found.has(name)) return;
  found.add(name);
  const inLibrary = join(shaderFolder, "ShaderLib", `${name}.glsl.js`);
  const file = materials.includes(name) ? inLibrary : join(shaderFolder, "ShaderChunk", `${name}.glsl.js`);
  for (const [, inner] of readFileSync(file, "utf8").matchAll(/#include <([\w\d./]+)>/g)) includedBy(inner, found);
}

const shaders = {
  name: "shaders",
  setup(build) {
    const used = new Set();
    // and two that every program has
    for (const m of [...materials, "colorspace_pars_fragment", "tonemapping_pars_fragment"]) includedBy(m, used);
    build.onLoad({ filter: /\.glsl\.js$/ }, ({ path }) => {
      const keep = used.has(basename(path, ".glsl.js"));
      const shorter = (glsl) => glsl.replace(/\/\*[^]*?\*\//g, "").replace(/[ \t]*\/\/[^\n]*/g, "").replace(/^[ \t]+/gm, "").replace(/\n{2,}/g, "\n");
      const contents = readFileSync(path, "utf8").replace(/\/\* glsl \*\/`([^]*?)`/g, (_all, glsl) => "`" + (keep ? shorter(glsl) : "") + "`");
      return { contents, loader: "js" };
    });
  },
};

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii", // the page is UTF-8, but its bytes may pass through anything
  loader: { ".css": "text" },
  legalComments: "none",
};
await build({ ...common, entryPoints: [join(here, "src/main.ts")], banner: { js: "/* with uPlot (c) Leon Sorokin, MIT licence */" }, outfile: join(out, "report.js") });
await build({
  ...common,
  entryPoints: [join(here, "src/space_main.ts")],
  banner: { js: "/* with three.js (c) its authors, MIT licence */" },
  outfile: join(out, "space.js"),
  alias: { three: join(three, "Three.js") }, // its sources: shaders one by one, and only what is used
  plugins: [shaders],
});
const sources = [...readdirSync(join(here, "src")).sort().map((file) => join("src", file)), "build.mjs", "package-lock.json"];
const hash = createHash("sha256");
for (const file of sources) hash.update(readFileSync(join(here, file)));
writeFileSync(join(out, "SOURCES"), hash.digest("hex") + "\n");
