import { describe } from "@effect/vitest"
import * as MemoryHookBridge from "../../../src/adapters/memory/MemoryHookBridge.ts"
import * as HookBridge from "../../contracts/HookBridge.ts"

describe("MemoryHookBridge", () => {
  HookBridge.contract({ ...MemoryHookBridge.make(), burst: 1000 })
})
