/** What runs on Node: the composition that leaves only the policy and the person open, and its parts. */
export * as Standalone from "./Standalone.ts"

export * as FilePathFacts from "../adapters/files/FilePathFacts.ts"
export * as LoginShellProgram from "../adapters/process/LoginShellProgram.ts"
export * as NodePty from "../adapters/node-pty/NodePty.ts"
export * as PolicyFiles from "../adapters/files/PolicyFiles.ts"
export * as TrustStore from "../adapters/files/TrustStore.ts"
export * as TranscriptReader from "../adapters/files/TranscriptReader.ts"
export * as TtyPersonSurface from "../adapters/tty/TtyPersonSurface.ts"
export * as UnixSocketHookBridge from "../adapters/unix-socket/UnixSocketHookBridge.ts"
export * as XtermScreen from "../adapters/xterm/XtermScreen.ts"
