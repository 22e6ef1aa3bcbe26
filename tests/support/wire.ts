import { expect } from 'vitest'
import { parseObject } from '../../core/input.ts'
import type { ReplyEvent } from '../../server/relay/conversation/conversation.ts'
import type { Plan, ReplyReader } from '../../server/relay/providers/provider.ts'
import { readChunks } from '../../server/relay/transport/chunks.ts'
import type { StreamEvent } from '../../server/relay/transport/events.ts'
import { createEventSplitter, DONE, eventData, eventsIn } from '../../server/relay/transport/sse.ts'

/** Splits server-sent events like the relay. */
export function streamEvents(wire: string | Buffer, { pieceBytes }: { pieceBytes?: number } = {}): StreamEvent[] {
  const bytes = Buffer.from(wire as string)
  const splitter = createEventSplitter()
  const events: Buffer[] = []
  const step = pieceBytes ?? bytes.length
  for (let at = 0; at < bytes.length; at += step) events.push(...eventsIn(splitter, bytes.subarray(at, at + step)))
  const last = splitter.flush()
  if (last.length) events.push(last)
  return events.map(toStreamEvent).filter(({ data }) => data !== '' && !data.startsWith(':'))
}

function toStreamEvent(bytes: Buffer): StreamEvent {
  const data = eventData(bytes)
  const name = /^event: ?(.*?)\r?$/m.exec(bytes.toString('utf8'))?.[1] ?? ''
  return { bytes, data, name, done: data === DONE, payload: data === DONE ? undefined : parseObject(data) }
}

/** Returns all events that a reader parses from a stream. */
export function readStream(
  reader: ReplyReader,
  wire: string | Buffer,
  options?: { pieceBytes?: number },
): ReplyEvent[] {
  const events = streamEvents(wire, options).flatMap((event) => reader.event(event))
  return [...events, ...(reader.close?.() ?? [])]
}

/** Returns all events that the relay reads from a reply whose bytes arrive in these pieces. */
export async function readReply(
  reader: ReplyReader,
  bytes: readonly (string | Buffer)[],
  plan: Pick<Plan, 'framing' | 'readsNonJsonEvents'> = {},
): Promise<ReplyEvent[]> {
  const left = bytes.map((piece) => Buffer.from(piece as string))
  const flow = () => expect.fail('Batches are asked for one by one')
  const body = { read: async () => left.shift(), flow, destroy() {} }
  const pieces = readChunks({ body }, { plan, reader })
  const events: ReplyEvent[] = []
  for (let batch = await pieces.next(); batch; batch = await pieces.next()) {
    events.push(...batch.flatMap(({ events }) => events))
  }
  return events
}

/** Server-sent events with these payloads: an object, or `[name, object]`. */
export function sse(...payloads: (unknown | [string, unknown])[]): string {
  return payloads
    .map((payload) => {
      const [name, data] = Array.isArray(payload) ? payload : ['', payload]
      return `${name ? `event: ${name}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
    })
    .join('')
}
