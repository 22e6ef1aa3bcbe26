import { expect, test } from 'vitest'
import type { ReplyEvent } from '../../../../../server/relay/conversation/conversation.ts'
import { openaiChat } from '../../../../../server/relay/dialects/openai-chat/dialect.ts'
import { payloads, replyContext, writtenStream } from '../../../../support/reply-context.ts'

const REPLY: ReplyEvent[] = [
  { kind: 'reasoning', text: 'hm' },
  { kind: 'text', text: 'Hi' },
  { kind: 'text', text: ' there' },
  { kind: 'stop', reason: 'stop' },
  { kind: 'end' },
]

interface Chunk {
  choices: { delta: { role?: string }; finish_reason: string | null }[]
}
const chunksOf = (body: Record<string, unknown>) =>
  payloads(writtenStream(openaiChat, REPLY, { context: replyContext({ body }) })) as unknown as Chunk[]

test('the role occurs once, and first', () => {
  const roles = chunksOf({}).map(({ choices }) => choices[0]?.delta.role)
  expect(roles[0]).toBe('assistant')
  expect(roles.slice(1).filter(Boolean)).toEqual([])
})

test('each chunk has choices, and a reason only at the end; the usage chunk is sent on request', () => {
  const plain = chunksOf({})
  for (const { choices } of plain) expect(choices).toHaveLength(1)
  expect(plain.map(({ choices }) => choices[0]?.finish_reason)).toEqual([...plain.slice(1).map(() => null), 'stop'])
  const withUsage = chunksOf({ stream_options: { include_usage: true } })
  expect(withUsage.slice(0, -1).map(({ choices }) => choices.length)).toEqual(plain.map(() => 1))
  expect(withUsage.at(-1)).toMatchObject({ choices: [], usage: { prompt_tokens: 20, completion_tokens: 12 } })
})

test('the hold covers the larger of both limits, times the choices', () => {
  expect(openaiChat.limit({ max_tokens: 5, max_completion_tokens: 9 })).toEqual({ tokens: 9, choices: 1 })
  expect(openaiChat.limit({ max_completion_tokens: 7, n: 2 })).toEqual({ tokens: 7, choices: 2 })
  expect(openaiChat.limit({})).toEqual({ tokens: undefined, choices: 1 })
  const others = [
    { max_output_tokens: 90 },
    { thinking_budget: 90 },
    { thinking: { type: 'enabled', budget_tokens: 90 } },
    { reasoning: { max_tokens: 90 } },
  ]
  for (const other of others) expect(openaiChat.limit({ max_tokens: 5, ...other })).toEqual({ tokens: 90, choices: 1 })
})

test('more than 128 choices are rejected by their field', () => {
  const messages = [{ role: 'user', content: 'a' }]
  expect(() => openaiChat.check({ messages, n: 128 })).not.toThrow()
  expect(() => openaiChat.check({ messages, n: 1_000_000_000 })).toThrow('n must be at most 128')
})

test('every tool is part of the prompt', () => {
  const tool = (name: string) => ({ type: 'function', function: { name, parameters: { type: 'object' } } })
  const { texts } = openaiChat.prompt({ messages: [{ role: 'user', content: 'x' }], tools: ['one', 'two'].map(tool) })
  for (const name of ['one', 'two']) expect(texts.join(' ')).toContain(name)
})
