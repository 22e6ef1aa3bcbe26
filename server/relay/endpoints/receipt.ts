import { holdQuota, type Price, type Usage } from '../../../core/pricing/prices.ts'
import { type Bill, toBill } from '../charging/bill.ts'
import { usesAudio } from '../charging/price-text.ts'
import { plainUsage } from '../charging/usage.ts'
import type { Endpoint, EndpointAsk, Reported, Sale } from './endpoint.ts'

/** The quota to set aside for a request: never less than it costs without a report of the upstream. */
export function endpointHold(
  endpoint: Endpoint,
  { ask, price, promptTokens }: { ask: EndpointAsk; price: Price; promptTokens: number },
): number {
  const completionTokens = Math.max(endpoint.completionTokens(ask), endpoint.outputToHold?.(ask) ?? 0)
  const estimate = { promptTokens, completionTokens }
  const sold = saleOf(endpoint, { ask, price })
  return Math.max(holdQuota(price, estimate), holdQuota(sold.price, estimate))
}

/** The bill of an answered request. `promptTokens`: counted here, for upstreams that report nothing. */
export function endpointBill(
  endpoint: Endpoint,
  { ask, price: listed, promptTokens, ...reply }: { ask: EndpointAsk; price: Price; promptTokens: number } & Reported,
): Bill {
  const { price, usage: sold, text, other } = saleOf(endpoint, { ask, price: listed, ...reply })
  const usage = sold ?? plainUsage(promptTokens, endpoint.completionTokens(ask))
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

function saleOf(endpoint: Endpoint, { ask, price, ...reply }: { ask: EndpointAsk; price: Price } & Reported): Sale {
  return endpoint.sale?.(price, ask, reply) ?? { price, usage: reply.reported }
}
