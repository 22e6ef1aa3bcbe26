import { expect, test } from 'vitest'
import { Meter } from '../../../server/relay/charging/meter.ts'
import type { ReplyEvent } from '../../../server/relay/conversation/conversation.ts'

test('a meter has all output, in order, in any number of chunks', () => {
  const meter = new Meter()
  const pieces = Array.from({ length: 1000 }, (_, index) => `${index} `)
  const steps: ReplyEvent[] = pieces.map((text, index) => ({ kind: index % 2 ? 'text' : 'reasoning', text }))

  for (const step of steps) meter.read([step])
  meter.read([{ kind: 'call', call: 0, id: 'call_1', name: 'look' }])

  expect(meter.text).toBe(`${pieces.join('')}look`)
  expect(meter.textLength).toBe(meter.text.length)
})

test('a meter ignores an implausible number of tool calls', () => {
  const meter = new Meter()

  meter.read([{ kind: 'hosted', tool: 'web_search', calls: 3 }])
  for (const calls of [1e15, Number.POSITIVE_INFINITY]) meter.read([{ kind: 'hosted', tool: 'web_search', calls }])

  expect(meter.hosted).toEqual(new Map([['web_search', 3]]))
})
