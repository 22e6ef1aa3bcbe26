import { once } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseObject } from '../../../core/input.ts'
import { recordOf } from '../../../core/records.ts'
import { writeReplyHead } from '../delivery/reply-head.ts'
import { type InnerCalls, passHeaders } from '../inner-calls.ts'
import { type Json, textOf } from '../json.ts'
import { isReplyError, replyError } from '../providers/reply-error.ts'
import { payloadsIn } from '../transport/sse.ts'

/*
 * Serves the paths of other vendors' APIs. For each request, the gateway calls its own path of OpenAI's API, so that
 * each path works with every upstream of the operation, and each request is an ordinary relay.
 */

/** A request in OpenAI's format, and the conversion of its reply to the client's format. */
export interface Facade {
  /** The path of the request in OpenAI's API. */
  readonly path: string
  readonly body: Json
  /** Converts a complete reply to the format of the client's API. */
  whole(body: Json): Json
  /** Converts a streamed reply. Absent if the client did not request a stream. */
  readonly stream?: FacadeStream
}

/** Converts the chunks of one streamed reply, in order. */
export interface FacadeStream {
  readonly contentType: string
  /** Returns the text to send for a chunk, or '' if there is nothing to send yet. */
  chunk(chunk: Json): string
  /** Returns the text after the last chunk. `error` is present if the reply failed. */
  end(error: Json | undefined): string
}

/** Serves a request through its facade. `error` returns an error in the format of the client's API. */
export async function serveFacade(
  request: FastifyRequest,
  reply: FastifyReply,
  { facade, calls, error }: { facade: Facade; calls: InnerCalls; error: (status: number, message: string) => Json },
): Promise<unknown> {
  const call = calls.stream(request, facade.body, { path: facade.path })
  const { raw: response } = reply
  response.once('close', () => {
    if (!response.writableFinished) call.disconnect()
  })
  const head = await call.reply
  const { status, stream } = head
  passHeaders(reply, head)
  if (status !== 200 || !facade.stream) {
    const body = parseObject(await textFrom(stream)) ?? {}
    if (status !== 200) return reply.code(status).send(error(status, messageOf(body)))
    return reply.send(facade.whole(body))
  }
  const { contentType } = facade.stream
  reply.hijack()
  writeReplyHead(response, {
    operation: 'chat',
    contentType,
    requestId: request.id,
    headers: ['cache-control', 'no-cache'],
  })
  let failure: Json | undefined
  try {
    for await (const chunk of chunksOf(stream)) {
      if (isReplyError(chunk)) failure = error(500, replyError(chunk).message)
      const text = failure ? '' : facade.stream.chunk(chunk)
      if (text !== '' && !response.write(text) && !response.destroyed)
        await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
  } catch {
    failure ??= error(500, 'The reply broke off')
  }
  if (!response.destroyed) response.end(facade.stream.end(failure))
  return reply
}

function messageOf(body: Json): string {
  return textOf(recordOf(body.error).message) ?? 'The request failed'
}

async function* chunksOf(stream: AsyncIterable<unknown>): AsyncGenerator<Json> {
  for await (const payload of payloadsIn(stream)) {
    const chunk = parseObject(payload)
    if (chunk) yield chunk
  }
}

async function textFrom(stream: AsyncIterable<unknown>): Promise<string> {
  let text = ''
  for await (const bytes of stream) text += String(bytes)
  return text
}
