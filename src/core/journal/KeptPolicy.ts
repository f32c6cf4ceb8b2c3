import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../call/CanonicalJson.ts"
import * as Policy from "../policy/Policy.ts"
import { Scope } from "../policy/Ruling.ts"

/** A policy as it is kept for replay: the texts of all scopes, as they were, and the places they speak of (A4.2). */
const KeptPolicy = Schema.Struct({
  schemaVersion: Schema.Literal(1),
  texts: Schema.Array(
    Schema.Struct({
      scope: Scope,
      file: Schema.NullOr(Schema.String),
      text: Schema.String,
      digest: Schema.String,
      unreadable: Schema.NullOr(Schema.String),
      trusted: Schema.Boolean
    })
  ),
  home: Schema.String,
  projectRoot: Schema.String,
  own: Schema.Array(Schema.String)
})

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(KeptPolicy), { onExcessProperty: "error" })

export const print = ({ texts, places }: Policy.Policy): string =>
  Option.getOrElse(
    CanonicalJson.print({
      schemaVersion: 1,
      texts: texts.map(({ digest, file, scope, text, trusted, unreadable }) => ({
        digest,
        file,
        scope,
        text,
        trusted,
        unreadable
      })),
      home: places.home,
      projectRoot: places.projectRoot,
      own: places.own ?? []
    }),
    () => ""
  )

/** The policy again; none where the text is no kept policy. */
export const read = (text: string): Option.Option<Policy.Policy> =>
  Option.map(decode(text), ({ home, own, projectRoot, texts }) =>
    Policy.compile(texts, { home, own, projectRoot })
  )
