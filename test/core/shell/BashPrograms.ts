/** A small generator of numbers, the same for the same seed on every machine (mulberry32). */
export const random = (seed: number): (() => number) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let value = Math.imul(state ^ (state >>> 15), state | 1)
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61)
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32
  }
}

/** The command that stands for all that could run: a shell function that writes its number down. */
export const MARKER = "zap"

/**
 * Programs of every construct that bash has, some of them damaged. Each marker has a number of its own. All
 * loops are bounded and no other program is named, so that they are safe to run with an empty PATH.
 */
export const make = (next: () => number): string => {
  let count = 0
  const below = (limit: number): number => Math.floor(next() * limit)
  const pick = <A>(items: ReadonlyArray<A>): A => items[below(items.length)]!
  const chance = (share: number): boolean => next() < share

  const name = (): string =>
    pick([
      MARKER,
      MARKER,
      MARKER,
      "'zap'",
      '"zap"',
      "z\\ap",
      "z'a'p",
      "$'zap'",
      "$'\\x7aap'",
      '$"zap"',
      "za\\\np",
      'z""ap'
    ])
  const marker = (): string => `${name()} ${++count}`

  const word = (depth: number): string =>
    pick<() => string>([
      () => "a",
      () => "'b c'",
      () => `"d"`,
      () => "$e",
      () => "${f}",
      () => "*",
      () => "~",
      () => "{g,h}",
      () => "\\$(i)",
      () => "'$(j)'",
      () => `$(${list(depth - 1)})`,
      () => `"x$(${list(depth - 1)})y"`,
      () => `\`${marker()}\``,
      () => `"\`${marker()}\`"`,
      () => `\${k:-$(${list(depth - 1)})}`,
      () => `"\${k:-\`${marker()}\`}"`,
      () => `\${l/x/$(${list(depth - 1)})}`,
      () => `\${m:$(${list(depth - 1)}; echo 0)}`,
      () => `$(( $(${list(depth - 1)}; echo 1) + 1 ))`,
      () => `$[ $(${list(depth - 1)}; echo 1) ]`,
      () => `<(${list(depth - 1)})`,
      () => `@(n|$(${list(depth - 1)}))`,
      () => `$((${marker()}); ${marker()})`,
      () => `"\${o[$(${list(depth - 1)}; echo 0)]}"`,
      () => `{p,$(${list(depth - 1)})}`
    ])()

  const assignment = (depth: number): string =>
    pick<() => string>([
      () => "q=1",
      () => `q=${word(depth - 1)}`,
      () => `r=(1 ${word(depth - 1)})`,
      () => `s[$(${list(depth - 1)}; echo 0)]=1`,
      () => `t+=$(${list(depth - 1)})`,
      () => `u=([k]=$(${list(depth - 1)}))`
    ])()

  const redirect = (depth: number): string =>
    pick<() => string>([
      () => ">/dev/null",
      () => "2>&1",
      () => "</dev/null",
      () => `<<<${word(depth - 1)}`,
      () => `> >(${list(depth - 1)})`,
      () => `< <(${list(depth - 1)})`,
      () => `>/dev/null$(${list(depth - 1)})`,
      () => "{fd}>/dev/null"
    ])()

  const simple = (depth: number): string => {
    if (depth <= 0) return marker()
    const parts: Array<string> = []
    if (chance(0.2)) parts.push(assignment(depth))
    parts.push(
      pick<() => string>([
        () => marker(),
        () => marker(),
        () => `echo ${word(depth)} ${word(depth)}`,
        () => `: ${word(depth)}`,
        () => `eval "${marker()}"`,
        () => `eval ${marker()}`,
        () => `eval '${MARKER} ${++count}; :'`,
        () => `declare v=${word(depth - 1)}`,
        () => `export w=(${word(depth - 1)})`,
        () => `local x=$(${list(depth - 1)})`,
        () => `trap '${MARKER} ${++count}' EXIT`,
        () => `let 'y=z[$(${MARKER} ${++count}; echo 0)]'`,
        () => `printf -v 'aa[$(${MARKER} ${++count}; echo 0)]' 1`,
        () => `test -n ${word(depth)}`,
        () => `[ ${word(depth)} = a ]`
      ])()
    )
    if (chance(0.25)) parts.push(redirect(depth))
    return parts.join(" ")
  }

  const compound = (depth: number): string =>
    pick<() => string>([
      () => `{ ${list(depth - 1)}; }`,
      () => `(${list(depth - 1)})`,
      () => `( ${list(depth - 1)} )`,
      () => `if ${list(depth - 1)}; then ${list(depth - 1)}; else ${list(depth - 1)}; fi`,
      () => `for i in ${word(depth)} ${word(depth - 1)}; do ${list(depth - 1)}; done`,
      () => `for i; do ${list(depth - 1)}; done`,
      () => `for ((i=0; i<1; i++)); do ${list(depth - 1)}; done`,
      () => `while ${list(depth - 1)}; false; do ${list(depth - 1)}; done`,
      () =>
        `case ${word(depth)} in a) ${list(depth - 1)} ;; ${word(depth - 1)}) ${list(depth - 1)} ;& *) ${list(depth - 1)} ;; esac`,
      () => `f${++count}() { ${list(depth - 1)}; }; f${count}`,
      () => `function g${++count} { ${list(depth - 1)}; }\ng${count}`,
      () => `[[ -n ${word(depth)} && ( $(${list(depth - 1)}) = a* ) ]]`,
      () => `(( 1 + $(${list(depth - 1)}; echo 1) ))`,
      () => `coproc { ${list(depth - 1)}; }`,
      () => `coproc N${++count} { ${list(depth - 1)}; }`,
      () => `time ${list(depth - 1)}`,
      () => `! ${list(depth - 1)}`,
      () => `cat <<E${++count}\n$(${list(depth - 1)}) \`${marker()}\`\nE${count}\n`,
      () => `cat <<'E${++count}'\n$(${MARKER} 0)\nE${count}\n`,
      () => `{ ${list(depth - 1)}; } ${redirect(depth)}`
    ])()

  const item = (depth: number): string => (depth > 0 && chance(0.45) ? compound(depth) : simple(depth))

  const list = (depth: number): string => {
    let text = item(depth)
    while (chance(0.3) && text.length < 400)
      text += `${pick([";", " && ", " || ", " | ", "\n", " |& ", "; "])}${item(depth)}`
    return text
  }

  const program = list(3)
  return chance(0.35) ? damage(program, below, pick) : program
}

const FRAGMENTS = [
  "'",
  '"',
  "`",
  "$(",
  ")",
  "((",
  "))",
  "{",
  "}",
  "[",
  "]",
  "\\",
  ";",
  "#",
  "$",
  "<<",
  "|",
  "=",
  "=(",
  "\n"
]

/** A program with a few characters gone, doubled or put in. */
const damage = (
  program: string,
  below: (limit: number) => number,
  pick: <A>(items: ReadonlyArray<A>) => A
): string => {
  let text = program
  for (let times = 1 + below(3); times > 0; times--) {
    const at = below(text.length + 1)
    const end = at + below(3)
    text = text.slice(0, at) + (below(2) === 0 ? pick(FRAGMENTS) : "") + text.slice(below(2) === 0 ? at : end)
  }
  return text
}
