import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { parseObject, textOf } from '../json.ts'
import type { StreamEvent } from './events.ts'
import { EVENT_BYTES_MAX } from './sse.ts'

/** The lengths and the checksum at the start of each frame. */
const PRELUDE_BYTES = 12
/** A frame without headers and payload: prelude and checksum. */
const FRAME_BYTES_MIN = 16

const CODEC = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => Buffer.from(text),
)

/**
 * Splits a byte stream into frames of `application/vnd.amazon.eventstream`, independent of chunk boundaries.
 * https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html
 * Events are named by their `:event-type`, exceptions by their `:exception-type`, and errors without a type `error`. The data
 * is the JSON payload; if the payload wraps another JSON text in base64, that text.
 */
export function createFrameSplitter() {
  let held: Buffer[] = []
  let heldBytes = 0
  /** Bytes that must have arrived before the next step. */
  let wantedBytes = PRELUDE_BYTES

  return {
    /** Returns the events that are complete now. Throws RangeError for an impossible length, and Error for a wrong checksum. */
    push(piece: Buffer): StreamEvent[] {
      held.push(piece)
      heldBytes += piece.length
      // Chunks are joined only when a frame is complete, so that each byte is copied a bounded number of times.
      if (heldBytes < wantedBytes) return []
      let bytes = Buffer.concat(held)
      const events: StreamEvent[] = []
      while (bytes.length >= PRELUDE_BYTES) {
        wantedBytes = frameLength(bytes)
        if (bytes.length < wantedBytes) break
        events.push(toEvent(bytes.subarray(0, wantedBytes)))
        bytes = bytes.subarray(wantedBytes)
        wantedBytes = PRELUDE_BYTES
      }
      held = [bytes]
      heldBytes = bytes.length
      return events
    },
    /** Returns nothing: a partial frame at the end of the body is ignored. */
    flush: (): StreamEvent[] => [],
  }
}

/** Checks the length first: with a damaged one, the gateway would wait for bytes that never arrive. */
function frameLength(bytes: Buffer): number {
  const length = bytes.readUInt32BE(0)
  if (length > EVENT_BYTES_MAX) throw new RangeError('An upstream event is too large')
  if (length < FRAME_BYTES_MIN) throw new RangeError('An upstream event is shorter than its frame')
  if (crc32(bytes.subarray(0, 8)) !== bytes.readUInt32BE(8)) throw new Error('The head of an upstream event is damaged')
  return length
}

function toEvent(bytes: Buffer): StreamEvent {
  const { headers, body } = CODEC.decode(bytes)
  const header = (name: string) => textOf(headers[name]?.value) ?? ''
  const payload = Buffer.from(body).toString('utf8')
  switch (header(':message-type')) {
    case 'exception':
      return event(
        bytes,
        header(':exception-type'),
        parseObject(payload) ? payload : JSON.stringify({ message: payload }),
      )
    case 'error':
      return event(bytes, 'error', JSON.stringify({ code: header(':error-code'), message: header(':error-message') }))
    default: {
      const inner = textOf(parseObject(payload)?.bytes)
      return event(bytes, header(':event-type'), inner ? Buffer.from(inner, 'base64').toString('utf8') : payload)
    }
  }
}

function event(bytes: Buffer, name: string, data: string): StreamEvent {
  return { bytes, name, data, chunk: parseObject(data), done: false }
}
