import * as Place from "./Place.ts"
import type { Site, Touch, Walk } from "./Site.ts"
import { drop, type Word } from "./ShellTree.ts"

/** Devices and descriptors that are no files of anybody. */
const DEVICE = /^\/dev\/(?:null|zero|full|random|urandom|tty|std(?:in|out|err)|fd\/\d+)$/

/** Notes that a word names a file which is read or written, in every directory that the command may run in. */
export const touch = (
  walk: Walk,
  unit: number | null,
  direction: Touch["direction"] | "both",
  word: Word,
  site: Site,
  { certain = true, recursive = false } = {}
): void => {
  if (site.remote || word.pieces.some((piece) => piece._tag === "pipe")) return
  for (const target of Place.resolve(word, { base: site.base, home: walk.home })) {
    if (unit !== null && target.kind === "exact") locate(walk, unit, word, target.path)
    if (DEVICE.test(target.path)) continue
    if (direction !== "write") walk.touches.push({ direction: "read", target, certain, recursive, unit })
    if (direction !== "read") walk.touches.push({ direction: "write", target, certain, recursive, unit })
  }
}

const locate = (walk: Walk, unit: number, word: Word, path: string): void => {
  // A redirection is met before its command, and is none of its words.
  const located = walk.units[unit]?.located
  if (located === undefined) return
  const known = located.get(word)
  if (known === undefined) located.set(word, [path])
  else if (!known.includes(path)) located.set(word, [...known, path])
}

/** A word of a program that we do not know: whatever in it may be a file's name. */
export const maybe = (walk: Walk, unit: number, word: Word, site: Site): void => {
  const value = word.value
  const equals = value.indexOf("=")
  const options = { certain: false }
  if (!value.startsWith("-")) touch(walk, unit, "both", word, site, options)
  const tails = [equals > 0 ? equals + 1 : 0, /^-[A-Za-z]./.test(value) ? 2 : 0]
  for (const count of tails) {
    const tail = count === 0 ? null : drop(word, count)
    if (tail !== null && tail.value !== "") touch(walk, unit, "both", tail, site, options)
  }
}
