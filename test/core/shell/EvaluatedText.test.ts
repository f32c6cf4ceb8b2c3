import { spawnSync } from "node:child_process"
import { describe, expect, it } from "@effect/vitest"
import * as ShellAnalysis from "../../../src/core/shell/ShellAnalysis.ts"

/** A command that says that it ran, as a function, so that every subshell has it. */
const PREAMBLE = "zap() { echo RAN >&2; }\n"

const H = "$(zap 1)"
const S = `'b[${H}]'`

/** Places in which bash evaluates text that its grammar does not show: as arithmetic, a subscript, a handler. */
const programs: ReadonlyArray<string> = [
  `echo $((1 + ${S}))`,
  `a['${H}']=1`,
  `echo \${b['${H}']}`,
  `(( ${S} ))`,
  `[[ 1 -eq ${S} ]]`,
  `for ((i=${S};0;)); do :; done`,
  `read ${S} <<< 1`,
  `declare -i q; q=${S}`,
  `declare -i q=${S}`,
  `declare ${S}=1`,
  `declare 'b[${H}]=1'`,
  `typeset 'b[${H}]=1'`,
  `readonly 'b[${H}]=1'`,
  `f() { local 'b[${H}]=1'; }; f`,
  `test -v ${S}`,
  `[ -v ${S} ]`,
  `x=${S}; echo \${!x}`,
  `declare -n r=${S}; echo $r`,
  `declare -n r; r=${S}; echo $r`,
  `x='${H}'; echo \${x@P}`,
  `let x=${S}`,
  `echo \${x['${H}']:-1}`,
  `x=b['${H}']; : $((x))`,
  `exec {b['${H}']}>/dev/null`,
  `exec {b[${H}]}>/dev/null`,
  `echo a {b[${H}]}>/dev/null`,
  `printf -v ${S} 1`,
  `b=(1 2); unset ${S}`,
  `x=1; [[ -R ${S} ]]`,
  `b=(1); wait -p ${S} -n`,
  `trap "zap 1" DEBUG; :`,
  `PS4='${H}'; set -x; :`,
  `PROMPT_COMMAND='zap 1'; :`,
  `b=(1); echo "\${b[@]:${S}}"`,
  `x=12; echo \${x:${S}}`,
  `x=12; echo \${x:0:${S}}`,
  `x=12; n=${S}; echo \${x:n}`,
  `x=12; n=${S}; echo \${x:$n}`,
  `n=${S}; b[n]=1`,
  `n=${S}; b[$n]=1`,
  `n=${S}; echo \${b[n]}`,
  `n=${S}; [[ 1 -eq n ]]`,
  `n=${S}; [[ $n -eq 1 ]]`,
  `n=${S}; [[ -v $n ]]`,
  `n=${S}; printf -v "$n" 1`,
  `n=${S}; read $n <<< 1`,
  `n=${S}; let $n`,
  `n=${S}; m=n; echo $((m))`,
  `n=${S}; m=$n; echo $((m))`,
  `read n <<< ${S}; echo $((n))`,
  `for n in ${S}; do echo $((n)); done`,
  `n=$(echo ${S}); echo $((n))`,
  `set -- ${S}; echo $(($1))`,
  `f() { echo $(($1)); }; f ${S}`,
  `export n=${S}; echo $((n))`,
  `declare n=${S}; echo $((n))`,
  `printf -v n %s ${S}; echo $((n))`,
  `mapfile -t n <<< ${S}; echo $((n))`,
  `: \${n:=${S}}; echo $((n))`,
  `n=x; n+=${S}; echo $((n))`,
  `a=(${S}); echo $((a))`,
  `a=([0]=${S}); (( a[0] ))`,
  `select n in ${S}; do echo $((n)); break; done <<< 1`,
  `getopts a: n -a x; echo $((OPTARG))`,
  `while read n; do ((n>1)); done <<< ${S}`,
  `shopt -s extdebug; :`,
  `declare -A m; m[${S}]=1`,
  `declare -A m; n='${H}'; (( m[$n] ))`,
  `n='${H}'; b["$n"]=1`,
  `n='${H}'; echo "\${b[$n]}"`,
  `n='${H}'; [[ -v b[$n] ]]`,
  `n='${H}'; unset "b[$n]"`,
  `b=1;n='${H}'; test -v "b[$n]"`,
  `hash -d x; enable -n echo; : ${H}`,
  `eval "n=${S}"; echo $((n))`,
  `env x=1 true; alias x='zap 1'; x`,
  `fc -s 2>/dev/null; :`,
  `bind -x '"a":zap 1'`,
  `complete -W '${H}' x; compgen -W '${H}'`,
  `compgen -F f x`,
  `f() { zap 1; }; compgen -F f x`,
  `coproc x { zap 1; }; wait`,
  `printf '%b' "$(zap 1)"`,
  `time -p { zap 1; }`,
  `declare -f; declare -x X="${H}"`,
  `mapfile -C 'zap 1 #' -c 1 x <<< 1`,
  `readarray -C 'zap 1 #' -c1 x <<< 1`,
  `kill -l; : "$(zap 1)"`,
  `command eval 'zap 1'`,
  `builtin eval 'zap 1'`,
  `exec 5< <(zap 1)`,
  `. /dev/stdin <<< 'zap 1'`,
  `f=echo; "$f" zap >&2`,
  `BASH_ENV=/dev/null; trap 'zap 1' ERR; false`,
  `trap -- 'zap 1' RETURN; f() { :; }; f; . /dev/null`,
  `shopt -s expand_aliases\nalias q='zap 1;'\nq`,
  `command_not_found_handle() { zap 1; }; nosuchthing`,
  `cd() { zap 1; }; cd x`,
  `declare -a a; a+=([${H}]=1)`,
  `declare -A a=([${S}]=1)`,
  `x='zap 1'; \${x}`,
  `\\eval 'zap 1'`
]

const runs = (program: string): boolean => {
  const { stderr } = spawnSync("bash", ["--norc", "-c", PREAMBLE + program], {
    input: "",
    encoding: "utf8",
    timeout: 20_000,
    env: { PATH: "/usr/bin:/bin" }
  })
  return stderr.includes("RAN")
}

const seen = (program: string): boolean => {
  const { flaw, units } = ShellAnalysis.analyse(program, { cwd: "/", home: "/" })
  return (
    flaw !== null ||
    units.some(
      (unit) => unit.words[0]!.value === "zap" || (unit.mark !== null && unit.mark.indirect !== "open")
    )
  )
}

describe("text that bash evaluates", () => {
  it("is listed or marked wherever bash itself runs a command of it [L3.2, L3.9]", () => {
    const ran = programs.filter(runs)
    expect(ran.filter((program) => !seen(program))).toEqual([])
    // The comparison says something only while most of them do run.
    expect(ran.length).toBeGreaterThan(60)
  }, 120_000)
})
