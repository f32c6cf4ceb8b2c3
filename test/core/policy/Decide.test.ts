import { describe, expect, it } from "@effect/vitest"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import { call, compile, file, grant, permit, rule } from "./Fixtures.ts"

const bash = (rules: object) => permit({ bash: rules })
const winner = (policy: Parameters<typeof rule>[0], command: string) => rule(policy, command).units[0].winner

describe("rules", () => {
  it("that nothing matches leave a call at ask [L1.1]", () => {
    expect(winner(permit({}), "ls")).toEqual({
      action: "ask",
      surface: "bash",
      pattern: "<no-rule>",
      scope: null,
      source: null,
      reason: null,
      by: null
    })
    expect(call(permit({}), "SomeTool", {}).action).toBe("ask")
    expect(rule(permit({}), "a=1").action).toBe("ask")
    expect(rule(permit({}), "").action).toBe("ask")
  })

  it("of one scope: the last that matches counts, at its new place [L1.4, L1.6]", () => {
    expect(winner(bash({ "git *": "deny", "git log *": "allow" }), "git log").action).toBe("allow")
    expect(winner(bash({ "git log *": "allow", "git *": "ask" }), "git log").action).toBe("ask")
  })

  it("of wildcard keys and pairs keep their place [L1.4, L1.2]", () => {
    const order = (permission: object) => call(permit(permission), "Read", { file_path: "/project/a" }).action
    expect(order({ path_read: "allow", path: "ask" })).toBe("ask")
    expect(order({ path: "ask", path_read: "allow" })).toBe("allow")
    expect(order({ path_read: "allow", "pa*": "deny" })).toBe("deny")
    expect(winner(permit({ "*": "deny", bash: { ls: "allow" } }), "ls").action).toBe("allow")
  })

  it("of several scopes: deny is final, then an admin's ask, then the nearest [L1.4]", () => {
    const of = (...rules: ReadonlyArray<[Parameters<typeof file>[1], string]>) =>
      winner(
        compile(...rules.map(([scope, action]) => file({ permission: { bash: { ls: action } } }, scope))),
        "ls"
      )
    expect(of(["user", "deny"], ["project", "allow"]).action).toBe("deny")
    expect(of(["project", "deny"], ["user", "allow"]).action).toBe("deny")
    expect(of(["admin", "ask"], ["user", "allow"])).toMatchObject({ action: "ask", scope: "admin" })
    expect(of(["admin", "allow"], ["user", "ask"])).toMatchObject({ action: "ask", scope: "user" })
    expect(of(["user", "ask"], ["project", "allow"])).toMatchObject({ action: "allow", scope: "project" })
  })

  it("name the rule behind the answer and the one that would answer else [L1.5]", () => {
    const [unit] = rule(
      bash({ "git *": "allow", "git push *": { action: "deny", reason: "by hand" } }),
      "git push"
    ).units
    expect(unit.winner).toEqual({
      action: "deny",
      surface: "bash",
      pattern: "git push *",
      scope: "user",
      source: { file: "user.jsonc", line: 1 },
      reason: "by hand",
      by: null
    })
    expect(unit.runnerUp).toMatchObject({ action: "allow", pattern: "git *" })
  })

  it("that want a person say so [L1.4]", () => {
    expect(winner(bash({ ls: { action: "ask", by: "person" } }), "ls").by).toBe("person")
  })
})

describe("commands", () => {
  const deny = bash({ "*": "allow", "rm *": "deny" })

  it.for([
    "/bin/rm x",
    "./rm x",
    "../rm x",
    "$HOME/rm x",
    "'rm' x",
    "a && rm x",
    "sudo rm x",
    "sh -c 'rm x'"
  ])("are denied by their base name, however they are written: %s [L1.3]", (command) => {
    expect(rule(deny, command).action).toBe("deny")
  })

  it("are allowed only by the word as written [L1.3]", () => {
    expect(rule(bash({ "ls *": "allow" }), "/bin/ls").action).toBe("ask")
    expect(rule(bash({ "/bin/ls *": "allow" }), "/bin/ls").action).toBe("allow")
    expect(rule(bash({ "ls *": "allow" }), "./ls").action).toBe("ask")
  })

  it("are allowed by a bare name only as the system has it [L1.3]", () => {
    const facts = { ...PathFacts.none, trusted: (program: string) => program !== "ls" }
    const policy = bash({ "ls *": "allow", "cd *": "allow" })
    expect(rule(policy, "ls", { facts }).action).toBe("ask")
    expect(rule(policy, "cd /project", { facts }).action).toBe("allow")
    expect(rule(policy, "ls() { cat f; }; ls").action).toBe("ask")
  })

  it("with global options are what they are without them [L3.8]", () => {
    expect(rule(bash({ "*": "allow", "git push *": "deny" }), "git -C d --no-pager push").action).toBe("deny")
    expect(rule(bash({ "git status *": "allow" }), "git -C d status").action).toBe("allow")
    // A setting may change what status does, so only deny and ask see past it.
    expect(rule(bash({ "git status *": "allow" }), "git -c a.b=c status").action).toBe("ask")
  })

  it("inside a wrapper are judged, and the wrapper adds nothing of its own [L3.3]", () => {
    const policy = bash({ "*": "ask", "wc *": "allow", "ls *": "allow" })
    expect(rule(policy, "find . -name '*.ts' | sort | xargs wc -l").action).toBe("ask")
    const found = bash({ "*": "ask", "wc *": "allow", "find *": "allow", "sort *": "allow" })
    expect(rule(found, "find . -name '*.ts' | sort | xargs wc -l").action).toBe("allow")
    // Words from anywhere may name any file, one outside the project or of ours too.
    const anywhere = rule(found, "sort a | xargs wc -l").units
    expect(anywhere.filter(({ winner }) => winner.action === "ask").map(({ surface }) => surface)).toEqual([
      "path_read",
      "external_directory_read"
    ])
    expect(rule(policy, "nice timeout 5 env A=1 ls").action).toBe("allow")
    expect(rule(policy, "sh -c 'ls && wc -l'").action).toBe("allow")
    expect(rule(policy, "sudo ls").action).toBe("ask")
    expect(rule(policy, "env").action).toBe("ask")
    expect(rule(bash({ "wc *": "allow", "xargs *": "ask" }), "xargs wc").action).toBe("ask")
    expect(rule(bash({ "*": "deny", "wc *": "allow" }), "xargs wc").action).toBe("deny")
  })

  it("that cannot be seen are never better than ask, whatever rule or grant there is [L3.3, L5.2]", () => {
    const grants = [grant("bash", "*"), grant("code", "*")]
    const all = permit({ "*": "allow", bash: "allow", code: "allow" })
    for (const command of ["$x y", 'sh -c "$x"', 'eval "$(a)"', "if"]) {
      expect(rule(all, command, { grants }).action).toBe("ask")
    }
    expect(winner(all, "$x y").pattern).toBe("<indirection-dynamic-command>")
  })

  it("whose code cannot be seen are allowed under the key code alone [L3.3]", () => {
    expect(rule(permit({ "*": "allow", bash: "allow", "c*": "allow" }), "npm test").units[0]).toMatchObject({
      surface: "code",
      winner: { action: "ask", pattern: "<indirection-code>" }
    })
    expect(
      rule(permit({ bash: { "npm test": "allow" }, code: { "npm test": "allow" } }), "npm test").action
    ).toBe("allow")
    expect(rule(permit({ code: { "npm test": "allow" } }), "npm test").action).toBe("ask")
    expect(rule(permit({ "*": "deny", code: "allow", bash: "allow" }), "npm test").action).toBe("allow")
    expect(rule(permit({ code: "allow", bash: "allow", "*": "deny" }), "npm test").action).toBe("deny")
  })

  it("carry the code itself to the person [P1.1]", () => {
    expect(rule(permit({}), "python3 -c 'print(1)'").units[0].executedUnit).toBe("print(1)")
  })

  it("with an unknown word ask where a deny may apply [L1.4]", () => {
    const policy = bash({ "*": "allow", "rm -rf *": "deny" })
    expect(rule(policy, "rm a").action).toBe("allow")
    expect(winner(policy, 'rm "$x"')).toMatchObject({ action: "ask", pattern: "rm -rf *" })
    expect(winner(policy, "ls $x").action).toBe("ask")
  })

  it("that were not understood are asked about whole, and a deny on a piece holds [L3.5]", () => {
    const ruling = rule(deny, "if ls; rm -rf x")
    expect(ruling.action).toBe("deny")
    expect(ruling.residue).toBe("if ls; rm -rf x")
    const long = "true;".repeat(20_000)
    expect(winner(deny, long).pattern).toBe("<too-long-to-analyse>")
    expect(rule(deny, `${long}"r"m x`).action).toBe("deny")
    expect(rule(deny, "if ls").units[0]).toMatchObject({ value: "if ls", indirect: "unresolved" })
  })

  it("give one ruling that names every asking unit, the strictest first [L4.3]", () => {
    const { action, units } = rule(bash({ "ls *": "allow", "rm *": "deny" }), "ls; cat a; rm b; tac c")
    expect(action).toBe("deny")
    expect(units.map(({ value, winner }) => [value, winner.action])).toEqual([
      ["rm b", "deny"],
      ["cat a", "ask"],
      ["tac c", "ask"],
      ["ls", "allow"]
    ])
  })
})

describe("grants", () => {
  const granted = (...grants: Parameters<typeof grant>) => ({ grants: [grant(...grants)] })

  it("lift an ask, never a deny or an admin's ask [L5.2, L1.4]", () => {
    expect(rule(permit({}), "make-it a", granted("bash", "make-it *")).action).toBe("allow")
    expect(rule(bash({ "make-it *": "deny" }), "make-it a", granted("bash", "*")).action).toBe("deny")
    const admin = compile(file({ permission: { bash: { "*": "ask" } } }, "admin"))
    expect(rule(admin, "ls", granted("bash", "*")).action).toBe("ask")
  })

  it("cover code only exactly as it was shown, and no other unit of a chain [L5.2]", () => {
    const policy = bash({ "*": "allow" })
    expect(rule(policy, "npm test", granted("code", "npm *")).action).toBe("ask")
    expect(rule(policy, "npm test", granted("code", "npm test", "npm test")).action).toBe("allow")
    expect(rule(permit({}), "make-it && other", granted("bash", "make-it *")).action).toBe("ask")
  })
})

describe("paths", () => {
  it("of a command are governed apart from the command [L3.4]", () => {
    const policy = permit({ bash: "allow", path_write: { "*": "ask", "src/*": "allow" } })
    expect(rule(policy, "cat a > out").units[0]).toMatchObject({
      surface: "path_write",
      value: "/project/out"
    })
    expect(rule(policy, "cat a > src/out").action).toBe("allow")
    expect(rule(policy, 'printf p > "$x/f"').action).toBe("ask")
  })

  it("outside the project ask by themselves, devices and the own temporary directory do not [L1.4, L1.8]", () => {
    const policy = permit({ bash: "allow" })
    expect(rule(policy, "cat /etc/hosts").units[0]).toMatchObject({
      surface: "external_directory_read",
      winner: { action: "ask", pattern: "<no-rule>" }
    })
    expect(rule(policy, "cat a 2> /dev/null").action).toBe("allow")
    expect(
      rule(permit({ bash: "allow", external_directory_read: { "/etc/*": "allow" } }), "cat /etc/hosts").action
    ).toBe("allow")
  })

  it("are denied by any alias, allowed by the real one alone [L1.8]", () => {
    const facts = {
      ...PathFacts.none,
      canonical: (path: string) =>
        path.startsWith("/project/lnk") ? path.replace("/project/lnk", "/etc") : path
    }
    const read = (rules: object) =>
      rule(permit({ bash: "allow", external_directory: "allow", path_read: rules }), "cat lnk/hosts", {
        facts
      }).action
    expect(read({ "*": "allow", "lnk/*": "deny" })).toBe("deny")
    expect(read({ "*": "allow", "/etc/*": "deny" })).toBe("deny")
    expect(read({ "*": "ask", "lnk/*": "allow" })).toBe("ask")
    expect(read({ "*": "ask", "/etc/*": "allow" })).toBe("allow")
  })

  it("that are patterns or unknown ask where a deny may apply [L3.4]", () => {
    const policy = permit({
      bash: "allow",
      external_directory: "allow",
      path: { "*": "allow", ".env": "deny" }
    })
    expect(rule(policy, "cat [.]env").action).toBe("deny")
    expect(rule(policy, "cat .e*").action).toBe("ask")
    expect(rule(policy, "cat src/*").action).toBe("allow")
    expect(rule(policy, "cat $x").action).toBe("ask")
    expect(rule(policy, "git add .env").action).toBe("deny")
    expect(rule(policy, "unheard-of --file=.env").action).toBe("deny")
  })

  it("removed as a whole take every denied path in them along [L2.7]", () => {
    const policy = permit({ bash: "allow", path_write: { "*": "allow", "src/secret": "deny" } })
    expect(rule(policy, "rm -rf src").action).toBe("deny")
    expect(rule(policy, "mv src dst").action).toBe("deny")
    expect(rule(policy, "rm -rf lib").action).toBe("allow")
    expect(rule(permit({ bash: "allow", path_write: "allow" }), "rm -rf .").action).toBe("deny")
  })
})

describe("a known tool whose arguments cannot be read", () => {
  const all = permit({ "*": "allow", bash: "allow", path: "allow" })

  it.for([
    ["Bash", {}],
    ["Bash", { command: 5 }],
    ["Bash", null],
    ["Write", { file_path: null }],
    ["WebFetch", {}]
  ] as const)("is never better than ask: %j [L4.1, BUG-047]", ([tool, input]) => {
    const { action, units } = call(all, tool, input)
    expect([action, units[0].indirect]).toEqual(["ask", "unresolved"])
  })
})

describe("the gate's own files", () => {
  const all = permit({ "*": "allow", bash: "allow", path: "allow", external_directory: "allow" })

  it.for([
    "cat ~/.config/obstat/obstat.jsonc",
    "echo a > ~/.local/state/obstat/journal",
    "cat /run/user/1000/obstat-hooks-7-x/token",
    "cd /tmp && cat obstat-hooks-7-x/token",
    "rm -rf ~/.config",
    "rm -rf ~",
    "echo a >> .obstat/obstat.jsonc",
    "rm -r .obstat",
    "obstat inbox allow 1",
    "npx obstat inbox allow 1",
    "obstat policy trust"
  ])("are closed to agents whatever the rules say: %s [L2.7]", (command) => {
    expect(rule(all, command).action).toBe("deny")
  })

  it("are closed to file tools too; the project's policy may be read [L2.7]", () => {
    expect(call(all, "Write", { file_path: "/project/.obstat/obstat.jsonc" }).action).toBe("deny")
    expect(call(all, "Read", { file_path: "/project/.obstat/obstat.jsonc" }).action).toBe("allow")
  })
})

describe("tools", () => {
  it("of Claude are about what they do [L4.1, L1.8]", () => {
    const at = (tool: string, input: unknown) => {
      const [unit] = call(permit({}), tool, input).units
      return [unit.surface, unit.value]
    }
    expect(at("Bash", { command: "ls" })).toEqual(["bash", "ls"])
    expect(at("Read", { file_path: "/etc/hosts" })).toEqual(["external_directory_read", "/etc/hosts"])
    expect(at("Write", { file_path: "a" })).toEqual(["path_write", "/project/a"])
    expect(at("WebFetch", { url: "https://a.example/x" })).toEqual(["web", "https://a.example/x"])
    expect(at("Task", { subagent_type: "helper" })).toEqual(["agent", "helper"])
    expect(at("Skill", { skill: "s" })).toEqual(["skill", "s"])
    expect(at("mcp__lab__echo_it", {})).toEqual(["mcp", "lab:echo_it"])
  })

  it("that are unknown are their name, and rules see their canonical input [L4.2]", () => {
    const policy = permit({ Made: { '{"a":1,"b":*}': "allow" } })
    expect(call(policy, "Made", { b: 2, a: 1 }).action).toBe("allow")
    expect(call(policy, "Made", { a: 2 }).units[0]).toMatchObject({
      surface: "Made",
      value: "Made",
      winner: { action: "ask" }
    })
  })

  it("whose input does not fit are asked about [L4.1]", () => {
    const policy = permit({ bash: "allow", path: "allow" })
    for (const input of [
      {},
      null,
      { command: 3 },
      { file_path: "" },
      { file_path: ["a"] },
      { file_path: "a\0b" }
    ]) {
      expect(call(policy, "Bash", input).action).toBe("ask")
      expect(call(policy, "Read", input).action).toBe("ask")
    }
  })

  it("that ask a person something are never allowed nor denied by policy [Q3.7]", () => {
    for (const action of ["allow", "deny"]) {
      expect(call(permit({ "*": action }), "AskUserQuestion", {}).units[0].winner).toMatchObject({
        action: "ask",
        pattern: "<question-tool>"
      })
    }
  })
})

describe("the starter", () => {
  const starter = compile(file({ extends: ["starter"] }))

  it.for([
    "ls -la",
    "git status",
    "cat src/a | head -5",
    "grep -rn x src | wc -l",
    "cd src && cat a",
    "find . -name a",
    "sed -n 1,5p a"
  ])("lets reading in the project pass: %s [L2.6]", (command) => {
    expect(rule(starter, command).action).toBe("allow")
  })

  it.for([
    "npm test",
    "git push",
    "cat /etc/hosts",
    "ls > out",
    "sed -i s/a/b/ f",
    "find . -delete",
    "find . -exec made-up {} +",
    "curl u",
    "sort -o out f"
  ])("asks about the rest: %s [L2.6]", (command) => {
    expect(rule(starter, command).action).toBe("ask")
  })

  it.for([
    "rm -rf /",
    "rm -rf ~",
    "sudo rm -r -f .",
    "cat ~/.ssh/id_rsa",
    "echo x >> ~/.bashrc",
    "cp ~/.aws/credentials .",
    "mkfs.ext4 /dev/sda"
  ])("denies the plainly destructive: %s [L2.6]", (command) => {
    expect(rule(starter, command).action).toBe("deny")
  })

  it("can be had without a group of its denies [L1.4]", () => {
    const without = compile(file({ extends: [{ starter: { without: ["shell-startup"] } }] }))
    expect(rule(without, "echo x >> ~/.bashrc").action).toBe("ask")
    expect(rule(without, "cat ~/.ssh/id").action).toBe("deny")
  })

  it("is the policy of people who have written none [L2.6]", () => {
    expect(rule(compile(), "git status").action).toBe("allow")
    expect(rule(compile(), "cat ~/.ssh/id").action).toBe("deny")
    expect(rule(compile(file({}, "project", false)), "npm test").action).toBe("ask")
  })

  it("is no part of a policy that does not ask for it [L2.2]", () => {
    expect(rule(permit({}), "ls").action).toBe("ask")
  })
})
