import type { FastifyReply, FastifyRequest } from 'fastify'
import { newBatchRow, type StoredBatch, SUBMITTING, submittingId } from '../../../core/batches/rows.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import type { Slices } from '../../slices.ts'
import { groupOf } from '../admission/admission.ts'
import { type Caller, objectOwnerOf } from '../admission/authenticate.ts'
import { submitOnce } from '../admission/idempotency.ts'
import { holdFor } from '../charging/hold.ts'
import { textOf } from '../json.ts'
import { takeLimitsOf } from '../limits/take-limits.ts'
import { chargeEstimate, type NewBatch } from './charge-estimate.ts'
import type { BatchParts } from './parts.ts'
import { pathOfBatch } from './settle.ts'
import type { BatchSum } from './sum.ts'
import { UpstreamFailure } from './upstream.ts'

/** Maximum length of a batch id, which is the length of the column. */
const ID_LENGTH_MAX = 128
/** Seconds until the first poll of a new batch. */
const FIRST_POLL_S = 15
const MS_PER_SECOND = 1000
/** Statuses that prove that the upstream has not accepted the request. */
const NOT_ACCEPTED_STATUSES = new Set([503, 529])

/** The properties of a batch that are known before its upstream accepts it. */
type BatchSubmission = Pick<StoredBatch, 'api' | 'endpoint' | 'inputFileId' | 'sentFileId' | 'expiresAt'>

/** The id, status and JSON of a batch that its upstream accepted. */
export type CreatedBatch = Pick<StoredBatch, 'batchId' | 'status' | 'body'>

/**
 * Runs `create` once per idempotency key, with the request id under which to charge the batch. Returns the batch's
 * JSON, or the stored JSON of a batch that an earlier request with the same key created.
 */
export function createOnce(
  request: FastifyRequest,
  { reply, caller, create }: { reply: FastifyReply; caller: Caller; create: (requestId: string) => Promise<Buffer> },
  parts: BatchParts,
): Promise<Buffer> {
  const userId = caller.user.id
  return submitOnce<Buffer>(request, reply, {
    admitted: { caller, requestId: request.id },
    outcomes: parts.toolkit.relayOutcomes,
    async run(requestId) {
      // The process of an earlier request may have ended after it created the batch, but before its reply.
      const { id, existing } = await chargeIdOf(userId, requestId, parts)
      return existing ? Buffer.from(existing.body) : create(id)
    },
    charged: (created) => created,
    replayed: (created) => created,
    mayBeCharged: (requestId) => mayBeCharged(userId, requestId, parts),
  })
}

/**
 * The hold of a batch. `start` takes from the caller's limits before the requests are read, so that a rejected batch
 * also counts as a request. `cover` extends the hold while the requests are read, so that a batch that the balance does
 * not cover fails early.
 */
export class BatchHold {
  private hold: Hold | undefined
  /** Value of `slices.turns` at the last call of `cover` by `coverSometimes`. */
  private turns = -1

  constructor(
    private readonly request: FastifyRequest,
    private readonly caller: Caller,
    private readonly toolkit: BatchParts['toolkit'],
  ) {}

  /** Takes from the limits for the model of the first request. Throws LIMIT_REACHED, TOKEN_GROUP, GROUP_RETIRED. */
  async start(model: unknown): Promise<void> {
    await this.begin({ quota: 0, group: groupOf(this.caller, this.toolkit.options), model: textOf(model) ?? '' })
  }

  /** Holds the cost of all requests so far. Throws INSUFFICIENT_*, LIMIT_REACHED. */
  async cover(sum: BatchSum): Promise<Hold> {
    const { hold } = this
    if (!hold) return this.begin(sum)
    if (hold.quota >= sum.quota) return hold
    try {
      await this.toolkit.ledger.extend(hold, sum.quota - hold.quota)
      return hold
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== 'insufficient') throw error
      // The error of a new hold names the whole sum or the reached limit.
      this.release()
      return this.begin(sum)
    }
  }

  /** Calls `cover`, but only once per slice of the work, because a hold can cost a transaction. */
  async coverSometimes(sum: BatchSum, slices: Slices): Promise<void> {
    if (this.turns === slices.turns) return
    await this.cover(sum)
    this.turns = slices.turns
  }

  /** Releases the hold. Must always be called. Has no effect after a charge. */
  release(): void {
    if (this.hold) this.toolkit.ledger.release(this.hold)
    this.hold = undefined
  }

  private async begin({ quota, group, model }: Pick<BatchSum, 'quota' | 'group' | 'model'>): Promise<Hold> {
    const { caller, toolkit, request } = this
    const hold = await holdFor(toolkit, caller, { quota })
    this.hold = hold
    return takeLimitsOf(toolkit, { ...caller, group, model, address: request.ip }, { hold })
  }
}

export interface BatchCharge {
  readonly requestId: string
  readonly caller: Caller
  readonly channel: LiveChannel
  readonly hold: Hold
  readonly sum: BatchSum
  readonly startedAt: number
}

type SubmitParts = Pick<BatchParts, 'toolkit' | 'upstream' | 'logger'>

/**
 * Submits a batch. Stores a row for the batch, calls the upstream by `create`, then charges the estimate and replaces
 * the row. If the process ends before the charge, the row remains, and the background job looks for the batch at the
 * upstream (`find-submitted.ts`). If the outcome of the call is unknown, also charges the estimate, and the job looks
 * for the batch.
 *
 * Throws the error of `create`, DATABASE_UNAVAILABLE if the hold was lost, and an Error if another batch has the id.
 */
export async function submitBatch(
  submission: BatchSubmission,
  charge: BatchCharge,
  create: () => Promise<CreatedBatch>,
  parts: SubmitParts,
): Promise<CreatedBatch> {
  const { toolkit, logger } = parts
  const submitting = rowOf(submission, pendingState(charge), charge)
  // The node id is empty for a moment after other processes declared this process dead.
  const row = newBatchRow({ ...submitting, submitter: toolkit.ledger.nodeId || '-' })
  if (!(await toolkit.taskLifecycle.insertUnpaid({ table: 'batches', row }))) throw new BatchIdTaken(submitting.batchId)
  let created: CreatedBatch
  try {
    created = await create()
  } catch (error) {
    const { requestId } = charge
    const end = mayBeAccepted(error) ? writeCharge(submitting, charge, parts) : withdraw(charge, parts)
    // After a failure here, the row remains, and the background job handles the batch.
    await end.catch((cause) => logger.warn({ requestId, reason: String(cause) }, 'a batch keeps the status submitting'))
    throw error
  }
  await chargeBatch(rowOf(submission, created, charge), charge, parts)
  return created
}

function mayBeAccepted(error: unknown): boolean {
  return !(error instanceof UpstreamFailure) || (error.isUnknown && !NOT_ACCEPTED_STATUSES.has(error.failure.status))
}

/** Returns the state of a batch whose id at the upstream is not known yet. */
export function pendingState({ requestId }: Pick<StoredBatch, 'requestId'>): CreatedBatch {
  return { batchId: submittingId(requestId), status: SUBMITTING, body: '{}' }
}

function withdraw({ caller, requestId }: BatchCharge, { toolkit }: SubmitParts): Promise<void> {
  return toolkit.batches.withdraw(caller.user.id, requestId)
}

function rowOf(
  submission: BatchSubmission,
  created: CreatedBatch,
  { requestId, caller, channel, sum }: BatchCharge,
): Omit<NewBatch, 'submitter'> {
  const now = Math.floor(Date.now() / MS_PER_SECOND)
  return {
    ...submission,
    ...created,
    ...objectOwnerOf(caller),
    tokenId: caller.token.id,
    channelId: channel.id,
    keyDigest: channel.keyName?.digest ?? '',
    requestId,
    model: sum.model,
    requestCount: sum.count,
    prices: sum.prices(),
    quota: sum.quota,
    idsDigest: sum.idsDigest,
    createdAt: now,
    pollAt: now + FIRST_POLL_S,
  }
}

/** Charges a batch that its upstream accepted. If the charge fails, cancels the batch. */
async function chargeBatch(batch: Omit<NewBatch, 'submitter'>, charge: BatchCharge, parts: SubmitParts): Promise<void> {
  try {
    await writeCharge(batch, charge, parts)
  } catch (error) {
    // A taken id belongs to another batch, which must not be canceled.
    if (!(error instanceof BatchIdTaken)) {
      await parts.upstream
        .call(charge.channel, { method: 'POST', path: pathOfBatch(batch, '/cancel') })
        .then(() => withdraw(charge, parts))
        .catch(() => {})
    }
    throw error
  }
}

async function writeCharge(
  batch: Omit<NewBatch, 'submitter'>,
  { caller: { user, token }, channel, hold, sum, startedAt }: BatchCharge,
  { toolkit }: Pick<BatchParts, 'toolkit'>,
): Promise<void> {
  const { batchId } = batch
  if (batchId === '' || batchId.length > ID_LENGTH_MAX) throw new Error(`An upstream gave the batch id ${batchId}`)
  const payer = { username: user.username, tokenName: token.name, group: sum.group }
  const useTimeSeconds = Math.round((Date.now() - startedAt) / MS_PER_SECOND)
  const outcome = await chargeEstimate(batch, { hold, payer, channel, useTimeSeconds }, toolkit)
  if (outcome === 'task-exists') throw new BatchIdTaken(batchId)
  if (outcome === 'lost') throw new GatewayError('DATABASE_UNAVAILABLE')
}

/**
 * The error if an upstream returns the id of another batch. A second row with this id would charge a batch twice, or
 * show the batch to another user.
 */
class BatchIdTaken extends Error {
  override readonly name = 'BatchIdTaken'
  constructor(batchId: string) {
    super(`An upstream gave the id ${batchId} of another batch`)
  }
}

/** Whether a failed request may have created a batch, which then has a row. */
async function mayBeCharged(
  userId: number,
  requestId: string,
  { toolkit }: Pick<BatchParts, 'toolkit'>,
): Promise<boolean> {
  return (await toolkit.batches.ofRequest(userId, requestId)) !== undefined
}

/**
 * Returns the id under which to charge a request, which is new if an earlier batch of the request was charged and
 * refunded. Also returns the batch that the request has already created, if any. Throws BATCH_SUBMITTING.
 */
async function chargeIdOf(
  userId: number,
  requestId: string,
  { toolkit }: Pick<BatchParts, 'toolkit'>,
): Promise<{ id: string; existing?: StoredBatch }> {
  let id = requestId
  for (;;) {
    const existing = await toolkit.batches.ofRequest(userId, id)
    if (!existing) return { id }
    if (existing.status === SUBMITTING) throw new GatewayError('BATCH_SUBMITTING')
    if (existing.outcome !== 'absent') return { id, existing }
    id = `${requestId}-${existing.id}`
  }
}
