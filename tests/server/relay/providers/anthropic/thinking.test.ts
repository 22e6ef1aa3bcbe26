import { describe, expect, test } from 'vitest'
import type { Conversation, Reasoning } from '../../../../../server/relay/conversation/conversation.ts'
import { messagesBody } from '../../../../../server/relay/providers/anthropic/messages-body.ts'

function bodyOf(model: string, fields: Partial<Conversation> = {}) {
  const turns = [{ role: 'user', parts: [{ kind: 'text', text: 'Hi' }] }] as const
  return messagesBody({ turns, tools: [], extras: {}, ...fields }, { model })
}

describe('sampling by generation', () => {
  const sampling = { temperature: 0.5, topP: 0.9, topK: 5 }
  test.each([
    ['claude-3-5-sonnet-20241022', sampling, { temperature: 0.5, top_p: 0.9, top_k: 5 }],
    ['claude-sonnet-4-20250514', sampling, { temperature: 0.5, top_p: 0.9, top_k: 5 }],
    ['claude-opus-4-1', sampling, { temperature: 0.5, top_k: 5 }],
    ['claude-opus-4-6', { topP: 0.9 }, { top_p: 0.9 }],
    ['claude-opus-4-6', { temperature: 0, topP: 0.9 }, { temperature: 0 }],
    ['claude-opus-4-7', sampling, {}],
    ['claude-opus-5', sampling, {}],
  ])('%s gets of %j only %j', (model, fields, sent) => {
    const { temperature, top_p, top_k } = bodyOf(model, fields)
    expect({ temperature, top_p, top_k }).toEqual(sent)
  })

  test.each(['claude-sonnet-4-5', 'claude-opus-4-6'])('%s gets none of them while thinking', (model) => {
    const { temperature, top_p, top_k } = bodyOf(model, { ...sampling, reasoning: { effort: 'low' } })
    expect({ temperature, top_p, top_k }).toEqual({})
  })
})

describe('models with a budget', () => {
  const MODEL = 'claude-sonnet-4-5'
  test.each<[Reasoning, number | undefined, number, number]>([
    [{ effort: 'minimal' }, 20_000, 1024, 20_000],
    [{ effort: 'low' }, 20_000, 1280, 20_000],
    [{ effort: 'medium' }, 20_000, 2048, 20_000],
    [{ effort: 'high' }, 20_000, 4096, 20_000],
    [{ effort: 'high' }, undefined, 3276, 4096],
    [{ effort: 'xhigh' }, 20_000, 16_000, 20_000],
    [{ effort: 'max' }, 20_000, 16_000, 20_000],
    [{ effort: 'low' }, 100, 1024, 1280],
    [{ budget: 10 }, 4000, 1024, 4000],
    [{ budget: 3999 }, 4000, 3999, 4000],
    [{ budget: 4000 }, 4000, 3200, 4000],
    [{ budget: 10_000 }, undefined, 10_000, 14_096],
    [{ budget: -1 }, 10_000, 8000, 10_000],
  ])('%j with a limit of %s is %i of %i tokens', (reasoning, maxTokens, budget, limit) => {
    const body = bodyOf(MODEL, { reasoning, ...(maxTokens !== undefined && { maxTokens }) })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: budget }, max_tokens: limit })
    expect(budget).toBeLessThan(limit)
  })

  test.each<Reasoning>([{ effort: 'none' }, { budget: 0 }])('do not think if requested with %j', (reasoning) => {
    expect(bodyOf(MODEL, { reasoning })).not.toHaveProperty('thinking')
  })

  test('are not forced to call while thinking, and are still limited to one call', () => {
    const tools = [{ name: 'look' }]
    const reasoning = { effort: 'high' } as const
    const forced = { tools, toolChoice: { mode: 'required', names: ['look'] }, parallelCalls: false } as const
    expect(bodyOf(MODEL, { ...forced, reasoning }).tool_choice).toEqual({
      type: 'auto',
      disable_parallel_tool_use: true,
    })
    expect(bodyOf(MODEL, forced).tool_choice).toMatchObject({ type: 'tool', name: 'look' })
  })
})

describe('models with an effort', () => {
  const MODEL = 'claude-opus-4-6'
  test.each<[Reasoning, string | undefined]>([
    [{ effort: 'minimal' }, 'low'],
    [{ effort: 'low' }, 'low'],
    [{ effort: 'medium' }, 'medium'],
    [{ effort: 'high' }, 'high'],
    [{ effort: 'xhigh' }, 'xhigh'],
    [{ effort: 'max' }, 'max'],
    [{ budget: 2047 }, 'low'],
    [{ budget: 8191 }, 'medium'],
    [{ budget: 8192 }, 'high'],
    [{ budget: -1 }, undefined],
  ])('%j is %s', (reasoning, effort) => {
    const body = bodyOf(MODEL, { reasoning })
    expect(body.thinking).toEqual({ type: 'adaptive', display: 'summarized' })
    expect(body.output_config).toEqual(effort && { effort })
    expect(body.max_tokens).toBe(4096)
  })

  test('can be told not to think, and not to show it', () => {
    expect(bodyOf(MODEL, { reasoning: { effort: 'none' } }).thinking).toEqual({ type: 'disabled' })
    expect(bodyOf(MODEL, { reasoning: { effort: 'low', visible: false } }).thinking).toMatchObject({
      display: 'omitted',
    })
  })

  test('accept both an effort and a schema', () => {
    const format = { kind: 'schema', name: 'a', schema: { type: 'boolean' } } as const
    expect(bodyOf(MODEL, { reasoning: { effort: 'low' }, format }).output_config).toEqual({
      effort: 'low',
      format: { type: 'json_schema', schema: { type: 'boolean' } },
    })
  })
})

describe('a -thinking suffix', () => {
  const MODEL = 'claude-3-7-sonnet-20250219-thinking'
  test.each([
    [10_000, 8000, 10_000],
    [100, 1024, 1280],
    [undefined, 3276, 4096],
  ])('with a limit of %s gives %i of %i tokens', (maxTokens, budget, limit) => {
    const body = bodyOf(MODEL, { temperature: 0.3, topP: 0.4, ...(maxTokens !== undefined && { maxTokens }) })
    expect(body).toMatchObject({ thinking: { type: 'enabled', budget_tokens: budget }, max_tokens: limit })
    expect(body).not.toHaveProperty('temperature')
    expect(body).not.toHaveProperty('top_p')
  })

  test("is overridden by the client's settings", () => {
    expect(bodyOf(MODEL, { reasoning: { effort: 'none' } })).not.toHaveProperty('thinking')
    expect(bodyOf(MODEL, { reasoning: { budget: 2000 }, maxTokens: 9000 }).thinking).toMatchObject({
      budget_tokens: 2000,
    })
  })

  test('is adaptive if the model thinks adaptively, and ignored if it cannot think', () => {
    expect(bodyOf('claude-opus-4-6-thinking').thinking).toMatchObject({ type: 'adaptive' })
    expect(bodyOf('claude-3-5-sonnet-20241022-thinking')).not.toHaveProperty('thinking')
  })
})

test('models that cannot think get no thinking settings', () => {
  expect(bodyOf('claude-3-5-haiku-20241022', { reasoning: { effort: 'high' }, temperature: 0.2 })).toMatchObject({
    temperature: 0.2,
  })
  expect(bodyOf('claude-3-5-haiku-20241022', { reasoning: { effort: 'high' } })).not.toHaveProperty('thinking')
})
