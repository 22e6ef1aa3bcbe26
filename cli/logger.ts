import { type Logger, pino } from 'pino'
import type { OutputStream } from './io.ts'

const STDERR = 2

/** Logs to stderr: JSON for collectors, readable lines on a terminal. */
export async function createLogger(level: string, { isTTY }: Pick<OutputStream, 'isTTY'>): Promise<Logger> {
  if (!isTTY) return pino({ level }, pino.destination({ dest: STDERR, sync: true }))
  const { default: pretty } = await import('pino-pretty')
  return pino({ level }, pretty({ colorize: true, destination: STDERR, sync: true, ignore: 'pid,hostname' }))
}
