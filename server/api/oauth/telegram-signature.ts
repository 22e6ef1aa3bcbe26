import { createHash, createHmac } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { sameSecret } from '../../../core/secrets.ts'

/** How long a signed sign-in is good for, and how far Telegram's clock may be ahead of ours, in seconds. */
const AGE_MAX = 86_400
const AHEAD_MAX = 60

/**
 * The Telegram user whom the login widget's signed parameters name (https://core.telegram.org/widgets/login). Of a
 * repeated parameter the first counts. Throws TELEGRAM_SIGNATURE when they are forged, too old or from the future.
 */
export function telegramId(
  query: Readonly<Record<string, unknown>>,
  { botToken, now }: { botToken: string; now: number },
): string {
  const fields = new Map(Object.entries(query).map(([name, value]) => [name, String([value].flat()[0] ?? '')]))
  const hash = fields.get('hash') ?? ''
  fields.delete('hash')
  const lines = [...fields].map(([name, value]) => `${name}=${value}`)
  const key = createHash('sha256').update(botToken).digest()
  const signed = createHmac('sha256', key).update(lines.sort(byBytes).join('\n')).digest('hex')
  // A line break inside a parameter would let two be read out of one that was signed.
  const ambiguous = lines.some((line) => line.includes('\n'))
  const id = fields.get('id') ?? ''
  const age = now - Number(fields.get('auth_date') || Number.NaN)
  if (!sameSecret(signed, hash) || ambiguous || !/^\d{1,20}$/.test(id) || !(age <= AGE_MAX && age >= -AHEAD_MAX)) {
    throw new GatewayError('TELEGRAM_SIGNATURE')
  }
  return id
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
