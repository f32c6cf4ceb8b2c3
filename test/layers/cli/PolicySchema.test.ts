import { describe, expect, it } from "vitest"
import * as ObstatProcess from "./ObstatProcess.ts"

describe("obstat policy schema", () => {
  it("prints a JSON Schema that knows every key and no other [L2.1] [L6.1]", async () => {
    const { stdout, stderr, status } = await ObstatProcess.run(["policy", "schema"])
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    expect(JSON.parse(stdout)).toMatchObject({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { extends: {}, permission: {}, authorizerChain: {}, journal: {}, agent: {} },
      additionalProperties: false
    })
  })
})
