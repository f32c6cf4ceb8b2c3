import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    root: new URL("../..", import.meta.url).pathname,
    include: ["test/agents/**/*.test.ts"],
    exclude: ["**/node_modules/**"],
    globalSetup: ["test/agents/lib/loopback-only.ts"],
    // One real CLI at a time: each takes a quarter of a gigabyte and two seconds of processor time to start.
    maxWorkers: 1,
    fileParallelism: false,
    // Every wait in a test is for evidence; this bound only ends a test that would never finish.
    testTimeout: 120_000,
    hookTimeout: 60_000
  }
})
