import { describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Imported } from "../../../src/core/policy/ImportedRules.ts"
import * as Pattern from "../../../src/core/policy/Pattern.ts"
import * as PolicyDocument from "../../../src/core/policy/PolicyDocument.ts"
import * as PolicyImport from "../../../src/core/policy/PolicyImport.ts"
import { Action } from "../../../src/core/policy/Ruling.ts"
import { call, compile, environment, file, rule } from "./Fixtures.ts"

const read = (source: PolicyImport.Source, document: object, root: string | null = "."): Imported =>
  Result.getOrThrow(PolicyImport.read(source, JSON.stringify(document), { root }))

const text = (source: PolicyImport.Source, document: object): string =>
  PolicyImport.render(source, "f.json", read(source, document))

/** The policy that an import gives, beside the starter. */
const policy = (source: PolicyImport.Source, document: object) => compile(file(text(source, document)))

const rules = (imported: Imported): ReadonlyArray<string> =>
  imported.rules.map(({ pattern, surface, value }) => `${value.action} ${surface} ${pattern}`)

const notes = (imported: Imported): ReadonlyArray<string> =>
  imported.notes.map(({ kind, rule }) => `${kind} ${rule}`)

const claude = (permissions: object, root: string | null = ".") => read("claude", { permissions }, root)

describe("an import from Claude Code", () => {
  it.for([
    ["Bash", ["allow bash *"]],
    ["Bash(*)", ["allow bash *"]],
    ["Bash(npm run test:*)", ["allow bash npm run test *"]],
    ["Bash(git * main)", ["allow bash git * main"]],
    ["Read", ["allow path_read *"]],
    ["Read(src/**)", ["allow path_read ./src/*"]],
    ["Read(/src/**)", ["allow path_read ./src/*"]],
    ["Read(~/docs/**)", ["allow path_read ~/docs/*", "allow external_directory_read ~/docs/*"]],
    ["Edit(//data/**)", ["allow path_write /data/*", "allow external_directory_write /data/*"]],
    ["Edit(src/**/*.ts)", ["allow path_write ./src/*.ts"]],
    ["Edit(Makefile)", ["allow path_write ./Makefile", "allow path_write ./*/Makefile"]],
    ["WebFetch(domain:docs.rs)", ["allow web https://docs.rs", "allow web https://docs.rs/*"]],
    ["WebFetch", ["allow web *"]],
    ["WebSearch", ["allow WebSearch *"]],
    ["mcp__jira", ["allow mcp jira:*"]],
    ["mcp__jira__*", ["allow mcp jira:*"]],
    ["mcp__jira__get_issue", ["allow mcp jira:get_issue"]],
    ["Task(reviewer)", ["allow agent reviewer"]],
    ["Skill(pdf)", ["allow skill pdf"]]
  ] as const)("carries the allow %s [L2.4]", ([written, expected]) => {
    expect(rules(claude({ allow: [written] }))).toEqual(expected)
  })

  it.for([
    "Bash(cd a && ls)",
    "Bash(echo x > y)",
    'Bash(say "x")',
    "Bash(A=1 make)",
    "Bash(curl a?b)",
    "Bash(command:rm *)",
    "Read(src/*.ts)",
    "Read(src/[ab])",
    "Read(src/?)",
    "Read(!x)",
    "Write(src/**)",
    "Glob(src/**)",
    "WebFetch(domain:*.rs)",
    "WebFetch(https://x)",
    "mcp__*",
    "Foo(bar)",
    "Fo*",
    "Skill(pdf:*)",
    ")("
  ])("leaves the allow %s, which would be wider here or has no form, and says so [L2.4]", (written) => {
    const imported = claude({ allow: [written] })
    expect([imported.rules, notes(imported)]).toEqual([[], [`left ${written}`]])
    expect(imported.notes[0]?.why).not.toBe("")
  })

  it("leaves what a leading slash stands for, where that is not known, to a person [L2.4]", () => {
    expect(claude({ allow: ["Edit(/src/**)"] }, null).rules).toEqual([])
    expect(rules(claude({ deny: ["Edit(/src/**)"] }, null))).toEqual(["deny path_write */src/*"])
  })

  it.for([
    ["Bash(rm:*)", "rm -rf x"],
    ["Bash(curl a?b)", "curl a?b"],
    ["Bash(A=1 make *)", "A=1 make x"]
  ] as const)("a denied %s never runs without a person [L2.4]", ([written, command]) => {
    const denied = policy("claude", { permissions: { allow: ["Bash"], deny: [written] } })
    expect(rule(denied, command).action).not.toBe("allow")
  })

  it.for([
    ["Read(.env)", "/project/.env"],
    ["Read(.env)", "/project/a/b/.env"],
    ["Read(*.pem)", "/project/a/x.pem"],
    ["Read(secrets/)", "/project/secrets/x"],
    ["Read(./config/*.json)", "/project/config/a.json"],
    ["Read(src/**/key)", "/project/src/key"],
    ["Read(src/**/key)", "/project/src/a/b/key"],
    ["Read(~/.ssh/**)", "/home/u/.ssh/id"],
    ["Read(//etc/passwd)", "/etc/passwd"],
    ["Read(src/[ab].ts)", "/project/src/a.ts"],
    ["Write(dist/**)", "/project/dist/x"]
  ] as const)("a denied %s covers %s, for every way to it [L2.4]", ([written, path]) => {
    const denied = policy("claude", { permissions: { allow: ["Read", "Edit", "Bash"], deny: [written] } })
    expect(call(denied, written.startsWith("Read") ? "Read" : "Write", { file_path: path }).action).toBe(
      "deny"
    )
    expect(rule(denied, `echo x > ${path}`).action).toBe("deny")
  })

  it("keeps a deny above an ask, and an ask above an allow, whatever their order [L2.4]", () => {
    const imported = policy("claude", {
      permissions: {
        deny: ["Bash(git push:*)"],
        ask: ["Bash(git:*)"],
        allow: ["Bash(git log:*)", "Bash(git push:*)"]
      }
    })
    expect(["git push", "git log", "git x"].map((command) => rule(imported, command).action)).toEqual([
      "deny",
      "ask",
      "ask"
    ])
  })

  it("turns a deny without a form here into an ask of a person, which lifts no other deny [L2.4]", () => {
    const document = {
      permissions: { allow: ["Bash"], deny: ["Bash(curl evil)", "Bash(curl * | sh)", "Bash(x; y)"] }
    }
    expect(notes(read("claude", document))).toEqual(["changed Bash(curl * | sh)", "changed Bash(x; y)"])
    const imported = policy("claude", document)
    expect(rule(imported, "curl evil").action).toBe("deny")
    expect(rule(imported, "curl a | sh").units[0].winner).toMatchObject({ action: "ask" })
    expect(rule(imported, "curl a").units[0].winner).toMatchObject({ action: "ask", by: "person" })
  })

  it("says what becomes of modes, folders and other settings [L2.4]", () => {
    const imported = claude({
      additionalDirectories: ["/data", "../docs"],
      defaultMode: "bypassPermissions",
      disableBypassPermissionsMode: "disable"
    })
    expect(rules(imported)).toEqual([
      "allow path_read /data",
      "allow path_read /data/*",
      "allow external_directory_read /data",
      "allow external_directory_read /data/*"
    ])
    expect(notes(imported)).toEqual([
      "left additionalDirectories: ../docs",
      "left defaultMode: bypassPermissions",
      "left disableBypassPermissionsMode"
    ])
  })
})

describe("an import from OpenCode", () => {
  it("carries permissions to the surfaces that they are about [L2.4]", () => {
    const imported = read("opencode", {
      permission: {
        bash: { "*": "ask", "git *": "allow", "rm **": "deny" },
        edit: { "docs/**": "allow" },
        read: "allow",
        external_directory: { "~/x/**": "allow" },
        webfetch: "deny",
        task: { reviewer: "allow" },
        "jira_*": "allow"
      }
    })
    expect(rules(imported)).toEqual([
      "ask bash *",
      "allow bash git *",
      "deny bash rm **",
      "allow path_write docs/**",
      "allow path_read *",
      "allow external_directory ~/x/**",
      "deny web *",
      "allow agent reviewer",
      "allow mcp jira:*"
    ])
    expect(imported.notes).toEqual([])
  })

  it("reads the rules of its second version, an older switch, and an action for all [L2.4]", () => {
    expect(
      rules(
        read("opencode", {
          permissions: [
            { action: "shell", resource: "git *", effect: "allow" },
            { action: "subagent", resource: "*", effect: "deny" }
          ]
        })
      )
    ).toEqual(["allow bash git *", "deny agent *"])
    expect(rules(read("opencode", { tools: { bash: false, webfetch: true } }))).toEqual(["deny bash *"])
    expect(rules(read("opencode", { permission: "ask" }))).toEqual(["ask * *"])
  })

  it("says what it leaves and what it changes [L2.4]", () => {
    const imported = read("opencode", {
      permission: {
        write: "allow",
        grep: { secret: "deny", "*": "allow" },
        lsp: "allow",
        doom_loop: "ask",
        my_tool_x: "allow",
        my_tool_y: "deny",
        bash: { "a && b": "deny", 'say "x"': "allow" },
        edit: { x: "nope" },
        "*": { "*.env": "allow" }
      },
      permissions: [{ action: "shell" }],
      agent: { plan: { permission: { edit: "deny" } }, build: {} }
    })
    expect(notes(imported)).toEqual([
      "left write",
      "changed grep secret",
      "left lsp",
      "left doom_loop",
      "left my_tool_x",
      "changed my_tool_y",
      "changed bash a && b",
      'left bash say "x"',
      "left edit x",
      "left * *.env",
      'left {"action":"shell"}',
      "left agent.plan"
    ])
  })

  it("keeps an ask for everything above the starter, and below what is allowed [L2.4, L2.6]", () => {
    const imported = policy("opencode", {
      permission: { "*": "ask", edit: { "src/*": "allow" }, bash: { ls: "allow" } }
    })
    expect(["ls", "pwd", "cat x"].map((command) => rule(imported, command).action)).toEqual([
      "allow",
      "ask",
      "ask"
    ])
    expect(call(imported, "Write", { file_path: "/project/src/a", content: "" }).action).toBe("allow")
    expect(call(imported, "Read", { file_path: "/home/u/.ssh/id" }).action).toBe("deny")
  })

  it("lets a rule for everything that comes last count, as there [L2.4]", () => {
    const imported = policy("opencode", {
      permission: { bash: { "git *": "allow" }, edit: "allow", "*": "deny" }
    })
    expect(rule(imported, "git log").action).toBe("deny")
    expect(call(imported, "Write", { file_path: "/project/a" }).action).toBe("deny")
  })
})

describe("an import from pi-permission-system", () => {
  it("carries its surfaces, reasons and folders [L2.4]", () => {
    const imported = read("pi-permission-system", {
      permission: {
        bash: { "npm *": { action: "deny", reason: "use pnpm" } },
        path: { "*.env": "deny" },
        read: { "*": "allow", "*.key": "deny", "src/*": "deny" },
        mcp: { "*": "ask", "jira:get": "allow", jira: "deny", mcp_list: "allow" },
        skill: "ask",
        mytool: "allow",
        "*": "ask"
      },
      piInfrastructureReadPaths: ["~/.pi/agent"],
      yoloMode: true,
      debugLog: true
    })
    expect(rules(imported)).toEqual([
      "allow external_directory_read ~/.pi/agent",
      "allow external_directory_read ~/.pi/agent/*",
      "ask * *",
      "deny bash npm *",
      "deny path *.env",
      "allow read *",
      "deny read *.key",
      "deny path_read src/*",
      "ask mcp *",
      "allow mcp jira:get",
      "deny mcp jira:*",
      "deny mcp *:jira",
      "deny mcp jira",
      "ask skill *",
      "allow mytool *"
    ])
    expect(imported.rules.find(({ surface }) => surface === "bash")?.value).toEqual({
      action: "deny",
      reason: "use pnpm"
    })
    expect(notes(imported)).toEqual([
      "changed read src/*",
      "changed mcp jira",
      "left mcp mcp_list",
      "left yoloMode",
      "left debugLog"
    ])
  })

  it("keeps a deny of a path under a later ask of a tool [L2.4]", () => {
    const imported = policy("pi-permission-system", {
      permission: { "*": "allow", path: { "*.env": "deny" }, read: { "src/*": "ask" } }
    })
    expect(call(imported, "Read", { file_path: "/project/src/.env" }).action).toBe("deny")
    expect(call(imported, "Read", { file_path: "/project/src/a" }).action).toBe("ask")
  })
})

const words = Arbitrary.map(
  Arbitrary.array(
    Arbitrary.schema(Schema.Literals(["a", "b", "*", " ", " *", "?", "&&", '"', ">", "A=1 "])),
    {
      minLength: 1,
      maxLength: 5
    }
  ),
  (parts) => parts.join("").trim() || "a"
)
const command = Arbitrary.map(
  Arbitrary.array(Arbitrary.schema(Schema.Literals(["a", "b", "a", " "])), { minLength: 1, maxLength: 5 }),
  (parts) => parts.join("").trim() || "a"
)
const written = Arbitrary.array(Arbitrary.all([words, Arbitrary.schema(Action)]), {
  minLength: 1,
  maxLength: 5
})

const RANK = { allow: 0, ask: 1, deny: 2 } as const

/** Whether a pattern of another gate, with its wildcards, matches a plain command. */
const matches = (pattern: string, subject: string, single: boolean): boolean => {
  const source = single ? pattern : pattern.replaceAll("?", "\u0003")
  return Pattern.matches(Pattern.make(source, "text", environment), subject)
}

describe("imports never loosen", () => {
  it.prop(
    "what Claude Code denies or asks for is not allowed, and what it denies is not allowed to a link [L2.4]",
    [written, command],
    ([list, subject]) => {
      const of = (action: string) => list.filter((item) => item[1] === action).map(([pattern]) => pattern)
      const there = (["deny", "ask", "allow"] as const).find((action) =>
        of(action).some((pattern) => matches(pattern, subject, false))
      )
      const permissions = Object.fromEntries(
        Action.literals.map((action) => [action, of(action).map((pattern) => `Bash(${pattern})`)])
      )
      const ruling = rule(policy("claude", { permissions }), subject)
      if (there === "allow") return
      expect([list, subject, ruling.action]).not.toEqual([list, subject, "allow"])
      if (there === "deny" && ruling.action === "ask") expect(ruling.units[0].winner.by).toBe("person")
    },
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "what OpenCode and pi-permission-system rule is ruled no looser [L2.4]",
    [written, command, Arbitrary.schema(Schema.Literals(["opencode", "pi-permission-system"]))],
    ([list, subject, source]) => {
      const bash = Object.fromEntries(list)
      const last = Object.entries(bash).findLast(([pattern]) => matches(pattern, subject, true))
      const there = last?.[1] ?? "ask"
      const ruling = rule(policy(source, { permission: { "*": "ask", bash } }), subject)
      if (there === "deny" && ruling.action === "ask") expect(ruling.units[0].winner.by).toBe("person")
      else expect(RANK[ruling.action]).toBeGreaterThanOrEqual(RANK[there])
    },
    { arbitrary: { runs: 2_000 } }
  )

  it.prop(
    "whatever the file holds, what comes out is a policy that can be read [L2.4, L2.2]",
    [
      Arbitrary.schema(Schema.Json),
      Arbitrary.schema(Schema.Literals(["permission", "permissions", "tools", "agent"]))
    ],
    ([value, key]) => {
      for (const source of ["claude", "opencode", "pi-permission-system"] as const) {
        const document = PolicyDocument.read(file(text(source, { [key]: value })))
        expect(document.issues).toEqual([])
      }
    },
    { arbitrary: { runs: 300 } }
  )
})
