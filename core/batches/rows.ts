import type { BatchApi } from '../channels/types/types.ts'
import type { Price } from '../pricing/prices.ts'
import type { Rows } from '../tables/rows.ts'

interface BatchPrices {
  /** Models with their prices when the batch was created, including the batch discount. */
  readonly models: readonly { readonly model: string; readonly price: Price; readonly effort?: string }[]
  /** Index of the request's model in `models`, by `custom_id`. Absent if there is only one model. */
  readonly requests?: Readonly<Record<string, number>>
}

/** The owner of files and batches: a person, or a team (`userId`) and one of its members. */
export interface ObjectOwner {
  readonly userId: number
  /** User id of the team's member. 0 if the owner is a person. */
  readonly memberId: number
}

/** Maximum length of an upstream id, in characters. Longer ids are not stored. */
const UPSTREAM_ID_LENGTH_MAX = 128

/** Returns whether a row can have this id. PostgreSQL rejects text with NUL. */
export function isPossibleId(id: string): boolean {
  return id.length <= UPSTREAM_ID_LENGTH_MAX && !id.includes('\0')
}

export interface StoredBatch extends ObjectOwner {
  /** The row's id. */
  readonly id: number
  /** The id at the upstream and for the client. */
  readonly batchId: string
  readonly api: BatchApi
  readonly tokenId: number
  readonly channelId: number
  /** Digest of the key with which the batch was created, if the channel has several keys. Otherwise empty. */
  readonly keyDigest: string
  readonly requestId: string
  readonly endpoint: string
  readonly model: string
  /** Id of the client's input file. */
  readonly inputFileId: string
  /** Id of the file that the upstream reads. */
  readonly sentFileId: string
  readonly status: string
  /** JSON of the upstream's last description of the batch. */
  readonly body: string
  readonly requestCount: number
  readonly prices: BatchPrices
  /** The quota charged at creation. */
  readonly quota: number
  readonly finalQuota: number
  readonly promptTokens: number
  readonly completionTokens: number
  /** Unix seconds, like all times of a batch. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly pollAt: number
  /** 0 if the batch is not settled. */
  readonly settledAt: number
  readonly outcome: string
  /** Epoch of the process that submits the batch and has not charged it yet. Empty if the batch is charged. */
  readonly submitter: string
  /** Digest of the ids of all requests, to recognize the batch at the upstream. */
  readonly idsDigest: string
}

/** The status of a batch until the gateway knows whether the upstream accepted the batch. */
export const SUBMITTING = 'submitting'

/** SQL condition for a batch that is being submitted and is not charged yet. */
export const UNCHARGED = `status = '${SUBMITTING}' AND submitter <> ''`

/** Returns the id to store for a batch that has no upstream id yet. */
export function submittingId(requestId: string): string {
  return `${SUBMITTING}-${requestId}`
}

export const BATCH_ROW_COLUMNS = [
  ...['id', 'batch_id', 'api', 'user_id', 'member_id', 'token_id', 'channel_id', 'key_digest', 'request_id'],
  ...['endpoint', 'model', 'input_file_id', 'sent_file_id', 'status', 'body', 'request_count', 'prices', 'quota'],
  ...['final_quota', 'prompt_tokens', 'completion_tokens', 'created_at', 'expires_at', 'poll_at', 'settled_at'],
  ...['outcome', 'submitter', 'ids_digest'],
] as const

export type BatchRow = Pick<Rows['batches'], (typeof BATCH_ROW_COLUMNS)[number]>

export function toBatch(row: BatchRow): StoredBatch {
  return {
    id: Number(row.id),
    batchId: row.batch_id,
    api: row.api === 'anthropic' ? 'anthropic' : 'openai',
    userId: row.user_id,
    memberId: row.member_id,
    tokenId: row.token_id,
    channelId: row.channel_id,
    keyDigest: row.key_digest,
    requestId: row.request_id,
    endpoint: row.endpoint,
    model: row.model,
    inputFileId: row.input_file_id,
    sentFileId: row.sent_file_id,
    status: row.status,
    body: row.body,
    requestCount: Number(row.request_count),
    prices: JSON.parse(row.prices),
    quota: Number(row.quota),
    finalQuota: Number(row.final_quota),
    promptTokens: Number(row.prompt_tokens),
    completionTokens: Number(row.completion_tokens),
    createdAt: Number(row.created_at),
    expiresAt: Number(row.expires_at),
    pollAt: Number(row.poll_at),
    settledAt: Number(row.settled_at),
    outcome: row.outcome,
    submitter: row.submitter,
    idsDigest: row.ids_digest,
  }
}

const NAME_LENGTH_MAX = 255

/** Returns the row of a batch: the row `submitting` before the charge, or the row that replaces it with the charge. */
export function newBatchRow(
  batch: Omit<StoredBatch, 'id' | 'finalQuota' | 'promptTokens' | 'completionTokens' | 'settledAt' | 'outcome'>,
): Record<string, string | number> {
  return {
    batch_id: batch.batchId,
    api: batch.api,
    user_id: batch.userId,
    member_id: batch.memberId,
    token_id: batch.tokenId,
    channel_id: batch.channelId,
    key_digest: batch.keyDigest,
    request_id: batch.requestId,
    endpoint: batch.endpoint,
    model: [...batch.model].slice(0, NAME_LENGTH_MAX).join(''),
    input_file_id: batch.inputFileId,
    sent_file_id: batch.sentFileId,
    status: batch.status,
    body: batch.body,
    request_count: batch.requestCount,
    prices: JSON.stringify(batch.prices),
    quota: batch.quota,
    created_at: batch.createdAt,
    expires_at: batch.expiresAt,
    poll_at: batch.pollAt,
    submitter: batch.submitter,
    ids_digest: batch.idsDigest,
  }
}
