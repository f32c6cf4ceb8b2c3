/**
 * [V7, V8]: decisions of the policy, from the command's text to the ruling, beside the peer's own code on the same
 * rules and commands in the same run (see `policy/peer.ts`; without it ours runs alone).
 *
 *     npm run bench -- policy [--quick] [V7] [V8]
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import * as Analysis from "../src/core/policy/Analysis.ts"
import { decide } from "../src/core/policy/Decide.ts"
import * as PathFacts from "../src/core/policy/PathFacts.ts"
import * as Pattern from "../src/core/policy/Pattern.ts"
import * as Policy from "../src/core/policy/Policy.ts"
import * as Peer from "./policy/peer.ts"

const environment = { cwd: "/project", home: "/home/dev", projectRoot: "/project" }

/** Always the same sequence, so that two runs measure the same. */
const random = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const PROGRAMS =
  "git npm pnpm cargo docker kubectl ls cat grep rg find sed awk head tail wc sort cp mv rm mkdir touch chmod tar curl wget python3 node make go terraform aws gh ssh rsync jq diff echo printf env sudo timeout xargs".split(
    " "
  )
const SUBCOMMANDS =
  "status log diff push pull commit checkout install run test build apply get describe delete exec up down list add remove".split(
    " "
  )
const FILES =
  "src/index.ts src/core/policy/Decide.ts test/a.test.ts docs/guide.md package.json dist/out.js lib/util.py data/input.csv .env config/app.yaml /etc/hosts ../sibling/file ~/notes.txt /tmp/scratch".split(
    " "
  )
const OPTIONS = "-v -a -rf -n --force --all --json -la --help=x -o --quiet".split(" ")
const ACTIONS = ["allow", "allow", "allow", "ask", "deny"] as const

/** Rules as people write them: mostly of one program, a few for all, exceptions behind what they except. */
const rulesOf = (bash: number, paths: number): Record<string, Record<string, string>> => {
  const next = random(7)
  const pick = <A>(from: ReadonlyArray<A>): A => from[next(from.length)]!
  const commands: Record<string, string> = { "*": "ask" }
  while (Object.keys(commands).length < bash) {
    const program = pick(PROGRAMS)
    const forms = [
      `${program} *`,
      `${program} ${pick(SUBCOMMANDS)} *`,
      `${program} ${pick(SUBCOMMANDS)} ${pick(OPTIONS)} *`,
      `${program} ${pick(OPTIONS)} *`,
      `${program} *${pick(FILES)}*`,
      `${program} ${pick(SUBCOMMANDS)} ${pick(FILES)}`,
      `${program}-${next(100)} *`,
      `tool${next(1_000)} ${pick(SUBCOMMANDS)} *`,
      next(5) === 0 ? `*${pick(OPTIONS)}${next(100)}*` : `${program} ${pick(SUBCOMMANDS)}${next(50)} *`
    ]
    commands[pick(forms)] = pick(ACTIONS)
  }
  const files: Record<string, string> = { "*": "allow" }
  while (Object.keys(files).length < paths) {
    const folder = `${pick(["src", "lib", "docs", "test", "packages", "infra"])}/${pick(SUBCOMMANDS)}${next(40)}`
    const forms = [
      `${folder}/*`,
      `${folder}/secret-${next(99)}.json`,
      `*.${pick(SUBCOMMANDS)}${next(9)}`,
      `~/.${pick(SUBCOMMANDS)}/*`
    ]
    files[pick(forms)] = pick(["allow", "ask", "deny"])
  }
  return { bash: commands, path: files, external_directory: { "*": "ask", "/tmp/*": "allow" } }
}

/** Commands as agents send them: most are short, some chain, wrap, loop or redirect. Each is another. */
const commandsOf = (count: number): ReadonlyArray<string> => {
  const next = random(11)
  const pick = <A>(from: ReadonlyArray<A>): A => from[next(from.length)]!
  const simple = (): string =>
    [
      `git -C packages/p${next(99)} ${pick(SUBCOMMANDS)} ${pick(OPTIONS)}`,
      `ls -la ${pick(FILES)}${next(99)}`,
      `cat ${pick(FILES)} | head -n ${next(500)}`,
      `grep -rn "needle${next(999)}" src --include='*.ts'`,
      `npm run test${next(99)} -- --reporter=dot`,
      `sed -n '${next(90)},${100 + next(99)}p' ${pick(FILES)}`,
      `find . -name '*.ts${next(99)}' -not -path './node_modules/*'`,
      `rm -rf dist/${next(999)} && mkdir -p dist/${next(99)}`,
      `docker run --rm -v "$PWD":/w image${next(99)} make`,
      `python3 -c 'print(${next(9_999)})'`,
      `curl -sS https://host${next(99)}.example/x -o out${next(99)}.json`
    ][next(11)]!
  return Array.from(
    { length: count },
    () =>
      [
        simple(),
        simple(),
        simple(),
        `cd src && ${simple()}`,
        `${simple()} && ${simple()} 2>&1 | tail -${next(50)}`,
        `timeout ${next(60)} bash -c '${simple().replaceAll("'", "")}'`,
        `for f in a${next(99)} b c; do ${simple()}; done`,
        `if [ -f x${next(99)} ]; then ${simple()}; else ${simple()}; fi`,
        `echo "$(${simple()})" > out${next(99)}.txt`,
        `cat <<'EOF' > notes${next(99)}.md\n# Title\nsome text, $(not run)\nEOF`
      ][next(10)]!
  )
}

const policyOf = (permission: object): Policy.Policy => {
  const text = JSON.stringify({ permission })
  return Policy.compile(
    [{ scope: "user", file: "bench.jsonc", text, digest: "bench", trusted: true, unreadable: null }],
    environment
  )
}

const rule = (policy: Policy.Policy, command: string): string =>
  decide(policy, [], Analysis.command(command, environment), PathFacts.none).action

const rounded = (value: number, digits = 2): number => Number(value.toFixed(digits))
const print = (figure: object): void => console.log(JSON.stringify(figure))
const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[values.length >> 1]!
const quantile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((left, right) => left - right)[
    Math.min(values.length - 1, Math.floor(values.length * part))
  ]!
const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}

const quick = process.argv.includes("--quick")
const chosen = process.argv.filter((argument) => /^V\d$/.test(argument))
const wanted = (figure: string): boolean => chosen.length === 0 || chosen.includes(figure)
const folder = mkdtempSync(join(tmpdir(), "obstat-bench-"))

const DECISIONS = 1_000
const ROUNDS = quick ? 3 : 9

/** A round decides every command once; each command's own time is kept over all rounds but the first. */
const measure = (policy: Policy.Policy, commands: ReadonlyArray<string>) => {
  const rounds: Array<number> = []
  const processor: Array<number> = []
  const each = commands.map(() => Number.POSITIVE_INFINITY)
  const every: Array<number> = []
  for (let round = 0; round <= ROUNDS; round++) {
    let sum = 0
    const before = process.cpuUsage()
    commands.forEach((command, index) => {
      const time = timed(() => rule(policy, command))
      sum += time
      if (round > 0) every.push(time)
      each[index] = Math.min(each[index]!, time)
    })
    rounds.push(sum)
    const { system, user } = process.cpuUsage(before)
    if (round > 0) processor.push((system + user) / 1_000)
  }
  const [first = 0, ...warm] = rounds
  return {
    first: rounded(first),
    total: rounded(median(warm)),
    // Of the processor, with whatever the engine does beside: less shaken by other programs than the clock.
    cpu: rounded(median(processor)),
    // Of the fastest round of each command: what it costs, without what else the machine did.
    alone: rounded(each.reduce((sum, time) => sum + time, 0)),
    p50: rounded(quantile(every, 0.5), 4),
    p99: rounded(quantile(every, 0.99), 4),
    p99Alone: rounded(quantile(each, 0.99), 4),
    max: rounded(Math.max(...each), 4)
  }
}

const peerOn = async (permission: object, commands: ReadonlyArray<string>) => {
  const directory = mkdtempSync(join(folder, "peer-"))
  const peer = await Peer.load(permission, directory, environment.cwd)
  if (peer === null) return { installed: false }
  await peer("true")
  const start = performance.now()
  for (const command of commands) await peer(command)
  const time = performance.now() - start
  return { measured: commands.length, per1000: rounded((time / commands.length) * 1_000, 0) }
}

try {
  for (const [bash, paths, goal] of wanted("V7")
    ? ([
        [50, 20, 40],
        [1_000, 300, 60],
        [2_000, 600, null]
      ] as const)
    : []) {
    const permission = rulesOf(bash, paths)
    const commands = commandsOf(DECISIONS)
    const compiled = timed(() => policyOf(permission))
    const policy = policyOf(permission)
    const ours = measure(policy, commands)
    // The peer takes a hundredth of a second or more for each command under many rules.
    const peer =
      bash > 1_000 ? null : await peerOn(permission, commands.slice(0, bash > 100 ? (quick ? 20 : 60) : 300))
    print({
      figure: "V7",
      rules: { bash, paths },
      decisions: DECISIONS,
      rounds: ROUNDS,
      unit: "ms",
      ...ours,
      compile: rounded(compiled),
      peer,
      goal: goal === null ? "the figure at twice the size" : { total: goal, p99: 0.5 },
      load: rounded(loadavg()[0]!, 1)
    })
  }
  if (wanted("V8")) {
    const stars = (size: number) => {
      const policy = policyOf({ bash: { "*": "allow", [`echo ${"a*".repeat(20)}b *`]: "deny" } })
      const command = `echo ${"a".repeat(size)}`
      return Math.min(...Array.from({ length: ROUNDS }, () => timed(() => rule(policy, command))))
    }
    const letters = (size: number) => {
      const pattern = Pattern.make(`${"a*".repeat(20)}b`, "text", environment)
      return Math.min(
        ...Array.from({ length: ROUNDS }, () => timed(() => Pattern.matches(pattern, "a".repeat(size))))
      )
    }
    const chain = (size: number) => {
      const policy = policyOf(rulesOf(50, 20))
      const command = "true; ".repeat(size)
      return Math.min(...Array.from({ length: ROUNDS }, () => timed(() => rule(policy, command))))
    }
    const pair = (of: (size: number) => number, size: number) => {
      of(size)
      const [once, twice] = [of(size), of(size * 2)]
      return { size, ms: rounded(once, 3), twice: rounded(twice, 3), ratio: rounded(twice / once) }
    }
    print({
      figure: "V8",
      what: "20 stars against one word",
      ...pair(stars, 5_400),
      goal: { ms: 5, ratio: 2.4 }
    })
    print({
      figure: "V8",
      what: "20 stars against letters",
      ...pair(letters, 200),
      goal: { ms: 1, ratio: 2.4 }
    })
    print({ figure: "V8", what: "10.8 kB, 20 stars", ms: rounded(stars(10_800), 3), goal: { ms: 5 } })
    print({
      figure: "V8",
      what: "a chain that is read",
      ...pair(chain, 1_300),
      goal: { ms: 300, ratio: 2.4 }
    })
    print({
      figure: "V8",
      what: "a chain of 20,000, refused",
      ms: rounded(chain(20_000), 3),
      goal: { ms: 300 }
    })
    const rows = readFileSync(new URL("../test/corpus/bash.jsonl", import.meta.url), "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map((line): string => JSON.parse(line).command)
    const corpus = measure(policyOf(rulesOf(1_000, 300)), rows)
    print({
      figure: "V7",
      what: "the corpus under 1,000 + 300 rules",
      lines: rows.length,
      unit: "ms",
      ...corpus
    })
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
