import { createColors } from '../colors.ts'
import { createFormat, type Format } from '../output/format.ts'
import type { Texts } from '../texts.ts'
import type { Display } from '../toolkit.ts'

/** Returns the format for lists on screens. Amounts are only money, because lines are short. Ink applies colors. */
export function screenFormat(parts: { display: Display; texts: Texts; now: number }): Format {
  const { display, texts, now } = parts
  const format = createFormat({ terminal: true, color: createColors(false), ...display, texts, now })
  return withQuota(format, ({ money }) => (display.inCurrency ? money : String))
}

/** Returns the format for a single record, with quota and money. */
export function recordFormat(format: Format, inCurrency: boolean): Format {
  return withQuota(
    format,
    ({ money }) =>
      (quota) =>
        inCurrency ? `${quota} (${money(quota)})` : String(quota),
  )
}

/** Returns the same format with another `quota` function, which formats of `withCents` use, too. */
function withQuota(format: Format, quotaOf: (format: Format) => Format['quota']): Format {
  const withCents = (digits: number) => withQuota(format.withCents(digits), quotaOf)
  return { ...format, quota: quotaOf(format), withCents }
}
