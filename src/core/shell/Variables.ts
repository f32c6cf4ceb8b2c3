import * as Folding from "./Folding.ts"
import * as Place from "./Place.ts"
import * as ShellText from "./ShellText.ts"
import { CODE, type Mark, type Site, UNRESOLVED, type Walk } from "./Site.ts"
import { constant, drop, type Word } from "./ShellTree.ts"
import { effectOf } from "./VariableTable.ts"

const PAIR = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/

/** How setting a variable marks the commands that see it. */
export const markOf = (name: string, value: Word | null): Mark | null => {
  const effect = effectOf(name)
  if (effect === null) return null
  if (effect !== "eval") return CODE.environment
  return value !== null && constant(value) !== null && !/[$`]/.test(value.value) ? null : UNRESOLVED.text
}

/** Reads what a variable's value would run, and which file it names. */
export const visit = (
  walk: Walk,
  unit: number | null,
  name: string,
  value: Word | null,
  site: Site
): void => {
  if (value === null || value.value === "") return
  const effect = effectOf(name)
  if (effect === "shell") ShellText.read(walk, value, { ...site, via: [...site.via, name] })
  if (effect === "script") {
    for (const target of Place.resolve(value, { base: site.base, home: walk.home })) {
      walk.touches.push({ direction: "read", target, certain: true, recursive: false, unit })
    }
  }
}

/** A `NAME=VALUE` word of `env`, `export` and the like. */
export const word = (walk: Walk, unit: number | null, item: Word, site: Site): Mark | null => {
  const match = PAIR.exec(item.value)
  if (match === null) return null
  const value = drop(item, match[0].length)
  Folding.keep(walk, match[1]!, value)
  visit(walk, unit, match[1]!, value, site)
  return markOf(match[1]!, value)
}

/** `HOME` decides where `~` is, from here on. */
export const home = (walk: Walk, value: Word | null, site: Site): void => {
  const targets = value === null ? [] : Place.resolve(value, { base: site.base, home: walk.home })
  walk.home = targets.length === 1 && targets[0]!.kind === "exact" ? targets[0]!.path : null
}
