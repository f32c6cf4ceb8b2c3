import { fileURLToPath } from "node:url"

/** The pinned Claude Code of these tests. */
export const file = fileURLToPath(new URL("../node_modules/.bin/claude", import.meta.url))
