// Builds the page into boardgym/web/static: studio.js, and board.js, the board alone, for exported pages and notebooks.
// The same sources give the same bytes.
import { build } from "esbuild";

const shared = {
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  charset: "utf8",
  legalComments: "eof",
  tsconfig: "tsconfig.json",
  logLevel: "warning",
};

await build({ ...shared, entryPoints: ["src/studio.ts", "src/board.ts"], outdir: "../boardgym/web/static" });
