import type { Charge, Hold } from '../../core/ledger/charge.ts'
import { receiptFields } from '../../core/logs/receipt.ts'
import { BY_USAGE, chargeQuota, type Usage } from '../../core/pricing/prices.ts'
import type { Admitted } from './admission.ts'
import type { Tried } from './attempts.ts'
import type { Meter } from './meter.ts'
import { NOTHING_USED, priceText, usesAudio } from './price-text.ts'

/** How a relay ended, for its log row. */
export type End = 'complete' | 'upstream-broke' | 'client-gone' | 'stopping' | 'quota'

const NOT_MEASURED = -1000

/** A relay that an upstream has answered. */
export interface AnsweredRelay {
  readonly admitted: Admitted
  readonly hold: Hold
  readonly served: Tried
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly firstTokenAt: number | undefined
  readonly meter: Meter
  readonly isStream: boolean
}

/** How it ended, and what it used. */
export interface Outcome {
  usage: Usage
  /** The upstream reported no usage: it was counted here. */
  counted: boolean
  end: End
  priceVersion: string
  endedAt: number
}

/** The charge of a relay: a pure function of what is known of it. */
export function toCharge(relay: AnsweredRelay, outcome: Outcome): Charge {
  const { admitted, served, startedAt, isStream } = relay
  const { caller, price, group, model, requestId } = admitted
  const { usage, endedAt } = outcome
  const { token, user } = caller
  const produced = usage.promptTokens + usage.completionTokens > 0
  const quota = produced || price.modelPrice !== BY_USAGE ? chargeQuota(price, usage) : 0
  return {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: served.channel.id,
    modelName: model,
    group,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    quota,
    useTimeSeconds: Math.round((endedAt - startedAt) / 1000),
    isStream,
    content: priceText(price, { audio: usesAudio(usage) }) + (produced ? '' : NOTHING_USED),
    other: JSON.stringify(otherOf(relay, outcome)),
  }
}

function otherOf(relay: AnsweredRelay, { usage, counted, end, priceVersion }: Outcome): Record<string, unknown> {
  const { admitted, hold, served, startedAt, firstTokenAt } = relay
  const other: Record<string, unknown> = receiptFields(admitted.price, usage)
  other.frt = firstTokenAt === undefined ? NOT_MEASURED : firstTokenAt - startedAt
  other.price_version = priceVersion
  other.hold = hold.quota
  other.attempts = served.tried.length
  if (counted) other.estimated = true
  if (end !== 'complete') {
    other.incomplete = true
    other.end_reason = end
  }
  if (served.upstreamModel !== admitted.model) {
    other.is_model_mapped = true
    other.upstream_model_name = served.upstreamModel
  }
  other.admin_info = { use_channel: served.tried.map(String) }
  return other
}
