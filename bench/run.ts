/**
 * Runs one benchmark by name, which prints its figures as JSON.
 *
 *     npm run bench -- terminal
 */
import { readdirSync } from "node:fs"

const [name, ...rest] = process.argv.slice(2)
const names = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".ts") && file !== "run.ts")
  .map((file) => file.slice(0, -3))

if (name === undefined || !names.includes(name)) {
  console.error(`usage: npm run bench -- NAME [ARGUMENT]...; names: ${names.join(", ")}`)
  process.exitCode = 2
} else {
  // A benchmark finds its own arguments where it would if it were run directly.
  process.argv.splice(1, 2, `${import.meta.dirname}/${name}.ts`)
  if (rest.length > 0 && process.argv.length !== rest.length + 2) throw new Error("arguments were lost")
  await import(`./${name}.ts`)
}
