import { isObject, objectOf, objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { PassingStream, ReplyContext } from '../dialect.ts'
import { contentError } from './errors.ts'
import { framingFor } from './framing.ts'
import { usageMetadata } from './reply-parts.ts'

/** Gemini's own events on their way through: their own bytes wherever the client takes them as they are. */
export function passingContent(context: ReplyContext): PassingStream {
  const framing = framingFor(context.query)
  const asEvents = framing.contentType.startsWith('text/event-stream')
  return {
    contentType: framing.contentType,
    ping: framing.ping,
    pass(event) {
      const { bytes, chunk, data, done } = event
      if (done) return undefined
      if (context.renamesModel && chunk && 'modelVersion' in chunk && chunk.modelVersion !== context.model) {
        return framing.piece({ ...chunk, modelVersion: context.model })
      }
      if (asEvents && isBare(bytes)) return bytes
      // What is no JSON would spoil an array, and make an SDK throw.
      return chunk ? framing.text(isOneLine(data) ? data : JSON.stringify(chunk)) : undefined
    },
    isLast: ({ chunk }: StreamEvent) => chunk !== undefined && ends(chunk),
    broken: (error) => framing.broken(contentError(error)),
    end: (usage) => (usage ? framing.piece({ usageMetadata: usageMetadata(usage) }) : '') + framing.end(),
  }
}

/** There is no event for the end: the one with a reason is the last. */
function ends(chunk: Readonly<Record<string, unknown>>): boolean {
  const finished = objectsOf(chunk.candidates).some(({ finishReason }) => textOf(finishReason))
  return finished || isObject(chunk.error) || textOf(objectOf(chunk.promptFeedback).blockReason) !== undefined
}

/** An event that SDKs read: its data comes first, and a blank line last. */
function isBare(bytes: Buffer): boolean {
  const end = bytes.subarray(-4).toString('latin1')
  return bytes.subarray(0, 5).toString('latin1') === 'data:' && /(\n\n|\r\n\r\n|\r\r)$/.test(end)
}

const isOneLine = (text: string): boolean => !/[\r\n]/.test(text)
