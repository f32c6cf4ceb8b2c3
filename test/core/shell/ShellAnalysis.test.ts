import { describe, expect, it } from "@effect/vitest"
import type { Program } from "../../../src/core/shell/Program.ts"
import * as Programs from "../../../src/core/shell/Programs.ts"
import * as ShellAnalysis from "../../../src/core/shell/ShellAnalysis.ts"

const analyse = (text: string) => ShellAnalysis.analyse(text, { cwd: "/project", home: "/home/u" })
const texts = (command: string) => analyse(command).units.map(ShellAnalysis.textOf)
const marks = (command: string) => analyse(command).units.map(ShellAnalysis.indirectOf)
const touched = (command: string, direction: "read" | "write") => [
  ...new Set(
    analyse(command)
      .touches.filter((touch) => touch.direction === direction && touch.certain)
      .map(({ target }) => (target.kind === "exact" ? target.path : `${target.kind}:${target.path}`))
  )
]

describe("units", () => {
  it.for([
    ["a; b && c || d & e | f", ["a", "b", "c", "d", "e", "f"]],
    ["! (a; { b; })", ["a", "b"]],
    ["if a; then b; elif c; then d; else e; fi", ["a", "b", "c", "d", "e"]],
    ["while a; do b; done; until c; do d; done", ["a", "b", "c", "d"]],
    ["for x in $(a); do b; done", ["a", "b"]],
    ["select x in y; do a; done", ["a"]],
    ["for ((i=$(a); i<1; i++)); do b; done", ["a", "b"]],
    ["case $(a) in x) b ;; $(c)) d ;& *) e ;; esac", ["a", "c", "b", "d", "e"]],
    ["f() { a; }; f", ["a", "f"]],
    ["x=$(a) y[$(b)]=1 z=($(c))", ["a", "b", "c"]],
    ["[[ -n $(a) && ( $(b) = x ) ]]", ["a", "b"]],
    ["(( $(a) + x[$(b)] ))", ["a", "b"]],
    [
      "echo ${x:-$(a)} ${y/$(b)/$(c)} ${z:$(d)}",
      ["echo ${x:-$(a)} ${y/$(b)/$(c)} ${z:$(d)}", "a", "b", "c", "d"]
    ],
    ["a > $(b) <<< $(c)", ["a", "b", "c"]],
    ["a <<E\n$(b) `c`\nE", ["a", "b", "c"]],
    ["a <<'E'\n$(b)\nE", ["a"]],
    ["a <(b) > >(c)", ["a <(b)", "b", "c"]],
    ["coproc N { a; }", ["a"]],
    ["time -p a", ["a"]],
    ["echo @(x|$(a))", ["echo @(x|$(a))", "a"]]
  ] as const)("are found everywhere in %s [L3.2]", ([command, expected]) => {
    expect(texts(command).toSorted()).toEqual([...expected].toSorted())
  })

  it("are words after quote removal, whatever the spelling [L1.3, L6.3]", () => {
    for (const command of ["rm -rf x", '"rm" -r\\\nf x', "r''m\t-rf 'x'", "$'\\x72m' -rf x", "{rm,-rf,x}"]) {
      expect(analyse(command).units.map(ShellAnalysis.argvOf)).toEqual([["rm", "-rf", "x"]])
    }
  })

  it("keep the source of what the shell expands, and quote the rest for reading [L6.3]", () => {
    expect(analyse(`a "b $(c)" 'd e' $f`).units.map(ShellAnalysis.argvOf)[0]).toEqual([
      "a",
      "b $(c)",
      "d e",
      "$f"
    ])
    expect(texts(`a "b $x" 'd e' $f 'it'"'"s`)).toEqual([String.raw`a 'b $x' 'd e' $f 'it'\''s'`])
  })

  it("come outer first, each with the wrappers around it [L6.3]", () => {
    const { units } = analyse("sudo -u root nice sh -c 'rm x'")
    expect(units.map((unit) => [unit.words[0]!.value, unit.via])).toEqual([
      ["sudo", []],
      ["nice", ["sudo"]],
      ["sh", ["sudo", "nice"]],
      ["rm", ["sudo", "nice", "sh"]]
    ])
  })
})

describe("wrappers", () => {
  it.for([
    "env -i A=1 -- rm x",
    "env -uFOO -C d rm x",
    "sudo -E -u root A=1 rm x",
    "doas -u root rm x",
    "timeout --signal=KILL -k 5 10 rm x",
    "nice -n5 rm x",
    "nice -19 rm x",
    "nohup rm x",
    "setsid -f rm x",
    "stdbuf -o0 -e L rm x",
    "ionice -c2 -n 7 rm x",
    "chrt -r 5 rm x",
    "command -p rm x",
    "builtin exec -a n rm x",
    "busybox rm x",
    "strace -f -e trace=file rm x",
    "flock -n /tmp/l rm x",
    "flock /tmp/l -c 'rm x'",
    "watch -d -n 1 'rm x'",
    "script -c 'rm x' log",
    "su - root -c 'rm x'",
    "ssh -p 22 host rm x",
    "docker exec -it -u root c rm x",
    "podman run --rm -e A=1 image rm x",
    "kubectl -n ns exec -it pod -- rm x",
    "parallel -j2 rm ::: x",
    "fd pattern -x rm x",
    "find . -type f -exec rm x ';' -print",
    "git -c alias.z='!rm x' z",
    "git submodule foreach --recursive 'rm x'",
    "git bisect run rm x",
    "npm exec -- rm x",
    "sh -euc 'rm x' name",
    "bash -O extglob -c 'rm x'",
    "bash <<< 'rm x'",
    "bash <<'E'\nrm x\nE",
    "eval 'rm' x",
    "trap 'rm x' EXIT INT",
    "EDITOR='rm x' git commit",
    "alias a='rm x'",
    "time env nice -n 1 rm x"
  ])("show what they run: %s [L3.3]", (command) => {
    expect(texts(command)).toContain("rm x")
  })

  it.for(["command -v rm x", "type rm x", "sudo -l rm x", "env --help rm x", "taskset -p 1 rm"])(
    "that only look run nothing: %s [L3.3]",
    (command) => {
      expect(texts(command).length).toBe(1)
    }
  )

  it.for([
    ["$x a", "unresolved"],
    ["r? a", "unresolved"],
    ["sh -c $x", "unresolved"],
    ['eval "rm $x"', "unresolved"],
    ["timeout --nonsense 5 rm x", "unresolved"],
    ['env -S "$x"', "unresolved"],
    ['printf -v "$x" 1', "unresolved"],
    ["PS4='$(rm x)' a", "unresolved"],
    ["sh x.sh", "code"],
    ["./x", "code"],
    ["curl u | sh", "code"],
    ["python3 -c 'x'", "code"],
    ["python3 < x", "code"],
    ["perl -ne 'x' f", "code"],
    ["make all", "code"],
    ["npm test", "code"],
    ["source x", "code"],
    ["PATH=.:$PATH ls", "code"],
    ["LD_PRELOAD=./x ls", "code"],
    ["awk '{ system($1) }' f", "code"],
    ["git -c core.hooksPath=x commit", "code"],
    ["xargs rm", "open"],
    ["find . -exec cat {} +", "open"]
  ] as const)("mark what cannot be seen: %s is %s [L3.3]", ([command, mark]) => {
    expect(marks(command)).toContain(mark)
  })

  it.for([
    "ls -la",
    "git -C d log --oneline",
    "sed -n '1,20p' f",
    "sed -e 's/a/b/g;s/c/d/' f",
    "awk -F: '{ print $1, $2 }' f",
    "awk '$1 > 5 { n++ } END { print n }' f",
    "grep -rn --include='*.ts' foo src",
    "echo '$(rm x)' \"a b\" \\$x",
    "i=0; while [ $i -lt 3 ]; do echo $((i++)); done",
    'while IFS= read -r line; do echo "$line"; done < f',
    'cat "$HOME"/f ~/g',
    "tar -tf a.tar",
    "python3 --version",
    "make --version"
  ])("do not mark what can: %s [L3.3]", (command) => {
    const analysis = analyse(command)
    expect(analysis.flaw).toBeNull()
    expect(marks(command).filter((mark) => mark !== null)).toEqual([])
  })

  it("have an entry that can be read, each of them [L3.3]", () => {
    // Grammars are text, read on first use: a wrong one has to show here.
    const all = (program: Program): ReadonlyArray<Program> => [
      program,
      ...Object.values(program.subcommands ?? {}).flatMap(all)
    ]
    for (const [name, program] of Programs.entries()) {
      for (const entry of all(program)) {
        expect(() => Programs.grammar(entry), name).not.toThrow()
        for (const mode of [entry, ...Object.values(entry.modes ?? {})]) {
          expect(() => Programs.operands(mode.operands ?? ""), name).not.toThrow()
        }
        const modes = [...Programs.grammar(entry).options.values()].flatMap(({ mode }) => mode ?? [])
        expect(
          modes.filter((mode) => entry.modes?.[mode] === undefined),
          name
        ).toEqual([])
      }
    }
  })

  it("see functions and aliases of the same text as their own [L1.3]", () => {
    const { units } = analyse("ls() { rm x; }; ls; cat f")
    expect(units.map((unit) => [unit.words[0]!.value, unit.hidden])).toEqual([
      ["rm", false],
      ["ls", true],
      ["cat", false]
    ])
    expect(texts("alias ll='rm -r'\nll x")).toContain("rm -r x")
  })
})

describe("accesses", () => {
  it.for([
    ["cat a b > c 2>> d", ["/project/a", "/project/b"], ["/project/c", "/project/d"]],
    ["a < b <> c >| d &> e", ["/project/b", "/project/c"], ["/project/c", "/project/d", "/project/e"]],
    ["cp a b c/", ["/project/a", "/project/b"], ["/project/c/a", "/project/c/b"]],
    ["dd if=a of=b", ["/project/a"], ["/project/b"]],
    ["grep --file=/x/p t", ["/x/p", "/project/t"], []],
    ["sed -i s/a/b/ /etc/hosts", ["/etc/hosts"], ["/etc/hosts"]],
    ["tee a ~/b", [], ["/project/a", "/home/u/b"]],
    ["cat .en[v]", ["/project/.env"], []],
    ["cat *.ts", ["glob:/project/*.ts"], []],
    ["cat $x", ["any:$x"], []],
    ["find a -delete", ["/project/a"], ["below:/project/a"]],
    ["cat a > /dev/null 2>&1", ["/project/a"], []],
    ["curl -d @a -o b u", ["/project/a"], ["/project/b"]],
    ["ssh h cat /etc/shadow", [], []],
    ["env -C sub cat a", ["/project/sub", "/project/sub/a"], []],
    ["HOME=/x; cat ~/a", ["/x/a"], []]
  ] as const)("have a direction: %s [L3.4, L1.8]", ([command, reads, writes]) => {
    expect(touched(command, "read").toSorted()).toEqual([...reads].toSorted())
    expect(touched(command, "write").toSorted()).toEqual([...writes].toSorted())
  })

  it.for([
    ["cd sub && cat a", ["/project/sub/a"]],
    ["cd sub; cat a", ["/project/a", "/project/sub/a"]],
    ["cd sub || cat a", ["/project/a"]],
    ["(cd sub); cat a", ["/project/a"]],
    ["cd sub | x; cat a", ["/project/a"]],
    ["cd sub & cat a", ["/project/a"]],
    ["{ cd sub && cd ..; } && cat a", ["/project/a"]],
    ["if x; then cd sub; fi; cat a", ["/project/a", "/project/sub/a"]],
    ["while x; do cat a; cd ..; done", ["any:a"]],
    ["cd $x && cat a", ["any:a"]],
    ["cd - && cat a", ["any:a"]],
    ["pushd sub && popd && cat a", ["any:a"]],
    ["command cd sub && cat a", ["/project/sub/a"]],
    ["cd && cat a", ["/home/u/a"]]
  ] as const)("follow the directory: %s [L3.4]", ([command, reads]) => {
    expect(touched(command, "read").toSorted()).toEqual([...reads].toSorted())
  })
})

describe("bounds", () => {
  it.for([
    ["20,000 commands", "true;".repeat(20_000)],
    ["5,000 subshells", `${"(".repeat(5_000)}rm x${")".repeat(5_000)}`],
    ["5,000 substitutions", `echo ${"$(".repeat(5_000)}rm x${")".repeat(5_000)}`],
    ["a megabyte in one word", "a".repeat(1_000_000)],
    ["a NUL", "rm\0 x"],
    ["a lone surrogate", "echo \ud800; rm x"],
    ["64 levels", `${"( ".repeat(64)}rm x${" )".repeat(64)}`],
    ["unclosed", "echo $("],
    ["an error after which the rest is lost", "[[ a ]; rm x"]
  ] as const)("hold for %s: it is residue [L3.5, L3.6]", ([, text]) => {
    expect(analyse(text).flaw).not.toBeNull()
  })

  it.for([
    "a=($(rm x))b",
    'a+=($(rm x))""',
    "declare a=($(rm x))c",
    "a[)]$(rm x)",
    "echo @(a|$((B=($'a\\'b' a{) :;\nrm x) | :))"
  ])("hold where the grammar loses a command without a word: %s [L3.1]", (text) => {
    expect(analyse(text).flaw).not.toBeNull()
  })

  it("hold for wrappers inside wrappers: deeper ones are marked [L3.6]", () => {
    const { units } = analyse(`${"nice ".repeat(3_000)}rm x`)
    expect(units.length).toBeLessThan(40)
    expect(units.at(-1)?.mark?.indirect).toBe("unresolved")
  })

  it("hold for brace expansion [L3.6]", () => {
    expect(analyse(`echo ${"{1..256} ".repeat(1_500)}`).flaw).toBe("too_long")
    expect(analyse(`echo ${"{a,b}".repeat(40)}`).units.length).toBe(1)
    expect(analyse(`echo ${"{a,".repeat(4_000)}`).units.length).toBeLessThan(2)
  })

  it("keep what was recovered, so that a deny still holds [L3.5]", () => {
    expect(texts("rm x; if")).toContain("rm x")
  })
})
