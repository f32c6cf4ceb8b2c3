import { describe, expect, it } from "@effect/vitest"
import { permit, rule } from "../policy/Fixtures.ts"

const policy = permit({
  bash: { "git *": "allow", "cat *": "allow", "date *": "allow" },
  path: { "~/.ssh/*": "deny", locked: "deny" }
})

const action = (command: string) => rule(policy, command).action

describe("what git is told to say", () => {
  it.for([
    `git commit -m "$(cat <<'EOF'\nA title\n\nA text\nEOF\n)"`,
    'git commit -am "$(date)"',
    'git commit --message="$X" --author "$Y"',
    'git tag -a v1 -m "$(date)"',
    "git tag -s v1",
    'git merge -s ours -m "$X" topic'
  ])("is no path, though it is not known: %s [L3.4]", (command) => {
    expect(action(command)).toBe("allow")
  })

  it.for([
    'git commit -F "$X"',
    'git commit -m x "$X"',
    'git commit "$X"',
    'git commit --pathspec-from-file="$X"',
    'git merge "$X"',
    'git tag -m x -F "$X"'
  ])("leaves what may be a path to be asked for: %s [L3.4]", (command) => {
    expect(action(command)).toBe("ask")
  })

  it.for([
    "git commit -F ~/.ssh/id",
    "git commit -m x locked",
    "git commit --template ~/.ssh/x",
    "git tag -s -F ~/.ssh/id v1",
    "git merge -F ~/.ssh/id topic",
    "git commit --pathspec-from-file=locked"
  ])("hides no file that is named: %s [L3.4]", (command) => {
    expect(action(command)).toBe("deny")
  })
})
