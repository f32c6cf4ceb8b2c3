/** Rehearsing and testing without a model, an account or a network: scripts, and what plays them. */
export * as ClaudeHome from "./ClaudeHome.ts"
export * as PolicyGenerators from "./PolicyGenerators.ts"
export * as QuestionGenerators from "./QuestionGenerators.ts"
export * as Sandbox from "./Sandbox.ts"
export * as Script from "./Script.ts"
export * as ScriptedModel from "./ScriptedModel.ts"
export * as AgentProgram from "./AgentProgram.ts"
