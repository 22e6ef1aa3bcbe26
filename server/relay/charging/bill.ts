import { receiptFields } from '../../../core/logs/receipt.ts'
import { chargeQuota, type Price, type Usage } from '../../../core/pricing/prices.ts'
import { type PricedCalls, toolQuota } from '../../../core/pricing/tool-prices.ts'
import { priceText, remark } from './price-text.ts'

/** The cost of a relay, with the price details for its log row. */
export interface Bill {
  /** The usage for the log. Counted locally if the upstream reports no usage. */
  readonly usage: Usage
  /** Whether a part of the usage was counted locally. */
  readonly isEstimated: boolean
  readonly quota: number
  readonly content: string
  /** Properties for the log row's `other` column, from which the charge can be recomputed. */
  readonly other: Readonly<Record<string, unknown>>
}

/**
 * Returns the bill for a usage at a price. In the log row's content, `text` follows the price, and `audio` adds the
 * audio ratios. `other` is added to the log row's `other` column.
 */
export function toBill(
  price: Price,
  usage: Usage,
  {
    isEstimated,
    audio,
    text = '',
    tools = [],
    other,
  }: {
    isEstimated: boolean
    audio: boolean
    text?: string | undefined
    tools?: readonly PricedCalls[]
    other: Bill['other'] | undefined
  },
): Bill {
  const hasUsage = usage.promptTokens + usage.completionTokens > 0
  return {
    usage,
    isEstimated,
    quota: chargeQuota(price, usage) + toolQuota(price, tools),
    content:
      priceText(price, { audio }) +
      text +
      tools.map(toolText).join('') +
      (hasUsage ? '' : remark('remark.mayHaveTimedOut')),
    other:
      tools.length > 0 || other ? withTools(receiptFields(price, usage), tools, other) : receiptFields(price, usage),
  }
}

const toolText = ({ tool, calls, price }: PricedCalls): string =>
  `${remark('remark.separator')}${tool} ${remark('remark.calls', { count: calls })} × $${price}`

function withTools(
  fields: Bill['other'],
  tools: readonly PricedCalls[],
  other: Bill['other'] | undefined,
): Bill['other'] {
  return { ...fields, ...(tools.length > 0 && { tool_calls: tools }), ...other }
}
