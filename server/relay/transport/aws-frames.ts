import { crc32 } from 'node:zlib'
import { EventStreamCodec } from '@smithy/eventstream-codec'
import { parseObject } from '../../../core/input.ts'
import { textOf } from '../json.ts'
import type { StreamEvent } from './events.ts'
import { EVENT_BYTES_MAX } from './sse.ts'

/** Size of a frame's start, which consists of two lengths and a checksum. */
const PRELUDE_BYTES = 12
/** Size of a frame without headers and payload. */
const FRAME_BYTES_MIN = 16

const CODEC = new EventStreamCodec(
  (bytes) => (typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString()),
  (text) => Buffer.from(text),
)

/**
 * Splits a stream of `application/vnd.amazon.eventstream` into frames. Chunks may end anywhere.
 * https://docs.aws.amazon.com/transcribe/latest/dg/event-stream.html
 *
 * The name of an event is its header `:event-type` or `:exception-type`, or `error`. The data of an event is the JSON
 * payload, or the JSON that the payload contains as base64.
 */
export function createFrameSplitter() {
  let pending: Buffer[] = []
  let pendingBytes = 0
  /** The number of bytes to wait for before the next step of parsing. */
  let wantedBytes = PRELUDE_BYTES

  return {
    /**
     * Adds bytes and returns the complete events. Throws RangeError for an impossible length, and Error for a wrong
     * checksum.
     */
    push(chunk: Buffer): StreamEvent[] {
      pending.push(chunk)
      pendingBytes += chunk.length
      // Join chunks only when enough bytes have arrived. Otherwise, a large frame would be copied for each chunk.
      if (pendingBytes < wantedBytes) return []
      let bytes = Buffer.concat(pending)
      const events: StreamEvent[] = []
      while (bytes.length >= PRELUDE_BYTES) {
        wantedBytes = frameLength(bytes)
        if (bytes.length < wantedBytes) break
        events.push(toEvent(bytes.subarray(0, wantedBytes)))
        bytes = bytes.subarray(wantedBytes)
        wantedBytes = PRELUDE_BYTES
      }
      pending = [bytes]
      pendingBytes = bytes.length
      return events
    },
  }
}

/**
 * Returns the length of a frame. Throws for a wrong length, because the gateway would wait for bytes that never arrive.
 */
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
  return { bytes, name, data, payload: parseObject(data), done: false }
}
