import type { LiveChannel } from '../../core/channels/directory.ts'
import type { Interruption } from './interruption.ts'
import { isObject } from './json.ts'
import { Meter } from './meter.ts'
import { failure, presentable } from './providers/failure.ts'
import type { Failure, RelayRequest } from './providers/provider.ts'
import { PROVIDERS } from './providers/providers.ts'
import { createEventSplitter, DONE, EVENT_BYTES_MAX, eventData } from './sse.ts'
import { isTimeout, type Upstream, type UpstreamReply } from './upstream.ts'

const ERROR_BYTES_MAX = 64 * 1024
const REPLY_BYTES_MAX = 256 * 1024 * 1024

/** A whole reply that arrived. */
export interface JsonReply {
  kind: 'json'
  bytes: Buffer
  body: Record<string, unknown>
  meter: Meter
}
/** A stream whose first token has arrived: nothing of it has gone to the client yet. */
export interface StreamReply {
  kind: 'stream'
  /** Events up to and including the first that says something. */
  head: StreamEvent[]
  rest: AsyncGenerator<StreamEvent[]>
  meter: Meter
  /** Milliseconds since the epoch. */
  firstTokenAt: number
}
export interface StreamEvent {
  bytes: Buffer
  /** The payload; undefined for an event that cannot be read as JSON. */
  chunk: Record<string, unknown> | undefined
  done: boolean
}
export type AttemptResult = JsonReply | StreamReply | { kind: 'failure'; failure: Failure } | { kind: 'cut' }

/** One try of one channel, up to the point where something could go to the client. */
export async function attempt(
  request: RelayRequest,
  channel: LiveChannel,
  {
    upstream,
    interruption,
    relayTimeoutMs,
    firstTokenTimeoutMs,
  }: {
    upstream: Upstream
    interruption: Pick<Interruption, 'signal' | 'cause' | 'endAttempt'>
    relayTimeoutMs: number
    firstTokenTimeoutMs: number
  },
): Promise<AttemptResult> {
  const provider = PROVIDERS[channel.type.family]
  let late = false
  // A whole reply has no first token: only streams can be late with it.
  const timer =
    firstTokenTimeoutMs && request.stream
      ? setTimeout(() => {
          late = true
          interruption.endAttempt()
        }, firstTokenTimeoutMs)
      : undefined
  const fail = (found: Failure): AttemptResult => ({ kind: 'failure', failure: presentable(found, channel) })
  try {
    const reply = await upstream.send(provider.request(request, channel), {
      signal: interruption.signal,
      headersTimeoutMs: relayTimeoutMs,
    })
    if (reply.statusCode !== 200) return fail(provider.failure(reply.statusCode, await textOf(reply)))
    const contentType = String(reply.headers['content-type'] ?? '')
    return contentType.startsWith('text/event-stream')
      ? await openStream(reply, fail)
      : await openJson(reply, contentType, fail)
  } catch (error) {
    if (interruption.cause) return { kind: 'cut' }
    if (late)
      return fail({
        ...failure(504, 'The upstream sent no token in time', { code: 'first_token_timeout' }),
        retry: 'other-channel',
      })
    // The upstream may still be working on it, and charging: no other channel is asked.
    if (isTimeout(error)) return fail(failure(504, 'The upstream did not answer in time', { code: 'upstream_timeout' }))
    return fail(failure(502, 'The upstream could not be reached, or broke off', { code: 'do_request_failed' }))
  } finally {
    clearTimeout(timer)
  }
}

type Fail = (failure: Failure) => AttemptResult

async function openJson(reply: UpstreamReply, contentType: string, fail: Fail): Promise<AttemptResult> {
  const bytes = await bytesOf(reply, REPLY_BYTES_MAX)
  const body = parseObject(bytes.toString('utf8'))
  if (!body) {
    const what = contentType.split(';')[0] || 'something that is not JSON'
    return fail(failure(502, `The upstream answered ${what} instead of JSON`, { code: 'bad_response_body' }))
  }
  if (isError(body)) return fail(errorIn(body))
  const meter = new Meter()
  meter.read(body)
  return { kind: 'json', bytes, body, meter }
}

async function openStream(reply: UpstreamReply, fail: Fail): Promise<AttemptResult> {
  const meter = new Meter()
  const rest = readEvents(reply)
  const head: StreamEvent[] = []
  let headBytes = 0
  for (;;) {
    const { value: events, done } = await rest.next()
    if (done)
      return fail(failure(502, 'The upstream ended its stream before the first token', { code: 'empty_stream' }))
    for (const [index, event] of events.entries()) {
      if (event.chunk && isError(event.chunk)) {
        reply.body.destroy()
        return fail(errorIn(event.chunk))
      }
      head.push(event)
      headBytes += event.bytes.length
      // An upstream that goes on without saying anything must not fill the memory.
      if (headBytes > EVENT_BYTES_MAX) throw new RangeError('An upstream says nothing at length')
      if (event.chunk) meter.read(event.chunk)
      if (!meter.started && !event.done) continue
      if (!meter.started) {
        reply.body.destroy()
        return fail(failure(502, 'The upstream sent an empty stream', { code: 'empty_stream' }))
      }
      return {
        kind: 'stream',
        head,
        rest: startingWith(events.slice(index + 1), rest),
        meter,
        firstTokenAt: Date.now(),
      }
    }
  }
}

async function* startingWith(
  events: StreamEvent[],
  rest: AsyncGenerator<StreamEvent[]>,
): AsyncGenerator<StreamEvent[]> {
  if (events.length) yield events
  yield* rest
}

/** The events of a stream, in the batches they arrive in. Comments and keep-alives are left out. */
async function* readEvents({ body }: UpstreamReply): AsyncGenerator<StreamEvent[]> {
  const splitter = createEventSplitter()
  for await (const chunk of body) {
    const events = splitter.push(chunk).map(toEvent).filter(isSomething)
    if (events.length) yield events
  }
  const last = splitter.flush()
  if (last.length === 0) return
  const event = toEvent(Buffer.concat([last, BLANK_LINE]))
  if (event.done || event.chunk) yield [event]
}

const BLANK_LINE = Buffer.from('\n\n')

function toEvent(bytes: Buffer): StreamEvent & { empty: boolean } {
  const data = eventData(bytes)
  // Some keep-alives arrive as data: nothing, or a comment inside it.
  const empty = data === '' || data.startsWith(':')
  const done = data === DONE
  return { bytes, done, empty, chunk: empty || done ? undefined : parseObject(data) }
}

const isSomething = ({ empty, done, chunk }: StreamEvent & { empty: boolean }): boolean =>
  !empty && (done || chunk !== undefined)

/** An error that came with status 200, or as an event of a stream. */
export function isError(body: Record<string, unknown>): boolean {
  return body.error !== undefined && body.error !== null && body.error !== '' && !Array.isArray(body.data)
}

export function errorIn(body: Record<string, unknown>): Failure {
  const error = isObject(body.error) ? body.error : { message: String(body.error) }
  const status = Number(error.code ?? error.status)
  const known = status >= 400 && status < 600 ? status : 502
  return failure(known, typeof error.message === 'string' ? error.message : 'The upstream answered with an error', {
    type: typeof error.type === 'string' ? error.type : 'upstream_error',
    code: typeof error.code === 'string' ? error.code : null,
  })
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

async function bytesOf({ body }: UpstreamReply, max: number): Promise<Buffer> {
  const parts: Buffer[] = []
  let size = 0
  for (let part = await body.read(); part; part = await body.read()) {
    parts.push(part)
    size += part.length
    if (size > max) {
      body.destroy()
      throw new Error('The upstream reply is too large')
    }
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}

/** The beginning of an error body, which may be anything and endless. */
async function textOf({ body }: UpstreamReply): Promise<string> {
  const parts: Buffer[] = []
  let size = 0
  for (let part = await body.read(); part && size <= ERROR_BYTES_MAX; part = await body.read()) {
    parts.push(part)
    size += part.length
  }
  body.destroy()
  return Buffer.concat(parts).toString('utf8')
}
