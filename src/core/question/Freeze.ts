/** Freezes a plain value and all it holds, in place; for values that this process has just built (Q1.4). */
export const deep = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const held of Object.values(value)) deep(held)
  }
  return value
}
