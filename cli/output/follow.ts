import type { Cli } from '../cli.ts'
import type { Column } from './column.ts'
import { jsonText } from './json.ts'

/** Pause between polls, in milliseconds. Polling a server uses half of the server's rate limit for one address. */
export const PAUSE_MS = { local: 1000, remote: 2000 }
const RETRY_MS = 3000

/** Prints rows as they arrive: JSON lines, or lines of a table. */
export async function rowPrinter<T>(
  cli: Cli,
  loadColumns: () => Promise<readonly Column<T>[]>,
): Promise<(rows: readonly T[]) => void> {
  if (cli.json) return (rows) => rows.forEach((row) => void cli.write(jsonText(row)))
  const [{ createLines }, columns, format] = await Promise.all([import('./lines.ts'), loadColumns(), cli.format()])
  const lines = createLines(columns, format)
  let hasTitles = false
  return (rows) => {
    if (rows.length > 0 && !hasTitles) {
      lines.fit(rows)
      cli.write(lines.titles())
    }
    hasTitles ||= rows.length > 0
    for (const row of rows) cli.write(lines.line(row))
  }
}

/** Waits for `ms` milliseconds. Returns false if the signal aborted the wait. */
export async function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  const { setTimeout: sleep } = await import('node:timers/promises')
  return sleep(ms, true, { signal }).catch(() => false)
}

/** Calls `ask`, and retries while the gateway is unavailable. Returns undefined after Ctrl-C. Throws other errors. */
export async function pollWithRetry<T>(cli: Cli, signal: AbortSignal, ask: () => Promise<T>): Promise<T | undefined> {
  const { failureOf } = await import('../errors.ts')
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const answer = await ask()
      if (isWaiting) cli.note(cli.t('log.theGatewayIsAvailableAgain'))
      return answer
    } catch (error) {
      if (signal.aborted) return undefined
      const { code, message } = failureOf(error, cli)
      if (!TEMPORARY_CODES.has(code)) throw error
      if (!isWaiting) cli.note(cli.t('log.waiting', { message }))
    }
    if (!(await pause(RETRY_MS, signal))) return undefined
  }
}
const TEMPORARY_CODES = new Set([
  'SERVER_UNREACHABLE',
  'SERVER_BUSY',
  'SERVER_BROKEN',
  'SERVER_FOREIGN',
  'DATABASE_SILENT',
  'DATABASE_UNAVAILABLE',
])
