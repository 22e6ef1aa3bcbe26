import { expect, test } from 'vitest'
import { expectNothingHeld } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { MODEL, type RelayOptions } from '../../support/gateway.ts'
import { completion, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const open = reusedRelay()
const parameters = { type: 'object', properties: {} }
const messages = [{ role: 'user', content: 'hi' }]
const CHOICES: [
  client: string,
  channel: NonNullable<RelayOptions['channel']>,
  path: string,
  body: object,
  field: string,
][] = [
  [
    'chat completions',
    { type: 14 },
    '/v1/chat/completions',
    {
      ...ask(MODEL),
      tools: [{ type: 'function', function: { name: 'look', parameters } }],
      tool_choice: { type: 'function', function: { name: 'missing' } },
    },
    'tool_choice',
  ],
  [
    'Responses',
    {},
    '/v1/responses',
    {
      model: MODEL,
      input: 'hi',
      tools: [{ type: 'function', name: 'look', parameters }],
      tool_choice: { type: 'function', name: 'missing' },
    },
    'tool_choice',
  ],
  [
    'Anthropic',
    {},
    '/v1/messages',
    {
      model: MODEL,
      max_tokens: 9,
      messages,
      tools: [{ name: 'look', input_schema: parameters }],
      tool_choice: { type: 'tool', name: 'missing' },
    },
    'tool_choice',
  ],
  [
    'Gemini',
    {},
    `/v1beta/models/${MODEL}:generateContent`,
    {
      contents: [{ role: 'user', parts: [{ text: 'hi' }] }],
      tools: [{ functionDeclarations: [{ name: 'look' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['missing'] } },
    },
    'toolConfig.functionCallingConfig.allowedFunctionNames',
  ],
]

test.each(CHOICES)(
  'a choice of %s that names a function without a definition is rejected by its name',
  async (_, channel, path, body, field) => {
    const fixture = await open((exchange) => sendJson(exchange, completion('hi', usage(9, 10))), { channel })

    const refused = await post({ ...fixture, path, body })

    expect(refused).toMatchObject({
      status: 400,
      json: { error: { message: expect.stringContaining(`${field} names`) } },
    })
    expect(fixture.upstream.seen).toEqual([])
    await expectNothingHeld(fixture)
  },
)
