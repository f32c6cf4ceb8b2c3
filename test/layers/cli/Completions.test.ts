import { describe, expect, it } from "vitest"
import { spawnSync } from "node:child_process"
import * as ObstatProcess from "./ObstatProcess.ts"

describe("obstat completions", () => {
  it.each(["bash", "zsh", "fish"])("knows the commands, for %s [C29]", async (shell) => {
    const { stdout, stderr, status } = await ObstatProcess.run(["completions", shell])
    expect({ stderr, status }).toEqual({ stderr: "", status: 0 })
    for (const word of ["policy", "explain", "completions", `obstat completions ${shell}`]) {
      expect(stdout).toContain(word)
    }
  })

  it("completes in bash [C29]", async () => {
    const { stdout: script } = await ObstatProcess.run(["completions", "bash"])
    const complete = `${script}
COMP_WORDS=(obstat pol) COMP_CWORD=1 COMP_LINE="obstat pol" COMP_POINT=10
_obstat
printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, status } = spawnSync("bash", ["-c", complete], { encoding: "utf8" })
    expect({ completions: stdout.trim(), status }).toEqual({ completions: "policy", status: 0 })
  })

  it("refuses a shell that it does not know with status 2 [C1]", async () => {
    const { stdout, stderr, status } = await ObstatProcess.run(["completions", "tcsh"])
    expect({ stdout, status }).toEqual({ stdout: "", status: 2 })
    expect(stderr).toContain("fish")
  })
})
