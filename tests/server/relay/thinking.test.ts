import { expect, test } from 'vitest'
import { collect } from '../../../server/relay/conversation/collect.ts'
import type { ReplyEvent } from '../../../server/relay/conversation/conversation.ts'
import { thinkingToContent } from '../../../server/relay/delivery/thinking.ts'

const through = (events: readonly ReplyEvent[]) => thinkingToContent()(events)
const text = (events: ReplyEvent[]) => collect(through(events)).choices[0]?.text

test('reasoning is text in tags, opened with its first part and closed before the first text', () => {
  const reply = collect(
    through([
      { kind: 'start', id: 'a' },
      { kind: 'reasoning', text: 'Hm' },
      { kind: 'reasoning', text: 'm.' },
      { kind: 'text', text: 'Yes' },
      { kind: 'text', text: '!' },
      { kind: 'stop', reason: 'stop' },
      { kind: 'end' },
    ]),
  )
  expect(reply.choices[0]).toMatchObject({ text: '<think>\nHmm.\n</think>\nYes!', reasoning: [], stop: 'stop' })
})

test('without reasoning nothing is added', () => {
  const events: ReplyEvent[] = [
    { kind: 'reasoning', text: '' },
    { kind: 'text', text: 'Yes' },
    { kind: 'stop', reason: 'stop' },
    { kind: 'end' },
  ]
  expect(through(events)).toEqual(events.slice(1))
})

test.each<[string, ReplyEvent]>([
  ['a call', { kind: 'call', call: 0, id: 'c', name: 'f' }],
  ['the stop', { kind: 'stop', reason: 'length' }],
  ['the end', { kind: 'end' }],
])('the tag is closed before %s, if there is no text', (_, event) => {
  expect(through([{ kind: 'reasoning', text: 'Hm' }, event, { kind: 'end' }]).slice(0, 3)).toEqual([
    { kind: 'text', text: '<think>\nHm', choice: 0 },
    { kind: 'text', text: '\n</think>\n', choice: 0 },
    event,
  ])
})

test('usage in between does not close it, and signatures are dropped', () => {
  const usage = { kind: 'usage', usage: {} } as ReplyEvent
  expect(
    text([
      { kind: 'reasoning', text: 'a' },
      usage,
      { kind: 'signature', signature: 's' },
      { kind: 'reasoning', text: 'b' },
      { kind: 'text', text: 'c' },
    ]),
  ).toBe('<think>\nab\n</think>\nc')
})

test('reasoning after text has its own tags', () => {
  expect(
    text([
      { kind: 'text', text: 'a' },
      { kind: 'reasoning', text: 'b' },
      { kind: 'text', text: 'c' },
    ]),
  ).toBe('a<think>\nb\n</think>\nc')
})

test('each of several replies has its own tags', () => {
  const { choices } = collect(
    through([
      { kind: 'reasoning', text: 'a', choice: 0 },
      { kind: 'reasoning', text: 'b', choice: 1 },
      { kind: 'text', text: 'A', choice: 0 },
      { kind: 'text', text: 'B', choice: 1 },
    ]),
  )
  expect(choices.map((choice) => choice.text)).toEqual(['<think>\na\n</think>\nA', '<think>\nb\n</think>\nB'])
})

test('a stream in small chunks is the same', () => {
  const transform = thinkingToContent()
  const pieces: ReplyEvent[][] = [
    [{ kind: 'reasoning', text: 'a' }],
    [{ kind: 'reasoning', text: 'b' }],
    [{ kind: 'text', text: 'c' }],
  ]
  expect(collect(pieces.flatMap(transform)).choices[0]?.text).toBe('<think>\nab\n</think>\nc')
})
