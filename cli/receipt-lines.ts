import type { Receipt } from '../core/logs/receipt.ts'
import { BY_USAGE } from '../core/pricing/price.ts'
import type { Price, Usage } from '../core/pricing/prices.ts'
import type { Format } from './output/format.ts'
import { sanitizeName } from './output/sanitize.ts'
import type { TextId } from './texts.ts'

/** One line of a receipt: the title, the calculation, and the result. */
export type ReceiptLine = [title: string, value?: string | number, result?: string]

function perCallLines({ modelPrice, groupRatio, quotaPerUnit }: Price, { t }: Format): ReceiptLine[] {
  return [
    [t('log.pricePerCall'), `$${modelPrice}`],
    [t('log.quotaPerDollar'), quotaPerUnit],
    [t('log.groupRatio'), groupRatio],
  ]
}

/** Returns the lines with the inputs of `chargeQuota`, which computes the actual charge. */
function usageLines(price: Price, usage: Usage, { t }: Format): ReceiptLine[] {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, audioPromptTokens, audioCompletionTokens } =
    usage
  const image = price.imageRatio === undefined ? 0 : (usage.imagePromptTokens ?? 0)
  const reasoning = price.reasoningRatio === undefined ? 0 : usage.reasoningTokens
  const parts: [TextId, number, number][] = [
    ['log.promptTokens', promptTokens - cachedTokens - cacheWriteTokens - audioPromptTokens - image, 1],
    ['log.cachedPromptTokens', cachedTokens, price.cacheRatio],
    ['log.promptTokensWrittenToCache', cacheWriteTokens, price.cacheWriteRatio],
    ['log.audioPromptTokens', audioPromptTokens, price.audioRatio],
    ['log.imagePromptTokens', image, price.imageRatio ?? 1],
    ['log.completionTokens', completionTokens - audioCompletionTokens - reasoning, price.completionRatio],
    ['log.reasoningTokens', reasoning, price.reasoningRatio ?? 1],
    ['log.audioCompletionTokens', audioCompletionTokens, price.audioRatio * price.audioCompletionRatio],
  ]
  return [
    ...parts
      .filter(([id, tokens]) => tokens !== 0 || id === 'log.promptTokens' || id === 'log.completionTokens')
      .map(([id, tokens, ratio]): ReceiptLine => [t(id), `${tokens} × ${ratio}`, rounded(tokens * ratio)]),
    ...(price.applied === undefined ? [] : [[t('column.conditions'), price.applied] as ReceiptLine]),
    [t('log.modelRatio'), `× ${price.modelRatio}`],
    [t('log.groupRatio'), `× ${price.groupRatio}`],
  ]
}

/** Returns the lines of tool calls that the upstream executed, with prices before the group ratio. */
function toolLines({ toolCalls }: Receipt): ReceiptLine[] {
  return toolCalls.map(({ tool, calls, price }) => [
    sanitizeName(tool),
    `${calls} × $${price}`,
    `$${rounded(calls * price)}`,
  ])
}

function totalLines({ charged, recomputed, isCharged }: Receipt, { quota, t }: Format): ReceiptLine[] {
  const total: ReceiptLine = isCharged ? [t('ui.charged'), quota(charged)] : [t('log.writtenInTheRow'), quota(charged)]
  return [[t('ui.computed'), quota(recomputed)], total]
}

/** Returns the lines of the price calculation and the charge. An empty title separates sections. */
export function receiptLines(receipt: Receipt, format: Format): ReceiptLine[] {
  const { price, usage } = receipt
  const parts = price.modelPrice === BY_USAGE ? usageLines(price, usage, format) : perCallLines(price, format)
  return [...parts, ...toolLines(receipt), [''], ...totalLines(receipt, format)]
}

function rounded(value: number): string {
  return String(Number(value.toFixed(6)))
}
