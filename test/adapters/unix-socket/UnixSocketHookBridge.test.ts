import { describe } from "@effect/vitest"
import * as UnixSocketHookBridge from "../../../src/adapters/unix-socket/UnixSocketHookBridge.ts"
import * as HookBridge from "../../contracts/HookBridge.ts"
import * as HookProcess from "../../fixtures/HookProcess.ts"

describe.each([
  { client: "native" as const, burst: 1000 },
  { client: "node" as const, burst: 24 }
])("UnixSocketHookBridge with the $client client", ({ client, burst }) => {
  HookBridge.contract({ layer: UnixSocketHookBridge.layer({ client }), fire: HookProcess.run, burst })
})
