import type { WrittenRule } from "./PolicyDocument.ts"
import type { StarterGroup } from "./PolicyFile.ts"

/** Counted up with every change of these rules: a ruling says which of them it was made by. */
export const VERSION = 1

const rules = (
  surface: string,
  action: "allow" | "ask",
  patterns: ReadonlyArray<string>
): ReadonlyArray<WrittenRule> => patterns.map((pattern) => ({ surface, pattern, value: { action }, line: 0 }))

const deny = (surface: string, reason: string, patterns: ReadonlyArray<string>): ReadonlyArray<WrittenRule> =>
  patterns.map((pattern) => ({ surface, pattern, value: { action: "deny", reason }, line: 0 }))

/** Commands that only read what their operands name; where those lie is the path surfaces' affair. */
const READ_ONLY = [
  "ls *",
  "pwd *",
  "cat *",
  "head *",
  "tail *",
  "wc *",
  "nl *",
  "tac *",
  "column *",
  "file *",
  "stat *",
  "du *",
  "df *",
  "tree *",
  "grep *",
  "egrep *",
  "fgrep *",
  "rg *",
  "find *",
  "cut *",
  "sort *",
  "uniq *",
  "tr *",
  "comm *",
  "diff *",
  "cmp *",
  "jq *",
  "sed *",
  "awk *",
  "basename *",
  "dirname *",
  "realpath *",
  "readlink *",
  "cksum *",
  "sha1sum *",
  "md5sum *",
  "sha256sum *",
  "echo *",
  "printf *",
  "true *",
  "false *",
  ": *",
  "test *",
  "[ *",
  "cd *",
  "pushd *",
  "popd *",
  "date *",
  "uname *",
  "whoami *",
  "id *",
  "which *",
  "type *",
  "command -v *",
  "seq *",
  "sleep *",
  "read *",
  "set *",
  "shopt *",
  "wait *",
  "git status *",
  "git log *",
  "git diff *",
  "git show *",
  "git branch",
  "git branch --list *",
  "git branch --show-current",
  "git branch -a",
  "git branch -r",
  "git branch -v",
  "git branch -vv",
  "git rev-parse *",
  "git rev-list *",
  "git merge-base *",
  "git cat-file *",
  "git grep *",
  "git shortlog *",
  "git reflog",
  "git tag",
  "git remote",
  "git ls-files *",
  "git ls-tree *",
  "git blame *",
  "git describe *",
  "git remote -v",
  "git stash list *",
  "git stash show *",
  "git worktree list *"
] as const

/** Tools of the agents that have no effect outside the agent itself (L4.1). */
const WITHOUT_EFFECT = [
  "TodoWrite",
  "TodoRead",
  "TaskCreate",
  "TaskUpdate",
  "TaskList",
  "TaskGet",
  "TaskOutput",
  "BashOutput",
  "ToolSearch",
  "ListMcpResourcesTool",
  "EnterPlanMode",
  "update_plan",
  "send_message_to_user_async",
  // Waiting for output: typed text has surfaces of its own.
  "write_stdin"
]

/** Rules that belong together, and what a person reads above them. */
export interface Section {
  readonly title: string
  /** The name under which a user file may leave them out (L1.4). */
  readonly group: StarterGroup | null
  readonly rules: ReadonlyArray<WrittenRule>
}

/** The starter, in order. */
export const SECTIONS: ReadonlyArray<Section> = [
  {
    title: "Commands that only read what their operands name",
    group: null,
    rules: rules("bash", "allow", READ_ONLY)
  },
  {
    title: "Files of the project may be read",
    group: null,
    rules: rules("path_read", "allow", [".", "./*"])
  },
  {
    title: "Tools without effect outside the agent",
    group: null,
    rules: WITHOUT_EFFECT.flatMap((tool) => rules(tool, "allow", ["*"]))
  },
  { title: "Whatever is written is asked for", group: null, rules: rules("path_write", "ask", ["*"]) },
  {
    title: "Removing everything",
    group: "destructive",
    rules: deny("path_write", "this would remove or change everything", ["/", "~", "."])
  },
  {
    title: "Shell start-up files",
    group: "shell-startup",
    rules: deny("path_write", "shell start-up files run at every login", [
      "~/.bashrc",
      "~/.bash_profile",
      "~/.bash_login",
      "~/.bash_logout",
      "~/.profile",
      "~/.zshrc",
      "~/.zshenv",
      "~/.zprofile",
      "~/.zlogin",
      "~/.config/fish/*",
      "/etc/profile",
      "/etc/profile.d/*",
      "/etc/bash.bashrc"
    ])
  },
  {
    title: "Credentials",
    group: "credentials",
    rules: deny("path", "credentials are not for agents", [
      "~/.ssh",
      "~/.ssh/*",
      "~/.gnupg",
      "~/.gnupg/*",
      "~/.aws",
      "~/.aws/*",
      "~/.netrc",
      "~/.npmrc",
      "~/.pypirc",
      "~/.docker/config.json",
      "~/.kube/*",
      "~/.config/gcloud/*",
      "~/.config/gh/*",
      "~/.git-credentials",
      "/etc/shadow",
      "/etc/sudoers",
      "/etc/sudoers.d/*"
    ])
  },
  {
    title: "Disks as a whole",
    group: "disk",
    rules: deny("bash", "this writes to a disk as a whole", [
      "mkfs *",
      "mkfs.* *",
      "fdisk *",
      "parted *",
      "wipefs *"
    ])
  }
]

/**
 * What many people add, each for less asks: not in force, but offered where the starter is written out
 * (`PolicyTemplate`). Files that something runs by itself later are still asked for.
 */
export const OFFERS: ReadonlyArray<Omit<Section, "group">> = [
  {
    title: "Agents edit files of the project without asking, but none that runs by itself",
    rules: [
      ...rules("path_write", "allow", ["./*"]),
      ...rules("path_write", "ask", [
        "*/.git",
        "*/.git/*",
        "*/.github/*",
        "*/.husky/*",
        "*/.vscode/*",
        "*/.claude/*",
        "*/.codex/*",
        "*/.pi/*",
        "*/.envrc",
        "*/.mcp.json"
      ])
    ]
  },
  {
    title: "Agents commit, but do not push",
    rules: rules("bash", "allow", ["git add *", "git commit *"])
  },
  {
    title: "Agents run the tests; both surfaces have to allow a command whose code is elsewhere",
    rules: [...rules("bash", "allow", ["npm test *"]), ...rules("code", "allow", ["npm test *"])]
  }
]

/**
 * The policy for people who have written none (L2.6), scope `default`: reading inside the project and
 * read-only commands pass, everything else asks, the plainly destructive is denied.
 */
export const make = (without: ReadonlyArray<StarterGroup>): ReadonlyArray<WrittenRule> =>
  SECTIONS.flatMap(({ group, rules }) => (group !== null && without.includes(group) ? [] : rules))
