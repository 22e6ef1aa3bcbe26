import { createHash, createHmac } from 'node:crypto'

export const TELEGRAM_BOT = '123456:BOT'

/** Returns the login widget's signed data for these fields. */
export function signed(fields: Record<string, string>, token = TELEGRAM_BOT): Record<string, string> {
  const lines = Object.entries(fields).map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(token).digest()
  return { ...fields, hash: createHmac('sha256', key).update(lines.sort().join('\n')).digest('hex') }
}
