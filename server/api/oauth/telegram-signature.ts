import { createHash, createHmac } from 'node:crypto'
import { GatewayError } from '../../../core/errors.ts'
import { sameSecret } from '../../../core/secrets.ts'

/** Maximum age of a signed sign-in, in seconds. */
const AGE_MAX = 86_400
/** Maximum seconds by which Telegram's clock may be ahead of ours. */
const AHEAD_MAX = 60

/**
 * Returns the user id from the login widget's signed parameters (https://core.telegram.org/widgets/login). If a
 * parameter is repeated, its first value counts. Throws TELEGRAM_SIGNATURE if the parameters are forged, too old or
 * from the future.
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
  // With a line break in its value, one parameter can have the same signature as two parameters.
  const isAmbiguous = lines.some((line) => line.includes('\n'))
  const id = fields.get('id') ?? ''
  const age = now - Number(fields.get('auth_date') || Number.NaN)
  if (!sameSecret(signed, hash) || isAmbiguous || !/^\d{1,20}$/.test(id) || !(age <= AGE_MAX && age >= -AHEAD_MAX)) {
    throw new GatewayError('TELEGRAM_SIGNATURE')
  }
  return id
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
