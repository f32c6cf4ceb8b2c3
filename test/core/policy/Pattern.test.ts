import { describe, expect, it } from "@effect/vitest"
import * as Pattern from "../../../src/core/policy/Pattern.ts"

const places = { home: "/home/u", projectRoot: "/project" }
const words = (...items: ReadonlyArray<string>) => items.join(Pattern.SEPARATOR)
const matches = (pattern: string, subject: string, kind: Pattern.Kind = "words") =>
  Pattern.matches(Pattern.make(pattern, kind, places), subject)

describe("a pattern", () => {
  it("has one question mark for one character, whatever plane it is of [L1.3]", () => {
    expect(matches("rm ?", words("rm", "é"))).toBe(true)
    expect(matches("rm ?", words("rm", "\u{1f600}"))).toBe(true)
    expect(matches("rm ??", words("rm", "\u{1f600}"))).toBe(false)
    expect(matches("rm ?\u{1f600}*", words("rm", "\u{1f601}\u{1f600}x"))).toBe(true)
    expect(matches("rm ?\u{1f600}", words("rm", "\u{1f600}\u{1f601}"))).toBe(false)
    const holed = words("rm", `${Pattern.HOLE}\u{1f600}`)
    expect(Pattern.mayMatch(Pattern.make("rm a?", "words", places), holed)).toBe(true)
    expect(Pattern.mayMatch(Pattern.make("rm a\u{1f600}", "words", places), holed)).toBe(true)
    expect(Pattern.mayMatch(Pattern.make("rm a\u{1f601}", "words", places), holed)).toBe(false)
  })

  it.for([
    ["git status *", words("git", "status"), true],
    ["git status *", words("git", "status", "-s", "a b"), true],
    ["git status *", words("git", "statusx"), false],
    ["git  status", words("git", "status"), true],
    ["git status", words("git status"), false],
    ["rm a b", words("rm", "a b"), false],
    ["*push*", words("git", "-C", "d", "push"), true],
    ["a?c", words("abc"), true],
    ["a?c", words("a", "c"), false],
    ["rm", words("xrm"), false],
    ["a*b*c", words("a", "b", "b", "c"), true],
    ["a*bc*c", "abc", false],
    ["cat ~/x", words("cat", "/home/u/x"), true],
    ["cat ${HOME}/x $HOME", words("cat", "/home/u/x", "/home/u"), true]
  ] as const)("%s of words [L1.3]", ([pattern, subject, expected]) => {
    expect(matches(pattern, subject)).toBe(expected)
  })

  it.for([
    ["src/*", "/project/src/a/b", true],
    ["./src/*", "/project/src/a", true],
    ["src/*", "/other/src/a", false],
    ["~/.ssh/*", "/home/u/.ssh/id", true],
    ["$HOME/.ssh/*", "/home/u/.ssh/id", true],
    ["*.pem", "/anywhere/k.pem", true],
    ["/etc/*", "/etc/a\nb", true],
    [".", "/project", true],
    ["~x/a", "/home/u/a", false]
  ] as const)("%s of paths, from the project root [L1.3, L1.8]", ([pattern, subject, expected]) => {
    expect(matches(pattern, subject, "path")).toBe(expected)
  })

  it("matches by its fixed beginning no other than those it says [L1.3]", () => {
    expect(Pattern.make("git push *", "words", places).head).toBe("git")
    expect(Pattern.make("g* push", "words", places).head).toBeNull()
    expect(Pattern.make("src/a/*.ts", "path", places).head).toBe("/project/src/a")
    expect(Pattern.make("*.ts", "path", places).head).toBeNull()
  })

  it("with many stars takes each character of the subject once [L1.3]", () => {
    // With backtracking twenty stars over these lengths would not end.
    const hostile = `${"*a".repeat(20)}*b`
    expect(matches(hostile, "a".repeat(200))).toBe(false)
    expect(matches(hostile, "a".repeat(1_000_000))).toBe(false)
    expect(matches(hostile.replace("b", "a"), "a".repeat(1_000_000))).toBe(true)
    expect(matches(`${"*?a".repeat(20)}*b`, "a".repeat(10_000))).toBe(false)
  })

  it("may match a text with holes exactly where something could fill them [L1.4]", () => {
    const may = (pattern: string, subject: string) =>
      Pattern.mayMatch(Pattern.make(pattern, "words", places), subject)
    expect(may("rm -rf *", words("rm", Pattern.HOLE))).toBe(true)
    expect(may("rm -rf *", words(Pattern.HOLE, "x"))).toBe(true)
    expect(may("git *", words("rm", Pattern.HOLE))).toBe(false)
    expect(may("rm -rf /", words("rm", `-${Pattern.HOLE}`, "x"))).toBe(false)
    expect(may("a*b", `a${Pattern.HOLE}c`)).toBe(false)
    expect(may("a*b", `a${Pattern.HOLE}b`)).toBe(true)
    expect(may("x".repeat(1_000), Pattern.HOLE.repeat(1_000))).toBe(true)
  })
})
