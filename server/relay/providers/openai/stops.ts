import type { ReplyEvent } from '../../conversation/conversation.ts'
import type { ReplyReader } from '../provider.ts'

/** What is still told after a stop sequence: the rest of the reply is not the client's. */
const AFTER_STOP = new Set<ReplyEvent['kind']>(['start', 'usage', 'hosted', 'stored', 'error', 'end'])

/**
 * Ends a reply at the first stop sequence, for formats that have no field for them. The upstream writes on, and is read to its
 * end: it reports what it charges. Text that may be the beginning of a sequence waits for what follows.
 */
export function withStops(reader: ReplyReader, stops: readonly string[]): ReplyReader {
  const sequences = stops.filter((sequence) => sequence !== '')
  if (sequences.length === 0) return reader
  let waiting = ''
  let sequence: string | undefined
  let hasSaid = false

  function release(): ReplyEvent[] {
    const text = waiting
    waiting = ''
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  function said(text: string): ReplyEvent[] {
    waiting += text
    const match = firstMatch(waiting, sequences)
    if (match) {
      sequence = match.sequence
      const before = waiting.slice(0, match.at)
      waiting = ''
      // A reply that says nothing at all would be taken for a failure.
      return before === '' && hasSaid ? [] : [{ kind: 'text', text: before }]
    }
    const kept = beginningOfStop(waiting, sequences)
    const now = waiting.slice(0, waiting.length - kept)
    waiting = waiting.slice(waiting.length - kept)
    if (now === '') return []
    hasSaid = true
    return [{ kind: 'text', text: now }]
  }

  function read(event: ReplyEvent): ReplyEvent[] {
    if (sequence !== undefined) {
      if (event.kind === 'stop') return [{ kind: 'stop', reason: 'stop', sequence }]
      return AFTER_STOP.has(event.kind) ? [event] : []
    }
    if (event.kind === 'text') return said(event.text)
    return event.kind === 'usage' || event.kind === 'start' ? [event] : [...release(), event]
  }

  return {
    event: (event) => reader.event(event).flatMap(read),
    whole: (body) => reader.whole(body).flatMap(read),
    close: () => [...(reader.close?.() ?? []).flatMap(read), ...release()],
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

/** How many characters at the end of a text a sequence may begin with. */
function beginningOfStop(text: string, sequences: readonly string[]): number {
  const longest = Math.max(...sequences.map(({ length }) => length)) - 1
  for (let length = Math.min(longest, text.length); length > 0; length--) {
    const end = text.slice(-length)
    if (sequences.some((sequence) => sequence.startsWith(end))) return length
  }
  return 0
}
