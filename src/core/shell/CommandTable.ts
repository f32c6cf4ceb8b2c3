import { named, type Program, type Programs } from "./Program.ts"

/** An interpreter: its program text, its script, its standard input are code that we do not read. */
const interpreter = (options: string): Program => ({
  options,
  operands: "script maybe*",
  stdin: true,
  modes: { code: { operands: "_*", code: true }, inert: { inert: true } }
})

const PURE = { operands: "_*" } as const satisfies Program
const BUILTIN = { operands: "_*", builtin: true } as const satisfies Program
const READS = { operands: "read*" } as const satisfies Program

/** Programs that are not wrappers: which of their words are files, and what they run (L3.4). */
export const COMMANDS: Programs = {
  // Parts of the shell.
  ...named(
    ": true false echo printf test [ set shopt unset export declare typeset local readonly alias unalias type hash read mapfile readarray wait jobs kill bg fg disown return exit break continue shift getopts umask ulimit times help caller let pushd popd dirs cd pwd logout suspend bind history fc enable exit",
    BUILTIN
  ),
  cd: { options: "-LPe@", operands: "_", builtin: true, reader: "cd" },
  ...named("pushd popd", { options: "-n -#", operands: "_", builtin: true, reader: "cd" }),
  printf: { options: "-v:eval", operands: "_*", builtin: true },
  let: { operands: "eval*", builtin: true },
  read: { options: "-ersE -a:eval -d: -i: -n: -N: -p: -t: -u:", operands: "eval*", builtin: true },
  ...named("mapfile readarray", {
    options: "-t -d: -n: -O: -s: -u: -C:shell -c:",
    operands: "eval",
    builtin: true
  }),
  unset: { options: "-fvn", operands: "eval*", builtin: true },
  ...named("export declare typeset local readonly", { operands: "_*", builtin: true, reader: "variables" }),
  alias: { operands: "_*", builtin: true, reader: "aliases" },
  enable: { options: "-adnps -f:script", operands: "_*", builtin: true },
  ...named("test [", { operands: "_*", builtin: true, reader: "test" }),
  // Files: read.
  ...named(
    "cat tac nl wc od xxd hexdump strings md5sum sha1sum sha256sum sha512sum cksum b2sum less more stat file readlink realpath ls dir vdir du tree rev base32 zcat bzcat xzcat zless cmp comm diff diff3 sdiff colordiff fold fmt pr expand unexpand paste join column bat jless size nm objdump readelf ldd",
    {
      options: "-# --color? --help!inert --version!inert",
      operands: "read*",
      modes: { inert: { inert: true } }
    }
  ),
  ...named("head tail", {
    options:
      "-# -n: -c: -s: --lines: --bytes: --pid: --sleep-interval: -fFqvzr --follow? --quiet --verbose --retry",
    operands: "read*"
  }),
  ...named("cut", {
    options: "-b: -c: -d: -f: -nsz --bytes: --characters: --delimiter: --fields: --output-delimiter:",
    operands: "read*"
  }),
  ...named("sort", {
    options:
      "-bdfghiMnRrVcCmsuz -k: -o:write -S: -t: -T:within --key: --output:write --buffer-size: --field-separator: --temporary-directory:within --compress-program:shell --files0-from:read --random-source:read --parallel: --batch-size:",
    operands: "read*"
  }),
  uniq: {
    options: "-cdDiuz -f: -s: -w: --skip-fields: --skip-chars: --check-chars:",
    operands: "read write"
  },
  ...named("grep egrep fgrep zgrep", {
    options:
      "-# -EFGPivwxcLlqsbHhnTUzaIoZy -r!deep -R!deep -e:!given -f:read!given -m: -A: -B: -C: -d: -D: --regexp:!given --file:read!given --max-count: --after-context: --before-context: --context: --color? --colour? --include: --exclude: --exclude-from:read --exclude-dir: --binary-files: --devices: --directories: --label: --recursive!deep --dereference-recursive!deep --ignore-case --invert-match --word-regexp --line-regexp --count --files-with-matches --files-without-match --only-matching --quiet --silent --no-messages --line-number --with-filename --no-filename --fixed-strings --extended-regexp --perl-regexp --basic-regexp --null --text --help!inert --version!inert",
    operands: "_ read*",
    here: true,
    modes: { deep: { deep: true }, given: { operands: "read*" }, inert: { inert: true } }
  }),
  ...named("rg ag ack", {
    options:
      "-# -iSsvwxcloqnNHIuUFPzapLh0. -e:!given -f:read!given -g: -t: -T: -A: -B: -C: -m: -M: -r: -j: -E: -d: --regexp:!given --file:read!given --glob: --iglob: --type: --type-not: --after-context: --before-context: --context: --max-count: --max-depth: --replace: --threads: --encoding: --color: --colors: --sort: --sortr: --pre:code!code --ignore-file:read --files!given --type-list!inert --hidden --no-ignore --follow --json --multiline --pcre2 --search-zip --stats --count --count-matches --files-with-matches --files-without-match --only-matching --line-number --no-line-number --no-heading --heading --with-filename --no-filename --smart-case --ignore-case --case-sensitive --word-regexp --fixed-strings --invert-match --quiet --vimgrep --trim --null --text --version!inert --help!inert",
    operands: "_ read*",
    deep: true,
    here: true,
    modes: { given: { operands: "read*" }, code: { operands: "_ read*", code: true }, inert: { inert: true } }
  }),
  jq: {
    options:
      "-nrRsScCMaej -f:read!given -L:read --from-file:read!given --arg:pair --argjson:pair --slurpfile:pair --rawfile:pair --tab --indent: --raw-output --null-input --slurp --compact-output --exit-status --version!inert --help!inert",
    operands: "_ read*",
    modes: { given: { operands: "read*" }, inert: { inert: true } }
  },
  base64: { options: "-di -w: -o:write --decode --ignore-garbage --wrap: --output:write", operands: "read" },
  ...named("[[", { operands: "_*", builtin: true }),
  // Files: write.
  ...named("rm rmdir unlink shred", {
    options:
      "-firRdvxzu -n: --force --recursive --interactive? --dir --verbose --preserve-root? --no-preserve-root --one-file-system --parents --ignore-fail-on-non-empty --help!inert --version!inert",
    operands: "within*",
    modes: { inert: { inert: true } }
  }),
  mkdir: { options: "-pvZ -m: --mode: --parents --verbose", operands: "write*" },
  touch: {
    options: "-acfhm -d: -r:read -t: --date: --reference:read --time: --no-create",
    operands: "write*"
  },
  ...named("truncate", {
    options: "-co -r:read -s: --size: --reference:read --no-create",
    operands: "write*"
  }),
  tee: { options: "-aip --append --ignore-interrupts --output-error?", operands: "write*" },
  ...named("cp install", {
    options:
      "-bdfilnpsTuvxHLPZDCc -a!deep -r!deep -R!deep -S: -t:into!into -m: -o: -g: --archive!deep --backup? --force --interactive --link --no-clobber --no-dereference --dereference --parents --preserve? --no-preserve: --recursive!deep --reflink? --remove-destination --sparse: --symbolic-link --suffix: --target-directory:into!into --no-target-directory --update? --verbose --mode: --owner: --group:",
    operands: "read* into",
    modes: { deep: { deep: true }, into: { operands: "read*" } }
  }),
  mv: {
    options:
      "-bfinuvTZ -S: -t:into!into --backup? --force --interactive --no-clobber --suffix: --target-directory:into!into --no-target-directory --update? --verbose",
    operands: "within* into",
    modes: { into: { operands: "within*" } }
  },
  ln: {
    options:
      "-bdFfiLnPrsTv -S: -t:into!into --force --symbolic --relative --target-directory:into!into --no-target-directory",
    operands: "read* into",
    modes: { into: { operands: "read*" } }
  },
  ...named("chmod chown chgrp", {
    options:
      "-cfvRhHLP --changes --silent --quiet --verbose --recursive --no-dereference --reference:read!given --preserve-root --no-preserve-root --from:",
    operands: "_ within*",
    modes: { given: { operands: "within*" } }
  }),
  split: {
    options:
      "-de -a: -b: -C: -l: -n: -t: -u --suffix-length: --bytes: --line-bytes: --lines: --number: --separator: --additional-suffix: --filter:shell --numeric-suffixes? --hex-suffixes? --verbose --elide-empty-files",
    operands: "read _"
  },
  dd: { reader: "dd", operands: "_*" },
  ...named("gzip gunzip bzip2 bunzip2 xz unxz zstd", {
    options: "-# -cdfhklLnNrtqvV -S: -T: -o:write --stdout --decompress --keep --force --test --recursive",
    operands: "both*"
  }),
  patch: {
    options:
      "-# -p: -i:read -o:write -d:chdir -r:write -R -N -s -f -t -l -E -b --dry-run --input:read --output:write --directory:chdir --reject-file:write",
    operands: "both*"
  },
  rsync: {
    options:
      "-vqcRbulLHpgotnWxSzhPiD0 -a!deep -r!deep -e:shell --rsh:shell --rsync-path:code!code --exclude: --include: --exclude-from:read --files-from:read --delete --dry-run --progress --stats --archive!deep --recursive!deep --password-file:read --log-file:write --backup-dir:within --port: --bwlimit: --chmod:",
    operands: "read* into",
    modes: { deep: { deep: true }, code: { operands: "read* into", code: true } }
  },
  ...named("scp sftp", {
    options: "-# -346ABCOpqRTv -r!deep -c: -D: -F:read -i:read -J: -l: -o:local -P: -S:code!code -b:read",
    operands: "read* into",
    modes: { deep: { deep: true }, code: { operands: "read* into", code: true } }
  }),
  tar: {
    options:
      "-cxtrudAzjJvkpPhwWOUZ -f:both -C:chdir -T:read -X:read -I:shell -F:shell -g:both -K: -b: -N: -V: --file:both --directory:chdir --files-from:read --exclude-from:read --exclude: --use-compress-program:shell --to-command:shell --checkpoint-action:code!code --checkpoint? --new-volume-script:shell --info-script:shell --rsh-command:shell --create --extract --get --list --append --update --gzip --bzip2 --xz --zstd --verbose --strip-components: --transform: --one-file-system --no-same-owner",
    deep: true,
    operands: "read*",
    modes: { code: { operands: "read*", code: true } }
  },
  ...named("unzip", { options: "-# -oqlntvjuzCaLfp -d:within -x:", operands: "read _*" }),
  ...named("apply_patch applypatch", { operands: "_*", reader: "patch" }),
  zip: {
    options: "-# -qjmuyTv9 -r!deep -x: -i: -TT,:shell",
    operands: "both read*",
    modes: { deep: { deep: true } }
  },
  sed: {
    options:
      "-nErszu -e:sed!given -f:script!given -i?!edit -l: --expression:sed!given --file:script!given --in-place?!edit --line-length: --quiet --silent --regexp-extended --separate --null-data --posix --sandbox --debug --follow-symlinks --help!inert --version!inert",
    operands: "_ read*",
    reader: "sed",
    modes: { given: { operands: "read*" }, edit: { operands: "_ both*" }, inert: { inert: true } }
  },
  ...named("awk gawk mawk nawk", {
    options:
      "-F: -v: -f:script!given -i:script -l:script -e:code!given -E:script!given -o?write -p?write --file:script!given --source:code!given --field-separator: --assign: --version!inert",
    operands: "_ read*",
    reader: "awk",
    modes: { given: { operands: "read*" }, inert: { inert: true } }
  }),
  // The network.
  curl: {
    options:
      "-# -0123446aBfgGiIjJklLnNOpqRsSvVZ -A: -b: -c:write -C: -d:data -D:write -e: -E:read -F:data -h? -H: -K:read!code -m: -o:write -P: -Q: -r: -t: -T:read -u: -U: -w: -x: -X: -y: -Y: -z: --output:write --config:read!code --data:data --data-binary:data --data-raw: --data-urlencode:data --json:data --form:data --header: --request: --url: --user: --user-agent: --cookie: --cookie-jar:write --dump-header:write --upload-file:read --cacert:read --cert:read --key:read --netrc-file:read --max-time: --connect-timeout: --retry: --retry-delay: --proxy: --resolve: --write-out: --output-dir:within --trace:write --trace-ascii:write --stderr:write --etag-save:write --etag-compare:read --hsts:write --interface: --limit-rate: --range: --referer: --silent --show-error --fail --location --insecure --verbose --include --head --compressed --get --create-dirs --remote-name --globoff --no-progress-meter --fail-with-body --http1.1 --http2 --ipv4 --ipv6",
    operands: "_*",
    modes: { code: { operands: "_*", code: true } }
  },
  wget: {
    options:
      "-bcdFHkKLmNpqrSvxE46 -nv, -nc, -nd, -np, -nH, -O:write -o:write -a:write -i:read -P:within -t: -T: -U: -e:!code -l: -A: -R: -D: --output-document:write --output-file:write --append-output:write --input-file:read --directory-prefix:within --execute:!code --config:read!code --post-file:read --body-file:read --use-askpass:code!code --load-cookies:read --save-cookies:write --header: --user-agent: --tries: --timeout: --quiet --no-check-certificate",
    operands: "_*",
    modes: { code: { operands: "_*", code: true } }
  },
  // Nothing but output.
  ...named(
    "uname whoami id groups tty arch nproc uptime free df ps pgrep which whereis basename dirname seq sleep yes factor expr printenv locale tput clear tr lsblk lscpu lsof",
    PURE
  ),
  // Interpreters.
  ...named(
    "python python2 python3 pypy pypy3",
    interpreter("-bBdEhiIOPqsSuvVx -c:code!code -m:!code -W: -X: --version!inert --help!inert")
  ),
  ...named(
    "node nodejs",
    interpreter(
      "-ipch -e:code!code -p:code!code -r:script --eval:code!code --print:code!code --require:script --import:script --test --watch --check --input-type: --loader:script --experimental-strip-types --no-warnings --env-file:read --version!inert -v!inert --help!inert"
    )
  ),
  ...named("deno bun tsx ts-node", {
    ...interpreter("-e:code!code --eval:code!code --version!inert --help!inert"),
    code: true
  }),
  ...named(
    "perl",
    interpreter(
      "-# -acfnpsStTuUwWX -e:code!code -E:code!code -i? -l? -0? -F? -I: -m? -M? -C? -D? -v!inert --version!inert"
    )
  ),
  ...named(
    "ruby",
    interpreter(
      "-acdlnpsSUwy -e:code!code -r:script -I: -C:chdir -i? -E: -F? -K? -T? -W? -v!inert --version!inert"
    )
  ),
  ...named(
    "php",
    interpreter(
      "-aCHmnqsw -r:code!code -B:code!code -R:code!code -E:code!code -F:script -f:script -c:read -d: -S: -t: -z:script -v!inert -i!inert"
    )
  ),
  ...named(
    "lua luajit Rscript R julia osascript tclsh expect ghci scala groovy elixir erl racket guile sqlite3 psql mysql mongo redis-cli ed ex vi vim nvim emacs nano",
    {
      ...interpreter("-e:code!code -c:code!code --version!inert --help!inert"),
      code: true
    }
  ),
  java: { operands: "maybe*", code: true },
  gdb: {
    options:
      "-batch, -q, -quiet, -nx, -ex,:gdb -iex,:gdb -eval-command,:gdb -x,:script -p,: -args,!code --batch --args!code --command:script --eval-command:gdb",
    operands: "script read",
    modes: { code: { operands: "_*", code: true } }
  },
  // Builds and packages: what runs stands in files of the project, or is fetched.
  ...named("make gmake", {
    options:
      "-# -bBdehiknpqrRsStvw -C:chdir -f:script -I: -j? -l? -o: -O? -W: --directory:chdir --file:script --makefile:script --jobs? --keep-going --silent --quiet --dry-run --just-print --always-make --eval:code --no-print-directory --version!inert --help!inert",
    operands: "maybe*",
    code: true,
    modes: { inert: { inert: true } }
  }),
  ...named(
    "rake ant cmake ninja bazel just task tox nox pytest jest vitest mocha tsc eslint swift dpkg rpm pacman apk snap crontab at batch service launchctl ansible ansible-playbook meson scons invoke pre-commit gcc cc clang g++ c++ rustc ld as javac open xdg-open",
    {
      options: "-o:write --version!inert",
      operands: "maybe*",
      code: true,
      modes: { inert: { inert: true } }
    }
  ),
  ...named("trash gio-trash trash-put", { operands: "within*" }),
  ...named("pbcopy xclip xsel wl-copy", READS),
  // Further tools with files on both sides.
  date: {
    options:
      "-uR -d: -f:read -r:read -s: -I? --date: --file:read --reference:read --set: --iso-8601? --rfc-3339: --rfc-email --utc --universal --version!inert --help!inert",
    operands: "_*",
    modes: { inert: { inert: true } }
  },
  hostname: { options: "-aAbdfiIsyV -F:read --file:read", operands: "_*" },
  history: { options: "-c -d: -a -n -r -w -p -s", operands: "both*", builtin: true },
  fc: { operands: "_*", builtin: true, unresolved: true },
  bind: { options: "-lpsvPSVX -m: -q: -u: -r: -f:script -x:shell", operands: "_*", builtin: true },
  hash: { options: "-lrdt -p:script", operands: "_*", builtin: true },
  xxd: { options: "-abCdEeipruv -c: -g: -l: -n: -o: -R: -s:", operands: "read write" },
  shuf: {
    options:
      "-ezr -i: -n: -o:write --output:write --random-source:read --input-range: --head-count: --echo --repeat --zero-terminated",
    operands: "read"
  },
  iconv: {
    options: "-cls -f: -t: -o:write --from-code: --to-code: --output:write --list!inert",
    operands: "read*",
    modes: { inert: { inert: true } }
  },
  csplit: { options: "-kqsz -b: -f:within -n: --prefix:within --digits: --quiet", operands: "read _*" },
  sponge: { options: "-a", operands: "write" },
  mktemp: {
    options: "-dqtu -p:within --directory --dry-run --quiet --suffix: --tmpdir?within",
    operands: "_"
  },
  ...named("mkfifo mknod", { options: "-m: -Z --mode:", operands: "write _*" }),
  ...named("rename prename", {
    options: "-vnfso -e:code!code",
    operands: "code within*",
    modes: { code: { operands: "within*", code: true } }
  }),
  ...named("setfacl chattr", {
    options: "-bdknRPLtv -m: -M:read -x: -X:read -s: -S:read",
    operands: "_ within*"
  }),
  openssl: {
    options: "",
    operands: "maybe*",
    subcommands: named(
      "enc dgst rsa rsautl pkey pkeyutl x509 req genrsa genpkey cms smime pkcs12 s_client s_server",
      {
        options:
          "-in,:read -out,:write -key,:read -inkey,:read -cert,:read -CAfile,:read -config,:read -keyout,:write -pass,: -passin,: -passout,: -e -d -a -k: -K: -iv,: -S: -sign,:read -verify,:read -signature,:read",
        operands: "maybe*"
      }
    )
  },
  ...named("gpg gpg2", {
    options:
      "-abcdeknqstuvw -o:write -r: -u: --output:write --recipient: --homedir:within --batch --yes --armor --decrypt --encrypt --sign --verify --import --export",
    operands: "both*"
  }),
  "ssh-keygen": {
    options: "-lpqyvBcDeHiL -b: -C: -f:both -F: -I: -m: -N: -P: -R: -t: -s:read",
    operands: "maybe*"
  },
  yq: {
    options:
      "-nPrsCMjN -i!edit -o: -p: -I: --inplace!edit --from-file:read --null-input --output-format: --input-format:",
    operands: "_ read*",
    modes: { edit: { operands: "_ both*" } }
  },
  ...named("mount umount losetup swapon swapoff", { operands: "both*" }),
  ...named("7z 7za 7zr ar cpio", { operands: "both*" }),
  ...named("ffmpeg convert magick pandoc", { operands: "both*" }),
  ...named("aria2c", {
    options:
      "-c -d:within -o: -i:read -s: -x: -j: --dir:within --out: --input-file:read --conf-path:read!code --on-download-complete:code!code",
    operands: "_*",
    modes: { code: { operands: "_*", code: true } }
  })
}
