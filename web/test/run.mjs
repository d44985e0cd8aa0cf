// Bundles the tests of a folder and gives them to Node's runner: node test/run.mjs unit|browser; bench: runs what is there
import { spawnSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const what = process.argv[2] ?? "unit";
const folder = join(web, what === "unit" ? "test" : what);
const out = join(web, "node_modules/.tests", what === "unit" ? "test" : what);
rmSync(out, { recursive: true, force: true });
const tests = readdirSync(folder).filter((f) => f.endsWith(what === "bench" ? ".ts" : ".test.ts"));
await build({
  entryPoints: tests.map((f) => join(folder, f)),
  bundle: true,
  platform: "node",
  format: "esm",
  target: "node18",
  outExtension: { ".js": ".mjs" },
  external: ["playwright-core"],
  outdir: out,
});
const done = spawnSync(process.execPath, [...(what === "bench" ? [] : ["--test"]), ...tests.map((f) => join(out, f.replace(/\.ts$/, ".mjs")))], { stdio: "inherit" });
process.exit(done.status ?? 1);
