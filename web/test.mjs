// Runs the tests of test/ with Node's own runner.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "esbuild";

const folder = mkdtempSync(join(tmpdir(), "boardgym-web-"));
const names = readdirSync("test").filter((name) => name.endsWith(".test.ts"));
try {
  await build({
    entryPoints: names.map((name) => `test/${name}`),
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    format: "esm",
    platform: "node",
    tsconfig: "tsconfig.json",
  });
  const { status } = spawnSync(process.execPath, ["--test", folder], { stdio: "inherit" });
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
