/**
 * The peer's own decision code, `@gotgenes/pi-permission-system`, taken out of the agent that it extends: its rules
 * from a configuration file of ours, its gates and its runner, and nobody to ask. Installed apart from the product:
 *
 *     npm ci --prefix bench/peers
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { registerHooks, stripTypeScriptTypes } from "node:module"
import { join } from "node:path"

const source = new URL("../peers/node_modules/@gotgenes/pi-permission-system/src/", import.meta.url)

/** Decides one command; `true` where it may run without a person. */
export type Decide = (command: string) => Promise<boolean>

/** The package is TypeScript with imports that its host resolves: what the host does, and no more. */
const hooks = (): void => {
  registerHooks({
    resolve: (specifier, context, next) => {
      const inside = context.parentURL?.startsWith(source.href) === true
      if (inside && specifier.startsWith("@earendil-works/")) {
        return { url: "data:text/javascript,export const getAgentDir = () => '/nowhere'", shortCircuit: true }
      }
      const own = specifier.startsWith("#src/") ? new URL(`${specifier.slice(5)}.ts`, source) : null
      const near = inside && specifier.startsWith(".") ? new URL(`${specifier}.ts`, context.parentURL) : null
      const url = own ?? near
      return url === null ? next(specifier, context) : { url: url.href, shortCircuit: true }
    },
    load: (url, context, next) =>
      url.startsWith(source.href) && url.endsWith(".ts")
        ? {
            format: "module",
            source: stripTypeScriptTypes(readFileSync(new URL(url), "utf8"), { mode: "transform" }),
            shortCircuit: true
          }
        : next(url, context)
  })
}

let hooked = false

/** `null` where it is not installed. */
export const load = async (permission: object, directory: string, cwd: string): Promise<Decide | null> => {
  if (!existsSync(source)) return null
  if (!hooked) hooks()
  hooked = true
  const of = (file: string) => import(new URL(`${file}.ts`, source).href)
  const { PermissionManager } = await of("permission-manager")
  const { PermissionResolver } = await of("permission-resolver")
  const { SessionRules } = await of("session-rules")
  const { PathNormalizer } = await of("path-normalizer")
  const { posixPathFlavor } = await of("path/path-flavor")
  const { GateRunner } = await of("handlers/gates/runner")
  const { ToolCallGatePipeline } = await of("handlers/gates/tool-call-gate-pipeline")

  const folder = join(directory, "extensions", "pi-permission-system")
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "config.json"), JSON.stringify({ permission }))
  const manager = new PermissionManager({ agentDir: directory, flavor: posixPathFlavor })
  manager.configureForCwd(cwd)
  const resolver = new PermissionResolver(manager, new SessionRules())
  const normalizer = new PathNormalizer(posixPathFlavor, cwd)
  const pipeline = new ToolCallGatePipeline(resolver, {
    getActiveSkillEntries: () => [],
    getInfrastructureReadDirs: () => [],
    getToolPreviewLimits: () => ({ toolInputPreviewMaxLength: 200, toolTextSummaryMaxLength: 80 }),
    getPathNormalizer: () => normalizer,
    getShellToolAliases: () => undefined,
    getPromotablePathTokenMatcher: (agent?: string) => manager.getPromotablePathTokenMatcher(agent)
  })
  let asked = false
  const refuse = {
    escalate: () => {
      asked = true
      return Promise.resolve({ approved: false, state: "denied" })
    }
  }
  const silent = { writeReviewLog: () => {}, emitDecision: () => {} }
  const runner = new GateRunner(resolver, { recordSessionApproval: () => {} }, refuse, silent)
  return async (command) => {
    asked = false
    const call = { toolName: "bash", agentName: null, input: { command }, toolCallId: "1", cwd }
    const outcome = await pipeline.evaluate(call, runner)
    return outcome.action === "allow" && !asked
  }
}
