import { named, type Program } from "./Program.ts"

const READS = { operands: "maybe*" } as const satisfies Program

/**
 * git (L3.3, L3.8). Its repository may hold hooks, filters and aliases, which run for what changes the
 * working tree or talks to another machine: those subcommands are not marked, a rule for them decides, but
 * settings given on the command line are read for what they would run.
 */
export const GIT: Program = {
  options:
    "-p -P -C:chdir -c:setting --paginate --no-pager --git-dir:read --work-tree:within --namespace: --exec-path?!code --config-env:!code --super-prefix: --bare --no-replace-objects --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs --no-optional-locks --version!inert --help!inert --html-path!inert --man-path!inert --info-path!inert",
  modes: { inert: { inert: true }, code: { code: true } },
  operands: "maybe*",
  subcommands: {
    ...named("diff log show", {
      options:
        "-# -pusz -o: -G: -S: -L: -U: -n: -O:read --output:write --ext-diff!code --no-ext-diff --textconv --stat? --color? --format: --pretty? --since: --until: --author: --grep: --word-diff? --unified:",
      operands: "maybe*",
      modes: { code: { code: true } }
    }),
    // What is said is no path, though it is often put together by the command.
    commit: {
      options:
        "-aqvpsneioz -S? -u? -m: -C: -c: -F:read -t:read --message: --file:read --template:read --reuse-message: --reedit-message: --fixup: --squash: --author: --date: --trailer: --cleanup: --pathspec-from-file:read --gpg-sign? --untracked-files? --amend --no-edit --edit --all --no-verify --allow-empty --allow-empty-message --signoff --dry-run --quiet --verbose --patch --include --only --status --no-status --branch --short --porcelain --long --reset-author --no-gpg-sign --no-post-rewrite",
      operands: "maybe*"
    },
    merge: {
      options:
        "-nqve -S? -m: -s: -X: -F:read --message: --file:read --strategy: --strategy-option: --cleanup: --into-name: --gpg-sign? --ff --no-ff --ff-only --squash --no-squash --commit --no-commit --edit --no-edit --stat --no-stat --log? --signoff --verify-signatures --no-verify --allow-unrelated-histories --autostash --quiet --verbose --abort --continue --quit",
      operands: "maybe*"
    },
    tag: {
      options:
        "-adeflsv -n? -m: -F:read -u: --message: --file:read --local-user: --cleanup: --format: --sort: --contains: --no-contains: --merged: --points-at: --trailer: --annotate --sign --no-sign --edit --delete --list --force --verify --create-reflog --column? --color? --ignore-case --omit-empty",
      operands: "maybe*"
    },
    submodule: {
      options: "--quiet",
      operands: "maybe*",
      subcommands: { foreach: { options: "-q --quiet --recursive", operands: "words", code: true } }
    },
    ...named("rebase", {
      options:
        "-# -ipmvnqfrS -x:shell!code --exec:shell!code -s: -X: --onto: --strategy: --strategy-option: --interactive --continue --abort --skip --autosquash --autostash --root",
      operands: "maybe*",
      modes: { code: { code: true } }
    }),
    bisect: { operands: "maybe*", subcommands: { run: { operands: "command", code: true } } },
    "filter-branch": {
      options:
        "-f -d: --setup:shell --env-filter:shell --tree-filter:shell --index-filter:shell --parent-filter:shell --msg-filter:shell --commit-filter:shell --tag-name-filter:shell --subdirectory-filter: --original: --force",
      operands: "maybe*"
    },
    ...named("fetch pull clone ls-remote", {
      options:
        "-u: --upload-pack:shell --receive-pack:shell --exec:shell -c:setting --config:setting --template:code!code --branch: -b: --depth: --origin: -o:",
      operands: "maybe*",
      modes: { code: { code: true } }
    }),
    push: {
      options:
        "-46fdunqv -o: --all --branches --prune --mirror --delete --tags --follow-tags --dry-run --porcelain --force --force-with-lease? --no-force-with-lease --force-if-includes --repo: --set-upstream --receive-pack:shell --exec:shell --push-option: --recurse-submodules: --quiet --verbose --no-verify --verify --atomic --no-thin --thin --progress --signed?",
      operands: "maybe*"
    },
    difftool: { options: "-x:shell --extcmd:shell", operands: "maybe*", code: true },
    mergetool: { operands: "maybe*", code: true },
    grep: {
      options: "-# -O?!code --open-files-in-pager?!code -e: -f:read",
      operands: "maybe*",
      modes: { code: { code: true } }
    },
    archive: {
      options: "-o:write --output:write --remote: --exec:shell --format: --prefix:",
      operands: "maybe*"
    },
    "format-patch": { options: "-o:within --output-directory:within", operands: "maybe*" },
    apply: { options: "-p: --directory: --stat --check", operands: "read*" },
    clean: READS,
    checkout: READS,
    status: READS
  }
}

/** Settings whose value a shell runs. `!` starts a shell command in an alias. */
export const GIT_SHELL_SETTINGS =
  /^(?:core\.(?:fsmonitor|sshcommand|editor|pager|askpass|gitproxy)|sequence\.editor|gpg(?:\.\w+)?\.program|diff\.external|(?:diff|difftool|mergetool|merge|filter|pager|credential|uploadpack|browser|man)\..*|credential\.helper|interactive\.difffilter|uploadpack\.packobjectshook)$/i

/** Settings that make git run files from a place that the command names, or load further settings. */
export const GIT_CODE_SETTINGS =
  /^(?:core\.hookspath|include(?:if)?\..*|init\.templatedir|protocol\..*|remote\..*)$/i
