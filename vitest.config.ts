import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    exclude: ["test/agents/**"],
    // Every wait in a test is for evidence; this bound only ends a test that would never finish.
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
