import { describe, expect, test } from 'vitest'
import { claudeModel } from '../../../../../server/relay/providers/anthropic/models.ts'

describe('rules of a Claude model follow from its name', () => {
  test.each([
    ['claude-3-opus-20240229', 'both', 'none', false],
    ['claude-3-5-sonnet-20241022', 'both', 'none', false],
    ['claude-3-7-sonnet-20250219', 'both', 'budget', false],
    ['claude-sonnet-4-20250514', 'both', 'budget', false],
    ['claude-opus-4-0', 'both', 'budget', false],
    ['claude-opus-4-1-20250805', 'one', 'budget', false],
    ['claude-sonnet-4-5-20250929', 'one', 'budget', true],
    ['anthropic/claude-haiku-4.5', 'one', 'budget', true],
    ['claude-opus-4-6', 'one', 'adaptive', true],
    ['claude-opus-4-7', 'none', 'adaptive', true],
    ['claude-opus-4-10', 'none', 'adaptive', true],
    ['claude-opus-5', 'none', 'adaptive', true],
    ['claude-sonnet-5-20270101', 'none', 'adaptive', true],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 'one', 'budget', true],
    ['anthropic.claude-3-haiku-20240307-v1:0', 'both', 'none', false],
    ['claude-opus-4-1@20250805', 'one', 'budget', false],
    ['claude-mythos-preview', 'none', 'adaptive', true],
    ['glm-4.7', 'both', 'budget', false],
  ] as const)('%s: sampling %s, thinking %s, schema %s', (name, sampling, thinking, schema) => {
    expect(claudeModel(name)).toMatchObject({ name, sampling, thinking, supportsSchema: schema, isRetired: false })
  })

  test.each(['claude-2', 'claude-2.1', 'claude-instant-1.2'])('%s is retired', (name) => {
    expect(claudeModel(name).isRetired).toBe(true)
  })

  test('a -thinking suffix is not part of the name, except for other vendors', () => {
    expect(claudeModel('claude-3-7-sonnet-20250219-thinking')).toMatchObject({
      name: 'claude-3-7-sonnet-20250219',
      hasThinkingSuffix: true,
      thinking: 'budget',
    })
    expect(claudeModel('kimi-k2-thinking')).toMatchObject({ name: 'kimi-k2-thinking', hasThinkingSuffix: false })
  })
})
