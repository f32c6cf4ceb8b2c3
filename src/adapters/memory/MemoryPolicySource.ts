import { createHash } from "node:crypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Stream from "effect/Stream"
import type { PolicyText } from "../../core/policy/PolicyDocument.ts"
import { PolicySource } from "../../core/policy/PolicySource.ts"
import type { Scope } from "../../core/policy/Ruling.ts"

/** The text of a policy file for each scope that has one. */
export type Texts = { readonly [S in Exclude<Scope, "builtin" | "grant">]?: string }

const SCOPES = ["admin", "default", "user", "project", "agent"] as const

/** The texts of a host's own rules, all of them trusted: the host wrote them. */
export const texts = (given: Texts): ReadonlyArray<PolicyText> =>
  SCOPES.flatMap((scope) => {
    const text = given[scope]
    if (text === undefined) return []
    const digest = `sha256-${createHash("sha256").update(text).digest("base64url")}`
    return [{ scope, file: null, text, digest, unreadable: null, trusted: true }]
  })

/** A policy that is written in a program and does not change while it runs. */
export const layer = (given: Texts): Layer.Layer<PolicySource> =>
  Layer.succeed(PolicySource, PolicySource.of({ read: Effect.succeed(texts(given)), changes: Stream.never }))
