import { describe, expect, it } from "@effect/vitest"
import * as Policy from "../../../src/core/policy/Policy.ts"
import { call, environment, file, rule } from "./Fixtures.ts"

/** A person who allows everything, and keeps Obstat's files where they like. */
const policy = Policy.compile([file({ permission: { "*": "allow", code: "allow" } })], {
  ...environment,
  own: ["/home/u/xdg/config/obstat", "/data/state/obstat"]
})

describe("the gate's own protection", () => {
  it.for([
    "obstat policy trust",
    "obstat policy trust --yes .",
    "obstat --log-level debug policy trust --yes",
    "obstat policy init",
    "obstat policy init --project",
    "obstat policy import --from claude s.json --write",
    "obstat policy import --write --from claude s.json",
    "env A=1 npx obstat policy trust --yes",
    "obstat --log-level none inbox allow 1"
  ])("no agent runs %s [L2.7]", (command) => {
    expect(rule(policy, command).action).toBe("deny")
  })

  it.for(["obstat policy explain ls", "obstat policy lint", "obstat policy import --from claude s.json"])(
    "an agent may run %s [L2.7]",
    (command) => {
      expect(rule(policy, command).action).toBe("allow")
    }
  )

  it.for(["/home/u/xdg/config/obstat/obstat.jsonc", "/data/state/obstat/trust/x.json", "/data/state/obstat"])(
    "no agent reads or writes %s, where this user keeps it [L2.7]",
    (path) => {
      expect(call(policy, "Read", { file_path: path }).action).toBe("deny")
      expect(call(policy, "Write", { file_path: path, content: "" }).action).toBe("deny")
      expect(rule(policy, `cat ${path}`).action).toBe("deny")
      expect(rule(policy, "rm -rf /data").action).toBe("deny")
    }
  )
})
