import type { Logger } from 'pino'
import type { BatchUse } from '../../../core/batches/batches.ts'
import type { StoredBatch } from '../../../core/batches/rows.ts'
import { withStoredKey } from '../../../core/channels/keys/key-ring.ts'
import type { ChannelDirectory, LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import { recordOf } from '../../../core/records.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { joinParts, remark } from '../charging/price-text.ts'
import { type Json, mapTexts, textOf } from '../json.ts'
import { withoutSecrets } from '../providers/failure.ts'
import { NO_RESULTS, readResults, servedCount } from './results.ts'
import { type BatchUpstream, UpstreamFailure } from './upstream.ts'

/** Seconds after the upstream's deadline from which a batch without results counts as lost. */
const GRACE_S = 24 * 3600
const RESULTS_TIMEOUT_MS = 5 * 60_000
const ENDED = new Set(['completed', 'failed', 'expired', 'cancelled', 'ended'])
const STATUS_LENGTH_MAX = 20
const FILE_ID_LENGTH_MAX = 128

export interface SettleParts {
  readonly toolkit: Pick<
    LocalToolkit,
    'batches' | 'upstreamFiles' | 'storedObjects' | 'ledger' | 'options' | 'pricing' | 'taskLifecycle' | 'db'
  >
  readonly directory: Pick<ChannelDirectory, 'find'>
  readonly upstream: BatchUpstream
  readonly logger: Logger
  /** Returns the time in unix milliseconds. */
  readonly now?: () => number
}

export function hasEnded({ status }: Pick<StoredBatch, 'status'>): boolean {
  return ENDED.has(status)
}

/**
 * Returns the channel of a batch or file, with its key. The channel may be disabled. Undefined if this process does not
 * know the channel.
 */
export function channelOfBatch(
  { channelId, keyDigest }: Pick<StoredBatch, 'channelId' | 'keyDigest'>,
  { directory }: Pick<SettleParts, 'directory'>,
): LiveChannel | undefined {
  const channel = directory.find(channelId)
  return channel && withStoredKey(channel, keyDigest)
}

/** Returns the channel of a batch or file as `channelOfBatch` does. Throws BATCH_CHANNEL_GONE if there is none. */
export function getChannelOf(
  place: Pick<StoredBatch, 'channelId' | 'keyDigest'>,
  id: string,
  parts: Pick<SettleParts, 'directory'>,
): LiveChannel {
  const channel = channelOfBatch(place, parts)
  if (!channel) throw new GatewayError('BATCH_CHANNEL_GONE', { id })
  return channel
}

/** Throws BATCH_REFUNDED for a batch that was refunded without results, because its later results are not paid for. */
export function requirePaid({ batchId, outcome }: Pick<StoredBatch, 'batchId' | 'outcome'>): void {
  if (outcome === 'lost') throw new GatewayError('BATCH_REFUNDED', { id: batchId })
}

export function pathOfBatch({ api, batchId }: Pick<StoredBatch, 'api' | 'batchId'>, rest = ''): string {
  const root = api === 'anthropic' ? '/v1/messages/batches' : '/v1/batches'
  return `${root}/${encodeURIComponent(batchId)}${rest}`
}

/**
 * Stores the upstream's state of a batch, and the ids of the files that the batch wrote. Polls the upstream, unless
 * `answered` already has the upstream's batch. Returns the current batch. Throws UpstreamFailure.
 */
export async function refreshBatch(
  batch: StoredBatch,
  channel: LiveChannel,
  { toolkit, upstream, abort, answered }: SettleParts & { abort?: AbortSignal; answered?: Json },
): Promise<StoredBatch> {
  const upstreamBatch =
    answered ?? (await upstream.call(channel, { method: 'GET', path: pathOfBatch(batch), ...(abort && { abort }) }))
  const isAnthropic = batch.api === 'anthropic'
  const upstreamStatus = isAnthropic ? upstreamBatch.processing_status : upstreamBatch.status
  const status = (textOf(upstreamStatus) ?? batch.status).slice(0, STATUS_LENGTH_MAX)
  const body = JSON.stringify(isAnthropic ? upstreamBatch : clientBatch(upstreamBatch, batch, channel))
  // Store the files before the client can read their ids in the batch.
  await storeOutputs(batch, upstreamBatch, { toolkit, upstream, channel })
  if (body !== batch.body || status !== batch.status) await toolkit.batches.describe(batch.id, { status, body })
  return { ...batch, status, body }
}

/** Returns an OpenAI batch for its client, with the client's file id. Masks secrets in the errors. */
function clientBatch(upstreamBatch: Json, { inputFileId }: StoredBatch, channel: LiveChannel): Json {
  const errors = mapTexts(upstreamBatch.errors ?? null, (text) => withoutSecrets(text, channel))
  return { ...upstreamBatch, input_file_id: inputFileId, errors }
}

/** Stores the ids and the JSON of the files that a batch wrote, for the batch's owner. Does not store their content. */
async function storeOutputs(
  { id, userId, memberId, channelId, keyDigest, body }: StoredBatch,
  upstreamBatch: Json,
  target: Pick<SettleParts, 'toolkit' | 'upstream'> & { channel: LiveChannel },
): Promise<void> {
  const { toolkit, upstream, channel } = target
  const storedBody = recordOf(parseObject(body))
  const ids = ['output_file_id', 'error_file_id'].flatMap((field) => {
    const fileId = textOf(upstreamBatch[field])
    return fileId === undefined || fileId === storedBody[field] || fileId.length > FILE_ID_LENGTH_MAX ? [] : [fileId]
  })
  if (ids.length === 0) return
  const file = { userId, memberId, channelId, keyDigest, purpose: 'batch_output', batchRow: id }
  const files = ids.map(async (fileId) => {
    // After a failure, the file's JSON is fetched when the owner reads the file.
    const fileJson = await upstream.call(channel, { method: 'GET', path: filePath(fileId) }).catch(() => undefined)
    return { ...file, fileId, body: fileJson ? JSON.stringify(fileJson) : '' }
  })
  await toolkit.upstreamFiles.add(await Promise.all(files))
  await toolkit.storedObjects.add(
    { userId, memberId },
    { channelId, keyDigest },
    ids.map((fileId) => ({ kind: 'file', id: fileId })),
  )
}

/**
 * Polls a batch, and settles it if it has ended or its results are overdue. Returns whether the batch is settled.
 * Throws UpstreamFailure, or the error that interrupted the results.
 */
export async function advanceBatch(batch: StoredBatch, parts: SettleParts, abort?: AbortSignal): Promise<boolean> {
  const { now = Date.now, toolkit } = parts
  const channel = channelOfBatch(batch, parts)
  if (!channel) {
    const deleted = await toolkit.taskLifecycle.deletedChannels([batch.channelId])
    // A channel that is not deleted may be too new for this process, or may have an unknown type.
    if (deleted.has(batch.channelId)) return closeWithoutResults(batch, 'channel-deleted', parts)
    return closeIfLate(batch, now() / 1000, parts)
  }
  try {
    const current = await refreshBatch(batch, channel, { ...parts, ...(abort && { abort }) })
    if (!hasEnded(current)) return await closeIfLate(current, now() / 1000, parts)
    const use = await readUse(current, channel, parts, abort)
    await settle(current, use, parts)
    await removeSentFile(current, channel, parts)
    return true
  } catch (error) {
    if (abort?.aborted || !(await closeIfLate(batch, now() / 1000, parts))) throw error
    return true
  }
}

function closeIfLate(batch: StoredBatch, now: number, parts: SettleParts): Promise<boolean> {
  return isOverdue(batch, now) ? closeWithoutResults(batch, 'lost', parts) : Promise.resolve(false)
}

/** Whether the results of a batch are overdue. `now` is in unix seconds. */
export function isOverdue({ expiresAt }: Pick<StoredBatch, 'expiresAt'>, now: number): boolean {
  return now > expiresAt + GRACE_S
}

async function readUse(
  batch: StoredBatch,
  channel: LiveChannel,
  { upstream, logger }: SettleParts,
  abort?: AbortSignal,
): Promise<BatchUse> {
  const body = recordOf(parseObject(batch.body))
  const path = resultsPath(batch, body)
  const expected = servedCount(batch, body)
  if (path === undefined) {
    if (expected > 0) throw new Error(`Batch ${batch.batchId} has ended, and its results are not there yet`)
    return NO_RESULTS
  }
  const ask = { method: 'GET', path, timeoutMs: RESULTS_TIMEOUT_MS, ...(abort && { abort }) } as const
  const reply = await upstream.open(channel, ask)
  const results = await readResults(batch, reply.body)
  if (results.served !== expected) {
    const { batchId } = batch
    logger.warn({ batch: batchId, expected, served: results.served }, 'the results of a batch differ from its counts')
  }
  return results
}

/** Returns the path of a batch's results, or undefined if it has no results. */
function resultsPath(batch: StoredBatch, { results_url, output_file_id }: Json): string | undefined {
  if (batch.api === 'anthropic') return textOf(results_url) && pathOfBatch(batch, '/results')
  const fileId = textOf(output_file_id)
  return fileId && filePath(fileId, '/content')
}

export function filePath(fileId: string, rest = ''): string {
  return `/v1/files/${encodeURIComponent(fileId)}${rest}`
}

/**
 * Settles a batch. Refunds the unused part of the estimate, or charges the cost above the estimate, as far as the
 * balance covers it.
 */
async function settle(batch: StoredBatch, use: BatchUse, parts: SettleParts): Promise<void> {
  const { batches } = parts.toolkit
  const excess = use.quota - batch.quota
  const paid = excess > 0 ? batch.quota + (await chargeExcess(batch, excess, parts)) : use.quota
  const { status, body } = batch
  await batches.settle(batch, { use: { ...use, quota: paid }, outcome: 'results', status, body })
}

/**
 * Charges the cost above the estimate, as far as the balance and the key's budget cover it. The log row has the rest as
 * `uncovered`. Returns the charged quota, which may be the charge of an earlier call.
 */
async function chargeExcess(batch: StoredBatch, quota: number, { toolkit, logger }: SettleParts): Promise<number> {
  const { userId, tokenId, channelId, batchId, model } = batch
  const user = await toolkit.db.reader('users').where({ id: userId }).first('username', 'group')
  if (!user) return 0
  const token = await toolkit.db.reader('tokens').where({ id: tokenId }).first('name', 'unlimited_quota')
  const budgetTokenId = token && !token.unlimited_quota ? tokenId : 0
  const hold = await holdAtMost(toolkit.ledger, { userId, budgetTokenId, quota })
  const uncovered = quota - hold.quota
  if (uncovered > 0) logger.warn({ batch: batchId, userId, uncovered }, 'a balance does not cover the cost of a batch')
  // All calls use the same request id, so that the excess is charged only once.
  const requestId = `${batch.requestId}-rest`
  await toolkit.ledger.settle(hold, {
    requestId,
    userId,
    username: user.username,
    tokenId,
    tokenName: token?.name ?? '',
    channelId,
    modelName: model,
    group: user.group,
    promptTokens: 0,
    completionTokens: 0,
    quota: hold.quota,
    useTimeSeconds: 0,
    isStream: false,
    content: joinParts([`${remark('remark.batch')} ${batchId}`, remark('remark.aboveEstimate')]),
    other: JSON.stringify({
      batch: { id: batchId },
      price_version: toolkit.pricing.version,
      ...(uncovered > 0 && { incomplete: true, uncovered }),
    }),
    isDelivered: true,
  })
  const row = await toolkit.db.reader('logs').where({ request_id: requestId }).first('quota')
  return row ? Number(row.quota) : hold.quota
}

/** Holds as much of `quota` as the balance and the budget cover, which may be 0. */
async function holdAtMost(
  ledger: SettleParts['toolkit']['ledger'],
  { quota, ...accounts }: { userId: number; budgetTokenId: number; quota: number },
): Promise<Hold> {
  try {
    return await ledger.hold({
      ...accounts,
      quota,
      flexible: { fixed: 0, unit: 1, outputQuotaMin: quota, fraction: 1 },
    })
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'insufficient') throw error
    return ledger.hold({ ...accounts, quota: 0 })
  }
}

/** Refunds the whole estimate of a batch without readable results. Sets its status to `failed` (Anthropic: `ended`). */
async function closeWithoutResults(
  batch: StoredBatch,
  outcome: 'channel-deleted' | 'lost',
  { toolkit: { batches }, logger, now = Date.now }: SettleParts,
): Promise<boolean> {
  const closed = closedState(batch, outcome, Math.floor(now() / 1000))
  const settled = await batches.settle(batch, { use: NO_RESULTS, outcome, ...closed })
  if (settled)
    logger.warn({ batch: batch.batchId, channel: batch.channelId, outcome }, 'a batch was closed without results')
  return true
}

const CLOSED_TEXTS = {
  'channel-deleted': 'This batch was refunded, because its channel was deleted: create a new batch',
  lost: 'This batch was refunded, because the upstream did not deliver its results in time: create a new batch',
} as const

function closedState(
  batch: StoredBatch,
  outcome: keyof typeof CLOSED_TEXTS,
  now: number,
): { status: string; body: string } {
  const body = recordOf(parseObject(batch.body))
  if (batch.api === 'anthropic') {
    const request_counts = { processing: 0, succeeded: 0, errored: batch.requestCount, canceled: 0, expired: 0 }
    const ended_at = new Date(now * 1000).toISOString()
    const ended = { ...body, processing_status: 'ended', ended_at, request_counts, results_url: null }
    return { status: 'ended', body: JSON.stringify(ended) }
  }
  const errors = {
    object: 'list',
    data: [{ code: outcome.replace('-', '_'), message: CLOSED_TEXTS[outcome], param: null, line: null }],
  }
  return { status: 'failed', body: JSON.stringify({ ...body, status: 'failed', failed_at: now, errors }) }
}

/** Deletes the file that the gateway uploaded for a batch. Only logs a failure. */
async function removeSentFile(
  { sentFileId, channelId, keyDigest, batchId }: StoredBatch,
  channel: LiveChannel,
  { toolkit, upstream, logger }: SettleParts,
): Promise<void> {
  if (sentFileId === '') return
  try {
    await upstream.call(channel, { method: 'DELETE', path: filePath(sentFileId) })
    await toolkit.upstreamFiles.removeSent({ fileId: sentFileId, channelId, keyDigest })
  } catch (error) {
    const reason = error instanceof UpstreamFailure ? error.failure.message : String(error)
    logger.warn(
      { batch: batchId, file: sentFileId, reason },
      'the input of a batch could not be deleted at the upstream',
    )
  }
}
