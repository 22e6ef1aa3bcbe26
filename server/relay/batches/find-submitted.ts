import { type StoredBatch, SUBMITTING } from '../../../core/batches/rows.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import { countOf, type Json, textOf } from '../json.ts'
import { chargeEstimate } from './charge-estimate.ts'
import { createdBatch, createdMessageBatch } from './created.ts'
import { splitLines } from './lines.ts'
import { NO_RESULTS, RESULT_BYTES_MAX } from './results.ts'
import { channelOfBatch, isOverdue, pathOfBatch, type SettleParts } from './settle.ts'
import { type CreatedBatch, pendingState } from './submit.ts'
import { digestOfIds } from './sum.ts'
import { UpstreamFailure } from './upstream.ts'
import { upstreamBatches } from './upstream-list.ts'

/** Age in seconds after which an accepted batch must be in the upstream's list. */
const LISTED_AFTER_S = 10 * 60
/** Maximum difference in seconds between the clocks of the gateway and the upstream. */
const CLOCK_DIFFERENCE_S = 60

/** The state of a submitted batch at its upstream. `pending` means that the state is not known yet. */
type SubmissionState = CreatedBatch | 'absent' | 'pending'

/**
 * Looks for a batch that the upstream may have accepted, although the submitting process ended or got no reply. Charges
 * the batch unless it is already charged. If the upstream does not have the batch, refunds the charge, or removes the
 * row of an uncharged batch. Returns whether the batch needs no more work.
 */
export async function resolveSubmission(batch: StoredBatch, parts: SettleParts, abort: AbortSignal): Promise<boolean> {
  const { toolkit, now = Date.now, logger } = parts
  const seconds = Math.floor(now() / 1000)
  const isCharged = batch.submitter === ''
  // A process that still runs completes its submissions itself.
  if (!isCharged && seconds - batch.createdAt < LISTED_AFTER_S && (await toolkit.batches.isSubmitterAlive(batch)))
    return false
  const channel = channelOfBatch(batch, parts)
  const upstreamState = await findState(batch, channel, { ...parts, abort })
  const { requestId } = batch
  if (upstreamState === 'absent' || (upstreamState === 'pending' && isOverdue(batch, seconds))) {
    logger.warn({ requestId, channel: batch.channelId }, 'a batch was not accepted by its upstream, and is not charged')
    if (!isCharged) await toolkit.batches.withdraw(batch.userId, requestId)
    else {
      const { body } = batch
      await toolkit.batches.settle(batch, { use: NO_RESULTS, outcome: 'absent', status: 'failed', body })
    }
    return true
  }
  const state = upstreamState === 'pending' ? pendingState(batch) : upstreamState
  if (!isCharged) await charge({ ...batch, ...state }, channel, parts)
  else if (upstreamState !== 'pending') await toolkit.batches.adopt(batch.id, upstreamState)
  if (upstreamState !== 'pending')
    logger.warn({ requestId, batch: upstreamState.batchId }, 'an interrupted batch was found')
  return false
}

/**
 * Charges a batch whose process has ended. If the balance does not cover the estimate, charges nothing now, and only
 * the results at the end determine the charge.
 */
async function charge(batch: StoredBatch, channel: LiveChannel | undefined, { toolkit, logger }: SettleParts) {
  const { userId, tokenId, requestId, quota } = batch
  const user = await toolkit.db.reader('users').where({ id: userId }).first('username', 'group')
  const token = await toolkit.db.reader('tokens').where({ id: tokenId }).first('name', 'unlimited_quota')
  const payer = { username: user?.username ?? '', tokenName: token?.name ?? '', group: user?.group ?? '' }
  const budgetTokenId = token && !token.unlimited_quota ? tokenId : 0
  const from = { payer, channel, useTimeSeconds: 0 }
  try {
    const hold = await toolkit.ledger.hold({ userId, budgetTokenId, quota })
    const outcome = await chargeEstimate(batch, { ...from, hold }, toolkit)
    if (outcome !== 'settled') logger.warn({ requestId, outcome }, 'an interrupted batch could not be charged')
  } catch (error) {
    if (!(error instanceof GatewayError) || error.kind !== 'insufficient') throw error
    logger.warn({ requestId, userId, quota }, 'the balance does not cover an interrupted batch')
    // A later run tries again, because the user may raise the balance before the batch is found.
    if (batch.status === SUBMITTING) return
    const hold = await toolkit.ledger.hold({ userId, budgetTokenId: 0, quota: 0 })
    await chargeEstimate({ ...batch, quota: 0 }, { ...from, hold }, toolkit)
  }
}

type FindParts = SettleParts & { abort: AbortSignal }

async function findState(
  batch: StoredBatch,
  channel: LiveChannel | undefined,
  parts: FindParts,
): Promise<SubmissionState> {
  if (!channel) {
    const deleted = await parts.toolkit.taskLifecycle.deletedChannels([batch.channelId])
    return deleted.has(batch.channelId) ? 'absent' : 'pending'
  }
  try {
    return await findInList(batch, channel, parts)
  } catch (error) {
    if (!(error instanceof UpstreamFailure)) throw error
    const { message: reason, status } = error.failure
    parts.logger.warn({ requestId: batch.requestId, channel: channel.id, status, reason }, 'batches were not listed')
    return 'pending'
  }
}

async function findInList(batch: StoredBatch, channel: LiveChannel, parts: FindParts): Promise<SubmissionState> {
  const { api, createdAt } = batch
  const { now = Date.now, abort } = parts
  const pages = upstreamBatches(channel, { api, abort }, parts)
  let isPending = now() / 1000 - createdAt < LISTED_AFTER_S
  for (;;) {
    const { done, value } = await pages.next()
    // `value` is false if the list has more pages, on which the batch may be.
    if (done) return isPending || !value ? 'pending' : 'absent'
    const match = api === 'openai' ? findByFile(batch, value) : await findByIds(batch, value, channel, parts)
    if (match === 'pending') isPending = true
    else if (match) return match
    const oldest = value.at(-1)
    if (oldest && createdAtOf(oldest) < createdAt - CLOCK_DIFFERENCE_S) return isPending ? 'pending' : 'absent'
  }
}

/** Returns the OpenAI batch with the file that the gateway uploaded, because each batch has a separate file. */
function findByFile(batch: StoredBatch, page: readonly Json[]): CreatedBatch | undefined {
  const match = page.find(({ input_file_id }) => input_file_id === batch.sentFileId)
  return match && createdBatch(match, batch)
}

/**
 * Returns the batch of messages with about the same creation time, and the same number of requests and result ids. All
 * three must match, because the account may have batches of other programs. Returns `pending` if a batch with a
 * matching time and number has not ended yet.
 */
async function findByIds(
  batch: StoredBatch,
  page: readonly Json[],
  channel: LiveChannel,
  parts: FindParts,
): Promise<CreatedBatch | 'pending' | undefined> {
  const similarBatches = page.filter((listed) => {
    const laterS = createdAtOf(listed) - batch.createdAt
    return laterS >= -CLOCK_DIFFERENCE_S && laterS <= LISTED_AFTER_S && requestsOf(listed) === batch.requestCount
  })
  const knownIds = await parts.toolkit.batches.storedIds(
    'anthropic',
    similarBatches.map(({ id }) => String(id)),
  )
  let isPending = false
  for (const listed of similarBatches.filter(({ id }) => !knownIds.has(String(id)))) {
    if (listed.processing_status !== 'ended') isPending = true
    else if (textOf(listed.results_url) !== undefined && (await hasSameIds(batch, String(listed.id), channel, parts))) {
      return createdMessageBatch(listed)
    }
  }
  return isPending ? 'pending' : undefined
}

async function hasSameIds(
  batch: StoredBatch,
  batchId: string,
  channel: LiveChannel,
  { upstream, abort }: FindParts,
): Promise<boolean> {
  const path = pathOfBatch({ api: 'anthropic', batchId }, '/results')
  const { body } = await upstream.open(channel, { method: 'GET', path, abort })
  const ids: string[] = []
  for await (const { bytes } of splitLines(body, { lineBytesMax: RESULT_BYTES_MAX })) {
    ids.push(textOf(recordOf(parseObject(bytes.toString('utf8'))).custom_id) ?? '')
  }
  return digestOfIds(ids) === batch.idsDigest
}

/** Returns the creation time of a batch at the upstream, in unix seconds. 0 means unknown. */
function createdAtOf({ created_at }: Json): number {
  if (typeof created_at === 'number') return created_at
  return Math.floor((Date.parse(textOf(created_at) ?? '') || 0) / 1000)
}

function requestsOf({ request_counts }: Json): number {
  return Object.values(recordOf(request_counts)).reduce<number>((sum, count) => sum + countOf(count), 0)
}
