import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as ChildProcess from "effect/process/ChildProcess"
import type * as ChildProcessSpawner from "effect/process/ChildProcessSpawner"
import { basename } from "node:path"
import type { Subject } from "./AgentPermission.ts"
import type { JsonFields } from "./Script.ts"

/** Where a tool runs. */
export interface Place {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** What a tool did: the text for the model, and the tool's own record of it. */
export interface Done {
  readonly text: string
  readonly isError: boolean
  readonly record: Schema.Json
}

type Run = Effect.Effect<Done, never, FileSystem.FileSystem | ChildProcessSpawner.ChildProcessSpawner>

/** A tool call whose input was understood: what a person is asked, and how it runs. */
export interface Call {
  readonly subject: Omit<Subject, "rule">
  /** Whether its dialog names the rule that made it ask. */
  readonly namesRule: boolean
  /** Whether it runs unasked where no rule says otherwise. */
  readonly unasked: boolean
  readonly run: (place: Place) => Run
}

const failed = (text: string): Done => ({ text, isError: true, record: `Error: ${text}` })

/** First words of commands that only read, and so run unasked by default. */
const READERS: ReadonlySet<string> = new Set(["cat", "echo", "ls", "pwd", "true"])

/** Characters with which a command can do more than its first word says. */
const COMPOUND = /[;&|<>$`\n(]/

const Bash = Schema.Struct({ command: Schema.String, description: Schema.optionalKey(Schema.String) })

const bash = ({ command, description }: typeof Bash.Type): Call => ({
  subject: {
    title: "Bash command",
    description: description ?? null,
    detail: command,
    question: "Do you want to proceed?"
  },
  namesRule: true,
  unasked: !COMPOUND.test(command) && READERS.has(command.trim().split(/\s/)[0] ?? ""),
  run: ({ cwd, env }) =>
    Effect.gen(function* () {
      const child = yield* ChildProcess.make("/bin/sh", ["-c", command], {
        cwd,
        env: { ...env, CLAUDECODE: "1" },
        stdin: "ignore"
      })
      const text = (bytes: typeof child.stdout) => Stream.mkString(Stream.decodeText(bytes))
      const [stdout, stderr, code] = yield* Effect.all(
        [text(child.stdout), text(child.stderr), child.exitCode],
        {
          concurrency: "unbounded"
        }
      )
      const output = [stdout, stderr]
        .map((part) => part.trimEnd())
        .filter((part) => part !== "")
        .join("\n")
      if (code !== 0) return failed(`Exit code ${code}${output === "" ? "" : `\n${output}`}`)
      return {
        text: output === "" ? "(Bash completed with no output)" : output,
        isError: false,
        record: { stdout: stdout.trimEnd(), stderr: stderr.trimEnd(), interrupted: false, isImage: false }
      }
    }).pipe(
      Effect.scoped,
      Effect.catch((error) => Effect.succeed(failed(error.message)))
    )
})

const Read = Schema.Struct({ file_path: Schema.String })

const read = ({ file_path: path }: typeof Read.Type): Call => ({
  subject: {
    title: "Read file",
    description: null,
    detail: `Read(${path})`,
    question: "Do you want to proceed?"
  },
  namesRule: false,
  unasked: true,
  run: () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const content = yield* fs.readFileString(path)
      const lines = content.split("\n")
      return {
        text: lines.map((line, index) => `${index + 1}\t${line}`).join("\n"),
        isError: false,
        record: {
          type: "text",
          file: { filePath: path, content, numLines: lines.length, startLine: 1, totalLines: lines.length }
        }
      }
    }).pipe(Effect.catch((error) => Effect.succeed(failed(error.message))))
})

const Write = Schema.Struct({ file_path: Schema.String, content: Schema.String })

const write = ({ file_path: path, content }: typeof Write.Type): Call => ({
  subject: {
    title: "Create file",
    description: basename(path),
    detail: content,
    question: `Do you want to create ${basename(path)}?`
  },
  namesRule: false,
  unasked: false,
  run: () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      yield* fs.writeFileString(path, content)
      return {
        text: `File created successfully at: ${path}`,
        isError: false,
        record: { type: "create", filePath: path, content, structuredPatch: [] }
      }
    }).pipe(Effect.catch((error) => Effect.succeed(failed(error.message))))
})

/** One row per tool: its input's schema, and what a call of it is. */
const tool =
  <S extends Schema.ConstraintDecoder<unknown>>(input: S, call: (input: S["Type"]) => Call) =>
  (raw: unknown): Result.Result<Call, string> =>
    Result.mapBoth(Schema.decodeUnknownResult(input)(raw), {
      onSuccess: call,
      onFailure: (error) => `InputValidationError: ${error.message}`
    })

const TOOLS: ReadonlyMap<string, (input: JsonFields) => Result.Result<Call, string>> = new Map([
  ["Bash", tool(Bash, bash)],
  ["Read", tool(Read, read)],
  ["Write", tool(Write, write)]
])

/** The call that a script makes; a failure is an error result which no hook gets to see. */
export const decode = (name: string, input: JsonFields): Result.Result<Call, string> =>
  TOOLS.get(name)?.(input) ?? Result.fail(`Error: No such tool available: ${name}`)
