import type { FastifyRequest } from 'fastify'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { Pool } from '../../../core/channels/routing/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold, NewTask } from '../../../core/ledger/charge.ts'
import { receiptFields } from '../../../core/logs/receipt.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { BY_USAGE, NEUTRAL } from '../../../core/pricing/price.ts'
import { chargeQuota, type Price } from '../../../core/pricing/prices.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { groupOf, queryOf } from '../admission/admission.ts'
import { apiKeyOf, type Caller, identifyCaller } from '../admission/authenticate.ts'
import { channelsFor } from '../admission/channels-for.ts'
import { holdFor } from '../charging/hold.ts'
import { joinParts, ratioText, remark } from '../charging/price-text.ts'
import { plainUsage } from '../charging/usage.ts'
import { takeLimitsOf } from '../limits/take-limits.ts'

/** Price in dollars of a task without a configured price. */
const DEFAULT_DOLLARS = 0.1

/** A submission that passed all checks. */
export interface AdmittedTask {
  readonly requestId: string
  readonly caller: Caller
  readonly group: string
  /** The model name that stands for the action, and determines the channels and the price. */
  readonly model: string
  readonly price: Price
  /** The price in quota. */
  readonly quota: number
  readonly channels: Pool<LiveChannel>
  /** The client's IP address. */
  readonly address: string
  /** Time of the request in unix milliseconds. */
  readonly startedAt: number
}

/** Returns the caller of a request. Accepts an exhausted key if `free` is true. Throws TOKEN_*, USER_DISABLED. */
export async function callerOf(
  toolkit: LocalToolkit,
  request: FastifyRequest,
  { free = false }: { free?: boolean } = {},
): Promise<Caller> {
  return (
    request.caller ??
    identifyCaller(toolkit, { key: apiKeyOf(request.headers, queryOf(request)), address: request.ip, free })
  )
}

/**
 * Returns a submission's channels and price, without holding the price. Throws TOKEN_*, GROUP_RETIRED, MODEL_NOT_FOUND,
 * NO_CHANNEL, CHANNEL(S)_*.
 */
export async function admitTask(
  request: FastifyRequest,
  { caller, model }: { caller: Caller; model: string },
  { toolkit, directory }: { toolkit: LocalToolkit; directory: ChannelDirectory },
): Promise<AdmittedTask> {
  const startedAt = Date.now()
  const { options, pricing } = toolkit
  const group = groupOf(caller, options)
  const channels = channelsFor(caller, { model, group, directory })
  const listed = await pricing.find({ model, group })
  // With a price by usage, a task would be free, because it has no tokens.
  const price = listed && listed.modelPrice !== BY_USAGE ? listed : defaultPrice(group, options)
  const quota = chargeQuota(price, NO_USAGE)
  return { requestId: request.id, caller, group, model, price, quota, channels, address: request.ip, startedAt }
}

const NO_USAGE = plainUsage(0, 0)

function defaultPrice(group: string, options: LocalToolkit['options']): Price {
  const groupRatio = options.get(OPTIONS.GroupRatio)[group] ?? 1
  const quotaPerUnit = options.get(OPTIONS.QuotaPerUnit)
  return { ...NEUTRAL, modelPrice: DEFAULT_DOLLARS, groupRatio, quotaPerUnit, source: 'default' }
}

/**
 * Returns a hold of a task's price, which must be settled or released. Throws INSUFFICIENT_QUOTA,
 * INSUFFICIENT_TOKEN_QUOTA, LIMIT_REACHED.
 */
export async function holdTask(
  toolkit: LocalToolkit,
  { caller, group, model, address, quota }: AdmittedTask,
): Promise<Hold> {
  const hold = await holdFor(toolkit, caller, { quota })
  return takeLimitsOf(toolkit, { ...caller, group, model, address }, { hold })
}

/**
 * Charges and stores an accepted task in one transaction. Stores a free task without a charge. Resolves when the
 * database has the task.
 *
 * Returns false, without a charge, if a task with the same id exists. Adds owner, key, channel, request and quota to
 * the row of the task.
 */
export async function settleTask(
  toolkit: LocalToolkit,
  { requestId, caller, group, model, price, quota, startedAt }: AdmittedTask,
  { hold, channel, tried, action, upstreamId, task }: SettledTask,
): Promise<boolean> {
  const { token, user } = caller
  const row = {
    ...task.row,
    user_id: user.id,
    token_id: token.id,
    channel_id: channel.id,
    key_digest: channel.keyName?.digest ?? '',
    request_id: requestId,
    quota,
  }
  if (quota === 0) {
    toolkit.ledger.release(hold)
    return toolkit.taskLifecycle.insertUnpaid({ table: task.table, row })
  }
  const { modelPrice, groupRatio } = price
  const outcome = await toolkit.ledger.settle(hold, {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: channel.id,
    modelName: model,
    group,
    promptTokens: 0,
    completionTokens: 0,
    quota,
    useTimeSeconds: Math.round((Date.now() - startedAt) / 1000),
    isStream: false,
    content: joinParts([
      `${remark('remark.fixedModelPrice')} ${ratioText(modelPrice)}`,
      `${remark('remark.groupRatio')} ${ratioText(groupRatio)}`,
      `${remark('remark.action')} ${action}`,
      ...(upstreamId === undefined ? [] : [`ID ${upstreamId}`]),
    ]),
    other: JSON.stringify({
      ...receiptFields(price, NO_USAGE),
      price_version: toolkit.pricing.version,
      hold: hold.quota,
      attempts: tried.length,
      admin_info: { use_channel: tried.map(String), ...(channel.keyName && { key: channel.keyName }) },
    }),
    task: { table: task.table, row },
  })
  if (outcome === 'lost') throw new GatewayError('DATABASE_UNAVAILABLE', {})
  return outcome === 'settled'
}

interface SettledTask {
  hold: Hold
  channel: LiveChannel
  /** Ids of all channels that were tried, in order. */
  tried: readonly number[]
  action: string
  /** The upstream's id of the task, for the log. Absent if the upstream returned no id. */
  upstreamId?: string
  task: NewTask
}
