/** Rehearsing and testing without a model, an account or a network: scripts, and what plays them. */
export * as AgentProgram from "./AgentProgram.ts"
export * as ClaudeHome from "./ClaudeHome.ts"
export * as EmulatedTty from "./EmulatedTty.ts"
export * as Sandbox from "./Sandbox.ts"
export * as Script from "./Script.ts"
export * as ScriptedModel from "./ScriptedModel.ts"

// Generators for property tests
export * as AskGenerators from "./AskGenerators.ts"
export * as PolicyGenerators from "./PolicyGenerators.ts"
export * as QuestionGenerators from "./QuestionGenerators.ts"

// Ports without a machine behind them
export * as MemoryHookBridge from "../../adapters/memory/MemoryHookBridge.ts"
export * as MemoryJournal from "../../adapters/memory/MemoryJournal.ts"
export * as MemoryPersonSurface from "../../adapters/memory/MemoryPersonSurface.ts"
export * as MemoryPty from "../../adapters/memory/MemoryPty.ts"
export * as MemoryTranscriptSource from "../../adapters/memory/MemoryTranscriptSource.ts"
