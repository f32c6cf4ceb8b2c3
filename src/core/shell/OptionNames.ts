/**
 * Options with several spellings, by program or subcommand: names of one group, joined by `=`, say the same
 * (L1.7). The first is the group's name. What is not listed stands for itself.
 */
const SYNONYMS: Readonly<Record<string, string>> = {
  rm: "-r=-R=--recursive -f=--force -i=--interactive -d=--dir -v=--verbose",
  rmdir: "-p=--parents -v=--verbose",
  cp: "-r=-R=--recursive -f=--force -a=--archive -l=--link -s=--symbolic-link -t=--target-directory -n=--no-clobber -u=--update",
  mv: "-f=--force -n=--no-clobber -t=--target-directory -u=--update -b=--backup",
  ln: "-s=--symbolic -f=--force -r=--relative -t=--target-directory",
  chmod: "-R=--recursive -v=--verbose -f=--silent=--quiet -c=--changes",
  chown: "-R=--recursive -v=--verbose -f=--silent=--quiet -c=--changes -h=--no-dereference",
  chgrp: "-R=--recursive",
  mkdir: "-p=--parents -m=--mode",
  sed: "-i=--in-place -e=--expression -f=--file -n=--quiet=--silent -E=-r=--regexp-extended -s=--separate",
  grep: "-r=-R=--recursive=--dereference-recursive -e=--regexp -f=--file",
  tar: "-x=--extract=--get -c=--create -f=--file -t=--list -C=--directory -I=--use-compress-program",
  curl: "-o=--output -O=--remote-name -X=--request -d=--data=--data-ascii -F=--form -T=--upload-file -H=--header -k=--insecure -K=--config -u=--user -x=--proxy -L=--location",
  wget: "-O=--output-document -o=--output-file -P=--directory-prefix -i=--input-file -e=--execute",
  rsync: "-a=--archive -r=--recursive -e=--rsh -n=--dry-run -z=--compress",
  sudo: "-u=--user -g=--group -i=--login -s=--shell -E=--preserve-env -b=--background -e=--edit",
  tee: "-a=--append",
  docker: "-H=--host -D=--debug -l=--log-level -c=--context",
  "docker run":
    "-v=--volume -p=--publish -P=--publish-all -e=--env -d=--detach -i=--interactive -t=--tty -u=--user -w=--workdir -l=--label -m=--memory --net=--network",
  "docker exec": "-e=--env -d=--detach -i=--interactive -t=--tty -u=--user -w=--workdir",
  "docker rm": "-f=--force -v=--volumes -l=--link",
  "docker rmi": "-f=--force",
  "docker system prune": "-a=--all -f=--force",
  kubectl: "-n=--namespace -s=--server",
  "kubectl delete": "-f=--filename -n=--namespace -A=--all-namespaces -l=--selector",
  "kubectl apply": "-f=--filename -n=--namespace -k=--kustomize",
  git: "-p=--paginate -P=--no-pager",
  "git push":
    "-f=--force -d=--delete -u=--set-upstream -n=--dry-run -q=--quiet -v=--verbose -o=--push-option",
  "git commit":
    "-a=--all -m=--message -n=--no-verify -s=--signoff -F=--file -C=--reuse-message -e=--edit -S=--gpg-sign -q=--quiet -p=--patch",
  "git clean": "-f=--force -n=--dry-run -q=--quiet -e=--exclude -i=--interactive",
  "git checkout": "-f=--force -q=--quiet -p=--patch -t=--track",
  "git switch": "-f=--force=--discard-changes -c=--create -C=--force-create",
  "git reset": "-q=--quiet -p=--patch",
  "git restore": "-s=--source -S=--staged -W=--worktree",
  "git branch": "-d=--delete -m=--move -c=--copy -f=--force -r=--remotes -a=--all",
  "git tag": "-d=--delete -f=--force -a=--annotate -m=--message",
  "git rebase": "-i=--interactive -x=--exec -f=--force-rebase",
  "git merge": "-m=--message",
  "git add": "-A=--all -f=--force -u=--update -p=--patch",
  "git rm": "-f=--force -n=--dry-run",
  "git stash": "-u=--include-untracked -a=--all",
  npm: "-g=--global -f=--force -w=--workspace -C=--prefix",
  cargo: "-q=--quiet -v=--verbose",
  gh: "-R=--repo",
  "gh pr merge": "-d=--delete-branch -m=--merge -r=--rebase -s=--squash"
}

const read = (source: string): ReadonlyMap<string, string> =>
  new Map(
    source.split(" ").flatMap((group) => {
      const names = group.split(/=(?=-)/)
      return names.map((name) => [name, names[0]!] as const)
    })
  )

const ALIASES: Readonly<Record<string, string>> = {
  podman: "docker",
  nerdctl: "docker",
  oc: "kubectl",
  pnpm: "npm",
  yarn: "npm",
  egrep: "grep",
  fgrep: "grep",
  install: "cp"
}

/** No listed subcommand has more words. */
const DEEPEST = 3

const made = new Map<string, ReadonlyMap<string, string>>()
const NONE: ReadonlyMap<string, string> = new Map()

/** The spellings of a program's options, by its words: `["git", "push"]`. */
export const of = (path: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const [name = "", ...rest] = path
  if (path.length > DEEPEST) return NONE
  const key = [Object.hasOwn(ALIASES, name) ? ALIASES[name]! : name, ...rest].join(" ")
  const known = made.get(key)
  if (known !== undefined) return known
  const source = Object.hasOwn(SYNONYMS, key) ? SYNONYMS[key]! : null
  if (source === null) return NONE
  const names = read(source)
  made.set(key, names)
  return names
}

/** Every option that is listed, for the tests of the table. @internal */
export const entries = (): Iterable<readonly [string, string]> => Object.entries(SYNONYMS)
