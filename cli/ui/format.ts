import { createColors } from '../colors.ts'
import { createFormat, type Format } from '../output/format.ts'
import type { Display } from '../toolkit.ts'

/** Format for lists on screens: amounts as money only, because lines are short. Ink applies the colors. */
export function screenFormat(parts: { display: Display; text: (english: string) => string; now: number }): Format {
  const { display, text, now } = parts
  const format = createFormat({ terminal: true, color: createColors(false), ...display, text, now })
  return { ...format, quota: display.inCurrency ? format.money : String }
}

/** Format for a single record, with quota and money. */
export function recordFormat(format: Format, inCurrency: boolean): Format {
  return { ...format, quota: (quota) => (inCurrency ? `${quota} (${format.money(quota)})` : String(quota)) }
}
