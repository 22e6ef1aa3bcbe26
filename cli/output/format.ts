import { type Colors, createColors } from '../colors.ts'
import { ENGLISH, type Texts } from '../texts.ts'

/** Formats values: short for people on a terminal, complete in a pipe. */
export interface Format extends Pick<Texts, 't' | 'label' | 'title'> {
  readonly terminal: boolean
  readonly color: Colors
  /** Returns the same format with a fixed number of decimals in money, for one column. */
  withCents(digits: number): Format
  /** Formats quota as money: `$1.00`, with more decimals for small amounts. */
  money(quota: number): string
  /** Formats quota: `500000 ($1.00)`, or only the number if the gateway does not show currency. */
  quota(quota: number): string
  /** Formats unix seconds: `3h ago` on a terminal, ISO 8601 in a pipe; `-` for 0, which means never. */
  time(seconds: number): string
  /** Formats unix seconds as an exact time: local on a terminal, ISO 8601 in a pipe; `-` for 0. */
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

/** Returns the format for files and comparisons, in English. */
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
  const absolute = Math.abs(amount)
  const defaultText = absolute === 0 || absolute >= 0.01 ? absolute.toFixed(2) : absolute.toFixed(6).replace(/0+$/, '')
  const text = cents === undefined ? defaultText : absolute.toFixed(cents)
  return `${amount < 0 ? '-' : ''}$${text.endsWith('.') ? '0.00' : text}`
}

function iso(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z')
}

function relative(difference: number, { t }: Texts): string {
  const absolute = Math.abs(difference)
  const [seconds, ago, ahead] = STEPS.find(([seconds]) => absolute >= seconds) ?? STEPS[4]
  return t(difference > 0 ? ahead : ago, { number: Math.floor(absolute / seconds) })
}
