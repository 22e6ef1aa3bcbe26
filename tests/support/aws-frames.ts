import { EventStreamCodec } from '@smithy/eventstream-codec'
import type { ReplyEvent } from '../../server/relay/conversation/conversation.ts'
import type { ReplyReader } from '../../server/relay/providers/provider.ts'
import { createFrameSplitter } from '../../server/relay/transport/aws-frames.ts'

const CODEC = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => Buffer.from(text),
)

/** A frame with these text headers and this payload. */
export function frame(headers: Record<string, string>, payload: unknown = {}): Buffer {
  const typed = Object.entries(headers).map(([name, value]) => [name, { type: 'string' as const, value }])
  const body = Buffer.from(typeof payload === 'string' ? payload : JSON.stringify(payload))
  return Buffer.from(CODEC.encode({ headers: Object.fromEntries(typed), body }))
}

/** Frames of one event each: `[type, payload]`. */
export function frames(...events: [type: string, payload: unknown][]): Buffer {
  return Buffer.concat(
    events.map(([type, payload]) => frame({ ':message-type': 'event', ':event-type': type }, payload)),
  )
}

/** Frames of `invoke-with-response-stream`, with each event in base64. */
export function chunkFrames(...events: unknown[]): Buffer {
  return frames(
    ...events.map((event): [string, unknown] => [
      'chunk',
      { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdef' },
    ]),
  )
}

/** Returns all events that a reader parses from frames. */
export function readFrames(reader: ReplyReader, wire: Buffer): ReplyEvent[] {
  const events = createFrameSplitter().push(wire)
  return [...events.flatMap((event) => reader.event(event)), ...(reader.close?.() ?? [])]
}
