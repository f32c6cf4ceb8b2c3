import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Latch from "effect/Latch"
import * as Stream from "effect/Stream"
import * as SubscriptionRef from "effect/SubscriptionRef"
import * as PolicyFiles from "../../../src/adapters/files/PolicyFiles.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"
import * as Analysis from "../../../src/core/policy/Analysis.ts"
import * as ConfigIssue from "../../../src/core/policy/ConfigIssue.ts"
import { decide } from "../../../src/core/policy/Decide.ts"
import * as Facts from "../../../src/core/policy/PathFacts.ts"
import * as Policy from "../../../src/core/policy/Policy.ts"
import * as PolicyEngine from "../../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"

/** A user who allows `ls` and denies `rm`, and a project beside. */
const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const user = `${root}/config/obstat.jsonc`
  const project = `${root}/project/.obstat/obstat.jsonc`
  yield* fs.makeDirectory(`${root}/config`, { recursive: true })
  yield* fs.makeDirectory(`${root}/project/.obstat`, { recursive: true })
  yield* fs.writeFileString(user, `{"permission": {"bash": {"ls *": "allow", "rm *": "deny"}}}`)
  const options = {
    configDirectory: `${root}/config`,
    projectRoot: `${root}/project`,
    adminFile: `${root}/admin.jsonc`
  }
  const environment = { cwd: options.projectRoot, home: `${root}/home`, projectRoot: options.projectRoot }
  const compile = Effect.flatMap(PolicySource, (source) => source.read).pipe(
    Effect.map((texts) => Policy.compile(texts, environment)),
    Effect.provide(PolicyFiles.layer(options))
  )
  const rule = (policy: Policy.Policy, command: string) =>
    decide(policy, [], Analysis.command(command, environment), Facts.none).action
  return { fs, root, user, project, options, environment, compile, rule }
})

const issuesOf = (policy: Policy.Policy) => policy.issues.map(ConfigIssue.show)

it.layer(NodeServices.layer)("a hostile policy file", (it) => {
  it.effect.each([
    ["an unknown key", `{"permissions": {"bash": "allow"}}`, `unknown key "permissions"`],
    ["a wrong type", `{"permission": {"bash": ["allow"]}}`, `the rule for "bash" is none of`],
    ["a wrong action", `{"permission": {"bash": {"*": "yes"}}}`, `the rule for "*" is none of`],
    ["a byte order mark", `\uFEFF{"permission": {"bash": "allow"}}`, "byte order mark"],
    [
      "a key that stands twice",
      `{"permission": {"bash": {"rm *": "deny", "rm *": "allow"}}}`,
      "stands twice"
    ],
    ["a surface that stands twice", `{"permission": {"bash": "deny", "bash": "allow"}}`, "stands twice"],
    ["half a file", `{"permission": {"bash": {"*": "allow"`, "broken syntax"],
    ["another syntax", "permission:\n  bash: allow\n", "broken syntax"],
    ["a prototype", `{"permission": {"__proto__": {"*": "allow"}}}`, "__proto__"],
    [
      "the name of a built-in",
      `{"permission": {"constructor": {"*": "allow"}}, "toString": 1}`,
      `unknown key "toString"`
    ],
    ["nothing", "", "broken syntax"],
    ["ten megabytes", `{"permission": {"bash": {"${"a".repeat(10_000_000)}": "allow"}}}`, "larger than"],
    ["ten thousand brackets", "[".repeat(10_000), "nests too deep"]
  ] as const)(
    "with %s is an error with its place, and allows nothing of anybody [L2.2, X2]",
    ([, text, message]) =>
      Effect.gen(function* () {
        for (const scope of ["user", "project"] as const) {
          const { compile, fs, rule, ...files } = yield* place
          yield* fs.writeFileString(files[scope], text)
          const policy = yield* compile
          expect(policy.broken).toBe(true)
          expect(issuesOf(policy).join("\n")).toContain(message)
          expect(issuesOf(policy)[0]).toContain(`${files[scope]}:`)
          expect(rule(policy, "ls")).not.toBe("allow")
          // The denies of whoever can be read stay.
          if (scope === "project") expect(rule(policy, "rm a")).toBe("deny")
        }
      })
  )

  it.effect("that is no UTF-8 is an error [L2.2]", () =>
    Effect.gen(function* () {
      const { compile, fs, rule, user } = yield* place
      yield* fs.writeFile(user, new Uint8Array([0x7b, 0xff, 0x7d]))
      const policy = yield* compile
      expect(issuesOf(policy)).toEqual([
        `${user}:1:1: the file cannot be read: it is no UTF-8 (mend it, or take it away)`
      ])
      expect(rule(policy, "ls")).toBe("ask")
    })
  )

  it.effect("that is a link, a pipe or a folder is refused, and nothing waits for it [X5, L2.2]", () =>
    Effect.gen(function* () {
      for (const scope of ["user", "project"] as const) {
        for (const [kind, reason] of [
          ["link", "it is a link"],
          ["zero", "it is a link"],
          ["pipe", "it is no regular file"],
          ["folder", "it is no regular file"]
        ] as const) {
          const { compile, fs, root, rule, ...files } = yield* place
          const file = files[scope]
          yield* fs.remove(file, { force: true })
          yield* fs.writeFileString(`${root}/elsewhere`, `{"permission": {"*": "allow"}}`)
          if (kind === "link") yield* fs.symlink(`${root}/elsewhere`, file)
          if (kind === "zero") yield* fs.symlink("/dev/zero", file)
          if (kind === "pipe") execFileSync("mkfifo", [file])
          if (kind === "folder") yield* fs.makeDirectory(file)
          const policy = yield* compile
          expect([scope, kind, issuesOf(policy).join()]).toEqual([
            scope,
            kind,
            expect.stringContaining(reason)
          ])
          expect(policy.broken).toBe(true)
          expect(rule(policy, "ls")).toBe("ask")
        }
      }
    })
  )

  it.effect("that others can write, or exchange, speaks for nobody [X5]", () =>
    Effect.gen(function* () {
      for (const [path, mode] of [
        ["config/obstat.jsonc", 0o666],
        ["config/obstat.jsonc", 0o664],
        ["config", 0o777],
        ["config", 0o775]
      ] as const) {
        const { compile, fs, root, rule } = yield* place
        yield* fs.chmod(`${root}/${path}`, mode)
        const policy = yield* compile
        expect(issuesOf(policy).join()).toContain("others can write to")
        expect(rule(policy, "ls")).toBe("ask")
        yield* fs.chmod(`${root}/${path}`, mode & 0o755)
        expect(rule(yield* compile, "ls")).toBe("allow")
      }
    })
  )

  it.effect("that belongs to another user speaks for nobody [X5]", () =>
    Effect.gen(function* () {
      const { compile, fs, project, rule, user } = yield* place
      expect(rule(yield* compile, "ls")).toBe("allow")
      // Only root can give a file away; for anybody else there is no more to try here.
      if (process.getuid?.() !== 0) return
      yield* fs.chown(user, 65_534, 65_534)
      expect(issuesOf(yield* compile).join()).toContain("it belongs to another user")
      expect(rule(yield* compile, "ls")).toBe("ask")
      yield* fs.chown(user, 0, 0)
      // A project's file tightens whoever owns it.
      yield* fs.writeFileString(project, `{"permission": {"bash": {"ls *": "deny"}}}`)
      yield* fs.chown(project, 65_534, 65_534)
      expect(rule(yield* compile, "ls")).toBe("deny")
    })
  )

  it.effect("of a repository cannot allow, only tighten [X7, L2.1]", () =>
    Effect.gen(function* () {
      const { compile, fs, project, rule } = yield* place
      yield* fs.writeFileString(
        project,
        `{"permission": {"*": "allow", "bash": {"*": "allow", "ls *": "ask"}, "code": "allow"}, "journal": "off"}`
      )
      const policy = yield* compile
      expect(policy.broken).toBe(false)
      expect(["git push", "npm test", "rm a", "ls"].map((command) => rule(policy, command))).toEqual([
        "ask",
        "ask",
        "deny",
        "ask"
      ])
      expect(policy.settings.some((settings) => "journal" in settings)).toBe(false)
      expect(issuesOf(policy).length).toBeGreaterThan(0)
    })
  )

  it.effect("that is replaced while a call is decided does not change that decision [L2.3]", () =>
    Effect.gen(function* () {
      const { environment, options } = yield* place
      const source = Effect.flatMap(PolicySource, (source) => source.read).pipe(
        Effect.provide(PolicyFiles.layer(options))
      )
      const texts = yield* SubscriptionRef.make(yield* source)
      const asked = yield* Latch.make()
      const answered = yield* Latch.make()
      const slow = Layer.succeed(
        Facts.PathFacts,
        Facts.PathFacts.of({
          resolve: () => asked.open.pipe(Effect.andThen(answered.await), Effect.as(Facts.none)),
          scripts: () => Effect.succeed([])
        })
      )
      const layer = PolicyEngine.layer(environment).pipe(
        Layer.provide(
          Layer.succeed(
            PolicySource,
            PolicySource.of({ read: SubscriptionRef.get(texts), changes: SubscriptionRef.changes(texts) })
          )
        ),
        Layer.provide(slow)
      )
      const call: ToolCall = {
        agent: "claude",
        tool: "Bash",
        input: { command: "ls" },
        callId: null,
        cwd: environment.cwd,
        mode: null,
        requester: { agentName: null, sessionId: null, forwarded: false }
      }
      yield* Effect.gen(function* () {
        const engine = yield* PolicyEngine.PolicyEngine
        const before = yield* engine.current
        const deciding = yield* Effect.forkChild(engine.rule(call))
        yield* asked.await
        const text = `{"permission": {"bash": {"ls *": "deny"}}}`
        yield* SubscriptionRef.update(texts, (all) => all.map((item) => ({ ...item, text, digest: text })))
        yield* engine.changes.pipe(
          Stream.filter((policy) => policy.digest !== before.digest),
          Stream.runHead
        )
        yield* answered.open
        const ruling = yield* Fiber.join(deciding)
        expect([ruling.action, ruling.policyDigest]).toEqual(["allow", before.digest])
        const next = yield* engine.rule(call)
        expect([next.action, next.policyDigest === before.digest]).toEqual(["deny", false])
      }).pipe(Effect.provide(layer))
    })
  )
})
