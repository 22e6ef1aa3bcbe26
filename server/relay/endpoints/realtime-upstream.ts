import type { Agent, IncomingMessage } from 'node:http'
import WebSocket from 'ws'
import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import { failureMessage } from '../../../core/messages/reasons.ts'
import { retryAfter } from '../attempt/retry-after.ts'
import { createFailure } from '../providers/failure.ts'
import type { Failure, Provider, UpstreamRequest } from '../providers/provider.ts'
import { isUnreached } from '../transport/upstream.ts'

export const FRAME_BYTES_MAX = 16 * 1024 * 1024
const HANDSHAKE_TIMEOUT_MS = 10_000
const ERROR_BYTES_MAX = 64 * 1024
const KEY_PROTOCOL = 'openai-insecure-api-key.'
/** Pattern of a subprotocol: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2 */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/

export type Dialled = { readonly socket: WebSocket } | { readonly failure: Failure }

/**
 * Opens a session's socket to the upstream. The socket is paused, so that no frame is lost before a listener is added.
 * `asBrowser` is true if the client used subprotocols, so that the upstream gets the key in a subprotocol, too.
 */
export function dial(
  request: UpstreamRequest,
  channel: LiveChannel,
  { provider, agent, asBrowser }: { provider: Pick<Provider, 'failure'>; agent: Agent | undefined; asBrowser: boolean },
): Promise<Dialled> {
  const { protocols, headers } = asBrowser ? inProtocols(request.headers) : { protocols: [], headers: request.headers }
  const socket = new WebSocket(request.url, protocols, {
    headers,
    handshakeTimeout: HANDSHAKE_TIMEOUT_MS,
    maxPayload: FRAME_BYTES_MAX,
    perMessageDeflate: false,
    followRedirects: false,
    ...(agent && { agent }),
  })
  return new Promise((resolve) => {
    socket.once('open', () => {
      socket.pause()
      resolve({ socket })
    })
    socket.once('unexpected-response', (_, response) => {
      void readErrorBody(response).then((body) => {
        socket.terminate()
        const { statusCode = 502 } = response
        // Even a status below 400 is a failure, because the upstream did not upgrade the connection.
        if (statusCode < 400) return resolve({ failure: unreachable(channel) })
        const retryAfterMs = retryAfter(response.headers, body, Date.now())
        const upstreamFailure = provider.failure(statusCode, body, response.headers)
        resolve({ failure: { ...upstreamFailure, ...(retryAfterMs !== undefined && { retryAfterMs }) } })
      })
    })
    socket.on('error', (error) => {
      resolve({ failure: { ...unreachable(channel), ...(isUnreached(error) && { unreached: true }) } })
    })
  })
}

function unreachable({ id }: LiveChannel): Failure {
  return createFailure(502, failureMessage('noSession', { id }), { code: 'upstream_unreachable' })
}

/** Moves the key and the beta header to subprotocols. Changes nothing if the key has characters that are invalid. */
function inProtocols(headers: Record<string, string>): { protocols: string[]; headers: Record<string, string> } {
  const { authorization = '', 'openai-beta': beta, ...rest } = headers
  const key = authorization.replace(/^Bearer /, '')
  if (!TOKEN.test(key)) return { protocols: [], headers }
  const protocols = ['realtime', KEY_PROTOCOL + key]
  if (beta === 'realtime=v1') protocols.push('openai-beta.realtime-v1')
  return { protocols, headers: rest }
}

async function readErrorBody(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  try {
    for await (const part of response as AsyncIterable<Buffer>) {
      parts.push(part)
      size += part.length
      if (size > ERROR_BYTES_MAX) break
    }
  } catch {
    // The part of the body that has arrived is enough.
  }
  return Buffer.concat(parts).toString()
}
