import type { FastifyRequest } from 'fastify'
import { newBatchRow, type StoredBatch } from '../../../core/batches/rows.ts'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { GatewayError } from '../../../core/errors.ts'
import type { Hold } from '../../../core/ledger/charge.ts'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Price } from '../../../core/pricing/prices.ts'
import type { Slices } from '../../slices.ts'
import { groupOf } from '../admission/admission.ts'
import { type Caller, objectOwnerOf } from '../admission/authenticate.ts'
import { holdFor } from '../charging/hold.ts'
import { ratioText } from '../charging/price-text.ts'
import { textOf } from '../json.ts'
import { takeLimitsOf } from '../limits/take-limits.ts'
import { type BatchRequest, refusal } from './admit-request.ts'
import type { BatchParts } from './parts.ts'
import { pathOfBatch } from './settle.ts'

interface PricedModel {
  readonly model: string
  readonly price: Price
  readonly effort: string | undefined
  readonly at: number
}

/** Totals of a batch's requests. */
export class BatchSum {
  quota = 0
  count = 0
  group = ''
  /** By model and effort. */
  private readonly models = new Map<string, PricedModel>()
  private readonly modelOf: Record<string, number> = Object.create(null)

  /** Adds a request, whose id no other request of the batch has. */
  add(customId: string, { admitted, quota, effort }: BatchRequest): void {
    const { model, price, group } = admitted
    // Other efforts do not affect the price, and there may be as many as requests.
    const priced = price.conditions?.some((one) => one.kind === 'effort' && one.name === effort)
    const key = `${priced ? effort : ''} ${model}`
    const known = this.models.get(key)
    const { at } = known ?? { at: this.models.size }
    if (!known) this.models.set(key, { model, price, effort: priced ? effort : undefined, at })
    this.modelOf[customId] = at
    this.group = group
    // Avoid unsafe integers; no balance covers more.
    this.quota = Math.min(this.quota + quota, Number.MAX_SAFE_INTEGER)
    this.count += 1
  }

  get model(): string {
    return [...new Set([...this.models.values()].map(({ model }) => model))].join(',')
  }

  prices(): StoredBatch['prices'] {
    const models = [...this.models.values()].map(({ model, price, effort }) =>
      effort === undefined ? { model, price } : { model, price, effort },
    )
    return models.length === 1 ? { models } : { models, requests: this.modelOf }
  }
}

const SHOWN_MAX = 64

/** The ids of a batch's requests, which must be unique. */
export class RequestIds {
  private readonly ids = new Set<string>()

  /** Throws REQUEST_MALFORMED for an id that another request has. */
  add(customId: string): void {
    if (this.ids.has(customId)) {
      throw refusal(`custom_id ${customId.slice(0, SHOWN_MAX)} is used twice`, 'custom_id')
    }
    this.ids.add(customId)
  }
}

/** The length of the column. */
const ID_LENGTH_MAX = 128
/** Seconds to the first poll of a new batch. */
const FIRST_POLL_S = 15
const MS = 1000

/** A batch that its upstream accepted. */
export interface AcceptedBatch {
  readonly batchId: string
  readonly api: StoredBatch['api']
  readonly endpoint: string
  readonly inputFileId: string
  readonly sentFileId: string
  readonly status: string
  /** The upstream's JSON. */
  readonly body: string
  /** Unix seconds. */
  readonly expiresAt: number
}

/**
 * The hold of a batch. It takes from the limits of the caller before the requests are read, so that a batch that is rejected
 * later counts as a request. It grows while they are read, so that a batch that the balance does not cover ends early.
 */
export class BatchHold {
  private hold: Hold | undefined
  /** The slice of the work in which the last request was covered. */
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

  /** Holds the sum of the requests so far. Throws INSUFFICIENT_*, LIMIT_REACHED. */
  async cover(sum: BatchSum): Promise<Hold> {
    const { hold } = this
    if (!hold) return this.begin(sum)
    if (hold.quota >= sum.quota) return hold
    try {
      await this.toolkit.ledger.extend(hold, sum.quota - hold.quota)
      return hold
    } catch (error) {
      if (!(error instanceof GatewayError) || error.kind !== 'insufficient') throw error
      // The error of a new hold names the whole sum, or the limit that was reached.
      this.release()
      return this.begin(sum)
    }
  }

  /** Does the same for the first request, and once in each slice of the work: a hold can cost a transaction. */
  async coverSometimes(sum: BatchSum, slices: Slices): Promise<void> {
    if (this.turns === slices.turns) return
    await this.cover(sum)
    this.turns = slices.turns
  }

  /** The caller calls it in any case; after a charge it does nothing. */
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

/** Data for the charge of a batch. */
interface BatchCharge {
  readonly requestId: string
  readonly caller: Caller
  readonly channel: LiveChannel
  readonly hold: Hold
  readonly sum: BatchSum
  readonly startedAt: number
}

/**
 * Charges a batch's estimate and stores its row in one transaction; resolves when it is committed. Cancels a batch that cannot
 * be charged. Throws DATABASE_UNAVAILABLE if the estimate is no longer covered, and an Error if another batch has its id.
 */
export async function chargeBatch(
  accepted: AcceptedBatch,
  charge: BatchCharge,
  parts: Pick<BatchParts, 'toolkit' | 'upstream'>,
): Promise<void> {
  try {
    await writeCharge(accepted, charge, parts)
  } catch (error) {
    // Another user's batch must continue.
    if (!(error instanceof BatchIdTaken)) {
      await parts.upstream
        .call(charge.channel, { method: 'POST', path: pathOfBatch(accepted, '/cancel') })
        .catch(() => {})
    }
    throw error
  }
}

async function writeCharge(
  accepted: AcceptedBatch,
  { requestId, caller, channel, hold, sum, startedAt }: BatchCharge,
  { toolkit }: Pick<BatchParts, 'toolkit'>,
): Promise<void> {
  const { batchId } = accepted
  if (batchId === '' || batchId.length > ID_LENGTH_MAX) throw new Error(`An upstream gave the batch id ${batchId}`)
  const now = Math.floor(Date.now() / MS)
  const { token, user } = caller
  const row = newBatchRow({
    ...accepted,
    ...objectOwnerOf(caller),
    tokenId: token.id,
    channelId: channel.id,
    keyDigest: channel.keyName?.digest ?? '',
    requestId,
    model: sum.model,
    requestCount: sum.count,
    prices: sum.prices(),
    quota: sum.quota,
    createdAt: now,
    pollAt: now + FIRST_POLL_S,
  })
  const task = { table: 'batches', row } as const
  if (sum.quota === 0) {
    toolkit.ledger.release(hold)
    if (!(await toolkit.taskLifecycle.insertUnpaid(task))) throw new BatchIdTaken(batchId)
    return
  }
  const ratio = toolkit.options.get(OPTIONS.BatchPriceRatio)
  const outcome = await toolkit.ledger.settle(hold, {
    requestId,
    userId: user.id,
    username: user.username,
    tokenId: token.id,
    tokenName: token.name,
    channelId: channel.id,
    modelName: sum.model,
    group: sum.group,
    promptTokens: 0,
    completionTokens: 0,
    quota: sum.quota,
    useTimeSeconds: Math.round((Date.now() - startedAt) / MS),
    isStream: false,
    content: `批处理 ${batchId}，${sum.count} 个请求的预估费用，批处理折扣 ${ratioText(ratio)}`,
    other: JSON.stringify({
      batch: { id: batchId, requests: sum.count, ratio },
      estimated: true,
      price_version: toolkit.pricing.version,
      hold: hold.quota,
      admin_info: { use_channel: [String(channel.id)], ...(channel.keyName && { key: channel.keyName }) },
    }),
    task,
  })
  if (outcome === 'task-exists') throw new BatchIdTaken(batchId)
  if (outcome === 'lost') throw new GatewayError('DATABASE_UNAVAILABLE')
}

/** A second row for one batch would charge it twice, and show it to another user. */
class BatchIdTaken extends Error {
  override readonly name = 'BatchIdTaken'
  constructor(batchId: string) {
    super(`An upstream gave the id ${batchId} of another batch`)
  }
}
