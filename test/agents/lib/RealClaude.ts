import { fileURLToPath } from "node:url"

/** The Claude Code under test: the pinned one, or the newest at hand where the run says so. */
export const file = fileURLToPath(
  new URL(
    process.env["OBSTAT_TESTS_NEWEST"] === "1"
      ? "../newest/node_modules/.bin/claude"
      : "../node_modules/.bin/claude",
    import.meta.url
  )
)
