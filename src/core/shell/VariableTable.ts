/**
 * Variables that change what a command runs (L3.3): set before a command or exported, they are read here.
 *
 * - `shell`: a shell runs the value; the program decides when, so the command is marked besides.
 * - `script`: a file that is run or read as code.
 * - `code`: which files run, or with what options, is decided by the value.
 * - `eval`: expanded by the shell before each prompt or traced command.
 */
const NAMES = {
  shell:
    "EDITOR VISUAL PAGER GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_PAGER GIT_SSH_COMMAND GIT_EXTERNAL_DIFF GIT_PROXY_COMMAND MANPAGER BROWSER LESSOPEN LESSCLOSE SUDO_EDITOR FCEDIT RSYNC_RSH CVS_RSH SVN_SSH PROMPT_COMMAND TEXEDIT SYSTEMD_EDITOR SYSTEMD_PAGER BAT_PAGER",
  script:
    "LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES ENV BASH_ENV PYTHONSTARTUP GIT_ASKPASS SSH_ASKPASS SUDO_ASKPASS GIT_SSH RUSTC_WRAPPER RUSTC CC CXX SHELL ZDOTDIR",
  code: "PATH LD_LIBRARY_PATH DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH NODE_OPTIONS NODE_PATH PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB PERL5DB RUBYOPT RUBYLIB JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS MAVEN_OPTS GRADLE_OPTS CLASSPATH GIT_EXEC_PATH GIT_CONFIG GIT_CONFIG_GLOBAL GIT_CONFIG_SYSTEM GIT_CONFIG_COUNT GIT_CONFIG_PARAMETERS GIT_TEMPLATE_DIR GIT_DIR MAKEFLAGS MAKEFILES MFLAGS BASHOPTS SHELLOPTS BASH_LOADABLES_PATH FPATH CDPATH GOFLAGS RUSTFLAGS CARGO_HOME NPM_CONFIG_SCRIPT_SHELL npm_config_script_shell LUA_INIT LUA_PATH LUA_CPATH TERMINFO GCONV_PATH LOCPATH OPENSSL_CONF OPENSSL_ENGINES",
  eval: "PS0 PS1 PS2 PS4"
} as const

export type Effect = keyof typeof NAMES

const EFFECTS = ["shell", "script", "code", "eval"] as const satisfies ReadonlyArray<Effect>

const BY_NAME: ReadonlyMap<string, Effect> = new Map(
  EFFECTS.flatMap((effect) => NAMES[effect].split(" ").map((name) => [name, effect] as const))
)

/** Families of names, where one entry for each would never be complete. */
const FAMILIES = /^(?:BASH_FUNC_|GIT_CONFIG_(?:KEY|VALUE)_|LD_|DYLD_)/

export const effectOf = (name: string): Effect | null =>
  BY_NAME.get(name) ?? (FAMILIES.test(name) ? "code" : null)
