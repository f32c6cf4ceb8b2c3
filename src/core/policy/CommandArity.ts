/** Programs by how many of a command's words say what it does; an underscore joins two words of one name. */
const BY_COUNT: Readonly<Record<number, string>> = {
  // What these do stands in their operands.
  0: "docker_exec docker_run gh_api git_clean git_reset kubectl_delete kubectl_exec",
  // They read and print; what they write is governed by its path.
  1: "basename cat cmp column comm cut date df diff dirname du echo egrep fgrep file fold grep head hexdump hostname id jq ls md5sum mkdir nl nproc od paste printf ps pwd readlink realpath rev rg seq sha1sum sha256sum sleep sort stat strings tac tail touch tr tree true uname uniq uptime wc whereis which whoami xxd",
  // The second word is the action.
  2: "brew docker gh git glab helm kubectl npm pnpm podman systemctl yarn",
  // The third is.
  3: "aws az docker_compose docker_container docker_image docker_network docker_volume gcloud gh_issue gh_pr gh_repo gh_run git_config git_remote git_stash git_submodule git_worktree kubectl_config kubectl_rollout"
}

const ARITY: ReadonlyMap<string, number> = new Map(
  Object.entries(BY_COUNT).flatMap(([count, names]) =>
    names.split(" ").map((name) => [name.replaceAll("_", " "), Number(count)] as const)
  )
)

/** No name has more words. */
const LONGEST_NAME = 2

/**
 * How many words of a command make the pattern that is suggested for it (L5.1): for `git push origin main` two.
 * The longest name that begins the command counts; 0 for one that is to be taken word for word, as any that is
 * not listed.
 */
export const of = (argv: ReadonlyArray<string>): number => {
  for (let length = Math.min(LONGEST_NAME, argv.length); length > 0; length--) {
    const found = ARITY.get(argv.slice(0, length).join(" "))
    if (found !== undefined) return found
  }
  return 0
}
