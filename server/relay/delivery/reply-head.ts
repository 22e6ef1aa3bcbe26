import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import { type HeaderList, headerList, NO_HEADERS } from '../../header-list.ts'
import { INERT, inertHeaders } from '../../security-headers.ts'
import { replyType } from './media-types.ts'

export const REQUEST_ID_HEADER = 'x-oneapi-request-id'
/**
 * Status for a body that arrives too slowly. After this reply, the connection is closed, because the remaining body
 * would occupy it. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
 */
export const REQUEST_TIMEOUT = 408
export const CLOSING = { connection: 'close' } as const
/**
 * `nested-navigate` is the name that early browsers used for frames:
 * https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header
 */
const NAVIGATIONS = new Set<unknown>(['navigate', 'nested-navigate'])
const ATTACHMENT = { 'content-disposition': 'attachment' } as const

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that browsers may open as a page, such as those for images. */
    navigable?: true
  }
}

/**
 * Writes the head of a reply that bypasses Fastify. Checks the upstream's content type, so that no reply can run
 * scripts on the gateway's origin. `guardReply` does the same for Fastify's replies.
 */
export function writeReplyHead(
  response: ServerResponse,
  {
    status = 200,
    operation,
    contentType,
    requestId,
    headers = NO_HEADERS,
  }: {
    status?: number
    operation: Operation | undefined
    /** The type that the upstream declared. */
    contentType: string
    requestId: string
    /** Further headers. They must not include the headers that this function writes itself. */
    headers?: HeaderList
  },
): void {
  const { type, isReplaced } = replyType(operation, contentType)
  const list: (string | number)[] = ['content-type', type, REQUEST_ID_HEADER, requestId, 'x-request-id', requestId]
  addHeaders(list, inertHeaders(response))
  addHeaders(list, headers)
  if (isReplaced) addHeaders(list, headerList(ATTACHMENT))
  if (status === REQUEST_TIMEOUT) addHeaders(list, headerList(CLOSING))
  response.writeHead(status, list)
}

/** Appends headers to a list. A spread would be slower, because it uses an iterator. */
function addHeaders(list: (string | number)[], more: HeaderList): void {
  for (let at = 0; at < more.length; at++) list.push(more[at] as string | number)
}

/** Hook for `onSend` that checks the content type of Fastify's replies, as `writeReplyHead` does for other replies. */
export async function guardReply(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(INERT)
  // Forbid caching: a reply is only for the key's owner, and shared caches do not know the headers that contain keys.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  const declared = reply.getHeader('content-type')
  if (declared === undefined) return
  const { type, isReplaced } = replyType(undefined, String(declared))
  reply.header('content-type', type)
  if (isReplaced) reply.headers(ATTACHMENT)
}

/**
 * Rejects navigation by a browser, which another site can start by a link or a form. A reply that is shown as a page
 * would have the gateway's origin. Only programs and scripts may call the relay. Passes REQUEST_NAVIGATION to `done`.
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
