import type { Policy } from "../policy/Policy.ts"

/**
 * The links that a policy's settings let run, in order (A2.2): those of the administrator first, then of each more
 * specific scope, each once. A scope adds links and takes none away, since a link may deny. What an untrusted file
 * names is not in a policy's settings (X7).
 */
export const of = ({ settings }: Pick<Policy, "settings">): ReadonlyArray<string> => [
  ...new Set(settings.flatMap(({ authorizerChain = [] }) => authorizerChain))
]
