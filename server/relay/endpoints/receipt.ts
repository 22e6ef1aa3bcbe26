import { receiptFields } from '../../../core/logs/receipt.ts'
import { chargeQuota, holdQuota, type Price, type Usage } from '../../../core/pricing/prices.ts'
import { NOTHING_USED, priceText, usesAudio } from '../price-text.ts'
import { plainUsage } from '../usage.ts'
import type { Endpoint, EndpointAsk, Sale } from './endpoint.ts'

/** What a relay costs, and what its log row says of the price. */
export interface Bill {
  /** For the row's columns; what was counted here, if the upstream reported nothing. */
  readonly usage: Usage
  readonly counted: boolean
  readonly quota: number
  readonly content: string
  /** The keys of `other` that the price can be computed from again. */
  readonly other: Readonly<Record<string, number | string | boolean>>
}

/** The quota to set aside for a request: never less than it costs without a report of the upstream. */
export function endpointHold(
  endpoint: Endpoint,
  { ask, price, promptTokens }: { ask: EndpointAsk; price: Price; promptTokens: number },
): number {
  const estimate = { promptTokens, completionTokens: endpoint.completionTokens(ask) }
  const sold = saleOf(endpoint, { ask, price, reported: undefined })
  return Math.max(holdQuota(price, estimate), holdQuota(sold.price, estimate))
}

/** The bill of an answered request. `promptTokens`: counted here, for upstreams that report nothing. */
export function endpointBill(
  endpoint: Endpoint,
  {
    ask,
    price: listed,
    reported,
    promptTokens,
  }: { ask: EndpointAsk; price: Price; reported: Usage | undefined; promptTokens: number },
): Bill {
  const { price, usage: sold, text, other } = saleOf(endpoint, { ask, price: listed, reported })
  const usage = sold ?? plainUsage(promptTokens, 0)
  return toBill(price, usage, { counted: sold === undefined, audio: usesAudio(usage), text, other })
}

/**
 * The bill of a realtime session: a price per call is due once, however long it was. The row tells the kinds of tokens
 * even where there were none.
 */
export function realtimeBill(price: Price, usage: Usage, { counted }: { counted: boolean }): Bill {
  const { promptTokens, completionTokens, audioPromptTokens, audioCompletionTokens } = usage
  const other = {
    ws: true,
    audio_input: audioPromptTokens,
    audio_output: audioCompletionTokens,
    text_input: promptTokens - audioPromptTokens,
    text_output: completionTokens - audioCompletionTokens,
    audio_ratio: price.audioRatio,
    audio_completion_ratio: price.audioCompletionRatio,
  }
  const bill = toBill(price, usage, { counted, audio: true, other })
  // `audio` marks conversations with audio; a session has its own mark.
  const { audio: _, ...kept } = bill.other
  return { ...bill, other: kept }
}

function toBill(
  price: Price,
  usage: Usage,
  {
    counted,
    audio,
    text = '',
    other,
  }: { counted: boolean; audio: boolean; text?: string | undefined; other: Bill['other'] | undefined },
): Bill {
  const used = usage.promptTokens + usage.completionTokens > 0
  return {
    usage,
    counted,
    quota: chargeQuota(price, usage),
    content: priceText(price, { audio }) + text + (used ? '' : NOTHING_USED),
    other: { ...receiptFields(price, usage), ...other },
  }
}

function saleOf(
  endpoint: Endpoint,
  { ask, price, reported }: { ask: EndpointAsk; price: Price; reported: Usage | undefined },
): Sale {
  return endpoint.sale?.(price, ask, reported) ?? { price, usage: reported }
}
