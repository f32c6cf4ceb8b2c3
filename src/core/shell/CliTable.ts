import { named, type Program, type Programs } from "./Program.ts"

const INERT = { inert: { inert: true } } as const
const MAYBE = { operands: "maybe*" } as const satisfies Program
const RUNS = { operands: "command", code: true } as const satisfies Program

/** Options before a subcommand that runs what the project says; the subcommands themselves are not listed. */
const builder = (options: string, subcommands: Programs = {}): Program => ({
  options: `${options} --version!inert`,
  operands: "maybe*",
  code: true,
  spread: true,
  modes: INERT,
  subcommands
})

/** A client of some service: nothing of it is code, but everything of it may be ruled by its subcommand. */
const client = (options: string, subcommands: Programs = {}): Program => ({
  options: `${options} --version!inert`,
  operands: "maybe*",
  spread: true,
  modes: INERT,
  subcommands
})

const NPM: Program = {
  options:
    "-C:chdir -w: -s -d -g -f -y -q --prefix:chdir --dir:chdir --cwd:chdir --workspace: --workspaces --filter: --loglevel: --registry: --cache:within --userconfig:read!code --globalconfig:read!code --script-shell:code!code --node-options:!code --silent --global --force --offline --prefer-offline --json --no-color --color? --no-audit --no-fund --ignore-scripts --if-present --recursive --version!inert --help!inert",
  operands: "maybe*",
  code: true,
  spread: true,
  modes: { ...INERT, code: { code: true } },
  subcommands: {
    ...named("exec x dlx", {
      options: "-y -p: -c:shell --yes --package: --call:shell --workspace: --silent",
      operands: "command",
      code: true
    }),
    ...named("ls list view info outdated why search ping whoami root bin", { operands: "_*" })
  }
}

const COMPOSE: Program = {
  options:
    "-f:read -p: --file:read --project-name: --project-directory:read --profile: --env-file:read --ansi: --progress: --parallel: --compatibility --dry-run -v!inert --version!inert --help!inert",
  operands: "maybe*",
  code: true,
  modes: INERT,
  subcommands: {
    exec: {
      options:
        "-dT -it -e: -u: -w: --detach --env: --index: --interactive --no-TTY --privileged --tty --user: --workdir:",
      operands: "_ command",
      remote: true
    },
    run: {
      options:
        "-dTPit -e: -l: -p: -u: -v:mount -w: --build --detach --entrypoint: --env: --env-file:read --interactive --label: --name: --no-deps --no-TTY --publish: --quiet-pull --remove-orphans --rm --service-ports --use-aliases --user: --volume:mount --workdir:",
      operands: "_ command",
      remote: true,
      code: true
    },
    ...named("ps logs images ls top port version events stats", { operands: "_*" })
  }
}

const CONTAINER_RUN: Program = {
  options:
    "-ditPq -a: -c: -e: -h: -l: -m: -p: -u: -v:mount -w: --add-host: --annotation: --attach: --cap-add: --cap-drop: --cgroupns: --cidfile:write --cpus: --cpuset-cpus: --detach --device: --dns: --entrypoint: --env: --env-file:read --expose: --gpus: --group-add: --hostname: --init --interactive --ipc: --label: --link: --log-driver: --memory: --mount:mount --name: --net: --network: --pid: --platform: --privileged --publish: --publish-all --pull: --quiet --read-only --restart: --rm --runtime: --security-opt: --shm-size: --stop-signal: --sysctl: --tmpfs: --tty --ulimit: --user: --userns: --volume:mount --volumes-from: --workdir:",
  operands: "_ command",
  remote: true,
  code: true
}

const CONTAINER: Programs = {
  exec: {
    options:
      "-dit -e: -u: -w: --detach --detach-keys: --env: --env-file:read --interactive --privileged --tty --user: --workdir:",
    operands: "_ command",
    remote: true
  },
  ...named("run create", CONTAINER_RUN),
  cp: { options: "-aLq --archive --follow-link --quiet", operands: "maybe*" },
  ...named("ps images logs inspect version info stats top port diff history events search context", {
    operands: "_*"
  })
}

/** Programs whose options stand before, or around, a subcommand (L3.8). */
export const CLIS: Programs = {
  ...named("docker podman nerdctl", {
    options:
      "-DH -c: -H: -l: -v!inert --config:read --connection: --context: --debug --host: --log-level: --namespace: --root:within --tls --tlscacert:read --tlscert:read --tlskey:read --tlsverify --url: --version!inert --help!inert",
    modes: INERT,
    code: true,
    operands: "maybe*",
    subcommands: {
      ...CONTAINER,
      container: { operands: "maybe*", code: true, subcommands: CONTAINER },
      compose: COMPOSE
    }
  }),
  "docker-compose": COMPOSE,
  ...named("kubectl oc k3s", {
    options:
      "-n: -s: -v: --namespace: --context: --kubeconfig:read --cluster: --user: --server: --token: --as: --as-group: --as-uid: --cache-dir:within --certificate-authority:read --client-certificate:read --client-key:read --insecure-skip-tls-verify --log-flush-frequency: --match-server-version --password: --profile: --request-timeout: --tls-server-name: --username: --v: --vmodule: --warnings-as-errors",
    operands: "maybe*",
    code: true,
    spread: true,
    subcommands: {
      exec: {
        options:
          "-itq -c: -f:read -n: --container: --filename:read --stdin --tty --quiet --namespace: --pod-running-timeout:",
        operands: "_ command",
        remote: true
      },
      ...named("get describe logs top version explain api-resources", {
        options:
          "-n: -o: -l: -f:read --filename:read --output: --selector: --namespace: --all-namespaces -A -w -c: --container:",
        operands: "_*"
      })
    }
  }),
  helm: builder(
    "-n: --namespace: --kube-context: --kubeconfig:read --kube-apiserver: --kube-token: --burst-limit: --debug --registry-config:read --repository-cache:within --repository-config:read"
  ),
  ...named("npm pnpm yarn", NPM),
  corepack: { operands: "command", subcommands: {} },
  cargo: builder(
    "-qv -Z: -C:chdir --color: + --config:maybe --offline --locked --frozen --list!inert --explain:!inert --quiet --verbose --manifest-path:read --target-dir:within"
  ),
  rustup: builder("-qv --quiet --verbose", { run: { operands: "_ command" } }),
  go: builder("-C:chdir", {
    ...named("version env list doc help", { operands: "_*" }),
    build: { options: "-o:write -C:chdir", operands: "maybe*", code: true }
  }),
  ...named(
    "pip pip3",
    builder(
      "-qv --quiet --verbose --isolated --python: --proxy: --timeout: --log:write --cache-dir:within --no-color --no-cache-dir --disable-pip-version-check --trusted-host: --cert:read --retries:"
    )
  ),
  ...named(
    "uv",
    builder(
      "-qvn --quiet --verbose --offline --no-cache --cache-dir:within --color: --directory:chdir --project:read --config-file:read --no-config --no-progress --native-tls --python:",
      { run: RUNS }
    )
  ),
  ...named("uvx pipx", {
    options:
      "-qv -p: --from: --with: --python: --quiet --verbose --spec: --no-cache --version!inert --help!inert",
    operands: "command",
    code: true,
    modes: INERT,
    subcommands: { run: RUNS }
  }),
  ...named(
    "poetry pipenv pdm rye hatch",
    builder(
      "-qvn -C:chdir -P:read -e: --quiet --verbose --no-ansi --ansi --no-interaction --no-plugins --no-cache --directory:chdir --project:read --env:",
      { run: RUNS }
    )
  ),
  gem: builder("-qVq --quiet --verbose --silent --config-file:read --norc --debug --backtrace"),
  bundle: builder("-v!inert --no-color --retry: --verbose --gemfile:read", { exec: RUNS }),
  dotnet: builder("-d --diagnostics --info!inert --list-sdks!inert --list-runtimes!inert"),
  composer: builder(
    "-qvn -d:chdir --quiet --verbose --no-interaction --working-dir:chdir --no-plugins --no-scripts --no-cache --profile --ansi --no-ansi"
  ),
  brew: builder("-qvd --quiet --verbose --debug"),
  ...named(
    "apt apt-get aptitude",
    builder(
      "-qyfdsum -o: -c:read -t: -a: --quiet --yes --assume-yes --assume-no --option: --config-file:read --simulate --dry-run --target-release: --download-only --fix-broken --no-install-recommends"
    )
  ),
  ...named(
    "dnf yum zypper",
    builder(
      "-qyvC -c:read -d: -e: -x: --quiet --assumeyes --assumeno --verbose --config:read --enablerepo: --disablerepo: --exclude: --installroot:within --releasever: --setopt: --nogpgcheck --refresh --non-interactive"
    )
  ),
  ...named(
    "systemctl",
    builder(
      "-qflah -H: -M: -n: -o: -p: -s: -t: --user --system --quiet --no-pager --full --lines: --output: --host: --machine: --now --force --global --root:within --no-block --no-ask-password --type: --state: --property: --signal:",
      named("status show list-units list-unit-files is-active is-enabled is-failed cat", MAYBE)
    )
  ),
  ...named("terraform tofu", builder("-chdir,:chdir -help,!inert -version,!inert")),
  ...named(
    "vagrant",
    builder("--color --no-color --machine-readable --debug --timestamp", {
      ssh: { options: "-c:words -p -t --command:words --plain --tty", operands: "_*", remote: true }
    })
  ),
  ...named(
    "conda mamba micromamba",
    builder("-vq --verbose --quiet --no-plugins", {
      run: {
        options: "-n: -p: -v --name: --prefix: --cwd:chdir --no-capture-output --live-stream",
        operands: "command",
        code: true
      }
    })
  ),
  ...named(
    "gradle gradlew mvn",
    builder(
      "-q -b:read -p:chdir -f:read -P: -D? -x: -I:script -c:read -s:read --project-dir:chdir --build-file:script --settings-file:script --init-script:script --offline --quiet --info --debug --daemon --no-daemon --stacktrace"
    )
  ),
  // Clients of services.
  aws: client(
    "--debug --endpoint-url: --no-verify-ssl --no-paginate --output: --query: --profile: --region: --color: --no-sign-request --ca-bundle:read --cli-read-timeout: --cli-connect-timeout: --cli-input-json:data --no-cli-pager --no-cli-auto-prompt --cli-auto-prompt --cli-binary-format:"
  ),
  gh: client("-R: --repo: --help!inert", {
    alias: { operands: "maybe*", code: true },
    extension: { operands: "maybe*", code: true },
    api: {
      options:
        "-X: -f: -F:data -H: -p: -q: -t: --method: --raw-field: --field:data --header: --input:read --jq: --template: --hostname: --paginate --slurp --silent -i --include --cache:",
      operands: "_*"
    },
    codespace: {
      operands: "maybe*",
      subcommands: { ssh: { options: "-c: --codespace:", operands: "words", remote: true } }
    }
  }),
  glab: client("-R: --repo: --group: --help!inert"),
  gcloud: client(
    "--account: --billing-project: --configuration: --flags-file:read --flatten: --format: --impersonate-service-account: --log-http --project: --quiet -q --trace-token: --user-output-enabled --verbosity: --access-token-file:read --zone: --region:"
  ),
  az: client("-o: --output: --query: --subscription: --debug --verbose --only-show-errors --help!inert"),
  ...named(
    "heroku flyctl fly vercel netlify wrangler doctl hcloud linode-cli oci ibmcloud",
    client(
      "-a: -c:read -r: -t: --app: --config:read --remote: --token: --scope: --cwd:chdir --debug --json --access-token: --context: --verbose"
    )
  ),
  ...named(
    "hg svn",
    client(
      "-R:chdir -qvy --repository:chdir --cwd:chdir --config:code --quiet --verbose --noninteractive --debug --traceback --username: --password: --config-dir:read --config-option:code --non-interactive --trust-server-cert"
    )
  ),
  ...named(
    "jj",
    client(
      "-R:chdir --repository:chdir --ignore-working-copy --at-operation: --at-op: --color: --no-pager --config:code --config-file:read --quiet --debug"
    )
  ),
  ...named("tmux", {
    options: "-2CDlNuvV -c:shell -f:script -L: -S:both -T:",
    operands: "maybe*",
    code: true,
    subcommands: {
      ...named(
        "new-session new new-window neww split-window splitw respawn-pane respawn-window display-popup popup",
        {
          options: "-AdDEPXbfhIkKvZa -c:read -e: -f: -F: -n: -s: -t: -x: -y: -l: -p: -w: -T:",
          operands: "words"
        }
      ),
      ...named("run-shell run if-shell if", {
        options: "-bCF -c:read -d: -t:",
        operands: "shell shell shell"
      }),
      ...named(
        "ls list-sessions list-windows lsw list-panes lsp capture-pane capturep kill-session kill-server kill-window has-session has info display-message",
        { operands: "_*" }
      )
    }
  })
}
