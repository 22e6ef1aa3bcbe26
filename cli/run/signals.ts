const NUMBER = { SIGINT: 2, SIGTERM: 15 }
type StopSignal = keyof typeof NUMBER

/** One Ctrl-C may arrive twice: from the terminal, and from an `npm start` that forwards it. */
const SAME_MS = 500

/** Resolves at the first SIGINT or SIGTERM. A second one calls `force` with the signal's exit code; by default it ends the process. */
export function stopRequested(force: (exitCode: number) => void = (exitCode) => process.exit(exitCode)): Promise<void> {
  return new Promise((resolve) => {
    let first = 0
    const heard = (signal: StopSignal) => {
      const now = Date.now()
      if (first === 0) {
        first = now
        resolve()
      } else if (now - first > SAME_MS) force(128 + NUMBER[signal])
    }
    process.on('SIGINT', heard)
    process.on('SIGTERM', heard)
  })
}
