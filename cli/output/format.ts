import { type Colors, createColors } from '../colors.ts'
import { ENGLISH, type Texts } from '../texts.ts'

/** Formats values: short for people on a terminal, complete in a pipe. */
export interface Format extends Pick<Texts, 't' | 'label' | 'title'> {
  readonly terminal: boolean
  readonly color: Colors
  /** The same format with a fixed number of decimals in money, for one column. */
  withCents(digits: number): Format
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
  [86_400 * 365, 'time.yearsAgo', 'time.inYears'],
  [86_400, 'time.daysAgo', 'time.inDays'],
  [3600, 'time.hoursAgo', 'time.inHours'],
  [60, 'time.minutesAgo', 'time.inMinutes'],
  [1, 'time.secondsAgo', 'time.inSeconds'],
] as const

export function createFormat({
  terminal,
  color,
  quotaPerUnit,
  inCurrency = true,
  texts,
  now = Date.now() / 1000,
  cents,
}: {
  terminal: boolean
  color: Colors
  quotaPerUnit: number
  inCurrency?: boolean
  texts: Texts
  now?: number
  /** Decimals of each amount; absent: as many as needed. */
  cents?: number
}): Format {
  const money = (quota: number) => dollars(quota / quotaPerUnit, cents)
  return {
    terminal,
    color,
    t: texts.t,
    label: texts.label,
    title: texts.title,
    withCents: (digits) => createFormat({ terminal, color, quotaPerUnit, inCurrency, texts, now, cents: digits }),
    money,
    quota: (quota) => (inCurrency ? `${quota} (${money(quota)})` : String(quota)),
    time(seconds) {
      if (seconds <= 0) return '-'
      return terminal ? relative(seconds - now, texts) : iso(seconds)
    },
    moment(seconds) {
      if (seconds <= 0) return '-'
      return terminal ? new Date(seconds * 1000).toLocaleString('sv-SE') : iso(seconds)
    },
  }
}

/** Format for files and comparisons, in English. */
export function plainFormat(): Format {
  return createFormat({
    terminal: false,
    color: createColors(false),
    quotaPerUnit: 1,
    inCurrency: false,
    texts: ENGLISH,
  })
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

function relative(difference: number, { t }: Texts): string {
  const size = Math.abs(difference)
  const [seconds, ago, ahead] = STEPS.find(([seconds]) => size >= seconds) ?? STEPS[4]
  return t(difference > 0 ? ahead : ago, { number: Math.floor(size / seconds) })
}
