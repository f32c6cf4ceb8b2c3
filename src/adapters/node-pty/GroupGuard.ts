import { spawn, type ChildProcess } from "node:child_process"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"

/**
 * Outlives the host for a moment: reads `+ GROUP` and `- GROUP` lines, and when the pipe closes, which the
 * system does for a host that was killed, ends every group that is still listed. Signals to the host's own
 * group must not reach it first, hence its own session and the trap.
 */
const script = `
trap '' HUP INT TERM
groups=' '
while read -r change group; do
  case $change in
    +) groups="$groups$group " ;;
    -) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -KILL "-$group" 2>/dev/null; done
`

/** Ends the process groups of a host that can no longer do it (S2.3). One for all groups, started with the first. */
export interface GroupGuard {
  /** False where no guard could be started; the group must not live then. */
  readonly add: (group: number) => boolean
  /** The group is gone: its number may belong to another one from now on. */
  readonly remove: (group: number) => void
}

export const make: Effect.Effect<GroupGuard, never, Scope.Scope> = Effect.gen(function* () {
  const groups = new Set<number>()
  let guard: ChildProcess | null = null
  let closed = false

  const tell = (line: string) => guard?.stdin?.write(line)

  const start = (): boolean => {
    const child = spawn("/bin/sh", ["-c", script], {
      cwd: "/",
      env: {},
      detached: true,
      stdio: ["pipe", "ignore", "ignore"]
    })
    child.on("error", () => {})
    child.stdin.on("error", () => {})
    if (child.pid === undefined) return false
    // Neither the guard nor its pipe keeps the host from ending.
    child.unref()
    if ("unref" in child.stdin && typeof child.stdin.unref === "function") child.stdin.unref()
    child.on("exit", () => {
      if (guard !== child) return
      guard = null
      if (!closed && groups.size > 0) start()
    })
    guard = child
    for (const group of groups) tell(`+ ${group}\n`)
    return true
  }

  yield* Effect.addFinalizer(() =>
    Effect.callback<void>((resume) => {
      closed = true
      if (guard === null) return resume(Effect.void)
      guard.ref()
      guard.once("exit", () => resume(Effect.void))
      guard.stdin?.end()
    })
  )

  return {
    add: (group) => {
      groups.add(group)
      if (guard === null) return start()
      tell(`+ ${group}\n`)
      return true
    },
    remove: (group) => {
      groups.delete(group)
      tell(`- ${group}\n`)
    }
  }
})
