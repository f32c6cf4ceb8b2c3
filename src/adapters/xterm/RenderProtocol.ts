import type { Frame } from "../../core/session/Frame.ts"
import type { PackedLines } from "./PackedLines.ts"

/** From the host to a render worker. `screen` is the host's number for one emulator. */
export type RenderRequest =
  | { readonly _tag: "open"; readonly screen: number; readonly cols: number; readonly rows: number }
  | { readonly _tag: "write"; readonly screen: number; readonly bytes: Uint8Array }
  | { readonly _tag: "resize"; readonly screen: number; readonly cols: number; readonly rows: number }
  | { readonly _tag: "serialize"; readonly screen: number }
  | { readonly _tag: "close"; readonly screen: number }

/** What a batch changed; every other line is the one of the frame before. */
export interface FrameChange extends Pick<Frame, "cols" | "rows" | "cursor" | "title" | "modes"> {
  readonly lines: PackedLines
}

/** From a worker to the host: one for each write, resize and serialize, in the order of a screen's requests. */
export type RenderResponse =
  | {
      readonly _tag: "frame"
      readonly screen: number
      readonly change: FrameChange
      /** The emulator's own answers to queries in this batch. */
      readonly replies: ReadonlyArray<string>
    }
  | { readonly _tag: "serialized"; readonly screen: number; readonly bytes: Uint8Array }
