/** Claude Code, as a table that the session engine reads. */
export * as ClaudeDialect from "../adapters/claude/ClaudeDialect.ts"
