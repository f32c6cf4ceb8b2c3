import { describe, expect, it } from "@effect/vitest"
import * as OptionNames from "../../../src/core/shell/OptionNames.ts"
import * as Programs from "../../../src/core/shell/Programs.ts"
import { compile, file, permit, rule } from "./Fixtures.ts"

const bash = (rules: object) =>
  permit({ bash: rules, code: "allow", path: "allow", external_directory: "allow" })
const under = (pattern: string, command: string, action = "deny") =>
  rule(bash({ "*": "allow", [pattern]: action }), command).action

describe("a deny on options", () => {
  it.for([
    ["rm -rf /t/*", "cd /t && rm -f -r b"],
    ["rm /t/b/*", "cd /t && rm b/x"],
    ["rm /t/b/*", "rm /t/../t/./b//x"],
    ["rm ~/b", "cd ~; rm b"],
    ["cat /etc/hosts", "cat ../etc/hosts"],
    ["rm -rf *", "rm -rf x"],
    ["rm -rf *", "rm -fr x"],
    ["rm -rf *", "rm -r -f x"],
    ["rm -rf *", "rm -f -r x"],
    ["rm -rf *", "rm -Rf x"],
    ["rm -rf *", "rm -rvf x"],
    ["rm -rf *", "rm x -rf"],
    ["rm -rf *", "rm -r x -f"],
    ["rm -rf *", "rm --recursive --force x"],
    ["rm -rf *", "rm --rec --forc x"],
    ["rm -rf *", "rm -r --force -- x"],
    ["rm -rf *", "/bin/rm -fr x"],
    ["rm -rf *", "sudo rm -fr x"],
    ["rm -rf *", "sh -c 'rm -f -r x'"],
    ["rm -rf *", "rm -f -r x; if"],
    ["rm -r -f *", "rm -rf x"],
    ["rm --recursive *", "rm -R x"],
    ["rm -rf build", "rm -f -r build"],
    ["rm -rf build *", "rm -r -f build x"],
    ["sudo rm -rf *", "sudo -n rm -f -r x"],
    ["git push --force *", "git push -f"],
    ["git push --force *", "git push origin main --force"],
    ["git push --force *", "git -C d push -uf origin"],
    ["git push *--force*", "git push -f origin"],
    ["git push *--force*", "git push --force-with-lease"],
    ["git push * --force", "git push -f origin"],
    ["git -c *", "git -c a.b=c status"],
    ["git commit --no-verify *", "git commit -nm x"],
    ["git commit --no-verify *", "git commit -a -m x -n"],
    ["git clean -fd *", "git clean -d -x --force"],
    ["git reset --hard *", "git reset HEAD~1 --hard"],
    ["git branch -D *", "git branch x -D"],
    ["docker run --privileged *", "docker run --rm -it --privileged image sh"],
    ["docker run -v /:* *", "docker run --volume=/:/host image"],
    ["docker run -v /:* *", "docker run --rm -v/:/host image"],
    ["docker run -v /:* *", "docker -D run --volume /:/host image sh"],
    ["kubectl delete -n prod *", "kubectl delete pod x --namespace=prod"],
    ["kubectl delete -n prod *", "kubectl -n prod delete pod x"],
    ["curl -k *", "curl -sk https://h.example"],
    ["curl --insecure *", "curl https://h.example -k -o f"],
    ["chmod -R 777 *", "chmod 777 --recursive d"],
    ["npm install -g *", "npm install --global x"],
    ["npm install -g *", "npm -g install x"],
    ["cp -r * /etc", "cp a --recursive /etc"],
    ["tar -xf *", "tar --extract --file=a.tar"]
  ] as const)("%s holds for %s [L1.7]", ([pattern, command]) => {
    expect(under(pattern, command)).toBe("deny")
    if (!command.endsWith("; if")) expect(under(pattern, command, "ask")).toBe("ask")
  })

  it.for([
    ["rm -rf *", "rm -r x"],
    ["rm -rf *", "rm -- -rf"],
    ["rm -rf *", "rm ./-rf"],
    ["rm -rf /", "rm -r -f x"],
    ["git push --force *", "git push origin main"],
    ["git push --force *", "git commit -F f"],
    ["git -c *", "git status"],
    ["docker run -v /:* *", "docker run -v ./d:/d image"],
    ["chmod -R 777 *", "chmod 777 f"],
    ["git status", "git status -s"],
    ["unlisted -ab *", "unlisted -ba x"]
  ] as const)("%s says nothing about %s [L1.7]", ([pattern, command]) => {
    expect(under(pattern, command)).toBe("allow")
  })

  it.for([
    ["rm -rf *", "rm -r $x"],
    ["rm -rf *", 'rm "$x" y'],
    ["rm -rf *", "rm -r *"],
    ["git push --force *", "git push $flags"],
    ["docker run -v /:* *", 'docker run -v "$x" image'],
    ["rm -rf /", "rm -f -r $x"]
  ] as const)("%s may hold for %s: it is asked about [L1.7, L1.4]", ([pattern, command]) => {
    expect(under(pattern, command)).toBe("ask")
  })
})

describe("option sets", () => {
  const SPELLINGS = [
    "rm -rf x",
    "rm -fr x",
    "rm -r -f x",
    "rm x -rf",
    "rm -f x -R",
    "rm --recursive --force x",
    "rm --force -r -- x"
  ]

  it("are the same whichever spelling stands in the rule and which in the command [L1.7]", () => {
    for (const rule of SPELLINGS) {
      const pattern = rule.replace(" -- x", " x")
      for (const command of SPELLINGS) {
        for (const ending of [pattern, pattern.replace(" x", " *")]) {
          expect([ending, command, under(ending, command)]).toEqual([ending, command, "deny"])
        }
      }
    }
  })

  it("open nothing: an allow is its words as written [L1.7]", () => {
    const policy = bash({ "*": "ask", "ls -la *": "allow" })
    expect(rule(policy, "ls -la d").action).toBe("allow")
    expect(rule(policy, "ls -al d").action).toBe("ask")
  })

  it("never put an ask before a deny that the words meet [L1.7, L1.4]", () => {
    const policy = bash({ "*": "allow", "rm -rf *": "deny", "rm -r *": "ask" })
    expect(rule(policy, "rm -rf x").action).toBe("deny")
    expect(rule(policy, "rm -fr x").action).toBe("deny")
    expect(rule(policy, "rm -r x").action).toBe("ask")
  })

  it("leave a later allow its exception [L1.4]", () => {
    const policy = bash({ "*": "allow", "rm -rf *": "deny", "rm -rf build": "allow" })
    expect(rule(policy, "rm -rf build").action).toBe("allow")
    expect(rule(policy, "rm -f -r build").action).toBe("deny")
  })

  it("name the rule as it is written [L1.5]", () => {
    const [unit] = rule(compile(file({ permission: { bash: { "rm -rf *": "deny" } } })), "rm -f -r x").units
    expect(unit.winner).toMatchObject({ action: "deny", pattern: "rm -rf *", scope: "user" })
  })

  it("are listed for programs that the tables know, each spelling once [L1.7]", () => {
    for (const [path, groups] of OptionNames.entries()) {
      expect(Programs.find(path.split(" ")[0]!), path).toBeDefined()
      const names = groups.split(" ").flatMap((group) => group.split(/=(?=-)/))
      expect(
        names.filter((name) => !/^-(?:[A-Za-z]|-[a-z][a-z-]+)$/.test(name)),
        path
      ).toEqual([])
      expect(new Set(names).size, path).toBe(names.length)
    }
  })
})
