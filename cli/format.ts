import pc from 'picocolors'

export type Colors = ReturnType<typeof pc.createColors>

/** How values read: for people on a terminal, or whole and plain in a pipe. */
export interface Format {
  readonly terminal: boolean
  readonly color: Colors
  /** The same with so many digits behind the point of each amount of money: for one column of a table. */
  withCents(digits: number): Format
  /** Fixed texts in the language of the reader, such as titles. */
  text(english: string): string
  /** `$1.00`; as many digits as a small amount needs. */
  money(quota: number): string
  /** `500000 ($1.00)`, or the number alone where the gateway does not show currency. */
  quota(quota: number): string
  /** Unix seconds: `3h ago` on a terminal, ISO 8601 in a pipe. 0 is never. */
  time(seconds: number): string
  /** The same where people want to know exactly: local time on a terminal. */
  moment(seconds: number): string
}

const STEPS = [
  [86_400 * 365, '{0}y ago', 'in {0}y'],
  [86_400, '{0}d ago', 'in {0}d'],
  [3600, '{0}h ago', 'in {0}h'],
  [60, '{0}m ago', 'in {0}m'],
  [1, '{0}s ago', 'in {0}s'],
] as const

export function createFormat({
  terminal,
  color,
  quotaPerUnit,
  inCurrency = true,
  text = (english) => english,
  now = Date.now() / 1000,
  cents,
}: {
  terminal: boolean
  color: Colors
  quotaPerUnit: number
  inCurrency?: boolean
  text?: (english: string) => string
  now?: number
  /** Digits behind the point of each amount; absent: as many as it needs. */
  cents?: number
}): Format {
  const money = (quota: number) => dollars(quota / quotaPerUnit, cents)
  return {
    terminal,
    color,
    text,
    withCents: (digits) => createFormat({ terminal, color, quotaPerUnit, inCurrency, text, now, cents: digits }),
    money,
    quota: (quota) => (inCurrency ? `${quota} (${money(quota)})` : String(quota)),
    time(seconds) {
      if (seconds <= 0) return '-'
      return terminal ? relative(seconds - now, text) : iso(seconds)
    },
    moment(seconds) {
      if (seconds <= 0) return '-'
      return terminal ? new Date(seconds * 1000).toLocaleString('sv-SE') : iso(seconds)
    },
  }
}

/** Whole and plain: for files, and for comparing. */
export function plainFormat(): Format {
  return createFormat({ terminal: false, color: pc.createColors(false), quotaPerUnit: 1, inCurrency: false })
}

/** Dollars with so many digits behind the point; without `cents` with two, or as many as a small amount needs. */
export function dollars(amount: number, cents?: number): string {
  const size = Math.abs(amount)
  const needed = size === 0 || size >= 0.01 ? size.toFixed(2) : size.toFixed(6).replace(/0+$/, '')
  const text = cents === undefined ? needed : size.toFixed(cents)
  return `${amount < 0 ? '-' : ''}$${text.endsWith('.') ? '0.00' : text}`
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function relative(difference: number, text: Format['text']): string {
  const size = Math.abs(difference)
  const [seconds, ago, ahead] = STEPS.find(([seconds]) => size >= seconds) ?? STEPS[4]
  return text(difference > 0 ? ahead : ago).replace('{0}', String(Math.floor(size / seconds)))
}
