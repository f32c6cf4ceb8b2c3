import * as Result from "effect/Result"
import * as SemVer from "effect/SemVer"
import type { Dialect } from "./Dialect.ts"

/**
 * Whether a program's version is one whose behaviour was measured (S4.4). A version that cannot be read is none.
 *
 * @param printed what the program printed about its version
 */
export const covers = (dialect: Pick<Dialect, "characterised" | "version">, printed: string): boolean => {
  const version = SemVer.parse(dialect.version(printed) ?? "")
  return (
    Result.isSuccess(version) &&
    SemVer.between(version.success, {
      minimum: SemVer.parseUnsafe(dialect.characterised.from),
      maximum: SemVer.parseUnsafe(dialect.characterised.to)
    })
  )
}
