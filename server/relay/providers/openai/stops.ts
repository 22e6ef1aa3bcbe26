import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { ReplyReader } from '../provider.ts'

/** Kinds of events that clients get even after a stop sequence. */
const AFTER_STOP = new Set<ReplyEvent['kind']>(['start', 'usage', 'hosted', 'stored', 'error', 'end'])

/**
 * Wraps a reader of a format without stop sequences, and ends the reply at the first stop sequence. Delays text that
 * may be the start of a sequence. Reads the reply to its end, which has the usage.
 */
export function withStops(reader: ReplyReader, stops: readonly string[]): ReplyReader {
  const sequences = stops.filter((sequence) => sequence !== '')
  if (sequences.length === 0) return reader
  let pending = ''
  let sequence: string | undefined
  let hasSentText = false

  function flush(): ReplyEvent[] {
    const text = pending
    pending = ''
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  function readText(text: string): ReplyEvent[] {
    pending += text
    const match = firstMatch(pending, sequences)
    if (match) {
      sequence = match.sequence
      const before = pending.slice(0, match.at)
      pending = ''
      // Return the first text even if it is empty, because a reply without events counts as failed.
      return before === '' && hasSentText ? [] : [{ kind: 'text', text: before }]
    }
    const pendingLength = overlap(pending, sequences)
    const readyText = pending.slice(0, pending.length - pendingLength)
    pending = pending.slice(pending.length - pendingLength)
    if (readyText === '') return []
    hasSentText = true
    return [{ kind: 'text', text: readyText }]
  }

  function read(event: ReplyEvent): ReplyEvent[] {
    if (sequence !== undefined) {
      if (event.kind === 'stop') return [{ kind: 'stop', reason: 'stop', sequence }]
      return AFTER_STOP.has(event.kind) ? [event] : []
    }
    if (event.kind === 'text') return readText(event.text)
    return event.kind === 'usage' || event.kind === 'start' ? [event] : [...flush(), event]
  }

  return {
    event: (event) => reader.event(event).flatMap(read),
    whole: (body) => reader.whole(body).flatMap(read),
    close: () => [...(reader.close?.() ?? []).flatMap(read), ...flush()],
  }
}

function firstMatch(text: string, sequences: readonly string[]): { at: number; sequence: string } | undefined {
  let first: { at: number; sequence: string } | undefined
  for (const sequence of sequences) {
    const at = text.indexOf(sequence)
    if (at >= 0 && (!first || at < first.at)) first = { at, sequence }
  }
  return first
}

/** Returns the number of characters at the end of a text that are the start of a sequence. */
export function overlap(text: string, sequences: readonly string[]): number {
  const lengthMax = Math.max(...sequences.map(({ length }) => length)) - 1
  for (let length = Math.min(lengthMax, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (sequences.some((sequence) => sequence.startsWith(end))) return length
  }
  return 0
}
