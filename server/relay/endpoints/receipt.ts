import { holdQuota, type Price, type Usage } from '../../../core/pricing/prices.ts'
import { type Bill, toBill } from '../charging/bill.ts'
import { usesAudio } from '../charging/price-text.ts'
import { plainUsage } from '../charging/usage.ts'
import type { Endpoint, EndpointAsk, Reported, Sale } from './endpoint.ts'

/** Returns the quota to hold for a request, which is at least the charge of a reply without reported usage. */
export function endpointHold(
  endpoint: Endpoint,
  { ask, price, promptTokens }: { ask: EndpointAsk; price: Price; promptTokens: number },
): number {
  const completionTokens = Math.max(endpoint.completionTokens(ask), endpoint.outputToHold?.(ask) ?? 0)
  const estimate = { promptTokens, completionTokens }
  const sale = saleOf(endpoint, { ask, price })
  return Math.max(holdQuota(price, estimate), holdQuota(sale.price, estimate))
}

/** Returns the bill of a request. `promptTokens` is the local count, which is charged without reported usage. */
export function endpointBill(
  endpoint: Endpoint,
  { ask, price: listed, promptTokens, ...reply }: { ask: EndpointAsk; price: Price; promptTokens: number } & Reported,
): Bill {
  const { price, usage: soldUsage, text, other } = saleOf(endpoint, { ask, price: listed, ...reply })
  const usage = soldUsage ?? plainUsage(promptTokens, endpoint.completionTokens(ask))
  return toBill(price, usage, { isEstimated: soldUsage === undefined, audio: usesAudio(usage), text, other })
}

/**
 * Returns the bill of a realtime session. A price per call is charged once per session. The log row always has the
 * numbers of text and audio tokens, even for a session without audio.
 */
export function realtimeBill(price: Price, usage: Usage, { isEstimated }: { isEstimated: boolean }): Bill {
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
  const bill = toBill(price, usage, { isEstimated, audio: true, other })
  // In the log row, `audio` marks a conversation with audio. A session has `ws` instead.
  const { audio: _, ...otherFields } = bill.other
  return { ...bill, other: otherFields }
}

function saleOf(endpoint: Endpoint, { ask, price, ...reply }: { ask: EndpointAsk; price: Price } & Reported): Sale {
  return endpoint.sale?.(price, ask, reply) ?? { price, usage: reply.reported }
}
