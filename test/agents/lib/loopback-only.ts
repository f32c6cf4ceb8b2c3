import { networkInterfaces } from "node:os"

/** Real CLIs reach for their makers' servers: the tests refuse to start where anything but loopback is up (X11). */
export default (): void => {
  if (process.env["OBSTAT_TESTS_ISOLATED"] === "1") return
  const outside = Object.entries(networkInterfaces()).filter(([, all]) => all?.some((one) => !one.internal))
  if (outside.length > 0) {
    throw new Error(
      `The agent tests start only where loopback is the one network interface, and ${outside[0]?.[0]} is up: ` +
        "run them by `npm run test:agents`."
    )
  }
}
