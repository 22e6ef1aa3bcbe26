import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../../core/channels/routing/operations.ts'
import { GatewayError } from '../../../core/errors.ts'
import { type HeaderList, headerList, NO_HEADERS } from '../../header-list.ts'
import { INERT, inertHeaders } from '../../security-headers.ts'
import { replyType } from './media-types.ts'

export const REQUEST_ID_HEADER = 'x-oneapi-request-id'
/**
 * The status for a body that arrives too slowly. The connection is closed after it, because the remaining body would keep it
 * busy. https://www.rfc-editor.org/rfc/rfc9110#section-15.5.9
 */
export const REQUEST_TIMEOUT = 408
export const CLOSING = { connection: 'close' } as const
/** Early browsers used a separate name for frames: https://www.w3.org/TR/fetch-metadata/#sec-fetch-mode-header */
const NAVIGATIONS = new Set<unknown>(['navigate', 'nested-navigate'])
const ATTACHMENT = { 'content-disposition': 'attachment' } as const

declare module 'fastify' {
  interface FastifyContextConfig {
    /** True for routes that browsers may open as a page, such as those for images. */
    navigable?: true
  }
}

/**
 * Writes the head of a reply that bypasses Fastify. All such replies use this function, and all replies of Fastify use
 * `guardReply`, so that no content type of an upstream can run scripts on the gateway's origin.
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
    /** Further headers. They must not contain a name that this function writes. */
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

/** Appends headers to a list. Uses no spread, because a spread uses an iterator, which is slower. */
function addHeaders(list: (string | number)[], more: HeaderList): void {
  for (let at = 0; at < more.length; at++) list.push(more[at] as string | number)
}

/** An `onSend` hook that checks the content type of Fastify's replies like `writeReplyHead`. */
export async function guardReply(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  reply.headers(INERT)
  // Forbid caching: replies are only for the key's owner, and shared caches do not know the headers that contain keys.
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store')
  const declared = reply.getHeader('content-type')
  if (declared === undefined) return
  const { type, isReplaced } = replyType(undefined, String(declared))
  reply.header('content-type', type)
  if (isReplaced) reply.headers(ATTACHMENT)
}

/**
 * Rejects browser navigations, which another site can start by a link or a form. Only programs and scripts call the relay, and a
 * reply that a browser shows as a page would have the gateway's origin. Passes REQUEST_NAVIGATION to `done`.
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
