/** The render worker, which does not survive to tell of a screen that says `crash`. */
import { parentPort } from "node:worker_threads"
import type { RenderResponse } from "../../../src/adapters/xterm/RenderProtocol.ts"
import "../../../src/adapters/xterm/RenderWorker.ts"

const port = parentPort!
const post = port.postMessage.bind(port)
port.postMessage = (response: RenderResponse) => {
  if (response._tag === "frame" && response.change.lines.text.includes("crash")) throw new Error("crash")
  post(response)
}
