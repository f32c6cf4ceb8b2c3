// Compiles the package's small programs. Run by its install script, so it says nothing when all is well.
// Without a C compiler the package still works, only less well: so a compiler that is missing or fails is a
// note, never a failed install.
import { spawnSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** Each program, and what stands in for it. `obstat doctor` names what is missing. */
const programs = {
  "hook-client": "hooks will use the slower Node client",
  // Only Linux opens pseudo-terminals in the way that this program is for.
  ...(process.platform === "linux" && {
    "pty-launch": "agents will inherit the descriptors of other agents' terminals"
  })
}

const directory = fileURLToPath(new URL("build/", import.meta.url))
const [compiler = "cc", ...own] = (process.env.CC ?? "").split(/\s+/).filter((word) => word !== "")

for (const [program, instead] of Object.entries(programs)) {
  const source = fileURLToPath(new URL(`${program}.c`, import.meta.url))
  const target = `${directory}${program}`
  const unfinished = `${target}.${process.pid}`
  const compile = (flags) =>
    spawnSync(compiler, [...own, "-std=c11", "-O2", "-Wall", "-Wextra", ...flags, "-o", unfinished, source], {
      stdio: "ignore"
    }).status === 0

  try {
    mkdirSync(directory, { recursive: true })
    // Without a dynamic linker a program starts sooner; not every system has what that needs.
    if (compile(["-static", "-s"]) || compile([])) renameSync(unfinished, target)
    else console.log(`obstat: no working C compiler for ${program}, ${instead}`)
  } catch (error) {
    console.log(`obstat: ${program} was not built (${error.code ?? "unknown"}), ${instead}`)
  } finally {
    rmSync(unfinished, { force: true })
  }
}
