import { createColors } from '../colors.ts'
import { createFormat, type Format } from '../output/format.ts'
import type { Texts } from '../texts.ts'
import type { Display } from '../toolkit.ts'

/** Format for lists on screens: amounts as money only, because lines are short. Ink applies the colors. */
export function screenFormat(parts: { display: Display; texts: Texts; now: number }): Format {
  const { display, texts, now } = parts
  const format = createFormat({ terminal: true, color: createColors(false), ...display, texts, now })
  return withQuota(format, ({ money }) => (display.inCurrency ? money : String))
}

/** Format for a single record, with quota and money. */
export function recordFormat(format: Format, inCurrency: boolean): Format {
  return withQuota(
    format,
    ({ money }) =>
      (quota) =>
        inCurrency ? `${quota} (${money(quota)})` : String(quota),
  )
}

/** The same format with other texts of quota, also where a column fixes the decimals. */
function withQuota(format: Format, quotaOf: (format: Format) => Format['quota']): Format {
  const withCents = (digits: number) => withQuota(format.withCents(digits), quotaOf)
  return { ...format, quota: quotaOf(format), withCents }
}
