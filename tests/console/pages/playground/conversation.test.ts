import { describe, expect, test } from 'vitest'
import {
  emptyReply,
  messageRows,
  messagesBefore,
  requestFor,
  userMessage,
} from '../../../../console/pages/playground/conversation.ts'
import { DEFAULT_SETTINGS } from '../../../../console/pages/playground/settings.ts'

describe('the playground request', () => {
  test('has the chosen settings, and no limits by default', () => {
    expect(requestFor(DEFAULT_SETTINGS, [userMessage('hi', [])])).toEqual({
      messages: [{ role: 'user', content: 'hi' }],
      model: 'gpt-4o-mini',
      group: '',
      temperature: 0,
      max_tokens: 0,
    })
  })

  test('has the chosen settings only: zero is a value', () => {
    const set = { ...DEFAULT_SETTINGS, topP: 0, effort: 'low' as const, json: true, tools: '[{"type":"function"}]' }
    expect(requestFor(set, [])).toMatchObject({
      temperature: 0,
      top_p: 0,
      reasoning_effort: 'low',
      response_format: { type: 'json_object' },
      tools: [{ type: 'function' }],
    })
    const request = requestFor({ ...DEFAULT_SETTINGS, temperature: null, tools: 'no JSON' }, [])
    for (const field of ['temperature', 'top_p', 'reasoning_effort', 'response_format', 'tools'])
      expect(request).not.toHaveProperty(field)
  })

  test("of models side by side has each model's own replies", () => {
    const [one, two] = [0, 1].map((lane) => ({ ...emptyReply({ lane }), content: `reply ${lane}` }))
    if (!one || !two) throw new Error('there are two')
    const messages = [userMessage('hi', []), one, two, userMessage('and?', [])]

    const contents = requestFor(DEFAULT_SETTINGS, messages, 1).messages.map(({ content }) => content)

    expect(contents).toEqual(['hi', 'reply 1', 'and?'])
    expect(messageRows(messages).map((row) => row.length)).toEqual([1, 2, 1])
  })

  test('starts with the system prompt, has pictures as parts, and omits empty replies', () => {
    const failed = { ...emptyReply(), status: 'error' as const, error: 'overloaded' }
    const said = [userMessage('hi', []), failed, userMessage('what is it?', ['data:image/png;base64,AA'])]

    const { messages } = requestFor({ ...DEFAULT_SETTINGS, systemPrompt: 'Be brief' }, said)

    expect(messages).toEqual([
      { role: 'system', content: 'Be brief' },
      { role: 'user', content: 'hi' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'what is it?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
        ],
      },
    ])
  })

  test("never has error texts, only the model's text before the error", () => {
    const broken = { ...emptyReply(), content: 'half', status: 'error' as const, error: 'overloaded' }

    expect(requestFor(DEFAULT_SETTINGS, [userMessage('hi', []), broken]).messages).toEqual([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'half' },
    ])
  })
})

test('the conversation before a message ends before it', () => {
  const [first, second, third] = [userMessage('1', []), emptyReply(), userMessage('3', [])]
  expect(messagesBefore([first, second, third], second.id)).toEqual([first])
  expect(messagesBefore([first], 'gone')).toEqual([first])
})
