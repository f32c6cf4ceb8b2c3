import { named, type Program, type Programs } from "./Program.ts"

const LOOKUP = { inert: { inert: true } } as const

/** A runner that adds nothing of its own to the command: its options, then the command. */
const around = (options: string): Program => ({
  options: `${options} --help!inert --version!inert`,
  operands: "command",
  transparent: true,
  modes: LOOKUP
})

/** Programs that run another one in an environment, a sandbox, a session or on an event (L3.3). */
export const RUNNERS: Programs = {
  fakeroot: around("-l: -s:write -i:read -u -b: --lib: --faked: --unknown-is-real -hv!inert"),
  ...named("chronic catchsegv linux32 linux64", around("-vehVBFILRSTXZ3")),
  setarch: { options: "-hV!inert -vBFILRSTXZ3 --list!inert", operands: "_ command", modes: LOOKUP },
  ifne: around("-n"),
  caffeinate: around("-dimsu -t: -w:"),
  "xvfb-run": around(
    "-al -e:write -f: -n: -p: -s: -w: --auto-servernum --server-num: --server-args: --error-file:write --auth-file: --wait:"
  ),
  "dbus-run-session": {
    options: "--config-file:read --dbus-daemon:code!code --help!inert --version!inert",
    operands: "command",
    modes: { ...LOOKUP, code: { operands: "command", code: true } }
  },
  cpulimit: around(
    "-ibfkrsvmz -l: -p: -P: -e: --limit: --pid: --exe: --path: --background --foreground --include-children --lazy --verbose"
  ),
  prlimit: around(
    "-p:!inert --pid:!inert -c? -d? -e? -f? -i? -l? -m? -n? -q? -r? -s? -t? -u? -v? -x? -y? -o: --output: --nofile? --nproc? --core? --cpu? --data? --stack? --as? --fsize? --memlock? --rss? --raw --verbose --noheadings"
  ),
  faketime: { options: "-m -f -p: --help!inert", operands: "_ command", modes: LOOKUP },
  ...named("rlwrap daemonize tsp nq softlimit proot schroot", { operands: "command" }),
  entr: around("-acdnprsz"),
  hyperfine: {
    options:
      "-iN -w: -m: -M: -r: -s:shell -p:shell -c:shell -S:code!code -n: -u: -L: --warmup: --min-runs: --max-runs: --runs: --setup:shell --prepare:shell --conclude:shell --cleanup:shell --shell:code!code --command-name: --time-unit: --style: --parameter-list: --export-json:write --export-csv:write --export-markdown:write --ignore-failure --show-output --output:write --input:read --version!inert --help!inert",
    operands: "shell*",
    modes: { ...LOOKUP, code: { operands: "shell*", code: true } }
  },
  watchexec: {
    options:
      "-rcnqvW -w:read -e: -i: -f: -s: -d: -o: -E: --watch:read --exts: --ignore: --filter: --restart --clear? --shell:!code --no-shell --project-origin:read --workdir:chdir --on-busy-update: --signal: --debounce: --postpone --version!inert --help!inert",
    operands: "words",
    modes: { ...LOOKUP, code: { operands: "words", code: true } }
  },
  nodemon: { operands: "maybe*", code: true },
  direnv: {
    operands: "maybe*",
    code: true,
    subcommands: { exec: { operands: "chdir command", code: true } }
  },
  ...named("mise asdf rbenv pyenv nodenv volta", {
    options: "-qv -C:chdir --cd:chdir --quiet --verbose --version!inert",
    operands: "maybe*",
    code: true,
    modes: LOOKUP,
    subcommands: named("exec x run", { operands: "command", code: true })
  }),
  dotenv: { options: "-e:read -f:read -o -p: -v: -c? --file:read", operands: "command", code: true },
  ...named("cross-env cross-env-shell", { operands: "assign* command", transparent: true }),
  "nix-shell": {
    options: "-p: -A: -I: -E:code --run:shell --command:shell --pure --packages: --keep:",
    operands: "maybe*",
    code: true
  },
  nix: { operands: "maybe*", code: true },
  sg: { options: "-c:shell", operands: "_ shell" },
  machinectl: { operands: "maybe*", code: true },
  runcon: { options: "-c -t: -u: -r: -l: --compute --type: --user: --role: --range:", operands: "command" },
  ...named("lxc incus", {
    operands: "maybe*",
    code: true,
    subcommands: {
      exec: { options: "-nTt --cwd: --env: --group: --user: --mode:", operands: "_ command", remote: true }
    }
  }),
  ...named("autossh mosh", { operands: "maybe*", code: true }),
  sshpass: { options: "-e -v -f:read -d: -p: -P: -V!inert -h!inert", operands: "command", modes: LOOKUP },
  ...named("pee", { operands: "shell*" }),
  sem: {
    options: "-j: --id: --fg --bg --wait --semaphoretimeout: --st:",
    operands: "words",
    transparent: true
  },
  screen: {
    options:
      "-adDlLmOqrRUvwx -c:script -e: -h: -p: -s: -S: -t: -T: -X!code -ls,!inert -list,!inert -wipe,!inert -dm, -dmS,: -v!inert",
    operands: "command",
    modes: { ...LOOKUP, code: { operands: "_*", code: true } }
  },
  ...named("start-stop-daemon", { operands: "maybe*", code: true }),
  ...named("nc ncat netcat", {
    options:
      "-46bCdDFhklNnrStUuvzZ -e:shell!run -c:shell!run -I: -i: -M: -m: -O: -P: -p: -q: -s: -T: -V: -W: -w: -X: -x: -o:write --exec:shell!run --sh-exec:shell!run --lua-exec:script --listen --keep-open --ssl --verbose --output:write",
    operands: "_*",
    modes: { run: { operands: "_*", code: true } }
  }),
  socat: { operands: "maybe*", code: true },
  ...named("lftp ftp telnet rsh rlogin mail mutt", { operands: "maybe*", code: true })
}
