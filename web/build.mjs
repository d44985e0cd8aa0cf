// Bundles the script of pages into one file: node build.mjs OUT
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
await build({
  absWorkingDir: here,
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2020",
  charset: "ascii", // the page is UTF-8, but its bytes may pass through anything
  loader: { ".css": "text" },
  legalComments: "none",
  banner: { js: "/* with uPlot (c) Leon Sorokin, MIT licence */" },
  outfile: process.argv[2] ?? join(here, "dist/report.js"),
});
