// The hook client for a machine without a C compiler (S5.7): the same arguments, frames and exit codes as
// hook-client.c, which explains them. What differs: it starts slower, and it learns only by its parent's
// death that nobody reads its output.
import { closeSync, constants, openSync, readSync, statSync, writeSync } from "node:fs"
import { connect } from "node:net"

const tokenSize = 32
const requestHeader = 4 + tokenSize + 4
const replyHeader = 4 + 1 + 4
const envelopeLimit = 8 * 1024 * 1024
const parentCheckMs = 2000
const connectRetryMs = 10

const fail = (why) => {
  try {
    writeSync(2, `obstat hook: ${why}\n`)
  } finally {
    process.exit(1)
  }
}
process.on("uncaughtException", () => fail("the client broke"))

const parent = process.ppid
const [directory, seconds, ...rest] = process.argv.slice(2)
if (
  directory === undefined ||
  !/^[0-9]{1,6}$/.test(seconds ?? "") ||
  Number(seconds) === 0 ||
  rest.length > 0
) {
  fail("usage: hook-client DIRECTORY SECONDS")
}
setTimeout(() => fail("no reply in time"), Number(seconds) * 1000)
setInterval(() => {
  if (process.ppid !== parent) fail("the agent is gone")
}, parentCheckMs)

/** Resolves at the end, with what came, or with the first `limit` bytes or more: the rest is let go. */
const readAll = (stream, limit, why) =>
  new Promise((resolve) => {
    const chunks = []
    let size = 0
    stream.on("error", () => fail(why))
    stream.on("end", () => resolve(Buffer.concat(chunks)))
    stream.on("data", (chunk) => {
      if (size < limit) chunks.push(chunk)
      size += chunk.length
    })
  })

const enter = () => {
  try {
    process.chdir(directory)
    const status = statSync(".")
    if (status.uid === process.geteuid() && (status.mode & 0o077) === 0) return
  } catch {
    fail("no such directory: the host is gone")
  }
  fail("the directory is not ours alone")
}

const readToken = () => {
  const bytes = Buffer.alloc(tokenSize + 1)
  let size = 0
  try {
    const file = openSync("token", constants.O_RDONLY | constants.O_NOFOLLOW)
    size = readSync(file, bytes)
    closeSync(file)
  } catch {
    fail("no token")
  }
  if (size !== tokenSize) fail("no valid token")
  return bytes.subarray(0, tokenSize)
}

const connectHost = () =>
  new Promise((resolve) => {
    const attempt = () => {
      const socket = connect("hook.sock")
      const refused = (error) => {
        if (error.code === "EAGAIN") setTimeout(attempt, connectRetryMs)
        else fail("the host is gone")
      }
      socket.once("error", refused)
      socket.once("connect", () => {
        socket.off("error", refused)
        resolve(socket)
      })
    }
    attempt()
  })

const event = await readAll(process.stdin, envelopeLimit + 1, "no event")
enter()
const header = Buffer.alloc(requestHeader)
header.write("OBH1", "latin1")
readToken().copy(header, 4)
header.writeUInt32BE(Math.min(event.length, envelopeLimit + 1), 4 + tokenSize)

const host = await connectHost()
const incoming = readAll(host, replyHeader + envelopeLimit + 1, "the host closed the connection")
host.write(header)
if (event.length <= envelopeLimit) host.write(event)
const reply = await incoming

if (reply.length === 0) fail("the host gave no decision")
if (reply.length < replyHeader || reply.toString("latin1", 0, 4) !== "OBR1") fail("no valid reply")
const kind = reply[4]
const output = reply.subarray(replyHeader)
if (kind > 1 || reply.readUInt32BE(5) !== output.length || output.length > envelopeLimit)
  fail("no valid reply")
if ((kind === 0) !== (output.length === 0)) fail("no valid reply")

process.stdout.on("error", () => fail("the agent does not take the reply"))
process.stdout.write(output, () => process.exit(0))
