import { isRecord, recordOf } from '../../../../core/records.ts'
import { objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyContext, StreamForwarder } from '../dialect.ts'
import { contentError } from './errors.ts'
import { framingFor } from './framing.ts'
import { usageMetadata } from './reply-parts.ts'

/** Forwards Gemini's events, with their bytes unchanged if possible. */
export function contentForwarder(context: ReplyContext): StreamForwarder {
  const framing = framingFor(context.query)
  const asEvents = framing.contentType.startsWith('text/event-stream')
  return {
    contentType: framing.contentType,
    ping: framing.ping,
    forward(event) {
      const { bytes, payload, data, done } = event
      if (done) return undefined
      if (context.renamesModel && payload && 'modelVersion' in payload && payload.modelVersion !== context.model) {
        return framing.frameChunk({ ...payload, modelVersion: context.model })
      }
      if (asEvents && isReadableEvent(bytes)) return bytes
      // Skip data that is not a JSON object: such data would make a JSON array invalid, and SDKs would fail.
      return payload ? framing.frameJson(isOneLine(data) ? data : JSON.stringify(payload)) : undefined
    },
    isLast: ({ payload }: StreamEvent) => payload !== undefined && isFinalChunk(payload),
    broken: (error) => framing.broken(contentError(error)),
    end: (usage) => (usage ? framing.frameChunk({ usageMetadata: usageMetadata(usage) }) : '') + framing.end(),
  }
}

/** Whether a chunk can be the last. Gemini has no end event: a finish reason, error or block reason marks the end. */
function isFinalChunk(chunk: Readonly<Record<string, unknown>>): boolean {
  const hasFinishReason = objectsOf(chunk.candidates).some(({ finishReason }) => textOf(finishReason))
  return hasFinishReason || isRecord(chunk.error) || textOf(recordOf(chunk.promptFeedback).blockReason) !== undefined
}

/** Whether SDKs can read the event's bytes: they must start with `data:` and end with a blank line. */
function isReadableEvent(bytes: Buffer): boolean {
  const end = bytes.subarray(-4).toString('latin1')
  return bytes.subarray(0, 5).toString('latin1') === 'data:' && /(\n\n|\r\n\r\n|\r\r)$/.test(end)
}

const isOneLine = (text: string): boolean => !/[\r\n]/.test(text)
