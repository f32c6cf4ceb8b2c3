import type { WrittenRule } from "./PolicyDocument.ts"
import type { StarterGroup } from "./PolicyFile.ts"

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
  "git rev-parse *",
  "git ls-files *",
  "git blame *",
  "git describe *",
  "git remote -v",
  "git stash list *"
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
  "update_plan"
]

const DENIES: Readonly<Record<StarterGroup, ReadonlyArray<WrittenRule>>> = {
  destructive: [...deny("path_write", "this would remove or change everything", ["/", "~", "."])],
  "shell-startup": deny("path_write", "shell start-up files run at every login", [
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
  ]),
  credentials: deny("path", "credentials are not for agents", [
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
  ]),
  disk: deny("bash", "this writes to a disk as a whole", [
    "mkfs *",
    "mkfs.* *",
    "fdisk *",
    "parted *",
    "wipefs *"
  ])
}

/**
 * The policy for people who have written none (L2.6), scope `default`: reading inside the project and
 * read-only commands pass, everything else asks, the plainly destructive is denied.
 */
export const make = (without: ReadonlyArray<StarterGroup>): ReadonlyArray<WrittenRule> => [
  ...rules("bash", "allow", READ_ONLY),
  ...rules("path_read", "allow", [".", "./*"]),
  ...WITHOUT_EFFECT.flatMap((tool) => rules(tool, "allow", ["*"])),
  ...rules("path_write", "ask", ["*"]),
  ...Object.entries(DENIES).flatMap(([group, denies]) =>
    without.some((name) => name === group) ? [] : denies
  )
]
