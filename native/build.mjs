// Compiles the hook client (S5.7). Run by the package's install script, so it says nothing when all is well.
// Without a C compiler the package still works: the Node client stands in, and `obstat doctor` says so; so a
// compiler that is missing or fails is a note, never a failed install.
import { spawnSync } from "node:child_process"
import { mkdirSync, renameSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const source = fileURLToPath(new URL("hook-client.c", import.meta.url))
const directory = fileURLToPath(new URL("build/", import.meta.url))
const target = `${directory}hook-client`
const unfinished = `${target}.${process.pid}`
const [compiler = "cc", ...own] = (process.env.CC ?? "").split(/\s+/).filter((word) => word !== "")

const compile = (flags) =>
  spawnSync(compiler, [...own, "-std=c11", "-O2", "-Wall", "-Wextra", ...flags, "-o", unfinished, source], {
    stdio: "ignore"
  }).status === 0

try {
  mkdirSync(directory, { recursive: true })
  // Without a dynamic linker the client starts sooner; not every system has what that needs.
  if (compile(["-static", "-s"]) || compile([])) renameSync(unfinished, target)
  else console.log("obstat: no working C compiler, hooks will use the slower Node client")
} catch (error) {
  console.log(
    `obstat: the hook client was not built (${error.code ?? "unknown"}), hooks will use the Node client`
  )
} finally {
  rmSync(unfinished, { force: true })
}
