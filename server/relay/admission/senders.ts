import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Ready } from '../../../core/ready.ts'
import type { LocalToolkit } from '../../../core/toolkit.ts'
import { COMPRESSION_RATIO_MAX, isCompressed } from '../../bodies/receive.ts'
import { holdFor } from '../charging/hold.ts'
import { queryOf } from './admission.ts'
import { apiKeyOf, type Caller, identifyCaller } from './authenticate.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * The requirement for a POST. By default, the key must be valid, and its owner must be able to pay. `free` also
     * allows exhausted keys. `anyone` also allows requests without a key.
     */
    sender?: 'anyone' | 'free'
  }
  interface FastifyRequest {
    /**
     * The caller that the key identifies. Null on routes without keys. On a GET, null until the handler identifies the
     * key.
     */
    caller: Caller | null
    /** Number of keys in a JSON body, at any depth, including repeated ones. */
    bodyKeys: number
  }
}

/** Bodies up to this size, in bytes, are received without a balance check, because the requested model may be free. */
const SMALL_BODY_MAX = 64 * 1024

/** Checks the key of each POST before the body is read. Also checks that the key's owner can pay for a large body. */
export function identifySenders(app: FastifyInstance, toolkit: LocalToolkit): void {
  app.decorateRequest('caller', null)
  app.addHook('onRequest', (request, _reply, done) => {
    const { sender } = request.routeOptions.config
    if (request.method !== 'POST' || sender === 'anyone') return done()
    const free = sender === 'free'
    const key = apiKeyOf(request.headers, queryOf(request))
    const accept = (caller: Caller): Ready<void> => {
      request.caller = caller
      return free ? undefined : rejectUnpaidLargeBody(toolkit, request, caller)
    }
    const caller = identifyCaller(toolkit, { key, address: request.ip, free })
    const accepted = caller instanceof Promise ? caller.then(accept) : accept(caller)
    if (accepted instanceof Promise) accepted.then(() => done(), done)
    else done()
  })
}

/**
 * Throws, or rejects with, INSUFFICIENT_* if the balance is too low for the body. A large body needs a positive
 * balance. A compressed body, which may expand, needs more.
 */
export function rejectUnpaidLargeBody(
  toolkit: LocalToolkit,
  { headers }: Pick<FastifyRequest, 'headers'>,
  caller: Pick<Caller, 'user' | 'token'>,
): Ready<void> {
  const quota = requiredQuota(headers)
  if (quota === 0) return undefined
  const hold = holdFor(toolkit, caller, { quota })
  return hold instanceof Promise ? hold.then(toolkit.ledger.release) : toolkit.ledger.release(hold)
}

/** Whether the body is a multipart form, which is stored on disk. */
export function isForm(headers: IncomingHttpHeaders): boolean {
  return FORM.test(headers['content-type'] ?? '')
}
const FORM = /^\s*multipart\/form-data/i
const MULTIPART = /^\s*multipart\//i

/**
 * Number of body bytes for which the sender needs one unit of quota. This equals $0.01 for a million tokens of four
 * bytes each, which is less than usual paid models cost.
 */
const BYTES_PER_QUOTA = 800
/**
 * Size of a decompressed body in bytes above which the required balance stays the same. Sending a larger body costs the
 * client more than reading it costs the gateway.
 */
const EXPANDED_BYTES_MAX = 16 * 1024 * 1024

/**
 * Returns the quota that the user must have before the body is read. Reading costs time, and a rejected request is not
 * charged.
 */
function requiredQuota(headers: IncomingHttpHeaders): number {
  const length = Number(headers['content-length'] ?? Number.POSITIVE_INFINITY)
  if (isCompressed(headers)) {
    return Math.ceil(Math.min(length * COMPRESSION_RATIO_MAX, EXPANDED_BYTES_MAX) / BYTES_PER_QUOTA)
  }
  // A form always needs a balance, because its files are stored on disk.
  if (MULTIPART.test(headers['content-type'] ?? '')) return 1
  const isLarge = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > SMALL_BODY_MAX
  return isLarge ? 1 : 0
}

/** Returns the address and the user (0 = none) to which the memory for a request's body is counted. */
export function senderOf({
  ip,
  caller,
  actor,
}: Pick<FastifyRequest, 'ip' | 'caller'> & Partial<Pick<FastifyRequest, 'actor'>>): {
  address: string
  userId: number
} {
  return { address: ip, userId: caller?.user.id ?? actor?.id ?? 0 }
}
