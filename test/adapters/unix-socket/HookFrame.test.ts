import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import * as HookFrame from "../../../src/adapters/unix-socket/HookFrame.ts"

const token = Buffer.alloc(HookFrame.TOKEN_SIZE, 3)

const request = (event: Uint8Array, given: Uint8Array = token, length = event.length): Buffer => {
  const size = Buffer.alloc(4)
  size.writeUInt32BE(length)
  return Buffer.concat([Buffer.from("OBH1"), given, size, event])
}

const refused = (reason: "malformed" | "oversized" | "wrong_token"): HookFrame.Progress => ({
  _tag: "refused",
  reason
})

const int = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

describe("HookFrame", () => {
  it.prop(
    "a request is read whatever pieces it comes in [S5.1]",
    [Schema.String, int(1, 60)],
    ([text, size]) => {
      const event = Buffer.from(text)
      const bytes = request(event)
      const read = HookFrame.reader(token)
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
        bytes.subarray(index * size, (index + 1) * size)
      )
      const progress = pieces.map((piece) => read(piece))
      const last = progress.pop()
      assert.isTrue(progress.every(({ _tag }) => _tag === "partial"))
      assert.isTrue(last?._tag === "complete" && Buffer.from(last.event).equals(event))
    }
  )

  it.prop(
    "any wrong token is refused before anything of the event is read [S5.1]",
    [int(0, 31), int(1, 255)],
    ([at, by]) => {
      const wrong = Buffer.from(token)
      wrong[at] = (wrong[at] ?? 0) ^ by
      const read = HookFrame.reader(token)
      assert.deepStrictEqual(read(request(Buffer.alloc(0), wrong, 5)), refused("wrong_token"))
    }
  )

  it("a length over the envelope is refused, however little follows [S5.3]", () => {
    for (const length of [HookFrame.ENVELOPE_LIMIT + 1, 0xffff_ffff]) {
      const read = HookFrame.reader(token)
      assert.deepStrictEqual(read(request(Buffer.alloc(0), token, length)), refused("oversized"))
    }
  })

  it("what is no frame of ours, or goes on after it, is malformed [S5.3]", () => {
    const malformed = refused("malformed")
    assert.deepStrictEqual(
      HookFrame.reader(token)(Buffer.from("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n12345678")),
      malformed
    )
    assert.deepStrictEqual(
      HookFrame.reader(token)(Buffer.concat([request(Buffer.from("{}")), Buffer.from("x")])),
      malformed
    )
    const read = HookFrame.reader(token)
    read(request(Buffer.from("{}")))
    assert.deepStrictEqual(read(Buffer.from("x")), malformed)
  })
})
