import { describe, expect, test } from 'vitest'
import {
  highestToolPrice,
  TOOL_PRICES,
  toolCallsFromLog,
  toolPrice,
  toolQuota,
} from '../../../core/pricing/tool-prices.ts'

const at = (model: string, slug = 'openai') => ({ models: [model], slug })

describe('the price of a hosted tool', () => {
  const table = {
    search: 1,
    'search@azure': 2,
    'search:gpt-4*': 3,
    'search:gpt-4o*': 4,
    'search:o3': 5,
    'picture/high': 7,
    picture: 6,
  }
  test.each([
    ['is that of the tool', 'search', at('claude'), 1],
    ['is that of the channel type', 'search', at('claude', 'azure'), 2],
    ['is that of the longest beginning of the model', 'search', at('gpt-4o-mini', 'azure'), 4],
    ['is that of the model behind a vendor', 'search', at('openai/gpt-4.1'), 3],
    ['is that of a whole name', 'search', at('o3'), 5],
    ['is not that of a longer name', 'search', at('o3-pro'), 1],
    ['is that of the variant', 'picture/high', at('m'), 7],
    ['is that of the variant above', 'picture/high/1024x1024', at('m'), 7],
    ['is that of the tool for a variant without a row', 'picture/low/1024x1024', at('m'), 6],
    ['is none without a row', 'teleport', at('m'), undefined],
    ['is none for what every object has', 'constructor', at('m'), undefined],
  ])('%s', (_, tool, seller, price) => expect(toolPrice(table, tool, seller)).toBe(price))

  test('is the highest of all variants if none is known', () => {
    expect(highestToolPrice(table, 'picture', at('m'))).toBe(7)
    expect(highestToolPrice(table, 'teleport', at('m'))).toBeUndefined()
    const mini = highestToolPrice(TOOL_PRICES, 'image_generation', at('gpt-image-1-mini'))
    expect(mini).toBe(0.052)
  })
})

test('tool calls are rounded up once, after the group ratio', () => {
  const price = { quotaPerUnit: 500_000, groupRatio: 0.7 }
  expect(toolQuota(price, [{ tool: 'a', calls: 3, price: 0.1 }])).toBe(105_000)
  expect(toolQuota(price, [{ tool: 'a', calls: 1, price: 1e-9 }])).toBe(1)
  expect(toolQuota(price, [{ tool: 'a', calls: 5, price: 0 }])).toBe(0)
  expect(toolQuota(price, [])).toBe(0)
})

test('a stored row is read as far as possible', () => {
  const call = { tool: 'a', calls: 1, price: 0.5 }
  expect(toolCallsFromLog([call, null, 7, { tool: 'b' }, { ...call, calls: -1 }])).toEqual([call])
  expect(toolCallsFromLog('x')).toEqual([])
})
