import * as NodeServices from "@effect/platform-node/NodeServices"
import { expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FileSystem from "effect/FileSystem"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import * as FilePathFacts from "../../../src/adapters/files/FilePathFacts.ts"
import * as PolicyFiles from "../../../src/adapters/files/PolicyFiles.ts"
import { PathFacts } from "../../../src/core/policy/PathFacts.ts"
import * as PolicyEngine from "../../../src/core/policy/PolicyEngine.ts"
import { PolicySource } from "../../../src/core/policy/PolicySource.ts"
import type { ToolCall } from "../../../src/core/call/ToolCall.ts"

/** A home, a project and a search path of their own. */
const place = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const root = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
  const at = (path: string) => `${root}/${path}`
  const write = Effect.fnUntraced(function* (path: string, content: object | string) {
    const file = at(path)
    yield* fs.makeDirectory(file.slice(0, file.lastIndexOf("/")), { recursive: true })
    yield* fs.writeFileString(file, typeof content === "string" ? content : JSON.stringify(content))
  })
  yield* write("project/a", "")
  const options = { configDirectory: at("config"), projectRoot: at("project"), adminFile: at("admin.jsonc") }
  return { fs, at, write, options }
})

const read = (options: PolicyFiles.Options) =>
  Effect.flatMap(PolicySource, (source) => source.read).pipe(Effect.provide(PolicyFiles.layer(options)))

const rules = (bash: object) => ({ permission: { bash } })

it.layer(NodeServices.layer)("policy files", (it) => {
  it.effect(
    "are the admin's, the user's and the project's, which alone is not trusted [L2.1]",
    Effect.fnUntraced(function* () {
      const { at, options, write } = yield* place
      expect(yield* read(options)).toEqual([])
      yield* write("config/obstat.jsonc", rules({ ls: "allow" }))
      yield* write("project/.obstat/obstat.jsonc", rules({ ls: "deny" }))
      yield* write("admin.jsonc", "{}")
      const texts = yield* read(options)
      expect(texts.map(({ file, scope, trusted }) => [scope, file, trusted])).toEqual([
        ["admin", at("admin.jsonc"), true],
        ["user", at("config/obstat.jsonc"), true],
        ["project", at("project/.obstat/obstat.jsonc"), false]
      ])
      expect(new Set(texts.map(({ digest }) => digest)).size).toBe(3)
    })
  )

  it.effect(
    "are replaced by one that is named, which has to be there [L6.3, L2.2]",
    Effect.fnUntraced(function* () {
      const { at, options, write } = yield* place
      yield* write("config/obstat.jsonc", rules({ ls: "allow" }))
      yield* write("admin.jsonc", "{}")
      yield* write("p.jsonc", "{}")
      const scopes = (more: Partial<PolicyFiles.Options>) =>
        Effect.map(read({ ...options, ...more }), (texts) =>
          texts.map(({ scope, unreadable }) => [scope, unreadable])
        )
      expect(yield* scopes({ policyFile: at("p.jsonc") })).toEqual([
        ["admin", null],
        ["user", null]
      ])
      expect(yield* scopes({ policyFile: at("p.jsonc"), alone: true })).toEqual([["user", null]])
      expect(yield* scopes({ policyFile: at("none.jsonc"), alone: true })).toEqual([["user", "missing"]])
    })
  )

  it.effect(
    "that are there and cannot be read are broken, not missing [L2.2]",
    Effect.fnUntraced(function* () {
      const { at, fs, options } = yield* place
      yield* fs.makeDirectory(at("config/obstat.jsonc"), { recursive: true })
      const [text] = yield* read(options)
      expect(text?.scope).toBe("user")
      expect(text?.unreadable).not.toBeNull()
    })
  )

  it.effect(
    "rule by their newest content, and a call keeps the rules that it began with [L2.3]",
    Effect.fnUntraced(function* () {
      const { at, options, write } = yield* place
      yield* write("config/obstat.jsonc", rules({ "ls *": "allow" }))
      const call: ToolCall = {
        agent: "claude",
        tool: "Bash",
        input: { command: "ls" },
        callId: null,
        cwd: at("project"),
        mode: null,
        requester: { agentName: null, sessionId: null, forwarded: false }
      }
      const layer = PolicyEngine.layer({ home: at("home"), projectRoot: at("project") }).pipe(
        Layer.provide(PolicyFiles.layer(options)),
        Layer.provide(FilePathFacts.layer({ searchPath: ["/usr/bin", "/bin"], projectRoot: at("project") }))
      )
      yield* Effect.gen(function* () {
        const engine = yield* PolicyEngine.PolicyEngine
        const first = yield* engine.rule(call)
        expect(first.action).toBe("allow")
        yield* write("config/obstat.jsonc", rules({ "ls *": "deny" }))
        const changed = yield* engine.changes.pipe(Stream.drop(1), Stream.runHead, Effect.forkChild)
        yield* TestClock.adjust("2 seconds")
        yield* Fiber.join(changed)
        const second = yield* engine.rule(call)
        expect(second.action).toBe("deny")
        expect(second.policyDigest).not.toBe(first.policyDigest)
        expect((yield* engine.current).digest).toBe(second.policyDigest)
      }).pipe(Effect.provide(layer))
    })
  )
})

it.layer(NodeServices.layer)("path facts", (it) => {
  const facts = (
    options: FilePathFacts.Options,
    paths: ReadonlyArray<string>,
    programs: ReadonlyArray<string>
  ) =>
    Effect.flatMap(PathFacts, (service) => service.resolve(paths, programs)).pipe(
      Effect.provide(FilePathFacts.layer(options))
    )

  it.effect(
    "resolve links, and paths that do not exist yet by the directory that does [L3.4, L1.8]",
    Effect.fnUntraced(function* () {
      const { at, fs } = yield* place
      yield* fs.symlink("/etc", at("project/lnk"))
      const paths = [
        "project/lnk/hostname",
        "project/lnk/new/file",
        "project/lnk/../x",
        "project/none/../a"
      ].map(at)
      const { canonical } = yield* facts({ searchPath: [], projectRoot: at("project") }, paths, [])
      expect(paths.map(canonical)).toEqual(["/etc/hostname", "/etc/new/file", "/x", at("project/a")])
      expect(canonical("/never/asked")).toBeNull()
    })
  )

  it.effect(
    "take scripts as they are at that moment, and what is none as unreadable [P1.4] [BUG-072]",
    Effect.fnUntraced(function* () {
      const { at, fs } = yield* place
      const scripts = (...names: ReadonlyArray<string>) =>
        Effect.flatMap(PathFacts, (service) => service.scripts(names.map(at))).pipe(
          Effect.provide(FilePathFacts.layer({ searchPath: [], projectRoot: at("project") }))
        )
      yield* fs.writeFileString(at("project/s.sh"), "echo 1\n")
      const [first] = yield* scripts("project/s.sh")
      expect(first).toMatchObject({ path: at("project/s.sh"), text: "echo 1\n" })
      yield* fs.writeFileString(at("project/s.sh"), "echo 2\n")
      const [second] = yield* scripts("project/s.sh")
      expect(second?.digest).not.toBe(first?.digest)
      yield* fs.writeFile(at("project/binary"), new Uint8Array([0xff, 0xfe, 0]))
      yield* fs.writeFileString(at("project/long"), "x".repeat(300 * 1024))
      const [binary, long, none, directory] = yield* scripts(
        "project/binary",
        "project/long",
        "project/none",
        "project"
      )
      expect([binary?.text, long?.text]).toEqual([null, null])
      expect([binary?.digest, long?.digest].every((digest) => digest?.length === 64)).toBe(true)
      expect([none, directory].map((script) => [script?.digest, script?.text])).toEqual([
        [null, null],
        [null, null]
      ])
    })
  )

  it.effect(
    "trust a program's bare name only from outside the project [L1.3]",
    Effect.fnUntraced(function* () {
      const { at, fs, write } = yield* place
      yield* write("bin/tool", "")
      yield* write("bin/linked", "")
      yield* write("project/bin/ls", "")
      yield* fs.remove(at("bin/linked"))
      yield* fs.symlink(at("project/a"), at("bin/linked"))
      const trusted = Effect.fnUntraced(function* (...searchPath: ReadonlyArray<string>) {
        const found = yield* facts(
          { searchPath, projectRoot: at("project") },
          [],
          ["tool", "ls", "linked", "none"]
        )
        return ["tool", "ls", "linked", "none"].filter(found.trusted)
      })
      expect(yield* trusted(at("bin"), "/bin")).toEqual(["tool", "ls"])
      expect(yield* trusted(at("project/bin"), at("bin"), "/bin")).toEqual(["tool"])
      expect(yield* trusted(".", "/bin")).toEqual([])
    })
  )
})
