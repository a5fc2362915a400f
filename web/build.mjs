// Builds the page into boardgym/web/static: studio.js; board.js, the board and the replay alone, for exported pages; and
// widget.js, the same for notebooks. The same sources give the same bytes; SOURCES.sha256 says, as sha256sum does, which sources these are.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { build } from "esbuild";

const OUT = "../boardgym/web/static";

/** Takes the indentation out of templates, which no minifier does: in HTML and CSS a line break is as good as one with blanks. */
const unindented = {
  name: "unindented",
  setup: ({ onLoad }) =>
    onLoad({ filter: /web\/src\/.*\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replace(/\n[ \t]+/g, "\n"),
      loader: "ts",
    })),
};

await build({
  entryPoints: [
    { in: "src/studio.ts", out: "studio" },
    { in: "src/replay.ts", out: "board" },
    { in: "src/widget.ts", out: "widget" },
  ],
  outdir: OUT,
  bundle: true,
  plugins: [unindented],
  format: "esm",
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "eof",
  tsconfig: "tsconfig.json",
  logLevel: "warning",
});

const sources = readdirSync("src", { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => `${entry.parentPath}/${entry.name}`);
const built = ["board.js", "studio.js", "widget.js"].map((name) => `${OUT}/${name}`);
const names = [...sources, "build.mjs", "package-lock.json", "tsconfig.json", ...built].sort();
const lines = names.map((name) => `${createHash("sha256").update(readFileSync(name)).digest("hex")}  ${name}\n`);
writeFileSync(`${OUT}/SOURCES.sha256`, lines.join(""));
