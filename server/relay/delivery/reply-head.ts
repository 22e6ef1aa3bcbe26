import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../core/channels/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import { INERT, inertHeaders } from '../../security-headers.ts'
import { replyType } from './media-types.ts'

export const REQUEST_ID_HEADER = 'x-oneapi-request-id'
/** Or the rest of a slow body would keep the connection. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9 */
export const REQUEST_TIMEOUT = 408
export const CLOSING = { connection: 'close' } as const
/** Early browsers had a name of its own for frames: https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header */
const NAVIGATIONS = new Set<unknown>(['navigate', 'nested-navigate'])
const ATTACHMENT = { 'content-disposition': 'attachment' } as const

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A link or the address bar of a browser may lead here: for pictures. */
    navigable?: true
  }
}

/**
 * Writes the head of a reply that goes past Fastify. All such heads of the relay are written here, and all others pass
 * `guardReplies`: a content type that an upstream chose must not run on our origin.
 */
export function writeReplyHead(
  response: ServerResponse,
  {
    status = 200,
    operation,
    contentType,
    requestId,
    headers,
  }: {
    status?: number
    operation: Operation | undefined
    /** As the upstream declared it. */
    contentType: string
    requestId: string
    headers?: Readonly<Record<string, string | number>> | undefined
  },
): void {
  const { type, isReplaced } = replyType(operation, contentType)
  response.writeHead(status, {
    'content-type': type,
    [REQUEST_ID_HEADER]: requestId,
    'x-request-id': requestId,
    ...inertHeaders(response),
    ...headers,
    ...(isReplaced && ATTACHMENT),
    ...(status === REQUEST_TIMEOUT && CLOSING),
  })
}

/** The same for replies that Fastify sends: an `onSend` hook. */
export async function guardReply(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(INERT)
  // What a key reads is its owner's, and keys come in headers that shared caches do not know.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  const declared = reply.getHeader('content-type')
  if (declared === undefined) return
  const { type, isReplaced } = replyType(undefined, String(declared))
  reply.header('content-type', type)
  if (isReplaced) reply.headers(ATTACHMENT)
}

/**
 * Rejects navigations of a browser, which a foreign page causes by a link or a form: programs and scripts call the relay,
 * and a reply shown as a page would be of our origin. Throws REQUEST_NAVIGATION.
 */
export function rejectNavigation(
  { headers, routeOptions }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  const isRejected = isNavigation(headers) && !routeOptions.config.navigable
  done(isRejected ? new GatewayError('REQUEST_NAVIGATION') : undefined)
}

export function isNavigation(headers: IncomingHttpHeaders): boolean {
  return NAVIGATIONS.has(headers['sec-fetch-mode'])
}
