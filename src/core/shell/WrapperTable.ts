import { named, type Program, type Programs } from "./Program.ts"

const SHELL: Program = {
  options:
    "-abefhkmnpruvxBCEHPT -c!text -i!startup -l!startup -s!stdin -D -o: -O: + +o: +O: --norc --noprofile --posix --restricted --verbose --login!startup --rcfile:script --init-file:script --debugger!startup --dump-strings --version!inert --help!inert",
  operands: "script _*",
  stdin: true,
  shell: true,
  transparent: true,
  modes: {
    text: { operands: "shell _*" },
    stdin: { operands: "_*", stdin: true },
    startup: { operands: "script _*", stdin: true, code: true },
    inert: { inert: true }
  }
}

const LOOKUP = { inert: { inert: true } } as const

/** Programs and builtins that run another command (L3.3). */
export const WRAPPERS: Programs = {
  ...named("sh bash dash ash ksh mksh zsh rbash", SHELL),
  // Parts of the shell itself.
  command: {
    options: "-p -v!inert -V!inert",
    operands: "command",
    builtin: true,
    transparent: true,
    modes: LOOKUP
  },
  builtin: { operands: "command", builtin: true, transparent: true },
  exec: { options: "-cl -a:", operands: "command", builtin: true, transparent: true },
  eval: { operands: "words", builtin: true, transparent: true },
  trap: {
    options: "-lpP!inert",
    operands: "shell _*",
    builtin: true,
    transparent: true,
    modes: LOOKUP
  },
  compgen: {
    options: "-abcdefgjksuv -o: -A: -G: -W:eval -F: -C:shell -X: -P: -S: -V:",
    operands: "_*",
    builtin: true
  },
  complete: {
    options: "-abcdefgjksuvprDEI -o: -A: -G: -W:eval -F: -C:shell -X: -P: -S:",
    operands: "_*",
    builtin: true
  },
  ...named("source .", {
    options: "-p:",
    operands: "script _*",
    builtin: true,
    shell: true,
    transparent: true
  }),
  // The environment, the priority, the time, the terminal.
  env: {
    options:
      "-i0v -u: -C:chdir -S:split -a: --ignore-environment --null --debug --unset: --chdir:chdir --split-string:split --block-signal? --default-signal? --ignore-signal? --list-signal-handling --argv0: --help!inert --version!inert",
    operands: "assign* command",
    transparent: true,
    modes: LOOKUP
  },
  timeout: {
    options:
      "-v -f -p -k: -s: --preserve-status --foreground --verbose --kill-after: --signal: --help!inert --version!inert",
    operands: "_ command",
    transparent: true,
    modes: LOOKUP
  },
  ...named("nice gnice", {
    options: "-# -n: --adjustment: --help!inert --version!inert",
    operands: "command",
    transparent: true,
    modes: LOOKUP
  }),
  nohup: { options: "--help!inert --version!inert", operands: "command", transparent: true, modes: LOOKUP },
  setsid: {
    options: "-cfw --ctty --fork --wait --help!inert --version!inert -hV!inert",
    operands: "command",
    transparent: true,
    modes: LOOKUP
  },
  stdbuf: {
    options: "-i: -o: -e: --input: --output: --error: --help!inert --version!inert",
    operands: "command",
    transparent: true,
    modes: LOOKUP
  },
  unbuffer: { options: "-p", operands: "command", transparent: true },
  ionice: {
    options: "-t -c: -n: -p:!inert -P:!inert -u:!inert --class: --classdata: --ignore --pid:!inert -hV!inert",
    operands: "command",
    transparent: true,
    modes: LOOKUP
  },
  chrt: {
    options:
      "-abdfiorRv -m!inert -T: -P: -D: -p!inert --all-tasks --batch --fifo --idle --other --rr --max!inert --pid!inert",
    operands: "_ command",
    transparent: true,
    modes: LOOKUP
  },
  taskset: {
    options: "-a -c -p!inert --all-tasks --cpu-list --pid!inert -hV!inert",
    operands: "_ command",
    transparent: true,
    modes: LOOKUP
  },
  time: {
    options: "-apqv -f: -o:write --append --portability --quiet --verbose --format: --output:write",
    operands: "command",
    transparent: true
  },
  watch: {
    options:
      "-bceghprtwdx -n: -q: --beep --color --no-color --differences? --errexit --chgexit --exec --interval: --precise --no-title --no-wrap --equexit: --no-rerun -v!inert --help!inert --version!inert",
    operands: "words",
    transparent: true,
    modes: LOOKUP
  },
  flock: {
    options:
      "-sxenoFuv -w: -E: -c:shell --shared --exclusive --unlock --nonblock --wait: --timeout: --close --no-fork --conflict-exit-code: --command:shell --verbose -hV!inert --help!inert --version!inert",
    operands: "write command",
    transparent: true,
    modes: LOOKUP
  },
  script: {
    options:
      "-aefq -c:shell -o: -t? -E: -O:write -I:write -B:write -T:write -m: --append --return --flush --force --quiet --command:shell --log-out:write --log-in:write --log-io:write --log-timing:write --echo: --output-limit: -hV!inert",
    operands: "write _*",
    transparent: true,
    modes: LOOKUP
  },
  ...named("strace ltrace", {
    options:
      "-cCdfFhiknqrtTvVwxyzZ -a: -b: -e: -E:assign -I: -o:write -O: -p:!inert -P: -s: -S: -u: -U: -X: -l: -L: -A --trace: --follow-forks --output:write",
    operands: "command",
    modes: LOOKUP
  }),
  ...named("busybox toybox", {
    options: "--list!inert --help!inert",
    operands: "command",
    transparent: true,
    modes: LOOKUP
  }),
  // Other people.
  sudo: {
    options:
      "-ABbEHnPS -K!inert -k -l!inert -v!inert -e!edit -i!login -s!login -u: -g: -h: -p: -U: -C: -D:chdir -r: -t: -T: -R:chdir -a: -c: -V!inert --askpass --background --bell --preserve-env? --set-home --non-interactive --preserve-groups --stdin --edit!edit --login!login --shell!login --user: --group: --host: --prompt: --other-user: --close-from: --chdir:chdir --role: --type: --command-timeout: --chroot:chdir --list!inert --validate!inert --remove-timestamp!inert --reset-timestamp --version!inert --help!inert",
    operands: "assign* command",
    modes: {
      inert: { inert: true },
      edit: { operands: "both*", code: true },
      login: { operands: "assign* words", code: true }
    }
  },
  doas: {
    options: "-Ln -s!login -C:read!inert -u:",
    operands: "command",
    modes: { login: { code: true }, ...LOOKUP }
  },
  ...named("su runuser", {
    options:
      "-lmpPf -c:shell!text -g: -G: -s: -u: -w: --login --preserve-environment --fast --pty --command:shell!text --session-command:shell!text --group: --supp-group: --shell: --whitelist-environment: -hV!inert",
    operands: "_*",
    code: true,
    modes: { ...LOOKUP, text: { operands: "_*" } }
  }),
  pkexec: {
    options: "--user: --disable-internal-agent --keep-cwd --version!inert --help!inert",
    operands: "command",
    modes: LOOKUP
  },
  chroot: {
    options: "--groups: --userspec: --skip-chdir --help!inert --version!inert",
    operands: "chdir command",
    modes: LOOKUP
  },
  unshare: {
    options:
      "-muinpUCTfrc -R:chdir -w:chdir -S: -G: -l: --mount? --uts? --ipc? --net? --pid? --user? --cgroup? --time? --fork --map-root-user --map-current-user --map-auto --map-user: --map-group: --map-users: --map-groups: --keep-caps --kill-child? --mount-proc? --mount-binfmt? --propagation: --setgroups: --root:chdir --wd:chdir --setuid: --setgid: --monotonic: --boottime: -hV!inert --help!inert --version!inert",
    operands: "command",
    modes: LOOKUP
  },
  nsenter: {
    options:
      "-aFeZ -t: -m? -u? -i? -n? -p? -C? -U? -T? -S: -G: -r? -w? -W: --target: --all --mount? --uts? --ipc? --net? --pid? --cgroup? --user? --time? --setuid: --setgid: --preserve-credentials --root? --wd? --no-fork --env -hV!inert --help!inert --version!inert",
    operands: "command",
    modes: LOOKUP
  },
  setpriv: {
    options:
      "-d!inert --dump!inert --groups: --clear-groups --keep-groups --init-groups --inh-caps: --ambient-caps: --bounding-set: --list-caps!inert --no-new-privs --pdeathsig: --rgid: --egid: --regid: --ruid: --euid: --reuid: --securebits: --selinux-label: --apparmor-profile: --reset-env -hV!inert",
    operands: "command",
    modes: LOOKUP
  },
  bwrap: {
    options:
      "--bind:pair --bind-try:pair --dev-bind:pair --dev-bind-try:pair --ro-bind:pair --ro-bind-try:pair --symlink:pair --setenv:pair --chmod:pair --file:pair --bind-data:pair --ro-bind-data:pair --proc: --dev: --tmpfs: --mqueue: --dir: --remount-ro: --unsetenv: --chdir: --uid: --gid: --hostname: --seccomp: --exec-label: --file-label: --info-fd: --sync-fd: --block-fd: --lock-file: --cap-add: --cap-drop: --perms: --size: --args:!code --clearenv --unshare-all --unshare-user --unshare-ipc --unshare-pid --unshare-net --unshare-uts --unshare-cgroup --share-net --die-with-parent --new-session --as-pid-1 --version!inert --help!inert",
    operands: "command",
    modes: { ...LOOKUP, code: { operands: "command", code: true } }
  },
  "systemd-run": {
    options:
      "-dtPSqrG -M: -p: -u: -E: -H: --user --system --scope --unit: --property: --description: --slice: --slice-inherit --uid: --gid: --nice: --working-directory:chdir --same-dir --setenv: --pty --pipe --shell --quiet --collect --wait --no-block --no-ask-password --remain-after-exit --send-sighup --service-type: --expand-environment: --on-active: --on-boot: --on-calendar: --on-startup: --on-unit-active: --timer-property: --path-property: --machine: --host: -h!inert --help!inert --version!inert",
    operands: "command",
    modes: LOOKUP
  },
  "systemd-inhibit": {
    options:
      "--what: --who: --why: --mode: --list!inert --no-pager --no-legend -h!inert --help!inert --version!inert",
    operands: "command",
    modes: LOOKUP
  },
  firejail: { operands: "command" },
  // Words from elsewhere.
  xargs: {
    options:
      "-0rtpxo -a:list -d: -E: -e? -I:replace -i?replace -L: -l? -n: -P: -s: -J:replace -R: --null --arg-file:list --delimiter: --eof? --replace?replace --max-lines? --max-args: --max-procs: --max-chars: --no-run-if-empty --verbose --interactive --exit --open-tty --show-limits --process-slot-var: --help!inert --version!inert",
    operands: "command",
    appends: "<stdin>",
    transparent: true,
    modes: LOOKUP
  },
  parallel: {
    options:
      "-0kqruvtm -X -j: -P: -n: -N: -L: -l? -a:list -I:replace -d: -E: -S:!ssh -s: --arg-file:list --jobs: --max-procs: --keep-order --group --ungroup --line-buffer --lb --halt: --dry-run --colsep: --delay: --timeout: --retries: --joblog:write --results:write --tmpdir: --bar --progress --eta --quote --no-notice --will-cite --null --pipe --no-run-if-empty --max-args: --tag --sshlogin:!ssh --plus --load: --memfree: --version!inert --help!inert",
    operands: "command",
    reader: "parallel",
    appends: "<stdin>",
    transparent: true,
    modes: { ...LOOKUP, ssh: { code: true } }
  },
  find: { reader: "find" },
  ...named("fd fdfind", {
    options:
      "-HIuLsiagp0l1qF -t: -e: -E: -S: -d: -c: -j: -x:rest -X:rest -o: -C:chdir --hidden --no-ignore --unrestricted --case-sensitive --ignore-case --glob --regex --fixed-strings --absolute-path --list-details --follow --full-path --print0 --max-depth: --min-depth: --exact-depth: --exclude: --prune --type: --extension: --size: --changed-within: --changed-before: --owner: --format: --exec:rest --exec-batch:rest --batch-size: --ignore-file:read --color: --threads: --max-results: --quiet --show-errors --base-directory:chdir --path-separator: --search-path:read --strip-cwd-prefix? --one-file-system --and: --hyperlink? --version!inert --help!inert -hV!inert",
    operands: "_ read*",
    modes: LOOKUP
  }),
  // Other machines.
  ssh: {
    options:
      "-46AaCfGgKkMNnqsTtVvXxYy -B: -b: -c: -D: -E:write -e: -F:read -I: -i:read -J: -L: -l: -m: -O: -o:local -P: -p: -Q: -R: -S: -W: -w:",
    operands: "_ words",
    remote: true
  },
  // Packages: what runs is fetched, or stands in a file of the project.
  ...named("npx bunx pnpx", {
    options:
      "-yq -p: -c:shell --yes --no --quiet --package: --call:shell --workspace: --ignore-existing --no-install --shell: --bun --version!inert --help!inert",
    operands: "command",
    code: true,
    modes: LOOKUP
  })
}
