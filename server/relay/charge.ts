import type { LiveChannel } from '../../core/channels/directory.ts'
import type { Charge, Hold } from '../../core/ledger/charge.ts'
import { receiptFields } from '../../core/logs/receipt.ts'
import { BY_USAGE, chargeQuota, type Price, type Usage } from '../../core/pricing/prices.ts'
import type { Caller } from './authenticate.ts'

/** How a relay ended, for its log row. */
export type End = 'complete' | 'upstream-broke' | 'client-gone' | 'stopping' | 'quota'

const NOT_MEASURED = -1000

/** Everything that a relay is priced from and its log row says. */
export interface RelayFacts {
  requestId: string
  caller: Caller
  group: string
  model: string
  upstreamModel: string
  price: Price
  priceVersion: number
  hold: Hold
  channel: LiveChannel
  tried: readonly number[]
  isStream: boolean
  /** Milliseconds since the epoch. */
  startedAt: number
  firstTokenAt: number | undefined
  endedAt: number
  usage: Usage
  /** The upstream reported no usage: it was counted here. */
  counted: boolean
  end: End
}

/** The charge of a relay: a pure function of what is known of it. */
export function toCharge(facts: RelayFacts): Charge {
  const { caller, price, usage, hold, model, upstreamModel } = facts
  const { token, user } = caller
  const produced = usage.promptTokens + usage.completionTokens > 0
  const quota = produced || price.modelPrice !== BY_USAGE ? chargeQuota(price, usage) : 0
  const other = {
    ...receiptFields(price, usage),
    frt: facts.firstTokenAt === undefined ? NOT_MEASURED : facts.firstTokenAt - facts.startedAt,
    price_version: facts.priceVersion,
    hold: hold.quota,
    attempts: facts.tried.length,
    ...(facts.counted && { estimated: true }),
    ...(facts.end !== 'complete' && { incomplete: true, end_reason: facts.end }),
    ...(upstreamModel !== model && { is_model_mapped: true, upstream_model_name: upstreamModel }),
    admin_info: { use_channel: facts.tried.map(String) },
  }
  return {
    requestId: facts.requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: facts.channel.id,
    modelName: model,
    group: facts.group,
    promptTokens: usage.promptTokens,
    completionTokens: usage.completionTokens,
    quota,
    useTimeSeconds: Math.round((facts.endedAt - facts.startedAt) / 1000),
    isStream: facts.isStream,
    content: priceText(price) + (produced ? '' : '（可能是上游超时）'),
    other: JSON.stringify(other),
  }
}

/** The row's content in the wording that the documented API has. */
function priceText({ modelPrice, modelRatio, completionRatio, groupRatio }: Price): string {
  return modelPrice === BY_USAGE
    ? `模型倍率 ${modelRatio.toFixed(2)}，补全倍率 ${completionRatio.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}`
    : `模型价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}`
}
