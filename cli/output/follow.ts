import { setTimeout as sleep } from 'node:timers/promises'
import type { Cli } from '../cli.ts'
import { failureOf } from '../errors.ts'
import type { Column } from './column.ts'
import { jsonText } from './json.ts'

/** Milliseconds between polls. Polling a server uses half of the calls that its default limit allows an address. */
export const PAUSE_MS = { local: 1000, remote: 2000 }
const RETRY_MS = 3000

/** Returns a function that prints rows as JSON lines, or as further lines of one table. */
export async function rowPrinter<T>(cli: Cli, columns: readonly Column<T>[]): Promise<(rows: readonly T[]) => void> {
  if (cli.json) return (rows) => rows.forEach((row) => void cli.write(jsonText(row)))
  const [{ createLines }, format] = await Promise.all([import('./lines.ts'), cli.format()])
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
export function pause(ms: number, signal: AbortSignal): Promise<boolean> {
  return sleep(ms, true, { signal }).catch(() => false)
}

/** Calls `read`, and retries while the gateway is unavailable. Returns undefined after an abort. */
export async function pollWithRetry<T>(cli: Cli, signal: AbortSignal, read: () => Promise<T>): Promise<T | undefined> {
  for (let isWaiting = false; ; isWaiting = true) {
    try {
      const result = await read()
      if (isWaiting) cli.note(cli.t('log.theGatewayIsAvailableAgain'))
      return result
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
