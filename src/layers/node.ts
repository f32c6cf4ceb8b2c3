/** What runs on Node: the composition that leaves only the policy and the person open, and its parts. */
export * as Standalone from "./Standalone.ts"
export * as Journaling from "./Journaling.ts"

export * as AnthropicModel from "../adapters/ai/AnthropicModel.ts"
export * as ChatCompletionsModel from "../adapters/ai/ChatCompletionsModel.ts"
export * as FrontMatter from "../adapters/pi/FrontMatter.ts"
export * as FilePathFacts from "../adapters/files/FilePathFacts.ts"
export * as JudgeLink from "../adapters/ai/JudgeLink.ts"
export * as JournalDigests from "../adapters/files/JournalDigests.ts"
export * as JournalFile from "../adapters/files/JournalFile.ts"
export * as JournalFolder from "../adapters/files/JournalFolder.ts"
export * as LoginShellProgram from "../adapters/process/LoginShellProgram.ts"
export * as MemoryPolicySource from "../adapters/memory/MemoryPolicySource.ts"
export * as NodePty from "../adapters/node-pty/NodePty.ts"
export * as PolicyFiles from "../adapters/files/PolicyFiles.ts"
export * as TrustStore from "../adapters/files/TrustStore.ts"
export * as TranscriptReader from "../adapters/files/TranscriptReader.ts"
export * as TtyPersonSurface from "../adapters/tty/TtyPersonSurface.ts"
export * as UnixSocketHookBridge from "../adapters/unix-socket/UnixSocketHookBridge.ts"
export * as XtermScreen from "../adapters/xterm/XtermScreen.ts"

/** What the parts that read files need of Node. */
export * as NodeServices from "@effect/platform-node/NodeServices"
