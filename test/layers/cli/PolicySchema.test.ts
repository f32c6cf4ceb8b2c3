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

  it("prints that of a file of cases too [L6.1]", async () => {
    const { stdout, status } = await ObstatProcess.run(["policy", "schema", "--of", "cases"])
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      properties: { cases: { type: "array", minItems: 1, items: { required: ["expect"] } } },
      additionalProperties: false
    })
  })
})
