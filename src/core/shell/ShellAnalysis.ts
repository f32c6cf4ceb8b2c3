import type { Indirect } from "../policy/Ruling.ts"
import * as Folding from "./Folding.ts"
import { launch } from "./Launch.ts"
import * as Pipes from "./Pipes.ts"
import * as Place from "./Place.ts"
import * as ShellText from "./ShellText.ts"
import {
  type After,
  stricter,
  type Site,
  type Stdin,
  type Touch,
  type Unit,
  UNRESOLVED,
  type Walk
} from "./Site.ts"
import {
  type Command,
  constant,
  type Flaw,
  type Node,
  type Parse,
  type Redirect,
  show,
  type Word
} from "./ShellTree.ts"
import { touch } from "./Touching.ts"
import * as Unbash from "./Unbash.ts"
import * as Variables from "./Variables.ts"

/** Where the text would run. All absolute. */
export interface Surroundings {
  readonly cwd: string
  readonly home: string
  /** The shell grammar; unbash where it is left out (L3.1). */
  readonly parse?: Parse
}

export interface ShellAnalysis {
  readonly units: ReadonlyArray<Unit>
  readonly touches: ReadonlyArray<Touch>
  /** Why the text as a whole is not understood, `null` where it is (L3.5). */
  readonly flaw: Flaw | null
}

/**
 * What a command text would run and open (L3): every command of it, wrappers and what they run as units of
 * their own, outer first. Pure, total and bounded: a text that is too long, too deep or not understood has a
 * `flaw`, and what was still seen.
 */
export const analyse = (text: string, { cwd, home, parse = Unbash.parse }: Surroundings): ShellAnalysis => {
  const walk: Walk = {
    parse,
    units: [],
    touches: [],
    home,
    hidden: new Set(),
    aliases: new Map(),
    values: new Map(),
    descriptors: new Set(),
    standIns: new Map(),
    evaluates: false,
    latent: new Set(),
    sticky: null,
    flaw: null,
    visit,
    launch
  }
  const site: Site = {
    via: [],
    base: [Place.normalise(cwd)],
    stdin: { _tag: "outside" },
    remote: false,
    mark: null,
    depth: 0
  }
  const parsed = parse(text)
  const root = parsed._tag === "Parsed" ? parsed.root : parsed.recovered
  if (root !== null) visit(walk, root, site)
  evaluateLatent(walk, site)
  for (const unit of walk.units) {
    const name = constant(unit.words[0]!)
    if (name !== null && walk.hidden.has(name)) {
      unit.hidden = true
      unit.transparent = true
    }
  }
  return {
    units: walk.units,
    touches: walk.touches,
    flaw: parsed._tag === "Unknown" ? parsed.flaw : walk.flaw
  }
}

/** Text that holds a subscript with a command, beside arithmetic that evaluates variables. */
const evaluateLatent = (walk: Walk, site: Site): void => {
  if (!walk.evaluates || walk.latent.size === 0) return
  if (walk.units[0] !== undefined) walk.units[0].mark = stricter(walk.units[0].mark, UNRESOLVED.arithmetic)
  else walk.flaw ??= "unsupported"
  for (const text of [...walk.latent].slice(0, MAX_LATENT)) {
    const parsed = walk.parse(`((${text}))`)
    const root = parsed._tag === "Parsed" ? parsed.root : parsed.recovered
    if (root !== null) visit(walk, root, { ...site, mark: UNRESOLVED.arithmetic })
  }
}

/** The whole is marked anyhow; so many are looked into, so that a deny on what they run holds. */
const MAX_LATENT = 32

const visit = (walk: Walk, node: Node, site: Site): After => {
  const same: After = { ok: site.base, fail: site.base }
  switch (node._tag) {
    case "Command":
      return command(walk, node, site)
    case "List": {
      let after = same
      for (const entry of node.entries) {
        const before =
          entry.join === "&&"
            ? after.ok
            : entry.join === "||"
              ? after.fail
              : Place.union(after.ok, after.fail)
        const next = visit(walk, entry.node, before === site.base ? site : { ...site, base: before })
        after =
          entry.join === "&&"
            ? { ok: next.ok, fail: Place.union(after.fail, next.fail) }
            : entry.join === "||"
              ? { ok: Place.union(after.ok, next.ok), fail: next.fail }
              : next
      }
      return after
    }
    case "Pipeline": {
      let below: ReturnType<typeof Pipes.below> = null
      node.stages.forEach((stage, index) => {
        const stdin: Stdin = below === null ? { _tag: "piped" } : { _tag: "paths", below }
        visit(walk, stage, index === 0 ? site : { ...site, stdin })
        below = Pipes.below(stage, below)
      })
      return same
    }
    case "Not": {
      const after = visit(walk, node.body, site)
      return { ok: after.fail, fail: after.ok }
    }
    case "Subshell":
      visit(walk, node.body, site)
      return same
    case "Branches": {
      for (const word of node.words) {
        ShellText.remember(walk, word)
        if (node.variable !== null) Folding.keep(walk, node.variable, word)
        for (const run of word.runs) visit(walk, run, site)
      }
      // A loop may come round with a directory that its own body has left it in.
      const base = node.loop && node.bodies.some(moves) ? Place.UNKNOWN : site.base
      let all = base
      for (const body of node.bodies) {
        const after = visit(walk, body, { ...site, base })
        all = Place.union(all, Place.union(after.ok, after.fail))
      }
      return { ok: all, fail: all }
    }
    case "Function":
      walk.hidden.add(node.name)
      visit(walk, node.body, { ...site, base: moves(node.body) ? Place.UNKNOWN : site.base })
      return same
    case "Redirected": {
      const inside = redirect(walk, node.redirects, site, null)
      const after = visit(walk, node.body, inside)
      redirectRuns(walk, node.redirects, site)
      return after
    }
    case "Test": {
      for (const word of node.subscripts) {
        const text = constant(word)
        if (text === null || /[A-Za-z_]/.test(text)) walk.evaluates = true
        if (text === null || !/[[`$]/.test(text)) continue
        launch(walk, node.words, site)
        ShellText.evaluate(walk, word, site)
      }
      for (const word of node.words) for (const run of word.runs) visit(walk, run, site)
      return same
    }
    case "Arithmetic":
      if (node.evaluates) walk.evaluates = true
      for (const run of node.runs) visit(walk, run, site)
      return same
    case "Kept":
      ShellText.remember(walk, node.word)
      return same
    case "Unseen":
      walk.flaw ??= "unsupported"
      return same
  }
}

const MOVERS = new Set(["cd", "pushd", "popd", "eval", "source", "."])

/** Words that only say how the next one is looked up. */
const LOOK_UPS = new Set(["command", "builtin"])

/** Whether these words may change the directory of the shell that runs them. */
const mayMove = (words: ReadonlyArray<Word>): boolean => {
  const [name, ...rest] = words
  if (name === undefined) return false
  if (constant(name) === null) return true
  if (!LOOK_UPS.has(name.value)) return MOVERS.has(name.value)
  const next = rest.findIndex((word) => constant(word) === null || !word.value.startsWith("-"))
  return next !== -1 && mayMove(rest.slice(next))
}

/** Whether a change of directory may happen inside, without looking into subshells. */
const moves = (node: Node): boolean => {
  switch (node._tag) {
    case "Command":
      return mayMove(node.words)
    case "List":
      return node.entries.some((entry) => moves(entry.node))
    case "Not":
    case "Redirected":
      return moves(node.body)
    case "Branches":
      return node.bodies.some(moves)
    case "Pipeline":
    case "Subshell":
    case "Function":
    case "Test":
    case "Arithmetic":
    case "Kept":
    case "Unseen":
      return false
  }
}

const redirect = (walk: Walk, redirects: ReadonlyArray<Redirect>, site: Site, unit: number | null): Site => {
  let inside = site
  for (const item of redirects) {
    switch (item._tag) {
      case "file":
        if (item.variable !== null) walk.descriptors.add(item.variable)
        touch(walk, unit, item.direction, item.target, site)
        for (const words of Folding.readings(walk, [item.target])) {
          for (const word of words) touch(walk, unit, item.direction, word, site, { certain: false })
        }
        if (item.direction === "read") inside = { ...inside, stdin: { _tag: "outside" } }
        break
      case "descriptor": {
        const word = item.target
        const name =
          word.pieces.length === 1 && word.pieces[0]!._tag === "expansion" ? word.pieces[0]!.name : null
        const descriptor = /^(?:\d+-?|-)$/.test(word.value) || (name !== null && walk.descriptors.has(name))
        if (!descriptor) touch(walk, unit, "write", word, site)
        break
      }
      case "text":
        inside = { ...inside, stdin: { _tag: "text", word: item.word } }
        break
    }
  }
  return inside
}

const redirectRuns = (walk: Walk, redirects: ReadonlyArray<Redirect>, site: Site): void => {
  for (const item of redirects) {
    const word = item._tag === "text" ? item.word : item.target
    ShellText.remember(walk, word)
    for (const run of word.runs) visit(walk, run, site)
  }
}

const command = (walk: Walk, node: Command, site: Site): After => {
  const words =
    walk.standIns.size === 0 ? node.words : node.words.map((word) => ShellText.restore(walk, word))
  // The index is right only while nothing before `launch` adds a unit.
  const index = words.length === 0 ? null : walk.units.length
  for (const word of words) ShellText.remember(walk, word)
  let mark = site.mark
  for (const item of node.assignments) Folding.keep(walk, item.name, item.value)
  for (const item of node.assignments) mark = stricter(mark, Variables.markOf(item.name, item.value))
  const inside = redirect(walk, node.redirects, mark === site.mark ? site : { ...site, mark }, index)
  const after = launch(walk, words, inside)
  for (const item of node.assignments) {
    Variables.visit(walk, index, item.name, item.value, site)
    ShellText.remember(walk, item.word)
    for (const run of item.word.runs) visit(walk, run, site)
    if (words.length === 0 && item.name === "HOME") Variables.home(walk, item.value, site)
  }
  // Without a command the variables stay set for what follows.
  if (words.length === 0) walk.sticky = stricter(walk.sticky, mark)
  for (const word of words) for (const run of word.runs) visit(walk, run, site)
  redirectRuns(walk, node.redirects, site)
  return after
}

/** The unit's mark as the machine form shows it, for tests. @internal */
export const indirectOf = (unit: Unit): Indirect | null => unit.mark?.indirect ?? null

export const textOf = (unit: Unit): string => unit.words.map(show).join(" ")

export const argvOf = (unit: Unit): ReadonlyArray<string> => unit.words.map((word) => word.value)
