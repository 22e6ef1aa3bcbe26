import type { Charge, Hold } from '../../../core/ledger/charge.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import { recordOf } from '../../../core/records.ts'
import type { Admitted } from '../admission/admission.ts'
import type { LastAttempt } from '../routing/attempts.ts'
import type { Bill } from './bill.ts'
import type { Meter } from './meter.ts'

/** How a relay ended, for its log row. */
export type End = 'complete' | 'upstream-broke' | 'client-gone' | 'stopping' | 'quota'

/** Value of `frt` (time to the first token, in ms) in the log row if it was not measured. */
const NOT_MEASURED = -1000

/** The parts of a relay that determine its charge. */
interface ServedRelay {
  readonly admitted: Admitted
  readonly hold: Hold
  readonly served: Pick<LastAttempt, 'channel' | 'upstreamModel' | 'tried'>
  /** Start of the relay in ms since the epoch. `firstTokenAt` has the same unit. */
  readonly startedAt: number
  readonly firstTokenAt: number | undefined
  readonly isStream: boolean
  /** Whether the client got a part of the reply before the charge. */
  readonly isDelivered: boolean
}

export interface AnsweredRelay extends ServedRelay {
  readonly served: LastAttempt
  readonly meter: Meter
  /** Output tokens that the initial hold covers. */
  readonly coveredTokens: number
  /** Whether the upstream may charge for reasoning that it does not send. */
  readonly hidesReasoning: boolean
  /** Whether the upstream completed the reply although the client disconnected. */
  readonly completedAfterDisconnect?: boolean | undefined
}

interface BilledOutcome {
  bill: Bill
  end: End
  priceVersion: string
  endedAt: number
}

export function toCharge(relay: ServedRelay, outcome: BilledOutcome): Charge {
  const { admitted, served, startedAt, isStream, isDelivered } = relay
  const { caller, group, model, requestId } = admitted
  const { bill, endedAt } = outcome
  const { token, user } = caller
  return {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: served.channel.id,
    modelName: model,
    group,
    promptTokens: bill.usage.promptTokens,
    completionTokens: bill.usage.completionTokens,
    quota: bill.quota,
    useTimeSeconds: Math.round((endedAt - startedAt) / 1000),
    isStream,
    isDelivered,
    content: bill.content,
    other: otherText(relay, outcome),
  }
}

/** Returns the JSON for the log row's `other` column. The price's fields come first, because their text is cached. */
function otherText(relay: ServedRelay, outcome: BilledOutcome): string {
  return `${priceJson(relay.admitted.price, outcome.bill.other).slice(0, -1)},${relayJson(relay, outcome)}}`
}

/** JSON of each price's fields. For usage without special tokens, `receiptFields` returns the same object each time. */
const priceTexts = new WeakMap<Price, { readonly fields: object; readonly text: string }>()

function priceJson(price: Price, fields: Bill['other']): string {
  const cached = priceTexts.get(price)
  if (cached?.fields === fields) return cached.text
  const text = JSON.stringify(fields)
  if (!cached) priceTexts.set(price, { fields, text })
  return text
}

/**
 * Returns the relay's fields as JSON without braces. JSON.stringify would cost five times as much for the usual fields.
 */
function relayJson(relay: ServedRelay, outcome: BilledOutcome): string {
  const { hold, served, startedAt, firstTokenAt } = relay
  const { priceVersion, endedAt } = outcome
  const frt = firstTokenAt === undefined ? NOT_MEASURED : firstTokenAt - startedAt
  const usualFields = `"frt":${frt},"use_time_ms":${endedAt - startedAt},"price_version":"${priceVersion}","hold":${hold.quota},"attempts":${served.tried.length}`
  const fields = rareFields(relay, outcome)
  const rareText = fields ? `${JSON.stringify(fields).slice(1, -1)},` : ''
  const channels = `"use_channel":["${served.tried.join('","')}"]`
  const { keyName } = served.channel
  const admin = keyName ? `${channels},"key":${JSON.stringify(keyName)}` : channels
  return `${usualFields},${rareText}"admin_info":{${admin}}`
}

function rareFields(relay: ServedRelay, { bill, end }: BilledOutcome): Record<string, unknown> | undefined {
  const { admitted, served } = relay
  const effort = effortOf(admitted)
  const isMapped = served.upstreamModel !== admitted.model
  if (!bill.isEstimated && end === 'complete' && !effort && !isMapped) return undefined
  return {
    ...(bill.isEstimated && { estimated: true }),
    ...(end !== 'complete' && { incomplete: true, end_reason: end }),
    ...(effort && { reasoning_effort: effort }),
    ...(isMapped && { is_model_mapped: true, upstream_model_name: served.upstreamModel }),
  }
}

const REASONING_MODEL = /^(o\d|gpt-5)/
const EFFORT_SUFFIX = /-(minimal|low|medium|high)$/

/** Returns the reasoning effort that the model's name or the request contains, or undefined if neither has one. */
function effortOf({ model, body, entry }: Admitted): string | undefined {
  if (entry.operation !== 'chat' || !REASONING_MODEL.test(model)) return undefined
  const requestedEffort = body.reasoning_effort ?? recordOf(body.reasoning).effort
  return (
    EFFORT_SUFFIX.exec(model)?.[1] ??
    (typeof requestedEffort === 'string' ? requestedEffort.slice(0, EFFORT_LENGTH_MAX) : undefined)
  )
}
const EFFORT_LENGTH_MAX = 16
