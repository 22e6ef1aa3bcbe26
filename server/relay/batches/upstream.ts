import type { LiveChannel } from '../../../core/channels/routing/directory.ts'
import type { BatchApi } from '../../../core/channels/types/types.ts'
import { parseObject } from '../../../core/input.ts'
import { failureMessage } from '../../../core/messages/reasons.ts'
import { replyFailureOf } from '../attempt/open-reply.ts'
import { withOverrides } from '../attempt/overrides.ts'
import type { Json } from '../json.ts'
import { anthropicAddress, anthropicHeaders } from '../providers/anthropic/anthropic.ts'
import { createFailure, toClientFailure } from '../providers/failure.ts'
import { openAiAddress } from '../providers/openai/address.ts'
import { openAiHeaders } from '../providers/openai/openai.ts'
import type { Failure, UpstreamRequest } from '../providers/provider.ts'
import { providerFor } from '../providers/providers.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { linkAborts, withoutParams } from '../tasks/exchange.ts'
import type { SubmissionAbort } from '../tasks/running.ts'
import type { OutboundClients } from '../transport/outbound-clients.ts'
import { isTimeout, isUnreached } from '../transport/upstream.ts'
import type { UpstreamReply } from '../transport/upstream-reply.ts'

const TIMEOUT_MS = 60_000
const REPLY_BYTES_MAX = 16 * 1024 * 1024

/** A request about files or batches. */
export interface BatchAsk {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** The vendor's documented path. */
  readonly path: string
  readonly body?: UpstreamRequest['body']
  /** Headers in addition to the channel's headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Client headers that may be forwarded to an upstream. */
  readonly forwarded?: Readonly<Record<string, string>>
  /** Maximum time in ms until the head of the reply arrives. */
  readonly timeoutMs?: number
  /** Ends the request early, as does `abort`. */
  readonly cut?: SubmissionAbort
  readonly abort?: AbortSignal
}

/** The error if an upstream does not serve a request. */
export class UpstreamFailure extends Error {
  override readonly name = 'UpstreamFailure'
  constructor(
    /** The failure to report to the client. */
    readonly failure: Failure,
    /** Whether the upstream may have carried out the request despite the failure. */
    readonly isUnknown: boolean,
    options?: ErrorOptions,
  ) {
    super(failure.message, options)
  }
}

export type BatchUpstream = ReturnType<typeof createBatchUpstream>

export function createBatchUpstream({ upstream }: Pick<OutboundClients, 'upstream'>) {
  async function open(channel: LiveChannel, ask: BatchAsk): Promise<UpstreamReply> {
    const reply = await send(channel, ask)
    if (reply.statusCode < 300) return reply
    const text = (await reply.body.whole(REPLY_BYTES_MAX).catch(() => Buffer.alloc(0))).toString('utf8')
    const upstreamFailure = providerFor(channel.type).failure(reply.statusCode, text, reply.headers)
    throw new UpstreamFailure(toClientFailure(upstreamFailure, channel), reply.statusCode >= 500)
  }

  async function send(channel: LiveChannel, ask: BatchAsk): Promise<UpstreamReply> {
    const { timeoutMs = TIMEOUT_MS, cut, abort } = ask
    const { signal, unlink } = linkAborts(cut, abort)
    try {
      return await upstream.send(requestFor(channel, ask), { signal, headersTimeoutMs: timeoutMs, channel })
    } catch (error) {
      throw noReplyFailure(error)
    } finally {
      unlink()
    }
  }

  return {
    /** Returns a reply with a status below 300. The caller must read or destroy its body. Throws UpstreamFailure. */
    open,
    /** Returns the JSON object of a reply. Throws UpstreamFailure. */
    async call(channel: LiveChannel, ask: BatchAsk): Promise<Json> {
      const { body } = await open(channel, ask)
      let bytes: Buffer
      try {
        bytes = await body.whole(REPLY_BYTES_MAX)
      } catch (error) {
        throw noReplyFailure(error)
      }
      const parsed = parseObject(bytes.toString('utf8'))
      if (parsed && isReplyError(parsed)) {
        const upstreamFailure = replyFailureOf(replyError(parsed))
        throw new UpstreamFailure(toClientFailure(upstreamFailure, channel), upstreamFailure.status >= 500)
      }
      if (parsed) return parsed
      throw new UpstreamFailure(createFailure(502, failureMessage('notObject')), true)
    },
  }
}

function requestFor(channel: LiveChannel, { method, path, body = null, headers, forwarded = {} }: BatchAsk) {
  const api: BatchApi = channel.type.batchApi ?? 'openai'
  const ask = { headers: forwarded, stream: false }
  const url = api === 'anthropic' ? anthropicAddress(channel, path) : openAiAddress(channel, { path, model: '' })
  const channelHeaders = api === 'anthropic' ? anthropicHeaders(ask, channel) : openAiHeaders(ask, channel)
  const { 'content-type': _, ...withoutContentType } = channelHeaders
  const request: UpstreamRequest = {
    url,
    method,
    headers: { ...(body === null ? withoutContentType : channelHeaders), ...headers },
    body,
  }
  return withOverrides(request, { ask: { raw: Buffer.alloc(0) }, channel: withoutParams(channel), native: false })
}

/** Returns the failure for a missing reply. The outcome of a request is unknown unless it was not sent. */
function noReplyFailure(error: unknown): UpstreamFailure {
  if (isTimeout(error)) {
    const failure = createFailure(504, failureMessage('timeout'), { code: 'upstream_timeout' })
    return new UpstreamFailure(failure, true, { cause: error })
  }
  const unreached = isUnreached(error)
  const noReply = createFailure(502, failureMessage('unreached'), { code: 'do_request_failed' })
  return new UpstreamFailure(unreached ? { ...noReply, unreached: true } : noReply, !unreached, { cause: error })
}
