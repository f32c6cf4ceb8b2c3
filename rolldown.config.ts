import { defineConfig } from "rolldown"

/**
 * The command is a bundle: a cold start reads a few files in place of some hundred modules (V13). It stands at the same
 * depth below the package as the modules it is made of, so that paths relative to the package hold in both. What is
 * started by its own path, a thread or a program, is a file of its own beside it. Native parts stay outside.
 */
export default defineConfig({
  input: {
    obstat: "src/layers/bin/obstat.ts",
    RenderWorker: "src/adapters/xterm/RenderWorker.ts",
    "scripted-agent": "src/layers/testing/scripted-agent.ts"
  },
  platform: "node",
  external: ["node-pty"],
  // Some packages offer CommonJS wrappers that no bundler can follow beside their modules.
  resolve: { mainFields: ["module", "main"] },
  output: { dir: "dist/layers/bin", format: "esm", chunkFileNames: "[name].js", minify: "dce-only" }
})
