import { networkInterfaces } from "node:os"

/** The interfaces that lead anywhere but to this machine. */
export const outside = (interfaces: ReturnType<typeof networkInterfaces>): ReadonlyArray<string> =>
  Object.entries(interfaces).flatMap(([name, all]) => (all?.some((one) => !one.internal) ? [name] : []))

/** Real CLIs reach for their makers' servers: the tests refuse to start where anything but loopback is up (X11). */
export default (): void => {
  const up = outside(networkInterfaces())
  if (up.length > 0 && process.env["OBSTAT_TESTS_ISOLATED"] !== "1") {
    throw new Error(
      `The agent tests start only where loopback is the one network interface, and ${up.join(", ")} is up: ` +
        "run them by `npm run test:agents`."
    )
  }
}
