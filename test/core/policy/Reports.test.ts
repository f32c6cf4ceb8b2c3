import { describe, expect, it } from "@effect/vitest"
import type { GrantRule } from "../../../src/core/policy/Grant.ts"
import * as Lint from "../../../src/core/policy/Lint.ts"
import * as PathFacts from "../../../src/core/policy/PathFacts.ts"
import type { Action } from "../../../src/core/policy/Ruling.ts"
import { call, compile, environment, file, permit, rule } from "./Fixtures.ts"

/**
 * Public reports about permission matching in other programs, each played here with inputs of our own. The number is
 * the report's row in the list that `docs/decisions/0008-policy-reports.md` goes through; rows that are not here are
 * named there with the reason.
 */

type Row = readonly [row: string, rules: object, command: string, action: Action]

const deny = (pattern: string) => ({ bash: { "*": "allow", [pattern]: "deny" } })
const paths = { external_directory: "allow", path: "allow" }

const ROWS: ReadonlyArray<Row> = [
  ["1", { bash: { "cd *": "allow", "npm *": "deny" } }, "cd a && npm i x", "deny"],
  ["2", deny("rm *"), "echo $(rm a)", "deny"],
  ["2", deny("rm *"), "echo `rm a`", "deny"],
  ["2", deny("rm *"), "(rm a)", "deny"],
  ["4", deny("rm *"), "if true; then rm a; fi", "deny"],
  ["4", deny("rm *"), "X=$(rm a)", "deny"],
  ["4", deny("rm *"), "[[ -n $(rm a) ]]", "deny"],
  ["4", deny("rm *"), "declare X=$(rm a)", "deny"],
  ["5", { bash: "allow" }, "echo a; ) if", "ask"],
  ["5", deny("rm *"), "[[ a ]; rm a", "deny"],
  ["7", { bash: { "aws *": "allow" } }, "sudo aws s3 rm x", "ask"],
  ["7", { bash: { "*": "allow", "aws *": "deny" } }, "sudo aws s3 rm x", "deny"],
  ["8", deny("rm *"), "bash -c 'rm a'", "deny"],
  ["8", deny("rm *"), "sudo rm a", "deny"],
  ["8", deny("rm *"), "echo a | xargs rm", "deny"],
  [
    "10",
    { bash: { "*": "ask", "find *": "allow", "wc *": "allow" }, ...paths },
    "find . -name '*.ts' | xargs wc -l",
    "allow"
  ],
  ["11", { bash: { "find *": "allow", "sed *": "allow" } }, "find . -exec sed -n 1p {} \\;", "allow"],
  [
    "13",
    { bash: { "*": "ask", "find *": "allow", "ls *": "allow" } },
    "find . | xargs ls -t 2>/dev/null",
    "allow"
  ],
  ["13", { bash: { "*": "ask", "find *": "allow", "ls *": "allow" } }, "find . | xargs ls -t", "allow"],
  ["17", { bash: { "cat *": "allow" } }, "cat a > /out/b", "ask"],
  ["17", { bash: { "cat *": "allow" }, path_write: "deny" }, "cat a > b", "deny"],
  [
    "20",
    { bash: "allow", path: { "*": "allow", "/x/*": "deny" }, external_directory: "allow" },
    "grep --file=/x/p t",
    "deny"
  ],
  ["22", { path: { "*": "allow", "~/.ssh/*": "deny" }, bash: "allow" }, "cat /home/u/.ssh/x", "deny"],
  ["25", { bash: "allow" }, "cat /etc/[p]asswd", "ask"],
  ["25", { bash: "allow", path: { "*": "allow", ".env": "deny" } }, "cat [.]env", "deny"],
  ["25", { bash: "allow", path: { "*": "allow", ".env": "deny" } }, "cat .e?v", "ask"],
  [
    "26",
    { bash: "allow", path: { "*": "allow", "/etc/*": "deny" }, external_directory: "allow" },
    "grep -A 3 a /etc/passwd",
    "deny"
  ],
  [
    "26",
    { bash: "allow", path_write: { "*": "allow", "/etc/*": "deny" }, external_directory: "allow" },
    "sed -i s/a/b/ /etc/hosts",
    "deny"
  ],
  ["28", { bash: "allow", code: "allow" }, 'node -e "// note /etc/x"', "allow"],
  ["29", { "*": "allow" }, "node -e 'fs.rmSync(\"a\")'", "ask"],
  ["31", { bash: { "cd *": "allow", "rm /t/b/*": "allow" }, ...paths }, "cd /t && rm b/x", "allow"],
  ["31", deny("rm /t/b/*"), "cd /t && rm b/x", "deny"],
  ["32", { bash: "allow" }, "find / -name a", "ask"],
  ["37", { bash: { "*": "allow", "find / *": "deny" } }, "find / -name a", "deny"],
  ["67", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "cd /p && git push", "ask"],
  ["68", { bash: { "git log *": "allow" } }, "git log; date", "ask"],
  ["70", { bash: { "git diff *": "allow" } }, "# note\ngit diff", "allow"],
  ["71", { bash: { "nix eval .#a": "allow" }, code: "allow" }, "nix eval .#a", "allow"],
  ["71", deny("rm *"), 'say "#x" ; rm a', "deny"],
  [
    "73",
    { bash: { "git add *": "allow", "git commit *": "allow" } },
    "git add a && \\\ngit commit -m 'b\nc'",
    "allow"
  ],
  ["74", { bash: { "grep *": "allow" } }, "python3 x | grep y", "ask"],
  ["76", { bash: { "*": "allow", "eval *": "allow", "rm *": "deny" } }, 'eval "rm a"', "deny"],
  ["77", { bash: { "aws *": "allow" } }, "AWS_PROFILE=p aws s3 ls", "allow"],
  ["79", deny("rm -rf *"), "rm -fr a", "deny"],
  ["79", deny("rm -rf *"), "rm -r -f a", "deny"],
  ["80", deny("git commit *"), "git -C d commit -m m", "deny"],
  ["86", { bash: { "ls *": "allow" } }, "unlisted", "ask"],
  ["89", { "*": "allow" }, "echo a", "allow"],
  ["95", { bash: { "sed *": "allow" } }, "./sed -n 1p f", "ask"],
  ["97", { bash: { "find *": "allow" }, path_write: "ask" }, "find . -fprint o", "ask"],
  ["97", { bash: { "find *": "allow" }, path_write: "ask" }, "find . -delete", "ask"],
  ["98", { bash: { "base64 *": "allow" }, path_write: "ask" }, "base64 -d -o o p", "ask"],
  ["110", { bash: { "*": "allow", "yarn *": "deny" }, code: "allow" }, "yarn test", "deny"],
  ["110", { bash: { "*": "allow", "yarn *": "deny" }, code: "allow" }, "yarn", "deny"],
  ["112", deny("git commit *"), "CI=1 git commit", "deny"],
  ["112", deny("git commit *"), '"git" commit', "deny"],
  ["112", deny("git commit *"), "git commit > log 2>&1", "deny"],
  ["112", deny("git commit *"), "for i in 1; do git commit; done", "deny"],
  ["113", { bash: "allow", path_write: { "*": "allow", f: "deny" } }, 'printf p > "$PWD/f"', "deny"],
  ["113", { bash: "allow", path_write: { "*": "allow", f: "deny" } }, 'printf p > "$(pwd)/f"', "ask"],
  ["115", deny("rm *"), "cat <<E\n`rm a`\nE", "deny"],
  ["116", { bash: "allow", path_write: "deny" }, "echo a <> f", "deny"],
  ["116", { bash: "allow", path_write: "deny" }, "echo a >&f", "deny"],
  ["116", { bash: "allow", path_write: { "*": "allow", f: "deny" } }, "echo a >&$x", "ask"],
  ["BUG-089", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "cd /x && git push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "git -C /p push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "env X=1 git push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "git --git-dir /p push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "command git push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "X=1 git push", "ask"],
  ["BUG-090", { bash: { "*": "allow", "git push *": "ask" }, ...paths }, "/usr/bin/git push", "ask"]
]

describe("public reports", () => {
  it.for(ROWS)("%s: under %j, %s is %s [L1.3, L3.2, L3.3, L3.4]", ([, permission, command, action]) => {
    expect(rule(permit(permission), command).action).toBe(action)
  })

  it("14, 74: a grant for a wrapper's command covers no other program, and the right one of a pipe [L5.1, L5.2]", () => {
    const policy = permit({ bash: { "grep *": "allow" } })
    const grants: ReadonlyArray<GrantRule> = [
      { surface: "bash", pattern: "nohup t *", exact: false, line: null },
      { surface: "bash", pattern: "t *", exact: false, line: null }
    ]
    expect(rule(policy, "nohup t a", { grants }).action).toBe("allow")
    expect(rule(policy, "nohup rm a", { grants }).action).toBe("ask")
    const asking = rule(policy, "python3 x | grep y").units.filter(({ winner }) => winner.action === "ask")
    expect(asking.map(({ value }) => value)).toEqual(["python3 x"])
  })

  it("19, 20: a link to a denied file is that file [L1.8, L3.4]", () => {
    const facts = {
      ...PathFacts.none,
      canonical: (path: string) => (path === "/project/l" ? "/project/.env" : path)
    }
    const policy = permit({ bash: "allow", path: { "*": "allow", ".env": "deny" } })
    expect(rule(policy, "cat l", { facts }).action).toBe("deny")
    expect(call(policy, "Read", { file_path: "l" }, facts).action).toBe("deny")
  })

  it("38: one command asks once, whatever of it asks [L4.3]", () => {
    const { action, units } = rule(permit({}), "cat /etc/hosts")
    expect([action, units.length]).toEqual(["ask", 2])
  })

  it("53, 96: what a repository allows counts for nobody until it is trusted [X7, L2.1]", () => {
    const untrusted = file({ permission: { "*": "allow", bash: "allow", code: "allow" } }, "project", false)
    const policy = compile(file({ permission: { bash: { "ls *": "allow" } } }), untrusted)
    expect(rule(policy, "git push").action).toBe("ask")
    expect(rule(policy, "ls").action).toBe("allow")
  })

  it("56: one answer for a file, whichever tool opens it [L1.8]", () => {
    const policy = permit({ bash: { "ls *": "allow", "cat *": "allow" }, path_read: { "src/*": "allow" } })
    expect(call(policy, "Read", { file_path: "src/a" }).action).toBe("allow")
    expect(rule(policy, "cat src/a").action).toBe("allow")
    const outside = { file_path: "/agent/npm" }
    expect([call(policy, "Read", outside).action, rule(policy, "ls /agent/npm").action]).toEqual([
      "ask",
      "ask"
    ])
  })

  it("83, 109, 110: a rule that cannot do what it seems to is named by the lint [L2.5]", () => {
    const faults = (permission: object) =>
      Lint.lint([file({ permission })], environment).map(({ check }) => check)
    expect(faults({ path_read: { "$WORK/x": "deny" } })).not.toEqual([])
    expect(faults({ bash: { "git log *": "allow", "*": "ask" } })).not.toEqual([])
    expect(faults({ bash: { "*": "allow", yarn: "deny" } })).not.toEqual([])
    expect(rule(permit({ bash: "allow", path_read: { "$HOME/x": "deny" } }), "cat ~/x").action).toBe("deny")
  })

  it("85: an ask says why [L1.5]", () => {
    const [unit] = rule(permit({ bash: { "curl *": "allow" } }), "curl -o $FOO u").units
    expect(unit).toMatchObject({
      surface: "path_write",
      value: "$FOO",
      winner: { action: "ask", scope: "builtin" }
    })
    expect(rule(permit({ bash: "allow" }), "$FOO").units[0].winner.pattern).toBe(
      "<indirection-dynamic-command>"
    )
  })

  it("94: a grant is the pattern that was shown [L5.1]", () => {
    const grants: ReadonlyArray<GrantRule> = [{ surface: "bash", pattern: "psql a", exact: true, line: null }]
    const wide: ReadonlyArray<GrantRule> = [{ surface: "bash", pattern: "t *", exact: false, line: null }]
    expect(rule(permit({}), "t a", { grants: wide }).action).toBe("allow")
    expect(rule(permit({}), "t b", { grants: wide }).action).toBe("allow")
    expect(rule(permit({}), "psql b", { grants }).action).toBe("ask")
  })

  it("106, BUG-095: a grant beats neither a deny nor an administrator's ask [L1.4, L5.2]", () => {
    const grants: ReadonlyArray<GrantRule> = [{ surface: "bash", pattern: "git *", exact: false, line: null }]
    const agent = file({ permission: { bash: { "git push *": "deny" } } }, "agent")
    expect(rule(compile(agent), "git push", { grants }).action).toBe("deny")
    const admin = file({ permission: { bash: { "git push *": "ask" } } }, "admin")
    expect(rule(compile(admin, file({})), "git push", { grants }).action).toBe("ask")
  })

  it("107: a grant for one command of a chain leaves the others as they were [L5.2]", () => {
    const grants: ReadonlyArray<GrantRule> = [
      { surface: "bash", pattern: "git status *", exact: false, line: null }
    ]
    expect(rule(permit({}), "git status && rm a", { grants }).action).toBe("ask")
  })

  it("58, BUG-092: a key in the wrong place is an error with a suggestion, and allows nothing [L2.2]", () => {
    const policy = compile(
      file({ permissions: { bash: "allow" }, permission: { bash: { "ls *": "allow" } } })
    )
    expect(policy.broken).toBe(true)
    expect(policy.issues.map(({ message, suggestion }) => [message, suggestion])).toEqual([
      ['unknown key "permissions"', 'did you mean "permission"?']
    ])
    expect(rule(policy, "ls").action).toBe("ask")
  })

  it("BUG-094: a deny holds from the first call, and a ruling names the policy that made it [L2.3]", () => {
    const policy = permit({ bash: { "rm *": "deny" } })
    expect(rule(policy, "rm a")).toMatchObject({ action: "deny", policyDigest: policy.digest })
  })
})
