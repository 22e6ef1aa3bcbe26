import { describe, expect, test } from 'vitest'
import { contextText, modalityOf, providerOf } from '../../../../console/pages/pricing/catalog.ts'
import { snippetsFor } from '../../../../console/pages/pricing/model-snippets.ts'
import {
  filterPrices,
  formatPrice,
  modelPriceOf,
  type PriceSort,
  sortPrices,
} from '../../../../console/pages/pricing/prices.ts'
import { CHANNEL_TYPES } from '../../../../core/channels/types/types.ts'

const usage = {
  model_name: 'gpt-4o',
  quota_type: 0,
  model_price: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  owner_by: '',
  context_window: 0,
  enable_groups: ['default'],
}
const call = { ...usage, model_name: 'dall-e-3', quota_type: 1, model_price: 0.04, enable_groups: ['vip'] }

describe('the price of a model', () => {
  test('by usage is model ratio × 2 × group ratio for a million prompt tokens, times the completion ratio for output', () => {
    expect(modelPriceOf(usage, { groupRatio: 2, quotaPerUnit: 500_000 })).toEqual({
      prompt: 1.25 * 2 * 2,
      completion: 1.25 * 2 * 2 * 4,
      cached: undefined,
    })
  })

  test('follows the value of quota', () => {
    expect(modelPriceOf(usage, { groupRatio: 1, quotaPerUnit: 1_000_000 })).toMatchObject({ prompt: 1.25 })
  })

  test('has the price of cached tokens if known', () => {
    const detail = { cache_ratio: 0.5 }
    expect(modelPriceOf(usage, { groupRatio: 1, quotaPerUnit: 500_000, detail })).toMatchObject({ cached: 1.25 })
  })

  test('per call is the price × group ratio', () => {
    expect(modelPriceOf(call, { groupRatio: 3, quotaPerUnit: 500_000 })).toEqual({ perCall: 0.04 * 3 })
  })

  test.each([
    [2.5, '$2.50'],
    [0.1 + 0.2, '$0.30'],
    [0.000075, '$0.000075'],
    [1234.5, '$1,234.50'],
  ])('%d reads %s', (dollars, text) => {
    expect(formatPrice(dollars)).toBe(text)
  })
})

test.each([
  [{ keyword: 'GPT', type: '', mine: '', provider: '', modality: '' }, ['gpt-4o']],
  [{ keyword: '', type: '1', mine: '', provider: '', modality: '' }, ['dall-e-3']],
  [{ keyword: '', type: '', mine: 'yes', provider: '', modality: '' }, ['gpt-4o']],
  [{ keyword: '', type: '', mine: '', provider: 'OpenAI', modality: 'image' }, ['dall-e-3']],
  [{ keyword: '', type: '', mine: '', provider: 'Anthropic', modality: '' }, []],
  [{ keyword: 'dall', type: '', mine: 'yes', provider: '', modality: '' }, []],
])('the filters %o match %o', (filters, names) => {
  expect(filterPrices([usage, call], filters, 'default').map(({ model_name }) => model_name)).toEqual(names)
})

test('the vendor of a model follows from its name, for any reseller', () => {
  const names = [
    'gpt-4o',
    'openai/o3-mini',
    'claude-sonnet-4',
    'deepseek-r1-distill-llama',
    'text-embedding-3-small',
    'mine',
  ]
  expect(names.map((name) => [providerOf(name), modalityOf(name)])).toEqual([
    ['OpenAI', 'text'],
    ['OpenAI', 'text'],
    ['Anthropic', 'text'],
    ['DeepSeek', 'text'],
    ['OpenAI', 'embedding'],
    ['', 'text'],
  ])
})

test('the order is by prompt price, with per-call models last', () => {
  const cheap = { ...usage, model_name: 'z-cheap', model_ratio: 0.1, context_window: 1_000_000 }
  const order = (sort: PriceSort) => sortPrices([call, usage, cheap], sort).map(({ model_name }) => model_name)

  expect(order('cheapest')).toEqual(['z-cheap', 'gpt-4o', 'dall-e-3'])
  expect(order('dearest')).toEqual(['gpt-4o', 'z-cheap', 'dall-e-3'])
  expect(order('context')[0]).toBe('z-cheap')
  expect(order('name')).toEqual(['dall-e-3', 'gpt-4o', 'z-cheap'])
})

test.each([
  [0, '–'],
  [4_096, '4k'],
  [128_000, '128k'],
  [1_048_576, '1M'],
])('a context of %d tokens reads %s', (tokens, text) => expect(contextText(tokens)).toBe(text))

test.each([
  ['mj_imagine', '/mj/submit/imagine'],
  ['mj_video', '/mj/submit/video'],
  ['mj_custom_zoom', '/mj/submit/action'],
  ['swap_face', '/mj/insight-face/swap'],
  ['suno_music', '/suno/submit/music'],
  ['dall-e-3', '/v1/images/generations'],
  ['whisper-1', '/v1/audio/transcriptions'],
  ['gpt-4o-mini-transcribe', '/v1/audio/transcriptions'],
  ['tts-1', '/v1/audio/speech'],
  ['gpt-4o-realtime-preview', 'wss://api.example.com/v1/realtime?model=gpt-4o-realtime-preview'],
  ['gpt-4o-audio-preview', '/v1/chat/completions'],
])('the snippet of %s calls %s', (model, path) => {
  const [snippet] = snippetsFor(model, modalityOf(model), 'https://api.example.com/')
  expect(snippet?.code).toContain(path)
})

test('every action of a drawing or music channel has a snippet that submits a task', () => {
  const actions = CHANNEL_TYPES.flatMap((type) => ('tasks' in type && type.tasks ? type.models : []))
  for (const model of actions) {
    const [snippet] = snippetsFor(model, modalityOf(model), 'https://api.example.com')
    expect(snippet?.code).toMatch(/^curl https:\/\/api\.example\.com\/(mj|suno)\//)
  }
  expect(actions).toContain('swap_face')
})

test.each(['sora-2', 'veo-3', 'chirp-v3-0'])('%s, which no path of the gateway serves, has no snippet', (model) => {
  expect(snippetsFor(model, modalityOf(model), 'https://api.example.com')).toEqual([])
})

test('a shell snippet quotes any model name', () => {
  const [shell] = snippetsFor("o'model", 'text', 'https://api.example.com/')
  expect(shell?.code).toContain('https://api.example.com/v1/chat/completions')
  expect(shell?.code).toContain(`"model":"o'\\''model"`)
})
