import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Runtime from "effect/Runtime"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { homedir } from "node:os"
import { delimiter, join, resolve } from "node:path"
import * as FilePathFacts from "../../adapters/files/FilePathFacts.ts"
import * as PolicyFiles from "../../adapters/files/PolicyFiles.ts"
import type * as Analysis from "../../core/policy/Analysis.ts"
import * as ConfigIssue from "../../core/policy/ConfigIssue.ts"
import type * as Pattern from "../../core/policy/Pattern.ts"
import * as Policy from "../../core/policy/Policy.ts"
import type { PolicyText } from "../../core/policy/PolicyDocument.ts"
import { PolicySource } from "../../core/policy/PolicySource.ts"
import * as StateFolder from "../StateFolder.ts"
import * as Diagnostic from "./Diagnostic.ts"
import * as ExitCode from "./ExitCode.ts"

/** A policy file is broken. With it nothing would be allowed, so the command says so and does not start (L2.2). */
class BrokenPolicy extends Schema.TaggedError<BrokenPolicy>()("BrokenPolicy", {
  issues: Schema.Array(ConfigIssue.ConfigIssue)
}) {
  override get message() {
    return ["the policy is broken", ...this.issues.map(ConfigIssue.show)].join("\n")
  }
  override readonly [Runtime.errorExitCode] = ExitCode.of("usage")
}

/** Where this user keeps what they configure, and what Obstat remembers for them. */
export const directories = (home: string): { readonly config: string; readonly state: string } => ({
  config: join(process.env["XDG_CONFIG_HOME"] || join(home, ".config"), "obstat"),
  state: StateFolder.of({ ...process.env, HOME: home })
})

/** Where a command works, as policy wants to know it. All absolute. */
export const environment = (directory: string): Analysis.Environment & Pattern.Places => {
  const root = resolve(directory)
  const home = homedir()
  return { cwd: root, projectRoot: root, home, own: Object.values(directories(home)) }
}

/** The shipped rules, as a person without a policy file has them (L2.6). */
const starter: PolicyText = {
  scope: "default",
  file: null,
  text: '{ "extends": ["starter"] }',
  digest: "starter",
  unreadable: null,
  trusted: true
}

/** A person who has written no rules is neither flooded nor exposed: without a file of theirs the starter rules. */
const orStarter = (texts: ReadonlyArray<PolicyText>): ReadonlyArray<PolicyText> =>
  texts.some(({ scope }) => scope === "user") ? texts : [starter, ...texts]

/**
 * This user's policy files, or `file` in place of them, and what the file system says about paths. `alone`: in
 * place of the administrator's too, which nothing that really runs may do (L6.3).
 */
export const layer = (
  file: Option.Option<string>,
  { projectRoot, home }: Analysis.Environment,
  admin: "alone" | "with-admin"
) => {
  const { config, state } = directories(home)
  const files = PolicyFiles.layer({
    configDirectory: config,
    stateDirectory: state,
    projectRoot,
    ...Option.match(file, {
      onNone: () => ({}),
      onSome: (policyFile) => ({ policyFile, alone: admin === "alone" })
    })
  })
  const source = Layer.effect(
    PolicySource,
    PolicySource.useSync(({ read, changes }) =>
      PolicySource.of({ read: Effect.map(read, orStarter), changes: Stream.map(changes, orStarter) })
    )
  )
  return Layer.mergeAll(
    Layer.provide(source, files),
    FilePathFacts.layer({ searchPath: (process.env["PATH"] ?? "").split(delimiter), projectRoot })
  )
}

const refuse = ({ broken, issues }: Policy.Policy) =>
  broken
    ? Effect.fail(new BrokenPolicy({ issues: issues.filter(({ severity }) => severity === "error") }))
    : Effect.void

/** The policy's texts as they are now, none of them broken. */
export const texts = Effect.fnUntraced(function* (places: Pattern.Places) {
  const texts = yield* PolicySource.use((source) => source.read)
  yield* refuse(Policy.compile(texts, places))
  return texts
})

/** The policy as its files are now. What they ignore on purpose is said on standard error. */
export const load = Effect.fnUntraced(function* (places: Pattern.Places) {
  const compiled = Policy.compile(yield* PolicySource.use((source) => source.read), places)
  yield* refuse(compiled)
  for (const issue of compiled.issues) yield* Diagnostic.print([ConfigIssue.show(issue)])
  return compiled
})
