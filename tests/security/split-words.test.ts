import { describe, expect, test } from 'vitest'
import { customer, MODEL, openTestRelay } from '../support/gateway.ts'
import { completion, sendJson, usage } from '../support/hand-made-upstream.ts'

const WORD = 'schibboleth'
const TWO = 'red herring'

const open = async () => {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))))
  await fixture.toolkit.options.set(fixture.root, 'SensitiveWords', `${WORD}\n${TWO}`)
  return fixture
}
const joined = (between: string) => [...WORD].join(between)
const tags = (text: string) => text.replace(/./g, (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0)))
const selectors = Array.from({ length: 240 }, (_, at) => String.fromCodePoint(0xe0100 + at)).join('')

/** A word that a model reads, and a plain search does not find. */
const HIDDEN: readonly (readonly [how: string, text: string])[] = [
  ['tag characters between its letters', joined('\u{e0041}')],
  ['tag characters of its own', `harmless${tags(WORD)}`],
  ['tag characters for some letters', `sch${tags('ibbol')}eth`],
  ['variation selectors', joined('\ufe0f')],
  ['variation selectors beyond the basic plane', joined('\u{e0100}')],
  ['many variation selectors', `schib${selectors}boleth`],
  ['zero-width characters', joined('\u200b\u200c\u200d\u2060\ufeff')],
  ['marks of direction', joined('\u200e\u202e\u2066\u061c')],
  ['fillers', joined('\u034f\u115f\u3164\uffa0')],
  ['invisible signs of mathematics', joined('\u2061\u2062\u2063\u2064')],
  ['control characters', joined('\u0000\u001b\u007f\u0085')],
  ['line breaks', joined('\n')],
  ['line breaks of other kinds', joined('\r\n\u2028\u2029\u000b\u000c')],
  ['a line break for its blank', 'a red\nherring'],
  ['a line break beside its blank', 'a red \r\nherring'],
  ['all of them, long', `${'x'.repeat(100_000)}${joined('\u{e0041}\n\ufe0f')}`],
]

const chat = (content: unknown) => ({ messages: [{ role: 'user', content }] })
const part = (text: string) => ({ type: 'text', text })
const SPLIT: readonly (readonly [how: string, path: string, body: object])[] = [
  ['parts of a message', '/v1/chat/completions', chat([part('a schib'), part('boleth b')])],
  ['letters in parts', '/v1/chat/completions', chat([...WORD].map(part))],
  ['messages', '/v1/chat/completions', { messages: ['schib', 'boleth'].map((content) => ({ role: 'user', content })) }],
  [
    'parts with other fields between',
    '/v1/chat/completions',
    chat([
      { ...part('schib'), note: 'x', cache_control: { type: 'ephemeral', ttl: '5m' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png', note: 'y' } },
      part('boleth'),
    ]),
  ],
  ['parts with a blank between', '/v1/chat/completions', chat([part('red'), part('herring')])],
  [
    'parts, with an escape',
    '/v1/chat/completions',
    chat([part('schib'), part('{"a":"\\u0062"}'.slice(6, 12)), part('oleth')]),
  ],
  ['blocks', '/v1/messages', { max_tokens: 9, ...chat([part('schib'), part('boleth')]) }],
  [
    'blocks of the system prompt',
    '/v1/messages',
    { max_tokens: 9, system: [part('schib'), part('boleth')], ...chat('a') },
  ],
  [
    'parts of contents',
    `/v1beta/models/${MODEL}:generateContent`,
    { contents: [{ parts: [{ text: 'schib' }, { text: 'boleth' }] }] },
  ],
  [
    'items of an input',
    '/v1/responses',
    {
      input: [
        {
          role: 'user',
          content: [
            { type: 'input_text', text: 'schib' },
            { type: 'input_text', text: 'boleth' },
          ],
        },
      ],
    },
  ],
  ['prompts of a list', '/v1/completions', { prompt: ['schib', 'boleth'] }],
]

describe('a sensitive word', () => {
  test('is found with any hidden characters between its letters', async () => {
    const fixture = await open()
    for (const [how, text] of HIDDEN) {
      const answer = await fixture.chat({ model: MODEL, max_tokens: 5, ...chat(`say ${text}`) })
      expect([how, answer.json.error?.code]).toEqual([how, 'sensitive_words_detected'])
    }
    expect(fixture.upstream.seen).toEqual([])
  })

  test('is found wherever the request splits it', async () => {
    const fixture = await open()
    const { key } = await customer(fixture)
    for (const [how, path, body] of SPLIT) {
      const answer = await fixture.chat({ model: MODEL, ...body }, { path, key })
      expect([how, answer.status]).toEqual([how, 400])
      expect(answer.text).toMatch(/words that are not allowed|不允许|sensitive/)
    }
    expect(fixture.upstream.seen).toEqual([])
  })

  test('is not found in flags, emoji families and words with blanks between', async () => {
    const fixture = await open()
    const england = '\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'
    for (const content of [
      `schib boleth ${england}`,
      '👩\u200d👩\u200d👧',
      [part('schib '), part('boleth')],
      'red, herring',
    ]) {
      expect((await fixture.chat({ model: MODEL, max_tokens: 5, ...chat(content) })).status).toBe(200)
    }
  })
})
