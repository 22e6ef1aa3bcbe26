import { expect, test } from 'vitest'
import { plainUsage } from '../../../../../server/relay/charging/usage.ts'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { withStops } from '../../../../../server/relay/providers/openai/stops.ts'
import type { ReplyReader } from '../../../../../server/relay/providers/provider.ts'

const text = (words: string): ReplyEvent => ({ kind: 'text', text: words })
const usage: ReplyEvent = { kind: 'usage', usage: plainUsage(1, 9) }
const stop: ReplyEvent = { kind: 'stop', reason: 'length' }
const end: ReplyEvent = { kind: 'end' }

function read(events: readonly ReplyEvent[], stops: readonly string[]): ReplyEvent[] {
  const inner: ReplyReader = { event: () => [], whole: () => [...events] }
  return withStops(inner, stops).whole({})
}
const wordsIn = (events: readonly ReplyEvent[]) =>
  events.flatMap((event) => (event.kind === 'text' ? [event.text] : [])).join('')

test('a reply ends before its first stop sequence, though it arrives in chunks', () => {
  const call: ReplyEvent = { kind: 'call', call: 0, id: 'c', name: 'f' }
  const events = read([text('one E'), text('N'), text('D two'), call, stop, usage, end], ['STOP', 'END'])
  expect(wordsIn(events)).toBe('one ')
  expect(events.slice(1)).toEqual([{ kind: 'stop', reason: 'stop', sequence: 'END' }, usage, end])
})

test('a partial match of a sequence is sent, at the end too', () => {
  const events = read([text('a E'), text('x EN'), stop, usage, end], ['END'])
  expect(wordsIn(events)).toBe('a Ex EN')
  expect(events.at(-3)).toEqual(stop)
})

test('a reply that starts with the sequence is empty, and reported so', () => {
  expect(read([text('END'), stop, end], ['END'])).toEqual([
    text(''),
    { kind: 'stop', reason: 'stop', sequence: 'END' },
    end,
  ])
})
