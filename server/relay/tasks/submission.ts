import type { FastifyRequest } from 'fastify'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/directory.ts'
import type { Pool } from '../../../core/channels/routing.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold, NewTask } from '../../../core/ledger/charge.ts'
import { receiptFields } from '../../../core/logs/receipt.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import { BY_USAGE, NEUTRAL } from '../../../core/pricing/price.ts'
import { chargeQuota, type Price } from '../../../core/pricing/prices.ts'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { channelsFor, groupOf, queryOf } from '../admission/admission.ts'
import { type Caller, identify, keyOf } from '../admission/authenticate.ts'
import { holdFor } from '../charging/hold.ts'
import { plainUsage } from '../charging/usage.ts'

/** What a task costs, in dollars, if nobody has given it a price. */
const DEFAULT_DOLLARS = 0.1

/** A submission that was let in. */
export interface AdmittedTask {
  readonly requestId: string
  readonly caller: Caller
  readonly group: string
  /** The name of the action: it routes and prices the task. */
  readonly model: string
  readonly price: Price
  readonly quota: number
  readonly channels: Pool<LiveChannel>
  /** Milliseconds since the epoch. */
  readonly startedAt: number
}

/** Who asks; for what is `free`, a key that has spent its last on a task will do. Throws TOKEN_*, USER_DISABLED. */
export async function callerOf(
  toolkit: LocalToolkit,
  request: FastifyRequest,
  { free = false }: { free?: boolean } = {},
): Promise<Caller> {
  return (
    request.caller ?? identify(toolkit, { key: keyOf(request.headers, queryOf(request)), address: request.ip, free })
  )
}

/** Throws TOKEN_*, GROUP_RETIRED, MODEL_NOT_FOUND, NO_CHANNEL, CHANNEL_*: nothing has been held or sent yet. */
export async function admitTask(
  request: FastifyRequest,
  { caller, model }: { caller: Caller; model: string },
  { toolkit, directory }: { toolkit: LocalToolkit; directory: ChannelDirectory },
): Promise<AdmittedTask> {
  const startedAt = Date.now()
  const { options, pricing } = toolkit
  const group = groupOf(caller, options)
  const channels = channelsFor(caller, { model, group, directory })
  const found = await pricing.find({ model, group })
  // A task has no tokens: a price by usage would make it free.
  const price = found && found.modelPrice !== BY_USAGE ? found : defaultPrice(group, options)
  const quota = chargeQuota(price, NOTHING_COUNTED)
  return { requestId: request.id, caller, group, model, price, quota, channels, startedAt }
}

const NOTHING_COUNTED = plainUsage(0, 0)

function defaultPrice(group: string, options: LocalToolkit['options']): Price {
  const groupRatio = options.get(OPTIONS.GroupRatio)[group] ?? 1
  const quotaPerUnit = options.get(OPTIONS.QuotaPerUnit)
  return { ...NEUTRAL, modelPrice: DEFAULT_DOLLARS, groupRatio, quotaPerUnit, source: 'default' }
}

/** Sets the whole price aside. Throws INSUFFICIENT_QUOTA, INSUFFICIENT_TOKEN_QUOTA. The caller settles or releases it. */
export function holdTask(toolkit: LocalToolkit, { caller, quota }: AdmittedTask): Ready<Hold> {
  return holdFor(toolkit, caller, { quota })
}

/**
 * Charges a task that an upstream has accepted, and keeps it, in one transaction; resolves when it is committed. A free one is
 * kept without a charge. `row` says everything but who, when and for how much. Answers false, and charges nothing, where the
 * upstream has another task by that name.
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
  const named = upstreamId === undefined ? '' : `，ID ${upstreamId}`
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
    content: `模型固定价格 ${modelPrice.toFixed(2)}，分组倍率 ${groupRatio.toFixed(2)}，操作 ${action}${named}`,
    other: JSON.stringify({
      ...receiptFields(price, NOTHING_COUNTED),
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

export interface SettledTask {
  hold: Hold
  /** The one that has the task. */
  channel: LiveChannel
  /** All that were asked, in their order. */
  tried: readonly number[]
  action: string
  /** For the log row's content, where it has it. */
  upstreamId?: string
  task: NewTask
}
