import pc from 'picocolors'
import { createFormat, type Format } from '../format.ts'
import type { Display } from '../toolkit.ts'

/** How values read in a list on a screen: an amount is money alone, since lines are short. Colours are Ink's. */
export function screenFormat(parts: { display: Display; text: (english: string) => string; now: number }): Format {
  const { display, text, now } = parts
  const format = createFormat({ terminal: true, color: pc.createColors(false), ...display, text, now })
  return { ...format, quota: display.inCurrency ? format.money : String }
}

/** The same for a single record, where there is room for both. */
export function recordFormat(format: Format, inCurrency: boolean): Format {
  return { ...format, quota: (quota) => (inCurrency ? `${quota} (${format.money(quota)})` : String(quota)) }
}
