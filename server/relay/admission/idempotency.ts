import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../core/channels/operations.ts'
import { fingerprintOf, type Outcome, type RelayClaim, type RelayOutcomes } from '../../../core/relay-outcomes.ts'
import { writeReplyHead } from '../delivery/reply-head.ts'
import type { Upload } from '../providers/provider.ts'
import type { Admitted } from './admission.ts'
import type { RelayRequest } from './relay-request.ts'

/** https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/ */
export const IDEMPOTENCY_HEADER = 'idempotency-key'

/** As Stripe names it: https://docs.stripe.com/api/idempotent_requests */
const REPLAYED_HEADER = 'idempotent-replayed'
const JSON_TYPE = 'application/json; charset=utf-8'

/** What is larger is charged, and not kept. */
const OUTCOME_BYTES_MAX = 1024 * 1024

/** Claims the idempotency key of a request for it, or answers the outcome of an earlier one. Throws IDEMPOTENCY_KEY_*. */
export async function claimRelay(
  { raw: { method }, url }: Pick<RelayRequest, 'raw' | 'url'>,
  {
    caller,
    requestId,
    raw,
    upload,
  }: Pick<Admitted, 'caller' | 'requestId' | 'raw'> & Partial<Pick<Admitted, 'upload'>>,
  { key, outcomes }: { key: string; outcomes: RelayOutcomes },
): Promise<RelayClaim | (Outcome & { requestId: string })> {
  // A credential in the query is no part of the request: it may have been renewed.
  const content = [`${method} ${url.replace(/([?&])key=[^&]*/, '$1')}`, raw]
  const fingerprint = fingerprintOf(upload ? [...content, await digestOf(upload)] : content)
  return outcomes.claim({ userId: caller.user.id, key, fingerprint, requestId })
}

/** A form has another boundary each time it is sent: its parts are what counts. */
async function digestOf({ fields, files }: Upload): Promise<string> {
  const digests: string[] = []
  for (const { open, ...named } of files) {
    const hash = createHash('sha256')
    for await (const chunk of open()) hash.update(chunk)
    digests.push(JSON.stringify(named), hash.digest('hex'))
  }
  return JSON.stringify([fields, digests])
}

/** Keeps the reply of a claimed relay; without a body it was too large. */
export type Keep = (outcome: { contentType: string; body: Buffer | undefined }) => Promise<void>

export function keeper(claim: RelayClaim): Keep {
  return ({ contentType, body }) =>
    claim.finish(body && body.length <= OUTCOME_BYTES_MAX ? { contentType, body } : undefined)
}

/** The pieces of a reply that passes, as long as they may be kept. */
export class KeptPieces {
  private pieces: Buffer[] | undefined
  private bytes = 0
  constructor(isKept: boolean) {
    if (isKept) this.pieces = []
  }
  add(piece: Buffer): void {
    this.bytes += piece.length
    if (this.bytes > OUTCOME_BYTES_MAX) this.pieces = undefined
    this.pieces?.push(piece)
  }
  whole(): Buffer | undefined {
    return this.pieces && Buffer.concat(this.pieces)
  }
}

/** Runs a submission, once if it has an idempotency key: later ones get what it answered. Throws IDEMPOTENCY_KEY_*. */
export async function submitOnce<A>(
  request: FastifyRequest,
  reply: FastifyReply,
  {
    admitted,
    outcomes,
    run,
    charged,
    replayed,
  }: {
    admitted: Pick<Admitted, 'caller' | 'requestId'>
    outcomes: RelayOutcomes
    /** `requestId`: what the task is charged under. */
    run: (requestId: string) => Promise<A>
    /** The bytes of an answer whose task was charged. */
    charged: (answer: A) => Buffer | undefined
    /** An answer from its bytes. */
    replayed: (bytes: Buffer) => A
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
    if (body) await keeper(claim)({ contentType: JSON_TYPE, body })
    return answer
  } finally {
    await claim.release()
  }
}

/** The reply that the first request with this key got, charge and all. */
export function sendOutcome(
  response: ServerResponse,
  { contentType, body, requestId, operation }: Outcome & { requestId: string; operation: Operation },
): void {
  const headers = { 'content-length': body.length, [REPLAYED_HEADER]: 'true' }
  writeReplyHead(response, { operation, contentType, requestId, headers })
  response.end(body)
}
