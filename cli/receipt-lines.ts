import type { Receipt } from '../core/logs/receipt.ts'
import { BY_USAGE } from '../core/pricing/price.ts'
import type { Price, Usage } from '../core/pricing/prices.ts'
import type { Format } from './output/format.ts'
import { sanitizeName } from './output/sanitize.ts'

/** A title to translate, the calculation, and the result. */
export type ReceiptLine = [title: string, value?: string | number, result?: string]

function perCall({ modelPrice, groupRatio, quotaPerUnit }: Price): ReceiptLine[] {
  return [
    ['price per call', `$${modelPrice}`],
    ['quota per dollar', quotaPerUnit],
    ['group ratio', groupRatio],
  ]
}

/** Shows the inputs of `chargeQuota`, which computes the actual charge. */
function byUsage(price: Price, usage: Usage): ReceiptLine[] {
  const { promptTokens, completionTokens, cachedTokens, cacheWriteTokens, audioPromptTokens, audioCompletionTokens } =
    usage
  const image = price.imageRatio === undefined ? 0 : (usage.imagePromptTokens ?? 0)
  const reasoning = price.reasoningRatio === undefined ? 0 : usage.reasoningTokens
  const parts: [string, number, number][] = [
    ['prompt tokens', promptTokens - cachedTokens - cacheWriteTokens - audioPromptTokens - image, 1],
    ['cached prompt tokens', cachedTokens, price.cacheRatio],
    ['prompt tokens written to cache', cacheWriteTokens, price.cacheWriteRatio],
    ['audio prompt tokens', audioPromptTokens, price.audioRatio],
    ['image prompt tokens', image, price.imageRatio ?? 1],
    ['completion tokens', completionTokens - audioCompletionTokens - reasoning, price.completionRatio],
    ['reasoning tokens', reasoning, price.reasoningRatio ?? 1],
    ['audio completion tokens', audioCompletionTokens, price.audioRatio * price.audioCompletionRatio],
  ]
  return [
    ...parts
      .filter(([title, tokens]) => tokens !== 0 || /^(prompt|completion) tokens$/.test(title))
      .map(([title, tokens, ratio]): ReceiptLine => [title, `${tokens} × ${ratio}`, rounded(tokens * ratio)]),
    ...(price.applied === undefined ? [] : [['conditions', price.applied] as ReceiptLine]),
    ['model ratio', `× ${price.modelRatio}`],
    ['group ratio', `× ${price.groupRatio}`],
  ]
}

/** Tool calls that the upstream executed, before the group ratio. */
function toolLines({ toolCalls }: Receipt): ReceiptLine[] {
  return toolCalls.map(({ tool, calls, price }) => [
    sanitizeName(tool),
    `${calls} × $${price}`,
    `$${rounded(calls * price)}`,
  ])
}

function totals({ charged, recomputed, isCharged }: Receipt, { quota }: Format): ReceiptLine[] {
  const total: ReceiptLine = isCharged ? ['charged', quota(charged)] : ['written in the row', quota(charged)]
  return [['computed', quota(recomputed)], total]
}

/** Lines of the price calculation and the charge; an empty title separates sections. */
export function receiptLines(receipt: Receipt, format: Format): ReceiptLine[] {
  const { price, usage } = receipt
  const parts = price.modelPrice === BY_USAGE ? byUsage(price, usage) : perCall(price)
  return [...parts, ...toolLines(receipt), [''], ...totals(receipt, format)]
}

function rounded(value: number): string {
  return String(Number(value.toFixed(6)))
}
