/**
 * A host of its own: starts the governed Claude, gives it a prompt whose call nobody decides, says so on standard
 * output, and lives until it is killed.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import type { PersonSurface } from "../../../src/core/authority/PersonSurface.ts"
import * as Script from "../../../src/layers/testing/Script.ts"
import * as GovernedClaude from "./GovernedClaude.ts"

const script = Script.make({
  mark: [
    Script.reply(Script.tool("Bash", { command: "touch mark", description: "Leave a mark" }, "toolu_mark")),
    Script.reply(Script.text("It ran."))
  ]
})

/** Where the sandbox is; known before anybody is asked. */
let root = ""

const person: PersonSurface["Service"] = {
  ...GovernedClaude.nobody,
  presence: Effect.succeed("present"),
  ask: () =>
    Effect.andThen(
      Effect.sync(() => console.log(root)),
      Effect.never
    )
}

await Effect.runPromise(
  Effect.gen(function* () {
    const { session, sandbox } = yield* GovernedClaude.start({
      policy: '{"permission": {"*": "ask"}}',
      script,
      person
    })
    root = sandbox.root
    yield* session.send("Please. SCRIPT:mark")
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
)
