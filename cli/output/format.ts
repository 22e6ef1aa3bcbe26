import { type Colors, createColors } from '../colors.ts'

/** Formats values: short for people on a terminal, complete in a pipe. */
export interface Format {
  readonly terminal: boolean
  readonly color: Colors
  /** The same format with a fixed number of decimals in money, for one column. */
  withCents(digits: number): Format
  /** Translates fixed texts such as titles. */
  text(english: string): string
  /** `$1.00`, with more decimals for small amounts. */
  money(quota: number): string
  /** `500000 ($1.00)`, or only the number if the gateway does not show currency. */
  quota(quota: number): string
  /** Unix seconds: `3h ago` on a terminal, ISO 8601 in a pipe; 0 is never. */
  time(seconds: number): string
  /** Unix seconds as an exact time: local on a terminal, ISO 8601 in a pipe. */
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
  /** Decimals of each amount; absent: as many as needed. */
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

/** Format for files and comparisons. */
export function plainFormat(): Format {
  return createFormat({ terminal: false, color: createColors(false), quotaPerUnit: 1, inCurrency: false })
}

/** Formats dollars with `cents` decimals; by default two, or more for small amounts. */
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
