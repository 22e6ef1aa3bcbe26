import type { ServerResponse } from 'node:http'
import { errorIn, isError, type JsonReply, type StreamEvent, type StreamReply } from './attempt.ts'
import type { End } from './charge.ts'
import type { Interruption } from './interruption.ts'
import { DONE_EVENT, formatEvent } from './sse.ts'

/** https://platform.openai.com/docs/api-reference/chat-streaming; proxies are told not to buffer. */
export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
}

/** How long an upstream may take to end its body after its last event. */
const DRAIN_MS = 1000
const USAGE_NULL = ',"usage":null'

export interface StreamShape {
  /** Write usage only to a client that asked for it. */
  wantsUsage: boolean
  /** The name that the client asked for, where the upstream would tell another. */
  rename: string | undefined
}

/**
 * Sends a stream on as it arrives, its own bytes wherever nothing must change, and holds back its end: that is sent
 * when the charge is committed. Answers how the stream ended.
 */
export async function deliverStream(
  response: ServerResponse,
  reply: StreamReply,
  {
    shape,
    interruption,
    stallTimeoutMs,
    onProgress,
  }: {
    shape: StreamShape
    interruption: Interruption
    stallTimeoutMs: number
    /** Called after each batch with what was produced so far; may cut the relay. */
    onProgress: () => Promise<void> | undefined
  },
): Promise<{ end: End; message?: string }> {
  const send = (events: StreamEvent[]) => write(response, shaped(events, shape), { interruption, stallTimeoutMs })
  try {
    await send(reply.head)
    await onProgress()
    while (!interruption.cause) {
      const { value: events, done: ended } = await reply.rest.next()
      if (ended) break
      const done = events.findIndex((event) => event.done)
      const batch = done < 0 ? events : events.slice(0, done)
      const brokenAt = batch.findIndex(({ chunk }) => chunk && isError(chunk))
      // What it said before it broke counts, though both came in one packet.
      const sound = brokenAt < 0 ? batch : batch.slice(0, brokenAt)
      for (const { chunk } of sound) if (chunk) reply.meter.read(chunk)
      await send(sound)
      const broken = batch[brokenAt]?.chunk
      if (broken) {
        await reply.rest.return(undefined)
        return { end: 'upstream-broke', message: errorIn(broken).message }
      }
      await onProgress()
      if (interruption.cause) break
      if (done >= 0) {
        // Read to its end, or the connection could not serve another request.
        void drain(reply.rest, interruption)
        return { end: 'complete' }
      }
    }
  } catch {
    if (!interruption.cause) return { end: 'upstream-broke' }
  }
  if (interruption.cause) return { end: interruption.cause }
  // A body that ends without [DONE] is whole only when its last choice said why it stopped.
  return { end: reply.meter.finished ? 'complete' : 'upstream-broke' }
}

/** An upstream that does not come to its end is hung up on. */
async function drain(rest: StreamReply['rest'], interruption: Interruption): Promise<void> {
  const timer = setTimeout(() => interruption.endAttempt(), DRAIN_MS).unref()
  try {
    while (!(await rest.next()).done);
  } catch {
    // What comes after the end concerns nobody.
  } finally {
    clearTimeout(timer)
  }
}

/** The bytes for the client: neighbours that need no change go out as they came. */
function shaped(events: readonly StreamEvent[], shape: StreamShape): Buffer | string {
  const parts: (Buffer | string)[] = []
  for (const event of events) {
    if (event.done) continue
    const bytes = shapedEvent(event, shape)
    if (bytes !== undefined) parts.push(bytes)
  }
  if (parts.length === 0) return ''
  if (parts.length === 1) return parts[0] as Buffer | string
  return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)))
}

function shapedEvent({ bytes, chunk }: StreamEvent, { wantsUsage, rename }: StreamShape): Buffer | string | undefined {
  if (!chunk) return bytes
  const choices = Array.isArray(chunk.choices) ? chunk.choices : undefined
  // Azure announces its prompt filter in a chunk of its own, which no OpenAI client expects.
  if (rename !== undefined && choices?.length === 0 && !chunk.usage) return undefined
  if (!wantsUsage && choices?.length === 0 && chunk.usage) return undefined
  if (rename !== undefined && chunk.model !== rename) {
    const { usage, ...rest } = chunk
    return formatEvent(wantsUsage ? { ...chunk, model: rename } : { ...rest, model: rename })
  }
  if (!wantsUsage && chunk.usage === null) {
    const text = bytes.toString('utf8')
    // Inside a JSON text its quotes would be escaped: this is the field, or nothing.
    if (text.includes(USAGE_NULL)) return text.replace(USAGE_NULL, '')
  }
  return bytes
}

/** Writes, and waits while the client is slower than the upstream. A client that takes nothing at all is gone. */
async function write(
  response: ServerResponse,
  data: Buffer | string,
  { interruption, stallTimeoutMs }: { interruption: Interruption; stallTimeoutMs: number },
): Promise<void> {
  if (data.length === 0 || interruption.cause === 'client-gone') return
  if (response.write(data) || interruption.cause) return
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer)
      response.off('drain', end)
      response.off('close', end)
      interruption.signal.off('abort', end)
      resolve()
    }
    const timer = setTimeout(() => {
      interruption.cut('client-gone')
      response.destroy()
      end()
    }, stallTimeoutMs)
    response.once('drain', end)
    response.once('close', end)
    interruption.signal.once('abort', end)
  })
}

/** The end of a stream, after its charge is committed. */
export function endStream(
  response: ServerResponse,
  { events, complete }: { events: unknown[]; complete: boolean },
): void {
  if (response.destroyed) return
  response.end(events.map(formatEvent).join('') + (complete ? DONE_EVENT : ''))
}

/** A whole reply to a client that asked for a stream: https://platform.openai.com/docs/api-reference/chat-streaming */
export function asStream({ body, bytes, meter }: JsonReply): StreamReply {
  const choices = (Array.isArray(body.choices) ? body.choices : []).map(({ message, ...choice }) =>
    message === undefined ? choice : { ...choice, delta: message },
  )
  const { usage, ...rest } = body
  const chunk = { ...rest, object: body.object === 'chat.completion' ? 'chat.completion.chunk' : body.object, choices }
  const event = { bytes: Buffer.from(formatEvent(chunk)), chunk, done: false }
  const last = {
    bytes: Buffer.from(formatEvent({ ...chunk, choices: [], usage })),
    chunk: { ...chunk, choices: [], usage },
    done: false,
  }
  // It ended, so it is whole, whether or not it says why it stopped.
  meter.finished = true
  const head = usage === undefined ? [event] : [event, last]
  return { kind: 'stream', head, rest: nothing(), meter, firstTokenAt: bytes.length ? Date.now() : 0 }
}

async function* nothing(): AsyncGenerator<StreamEvent[]> {}
