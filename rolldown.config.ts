import { existsSync } from "node:fs"
import { defineConfig } from "rolldown"

const renderWorker = "src/adapters/xterm/RenderWorker.ts"

/**
 * The command is one bundle: a cold start reads one file in place of some hundred modules (V13). It stands at the
 * same depth below the package as the modules it is made of, so that paths relative to the package hold in both.
 * The render worker is started by its own path, so it is a file of its own beside the bundle. Native parts stay outside.
 */
export default defineConfig({
  input: {
    obstat: "src/layers/bin/obstat.ts",
    ...(existsSync(renderWorker) ? { RenderWorker: renderWorker } : {})
  },
  platform: "node",
  external: ["node-pty"],
  // Some packages offer CommonJS wrappers that no bundler can follow beside their modules.
  resolve: { mainFields: ["module", "main"] },
  output: { dir: "dist/layers/bin", format: "esm", chunkFileNames: "[name].js", minify: "dce-only" }
})
