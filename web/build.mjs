// Bundles the scripts of pages, one file each: node build.mjs FOLDER
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "dist");

// Shaders of three.js lose their comments and margins.
const shaders = {
  name: "shaders",
  setup(build) {
    build.onLoad({ filter: /\.glsl\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      const shorter = text.replace(/\/\* glsl \*\/`([^]*?)`/g, (_all, glsl) => "`" + glsl.replace(/\/\*[^]*?\*\//g, "").replace(/[ \t]*\/\/[^\n]*/g, "").replace(/^[ \t]+/gm, "").replace(/\n{2,}/g, "\n") + "`");
      return { contents: shorter, loader: "js" };
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
  alias: { three: join(here, "node_modules/three/src/Three.js") }, // its sources: shaders one by one, and only what is used
  plugins: [shaders],
});
