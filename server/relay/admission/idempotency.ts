import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import { fingerprintOf, type RelayClaim, type RelayOutcomes, type StoredReply } from '../../../core/relay-outcomes.ts'
import { writeReplyHead } from '../delivery/reply-head.ts'
import type { Upload } from '../providers/provider.ts'
import type { Admitted } from './admission.ts'
import { objectOwnerOf } from './authenticate.ts'
import type { RelayRequest } from './relay-request.ts'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** Marks a replayed reply. Stripe uses the same name: https://docs.stripe.com/api/idempotent_requests */
const REPLAYED_HEADER = 'idempotent-replayed'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Maximum bytes of a stored reply. A larger reply is charged, but not stored. */
const OUTCOME_BYTES_MAX = 1024 * 1024

/**
 * Claims the idempotency key for a request. If an earlier request has used the key, returns the stored reply to that
 * request. Throws IDEMPOTENCY_KEY_*.
 */
export async function claimRelay(
  { raw: { method }, url }: Pick<RelayRequest, 'raw' | 'url'>,
  {
    caller,
    requestId,
    raw,
    upload,
  }: Pick<Admitted, 'caller' | 'requestId' | 'raw'> & Partial<Pick<Admitted, 'upload'>>,
  { key, outcomes }: { key: string; outcomes: RelayOutcomes },
): Promise<RelayClaim | (StoredReply & { requestId: string })> {
  // Ignore an API key in the query, because the client may use another API key for its retry.
  const content = [`${method} ${url.replace(/([?&])key=[^&]*/, '$1')}`, raw]
  const fingerprint = fingerprintOf(upload ? [...content, await digestOf(upload)] : content)
  return outcomes.claim({ ...objectOwnerOf(caller), key, fingerprint, requestId })
}

/**
 * Returns a digest of the fields and files of a form. The raw body has no stable digest, because its boundary changes
 * with each request.
 */
async function digestOf({ fields, files }: Upload): Promise<string> {
  const digests: string[] = []
  for (const { open, ...properties } of files) {
    const hash = createHash('sha256')
    for await (const chunk of open()) hash.update(chunk)
    digests.push(JSON.stringify(properties), hash.digest('hex'))
  }
  return JSON.stringify([fields, digests])
}

/** Stores the reply of a claimed relay. `body` is undefined if the reply is too large. */
export type StoreOutcome = (outcome: { contentType: string; body: Buffer | undefined }) => Promise<void>

export function outcomeStorer(claim: RelayClaim): StoreOutcome {
  return ({ contentType, body }) =>
    claim.finish(body && body.length <= OUTCOME_BYTES_MAX ? { contentType, body } : undefined)
}

/** Collects the chunks of a reply if `isStored`. Drops all chunks if the reply becomes too large to store. */
export class ReplyRecorder {
  private chunks: Buffer[] | undefined
  private bytes = 0
  constructor(isStored: boolean) {
    if (isStored) this.chunks = []
  }
  add(chunk: Buffer): void {
    this.bytes += chunk.length
    if (this.bytes > OUTCOME_BYTES_MAX) this.chunks = undefined
    this.chunks?.push(chunk)
  }
  whole(): Buffer | undefined {
    return this.chunks && Buffer.concat(this.chunks)
  }
}

/**
 * Runs a submission. With an idempotency key, runs it only once: later requests with the key get the stored reply.
 * Throws IDEMPOTENCY_KEY_*.
 */
export async function submitOnce<A>(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    admitted,
    outcomes,
    run,
    charged,
    replayed,
    mayBeCharged = async () => false,
  }: {
    admitted: Pick<Admitted, 'caller' | 'requestId'>
    outcomes: RelayOutcomes
    /** Runs the submission. Its task is charged under `requestId`. */
    run: (requestId: string) => Promise<A>
    /** Returns the bytes of a result, or undefined if its task was not charged. */
    charged: (answer: A) => Buffer | undefined
    /** Restores a result from its bytes. */
    replayed: (bytes: Buffer) => A
    /** Whether a task may be charged although its submission failed. */
    mayBeCharged?: (requestId: string) => Promise<boolean>
  },
): Promise<A> {
  const key = request.headers[IDEMPOTENCY_HEADER]
  if (typeof key !== 'string') return run(admitted.requestId)
  const raw = (request.body as Buffer | undefined) ?? Buffer.alloc(0)
  const claim = await claimRelay(request, { ...admitted, raw }, { key, outcomes })
  if ('body' in claim) {
    reply.header(REPLAYED_HEADER, 'true')
    return replayed(claim.body)
  }
  try {
    const answer = await run(claim.requestId)
    const body = charged(answer)
    if (body) await outcomeStorer(claim)({ contentType: JSON_TYPE, body })
    return answer
  } catch (error) {
    await claim.release({ keepsId: await mayBeCharged(claim.requestId).catch(() => true) })
    throw error
  } finally {
    await claim.release()
  }
}

/**
 * Sends the stored reply of the first request with an idempotency key. The reply has the id of that first request,
 * because the charge has that id.
 */
export function sendOutcome(
  response: ServerResponse,
  { contentType, body, requestId, operation }: StoredReply & { requestId: string; operation: Operation },
): void {
  const headers = ['content-length', body.length, REPLAYED_HEADER, 'true']
  writeReplyHead(response, { operation, contentType, requestId, headers })
  response.end(body)
}
