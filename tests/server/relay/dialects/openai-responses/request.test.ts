import { describe, expect, test } from 'vitest'
import { estimatePrompt } from '../../../../../server/relay/counting/prompt.ts'
import type { Body } from '../../../../../server/relay/dialects/dialect.ts'
import { openaiResponses } from '../../../../../server/relay/dialects/openai-responses/dialect.ts'

const { check, prompt, limit, withSystemPrompt } = openaiResponses

describe('a request is validated', () => {
  test.each([{}, { input: '' }, { input: [] }, { input: null }])('for its input: %j', (body) => {
    expect(() => check(body)).toThrow('field input is required')
  })

  test('for an invalid input', () => {
    expect(() => check({ input: 7 })).toThrow('input must be a text or an array of items')
  })

  test.each([{ max_output_tokens: -1 }, { max_output_tokens: '5' }, { max_output_tokens: 1.5 }])(
    'for its limit: %j',
    (body) => {
      expect(() => check({ input: 'a', ...body })).toThrow('max_output_tokens must be a whole number from 0 to')
    },
  )

  test('for stream', () => {
    expect(() => check({ input: 'a', stream: 'yes' })).toThrow('stream must be true or false')
  })

  const passing: Body[] = [
    { input: 'a', max_output_tokens: 0 },
    { input: [{ role: 'user', content: 'a' }] },
    { previous_response_id: 'resp_1' },
    { conversation: 'conv_1' },
    { prompt: { id: 'pmpt_1' } },
    { input: 'a', background: false },
  ]
  test.each(passing)('and accepted if an upstream may support it: %j', (body) => {
    expect(() => check(body)).not.toThrow()
  })
})

describe('a prompt is measured', () => {
  const size = (body: Body) => estimatePrompt(prompt(body))

  test('with instructions, items, results, calls, thoughts and tools', () => {
    const texts = prompt({
      instructions: 'instructions',
      input: [
        { role: 'user', content: [{ type: 'input_text', text: 'words' }] },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'thought' }] },
        { type: 'function_call', call_id: 'c', name: 'look', arguments: '{"a":1}' },
        { type: 'function_call_output', call_id: 'c', output: 'result' },
      ],
      tools: [{ type: 'function', name: 'look' }],
      text: { format: { type: 'json_schema', name: 'form' } },
    }).texts.join(' ')
    for (const part of ['instructions', 'words', 'thought', 'look', 'a', 'result', 'form'])
      expect(texts).toContain(part)
  })

  test('with pictures by their kind, not by their bytes', () => {
    const image = (detail: string) => ({
      input: [
        {
          role: 'user',
          content: [{ type: 'input_image', image_url: `data:image/png;base64,${'A'.repeat(9e5)}`, detail }],
        },
      ],
    })
    expect(size(image('low'))).toBeLessThan(200)
    expect(size(image('high'))).toBeGreaterThan(1000)
    expect(size(image('high'))).toBeLessThan(2000)
  })

  test('as a text', () => {
    expect(prompt({ input: 'hello' }).texts).toEqual(['hello'])
  })
})

test("with the client's limit, for one reply", () => {
  expect(limit({ max_output_tokens: 9 })).toEqual({ tokens: 9, choices: 1 })
  expect(limit({ max_output_tokens: 9, max_tokens: 90, n: 3 })).toEqual({ tokens: 90, choices: 1 })
  expect(limit({})).toEqual({ tokens: undefined, choices: 1 })
})

describe('a system prompt', () => {
  test('becomes the instructions if there are none', () => {
    expect(withSystemPrompt({ input: 'a' }, 'P', { before: false })).toEqual({ input: 'a', instructions: 'P' })
  })

  test.each([{ input: 'a', instructions: 'I' }, { input: [{ role: 'developer', content: 'I' }] }])(
    'keeps existing ones: %j',
    (body) => {
      expect(withSystemPrompt(body, 'P', { before: false })).toEqual(body)
    },
  )

  test('precedes existing ones if configured', () => {
    expect(withSystemPrompt({ input: 'a', instructions: 'I' }, 'P', { before: true })).toMatchObject({
      instructions: 'P\n\nI',
    })
    const input = [{ role: 'system', content: 'I' }]
    expect(withSystemPrompt({ input }, 'P', { before: true })).toEqual({ input, instructions: 'P' })
  })
})

test('a background response is rejected, because it could be neither charged nor fetched', () => {
  expect(() => check({ model: 'm', input: 'hi', background: true })).toThrow(
    expect.objectContaining({ code: 'REQUEST_MALFORMED', params: { reason: expect.stringContaining('background') } }),
  )
  expect(() => check({ model: 'm', input: 'hi', background: false })).not.toThrow()
})
