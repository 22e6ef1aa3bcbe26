const NUMBER = { SIGINT: 2, SIGTERM: 15 }
type StopSignal = keyof typeof NUMBER

/** Time in which a second signal is ignored. One Ctrl-C may arrive twice: from the terminal and from `npm start`. */
const DUPLICATE_MS = 500

/** Resolves at the first SIGINT or SIGTERM. A second signal calls `force`, which by default exits. */
export function stopRequested(force: (exitCode: number) => void = (exitCode) => process.exit(exitCode)): Promise<void> {
  return new Promise((resolve) => {
    let firstAt = 0
    const onSignal = (signal: StopSignal) => {
      const now = Date.now()
      if (firstAt === 0) {
        firstAt = now
        resolve()
      } else if (now - firstAt > DUPLICATE_MS) force(128 + NUMBER[signal])
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
