import { describe, expect, test } from 'vitest'
import type { Conversation, Part } from '../../../../../server/relay/conversation/conversation.ts'
import { anthropic } from '../../../../../server/relay/providers/anthropic/anthropic.ts'
import { askFor, contextWith, liveChannel } from '../../../../support/ask.ts'

const MODEL = 'claude-sonnet-4-5'
const ID = `toolu_${'a'.repeat(24)}`
const OTHER_ID = `toolu_${'b'.repeat(24)}`
const REPLY = {
  content: [
    { type: 'thinking', thinking: 'Look first.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'ZA' },
    { type: 'text', text: 'Looking.' },
    { type: 'tool_use', id: ID, name: 'look', input: {} },
    { type: 'thinking', thinking: 'And listen.', signature: 'c2ln2' },
    { type: 'tool_use', id: OTHER_ID, name: 'hear', input: {} },
  ],
}

function nextRequest(answer: Part[]): Conversation {
  return {
    turns: [
      { role: 'user', parts: [{ kind: 'text', text: 'Hi' }] },
      { role: 'assistant', parts: answer },
    ],
    tools: [{ name: 'look' }],
    reasoning: { effort: 'low' },
    extras: {},
  }
}

async function send(conversation: Conversation, context: ReturnType<typeof contextWith>) {
  const plan = await anthropic.plan(askFor({ model: MODEL, conversation }), liveChannel(14), context)
  return { reader: plan.reader, body: JSON.parse(String(plan.request.body)) }
}

const call = (id: string, name = 'look'): Part => ({ kind: 'call', id, name, arguments: '{}' })

describe('a client that returns no reasoning', () => {
  test('gets it restored in its place, so that the model continues to think', async () => {
    const context = contextWith()
    const first = await send(nextRequest([]), context)
    first.reader?.whole(REPLY)

    const { body } = await send(
      nextRequest([{ kind: 'text', text: 'Looking.' }, call(ID), call(OTHER_ID, 'hear')]),
      context,
    )
    expect(body.messages[1].content).toEqual(REPLY.content)
    expect(body.thinking).toMatchObject({ type: 'enabled' })
  })

  test('continues without thinking if it is gone', async () => {
    const { body } = await send(nextRequest([call(ID)]), contextWith())
    expect(body).not.toHaveProperty('thinking')
  })

  test('gets none of another conversation, though calls there have the same short id', async () => {
    const context = contextWith()
    const first = await send(nextRequest([]), context)
    first.reader?.whole({ content: [REPLY.content[0], { type: 'tool_use', id: 'call_0', name: 'look', input: {} }] })

    const { body } = await send(nextRequest([call('call_0')]), context)
    expect(JSON.stringify(body)).not.toContain('Look first.')
  })
})

test('a client that returns reasoning has precedence', async () => {
  const context = contextWith()
  const first = await send(nextRequest([]), context)
  first.reader?.whole(REPLY)

  const ownReasoning: Part = { kind: 'reasoning', text: 'Mine', signature: 'b3du' }
  const { body } = await send(nextRequest([ownReasoning, call(ID)]), context)
  expect(body.messages[1].content).toMatchObject([{ thinking: 'Mine' }, { type: 'tool_use' }])
})
