import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as TtyPersonSurface from "../../../src/adapters/tty/TtyPersonSurface.ts"
import type { AskPayload } from "../../../src/core/ask/AskPayload.ts"
import { contract, type Harness } from "../../contracts/PersonSurface.ts"
import * as PersonSurface from "../../../src/core/authority/PersonSurface.ts"
import { asking, offerOf } from "../../core/ask/Fixtures.ts"
import * as EmulatedTty from "../../../src/layers/testing/EmulatedTty.ts"

const ENTER = "\r"
const RIGHT = "\x1b[C"
const ESC = "\x1b"
const LEFT = "\x1b[D"
const UP = "\x1b[A"

const ask = (payload: AskPayload) => ({ id: "a", payload, since: 0 })

const setup = Effect.fnUntraced(function* (
  options: Parameters<typeof EmulatedTty.make>[0] = { columns: 60, rows: 20 },
  surface: TtyPersonSurface.Options = {}
) {
  const tty = EmulatedTty.make(options)
  return {
    tty,
    surface: yield* TtyPersonSurface.make({ device: tty.device, styled: true, plain: false, ...surface })
  }
})

/** As many turns of the event loop as an answer of the terminal needs to be read. */
const turns = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

describe("TtyPersonSurface", () => {
  contract(
    Effect.map(setup(), ({ surface, tty }): Harness => ({
      surface,
      shows: (text) => Effect.asVoid(tty.until((screen) => tty.alternate() && screen.includes(text))),
      hides: (text) => Effect.asVoid(tty.until((screen) => !(tty.alternate() && screen.includes(text)))),
      isShown: (text) => tty.alternate() && tty.screen().includes(text),
      setPresent: tty.setForeground,
      allow: tty.type(RIGHT + RIGHT + ENTER),
      // Each step waits for what it leads to: keys that come before a paint mean nothing.
      allowSession: Effect.gen(function* () {
        yield* tty.type(LEFT + ENTER)
        yield* tty.until((screen) => screen.includes("Allowed for the session"))
        yield* tty.type(UP)
        yield* tty.until((screen) => screen.includes("❯ Allow"))
        yield* tty.type(ENTER)
      }),
      deny: tty.type(ENTER),
      denyWith: (reason) => tty.type(RIGHT + ENTER + reason + ENTER),
      leave: tty.type(ESC),
      answerFirst: tty.type(ENTER + ENTER),
      hangUp: tty.hangUp
    }))
  )

  it.live("leaves the terminal as it was, with one line about what was decided", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("git push"))
      assert.isTrue(tty.alternate())
      assert.isTrue(tty.bracketedPaste())
      assert.isFalse(tty.wraps())
      yield* tty.type(ENTER)
      yield* Fiber.join(fiber)
      assert.isFalse(tty.alternate())
      assert.isFalse(tty.bracketedPaste())
      assert.isTrue(tty.wraps())
      assert.strictEqual(tty.history(), "Obstat: you denied: Bash: git push")
    })
  )

  it.live("says that an ask was withdrawn, and puts the terminal back", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("git push"))
      yield* Fiber.interrupt(fiber)
      assert.isFalse(tty.alternate())
      assert.strictEqual(tty.history(), "Obstat: withdrawn before you decided: Bash: git push")
    })
  )

  it.live("a render that breaks leaves no raw terminal behind [A1.2]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const broken: AskPayload = {
        ...asking("x"),
        get evidence(): never {
          throw new Error("broken")
        }
      }
      const exit = yield* Effect.exit(surface.ask(ask(broken)))
      assert.isTrue(Exit.isFailure(exit))
      assert.isFalse(tty.alternate())
      assert.isTrue(tty.wraps())
    })
  )

  it.live("keys typed before the dialog was on the screen never answer it [P6.1]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      yield* tty.type(ENTER + ENTER + RIGHT + RIGHT + ENTER + ESC)
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type(RIGHT)
      yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
      assert.isUndefined(fiber.pollUnsafe())
      yield* tty.type(RIGHT + ENTER)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "allow", channel: "terminal" })
    })
  )

  it.live("what is left of an answer does not answer the next ask [P6.1] [BUG-063]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const both = yield* Effect.forkChild(
        Effect.all([surface.ask(ask(asking("git push a"))), surface.ask(ask(asking("git push b")))], {
          concurrency: 2
        })
      )
      yield* tty.until((screen) => screen.includes("git push a") && screen.includes("1 waiting"))
      yield* tty.type(ENTER + ENTER + ENTER + ENTER)
      yield* tty.until((screen) => screen.includes("git push b") && tty.alternate())
      assert.isUndefined(both.pollUnsafe())
      yield* tty.type(RIGHT + RIGHT + ENTER)
      const [first, second] = yield* Fiber.join(both)
      assert.strictEqual(first._tag, "deny")
      assert.strictEqual(second._tag, "allow")
    })
  )

  it.live(
    "a cursor report that is not the answer to a paint arms nothing: a modified F3 looks like one [P6.1]",
    () =>
      Effect.gen(function* () {
        const { surface, tty } = yield* setup()
        yield* tty.type(`\x1b[1;2R${ENTER}`)
        const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
        yield* tty.until((screen) => screen.includes("❯ Deny"))
        yield* tty.type(RIGHT)
        yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
        assert.isUndefined(fiber.pollUnsafe())
        yield* Fiber.interrupt(fiber)
      })
  )

  it.live("the rest of a paste that began in one dialog says nothing to the next [P6.1]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const queries = () => tty.written().split("\x1b[6n").length
      const first = yield* Effect.forkChild(surface.ask(ask(asking("git push a"))))
      yield* tty.until((screen) => screen.includes("git push a"))
      yield* tty.type(`${RIGHT}\x1b[200~some words`)
      yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
      yield* Fiber.interrupt(first)
      const second = yield* Effect.forkChild(surface.ask(ask(asking("git push b"))))
      yield* tty.until((screen) => screen.includes("git push b") && tty.alternate())
      const before = queries()
      yield* tty.type(`${ENTER}more${ENTER}\x1b[201~`)
      yield* tty.until(() => queries() > before)
      yield* tty.type(RIGHT)
      yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
      assert.isUndefined(second.pollUnsafe())
      yield* Fiber.interrupt(second)
    })
  )

  it.live("a sequence that arrives in pieces is one key; a lone escape is one too", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      for (const piece of ["\x1b", "[", "C"]) yield* tty.type(piece)
      yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
      yield* tty.type(ESC)
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "cancelled" })
    })
  )

  it.live("redraws on a resize, keeps what was typed, and waits for that paint [P2.7] [P6.1]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type(`${RIGHT}${ENTER}why`)
      yield* tty.until((screen) => screen.includes("Reason: why"))
      yield* tty.resize(34, 11)
      yield* tty.until((screen) => screen.includes("Obstat: claude as… ") && screen.includes("Reason: why"))
      assert.strictEqual(tty.cursor().x, " Reason: why".length)
      yield* tty.type(" not\r")
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "deny", reason: "why not" })
    })
  )

  it.live("allows a command of 5,000 lines only once all of it was on the screen [P2.3] [P6.2]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup(
        { columns: 100, rows: 60 },
        { budget: { rows: 60, columns: 100 } }
      )
      const command = Array.from({ length: 5000 }, (_, index) => `echo ${index}`).join("\n")
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking(command))))
      yield* tty.until((screen) => screen.includes("(read all first)"))
      yield* tty.type("G")
      yield* tty.until((screen) => screen.includes("echo 4999"))
      assert.include(tty.screen(), "(read all first)")
      yield* tty.type("g")
      yield* tty.until((screen) => screen.includes("echo 0\n"))
      for (let last = 0; last < 4999;) {
        const before = tty.screen()
        yield* tty.type(" ")
        const screen = yield* tty.until((screen) => screen !== before)
        last = Math.max(...[...screen.matchAll(/echo (\d+)/g)].map(([, number]) => Number(number)))
      }
      yield* tty.until((screen) => !screen.includes("(read all first)"))
      yield* tty.type(`${RIGHT}${RIGHT}${ENTER}`)
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "allow" })
    })
  )

  it.live("nothing in a payload reaches the terminal as a control [BUG-050] [P2.6]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup()
      const evil = "echo \x1b[2J\x1b]0;safe\x07\u009b2J\u202e\u2028 x\r"
      const fiber = yield* Effect.forkChild(
        surface.ask(
          ask({
            ...asking(evil),
            evidence: [{ label: "\x1b[8mlabel", text: evil, modelGenerated: true }],
            annotations: [{ source: evil, text: evil }]
          })
        )
      )
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type("e")
      yield* tty.until((screen) => screen.includes("e less"))
      yield* tty.type(ENTER)
      yield* Fiber.join(fiber)
      const ours = tty
        .written()
        .replace(/\x1b\[[?0-9;]*[A-Za-z]/g, "")
        .replaceAll("\r\n", "")
      assert.notMatch(ours, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      assert.include(tty.history(), "you denied: Bash: echo \\u{1b}[2J")
    })
  )

  it.live("uses no attribute where colours are not wanted, and marks the focus in text [P2.6]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup({ columns: 60, rows: 20 }, { styled: false })
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type(ENTER)
      yield* Fiber.join(fiber)
      assert.notMatch(tty.written().replaceAll("\x1b[0m", ""), /\x1b\[[0-9;]*m/)
    })
  )

  it.live("has room for what matters in 60 by 20, and for a choice in 20 by 6 [P2.3]", () =>
    Effect.gen(function* () {
      for (const [columns, rows] of [
        [60, 20],
        [20, 6]
      ] as const) {
        const { surface, tty } = yield* setup({ columns, rows })
        const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push --force origin main"))))
        yield* tty.until((screen) => screen.includes("❯ Deny"))
        for (const row of tty.screen().split("\n")) assert.isAtMost(row.length, columns)
        yield* tty.type(ENTER)
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "deny" })
      }
    })
  )

  it.effect("falls back to plain lines where the terminal does not confirm what it shows [P3.3] [P6.1]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup({ columns: 80, rows: 24, answers: false })
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type(ENTER)
      while (tty.opened.length < 2) yield* TestClock.adjust("1 second")
      const screen = yield* tty.until((screen) => /allow \d+/.test(screen))
      assert.isFalse(tty.alternate())
      const [, code = ""] = /allow (\d+)/.exec(screen) ?? []
      yield* tty.type(`allow\nallow ${Number(code) + 1}\nallow ${code}\n`)
      assert.deepStrictEqual(yield* Fiber.join(fiber), { _tag: "allow", channel: "terminal" })
    })
  )

  it.live(
    "asks and questions in plain lines: everything on demand, and only the code shown counts [P3.3] [P6.1]",
    () =>
      Effect.gen(function* () {
        const { surface, tty } = yield* setup({ columns: 80, rows: 60 }, { plain: true })
        yield* tty.type("allow\ny\n")
        const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
        const screen = yield* tty.until((screen) => /deny \d+ and/.test(screen))
        const [, code = ""] = /deny (\d+) and/.exec(screen) ?? []
        yield* tty.type("all\n")
        yield* tty.until((screen) => screen.includes("in full:"))
        yield* tty.type(`deny ${code} use a branch\n`)
        assert.deepInclude(yield* Fiber.join(fiber), { _tag: "deny", reason: "use a branch" })
        assert.notInclude(tty.written(), "\x1b")
        assert.deepStrictEqual(tty.opened, ["line"])
      })
  )

  it.live("says who answered an ask that was shown elsewhere too [P6.3] [BUG-062]", () =>
    Effect.gen(function* () {
      const here = yield* setup()
      const there = yield* setup()
      const both = PersonSurface.race([here.surface, there.surface])
      const fiber = yield* Effect.forkChild(both.ask(ask(asking("git push"))))
      yield* here.tty.until((screen) => screen.includes("❯ Deny"))
      yield* there.tty.until((screen) => screen.includes("❯ Deny"))
      yield* there.tty.type(ENTER)
      assert.deepInclude(yield* Fiber.join(fiber), { _tag: "deny" })
      assert.isFalse(here.tty.alternate())
      assert.strictEqual(here.tty.history(), "Obstat: denied by somebody at the terminal: Bash: git push")
      assert.strictEqual(there.tty.history(), "Obstat: you denied: Bash: git push")
    })
  )

  it.live("records what was allowed for the session, and takes it in plain lines as well [P6.2] [P3.3]", () =>
    Effect.gen(function* () {
      const { surface, tty } = yield* setup({ columns: 80, rows: 60 }, { plain: true })
      const offers = [offerOf("git push"), offerOf("rm -rf build", { exact: true })]
      const fiber = yield* Effect.forkChild(surface.ask({ ...ask(asking("git push")), offers }))
      const screen = yield* tty.until((screen) => /session \d+/.test(screen))
      const [, code = ""] = /session (\d+)/.exec(screen) ?? []
      assert.include(screen, "bash 1: │ git push *")
      yield* tty.type("drop 2\nchange 1 *\n")
      yield* tty.until((screen) => screen.includes("It has to name the program."))
      yield* tty.type(`session\nsession ${code}\n`)
      const verdict = yield* Fiber.join(fiber)
      assert.deepInclude(verdict, {
        grant: { rules: [offers[0]!.rule], scope: "requester", minutes: null, uses: null }
      })
      assert.include(tty.history(), "Obstat: you allowed, and for the session git push *: Bash: git push")
    })
  )

  it.live("tells the terminal where nobody has touched a key, and never what is asked [P6.4] [X4]", () =>
    Effect.gen(function* () {
      const evil = asking("MARKER")
      const payload = { ...evil, request: { ...evil.request, toolName: "T;x\x1b\\\x07" } }
      const notice = { kind: "osc777", after: "10 millis" } as const
      const { surface, tty } = yield* setup({ columns: 60, rows: 20 }, { notice })
      const fiber = yield* Effect.forkChild(surface.ask(ask(payload)))
      yield* tty.until(() => tty.written().includes("\x07"))
      assert.include(tty.written(), "\x1b]777;notify;Obstat;claude asks to use T,x,u{1b},,u{7}\x07")
      yield* Fiber.interrupt(fiber)
    })
  )

  it.effect("leaves a person alone who is there: a key was pressed [P6.4]", () =>
    Effect.gen(function* () {
      const notice = { kind: "bell", after: "20 seconds" } as const
      const { surface, tty } = yield* setup({ columns: 60, rows: 20 }, { notice })
      const fiber = yield* Effect.forkChild(surface.ask(ask(asking("git push"))))
      yield* tty.until((screen) => screen.includes("❯ Deny"))
      yield* tty.type(RIGHT)
      yield* tty.until((screen) => screen.includes("❯ Deny with a reason"))
      // The terminal has confirmed this paint; the dialog has to have read that before the clock jumps.
      yield* turns
      yield* TestClock.adjust("1 hour")
      assert.notInclude(tty.written(), "\x07")
      yield* Fiber.interrupt(fiber)
    })
  )
})
