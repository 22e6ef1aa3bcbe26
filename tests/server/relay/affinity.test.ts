import { describe, expect, test } from 'vitest'
import type { DialectName } from '../../../core/channels/routing/operations.ts'
import { pickChannel, poolOf } from '../../../core/channels/routing/routing.ts'
import type { Json } from '../../../server/relay/json.ts'
import { randomFor } from '../../../server/relay/routing/affinity.ts'
import { liveChannel } from '../../support/ask.ts'
import { createSpoiler } from '../../support/hostile-json.ts'
import { seeded } from '../../support/seeded.ts'
import { pricedAt } from '../../support/usage.ts'

const CHANNELS = Array.from({ length: 8 }, (_, index) => liveChannel(1, { id: index + 1, weight: index * 10 }))
const POOL = poolOf(CHANNELS)
const LONG = 'You are a careful assistant of an archive. '.repeat(200)

type Asked = Parameters<typeof randomFor>[0]

function asked(dialect: DialectName, body: Json, fields: Partial<Asked> = {}): Asked {
  return {
    entry: { operation: 'chat', dialect },
    caller: { user: { id: 3 }, token: { id: 5 }, pinnedChannelId: 0 } as Asked['caller'],
    model: 'gpt-4o',
    price: pricedAt({ cacheRatio: 0.5 }),
    channels: POOL,
    raw: Buffer.from(JSON.stringify(body)),
    body,
    ...fields,
  }
}

const randomOf = (dialect: DialectName, body: Json, fields?: Partial<Asked>) =>
  randomFor(asked(dialect, body, fields), { enabled: true })

/** The channels that a relay would ask, in this order. */
function order(dialect: DialectName, body: Json, fields?: Partial<Asked>): number[] {
  const random = randomOf(dialect, body, fields)
  expect(random).not.toBe(Math.random)
  const tried: number[] = []
  const may = ({ id }: { id: number }) => !tried.includes(id)
  for (let next = pickChannel(POOL, may, random); next; next = pickChannel(POOL, may, random)) tried.push(next.id)
  return tried
}

/** The first turn of a conversation, and a later one. */
const TURNS: Record<DialectName, (first: string) => [Json, Json]> = {
  'openai-chat': (first) => {
    const messages = [
      { role: 'system', content: LONG },
      { role: 'user', content: [{ type: 'text', text: first }] },
    ]
    const next = [...messages, { role: 'assistant', content: 'Yes.' }, { role: 'user', content: 'And then?' }]
    return [{ messages }, { messages: next, temperature: 0.3, stream: true }]
  },
  'openai-completions': (first) => {
    const prompt = `${first} ${LONG}`
    return [{ prompt }, { prompt: `${prompt} Yes.\nUser: And then?` }]
  },
  'openai-responses': (first) => {
    const input = [{ role: 'user', content: [{ type: 'input_text', text: first }] }]
    const reply = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Yes.' }] }
    const next = [...input, { type: 'reasoning', id: 'rs_1', summary: [] }, reply, { role: 'user', content: 'And?' }]
    return [
      { instructions: LONG, input },
      { instructions: LONG, input: next },
    ]
  },
  'anthropic-messages': (first) => {
    const system = [{ type: 'text', text: LONG, cache_control: { type: 'ephemeral' } }]
    const marked = { type: 'text', text: first, cache_control: { type: 'ephemeral' } }
    const next = [
      { role: 'user', content: [{ type: 'text', text: first }] },
      { role: 'assistant', content: 'Yes.' },
      { role: 'user', content: [{ ...marked, text: 'And then?' }] },
    ]
    return [
      { system, messages: [{ role: 'user', content: [marked] }] },
      { system, messages: next },
    ]
  },
  gemini: (first) => {
    const systemInstruction = { parts: [{ text: LONG }] }
    const contents = [{ role: 'user', parts: [{ text: first }] }]
    const next = [...contents, { role: 'model', parts: [{ text: 'Yes.' }] }, { parts: [{ text: 'And then?' }] }]
    return [
      { systemInstruction, contents },
      { systemInstruction, contents: next },
    ]
  },
}

describe.each(Object.entries(TURNS) as [DialectName, (typeof TURNS)[DialectName]][])('in %s', (dialect, turns) => {
  test('every turn of a conversation uses the same channels in the same order', () => {
    for (const first of ['Who was Ada?', 'Who was Alan?', 'x'.repeat(5000)]) {
      const [one, later] = turns(first)
      expect(order(dialect, later)).toEqual(order(dialect, one))
    }
  })

  test('conversations with the same system prompt are distributed by weight', () => {
    const CONVERSATIONS = 4000
    const drawn = new Map<number, number>()
    for (let index = 0; index < CONVERSATIONS; index++) {
      const random = randomOf(dialect, turns(`Document ${index}: ${LONG}`)[0])
      const id = pickChannel(POOL, () => true, random)?.id ?? 0
      drawn.set(id, (drawn.get(id) ?? 0) + 1)
    }

    const sum = CHANNELS.reduce((total, { weight }) => total + weight + 10, 0)
    // The numbers are the same in each run; chance alone would leave these bounds once in a thousand.
    for (const { id, weight } of CHANNELS) {
      const expected = (CONVERSATIONS * (weight + 10)) / sum
      expect(Math.abs((drawn.get(id) ?? 0) - expected)).toBeLessThan(4 * Math.sqrt(expected))
    }
  })

  test('any shape of a request is accepted', () => {
    const spoil = createSpoiler(seeded(11))
    for (let count = 0; count < 300; count++) {
      const body = spoil({ prompt_cache_key: 'x', metadata: { user_id: 'y' }, ...turns(LONG)[count % 2] })
      const random = randomOf(dialect, body)()
      expect(random >= 0 && random < 1).toBe(true)
    }
  })
})

describe("a client's conversation id", () => {
  test.each<[DialectName, Json]>([
    ['openai-chat', { prompt_cache_key: 'thread-1' }],
    ['openai-responses', { prompt_cache_key: 'thread-1' }],
    ['anthropic-messages', { metadata: { user_id: 'thread-1' } }],
  ])('is used in %s, for any text of any length', (dialect, name) => {
    const conversations = ['Who was Ada?', 'And then?'].map((first) => ({
      messages: [{ role: 'user', content: first }],
      ...name,
    }))

    expect(order(dialect, conversations[0] as Json)).toEqual(order(dialect, conversations[1] as Json))
  })

  test('is ignored in the format of another vendor', () => {
    const [body] = TURNS.gemini('Who was Ada?')
    expect(order('gemini', { ...body, prompt_cache_key: 'thread-1' })).toEqual(order('gemini', body))
  })

  test('applies to one key and one model', () => {
    const name = { prompt_cache_key: 'thread-1' }
    const orders = [
      order('openai-chat', name),
      order('openai-chat', name, { model: 'gpt-4o-mini' }),
      order('openai-chat', name, { caller: { user: { id: 3 }, token: { id: 6 } } as Asked['caller'] }),
      order('openai-chat', name, { caller: { user: { id: 4 }, token: { id: 5 } } as Asked['caller'] }),
    ]
    expect(new Set(orders.map(String)).size).toBe(4)
  })
})

describe('selection is random', () => {
  const [body] = TURNS['openai-chat']('Who was Ada?')
  const pictures = { entry: { operation: 'images' as const, dialect: 'openai-chat' as const } }

  test.each<[string, Json, Partial<Asked>]>([
    ['where cached tokens cost as much as others', body, { price: pricedAt({ cacheRatio: 1 }) }],
    ['for what is no conversation', body, pictures],
    ['among one', body, { channels: poolOf(CHANNELS.slice(0, 1)) }],
    ['for so few words that no upstream keeps them', { messages: [{ role: 'user', content: 'hello' }] }, {}],
    ['for an answer to what only the upstream remembers', { previous_response_id: `resp_${LONG}` }, {}],
  ])('%s', (_, asks, fields) => {
    expect(randomOf('openai-chat', asks, fields)).toBe(Math.random)
  })

  test('if the operator has disabled affinity', () => {
    expect(randomFor(asked('openai-chat', body), { enabled: false })).toBe(Math.random)
  })
})
