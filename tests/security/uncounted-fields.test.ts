import { expect, test } from 'vitest'
import { charges, expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { ask } from '../support/chat.ts'
import { MODEL } from '../support/gateway.ts'
import { completion, sendJson, usage } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

const openRelay = reusedRelay()

/** Some 40 000 tokens, which cost more than twice the balance. */
const LONG = 'some words of a long text '.repeat(8000)
const BALANCE = 50_000

const message = (fields: object) =>
  ask(MODEL, { max_tokens: 1, messages: [{ role: 'assistant', content: 'x', ...fields }] })
const part = (fields: object) => message({ content: [fields] })
const PDF = `data:application/pdf;base64,${Buffer.from(`%PDF-1.4\n${'/Type /Page\n'.repeat(3000)}`).toString('base64')}`

const PLACES: readonly (readonly [place: string, path: string, body: object])[] = [
  ['the content', '/v1/chat/completions', message({ content: LONG })],
  ['arguments of a function', '/v1/chat/completions', message({ function_call: { name: 'f', arguments: LONG } })],
  ['reasoning', '/v1/chat/completions', message({ reasoning_content: LONG })],
  ['a refusal', '/v1/chat/completions', message({ refusal: LONG })],
  ['a part of another kind', '/v1/chat/completions', part({ type: 'refusal', refusal: LONG })],
  ['a list where a text is expected', '/v1/chat/completions', part({ type: 'text', text: [LONG] })],
  ['a field that only some upstreams know', '/v1/chat/completions', ask(MODEL, { max_tokens: 1, documents: [LONG] })],
  ['a file beside a text', '/v1/chat/completions', part({ type: 'file', text: '', file: { file_data: PDF } })],
  ['the suffix', '/v1/completions', { model: MODEL, prompt: 'x', suffix: LONG, max_tokens: 1 }],
  [
    'data of hidden thoughts',
    '/v1/messages',
    {
      model: MODEL,
      max_tokens: 1,
      messages: [
        { role: 'user', content: 'x' },
        { role: 'assistant', content: [{ type: 'redacted_thinking', data: LONG }] },
      ],
    },
  ],
]

test.each(PLACES)('a prompt that the balance does not cover is rejected, also in %s', async (_, path, body) => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done', usage(40_000, 1))), {
    user: { quota: BALANCE },
  })

  const { status } = await fixture.chat(body, { path })

  expect(status).toBe(403)
  expect(fixture.upstream.seen).toEqual([])
  await expectNothingHeld(fixture)
  expect(await expectExactBooks(fixture)).toEqual([])
})

test('a usual request is held by its text only', async () => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done', usage(11, 1))), {
    user: { quota: 1000 },
  })
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object', properties: {} } } }]

  expect((await fixture.chat(ask(MODEL, { max_tokens: 1, tools }))).status).toBe(200)
})

test('speech that the balance does not cover is rejected', async () => {
  const fixture = await openRelay((exchange) => exchange.response.end('audio'), { user: { quota: 5000 } })
  const body = { model: MODEL, input: 'some words to be spoken '.repeat(150), voice: 'alloy' }

  expect((await fixture.chat(body, { path: '/v1/audio/speech' })).status).toBe(403)
  expect(fixture.upstream.seen).toEqual([])
  await expectNothingHeld(fixture)
})

test.each(PLACES)('a prompt in %s is charged by its size if no usage is reported', async (_, path, body) => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done')), {
    user: { quota: 50_000_000 },
  })

  expect((await fixture.chat(body, { path })).status).toBe(200)
  await expectNothingHeld(fixture)
  const [row] = await charges(fixture)
  expect(row?.prompt_tokens).toBeGreaterThan(20_000)
  await expectExactBooks(fixture)
})

test.each([
  ['an alphabet', 'some words to be spoken '.repeat(150), 3333],
  ['a dense script', '春眠不觉晓'.repeat(200), 3472],
])('speech in %s is charged by its length if no usage is reported', async (_, input, tokens) => {
  const fixture = await openRelay((exchange) => exchange.response.end('audio'), { user: { quota: 5_000_000 } })

  expect((await fixture.chat({ model: MODEL, input, voice: 'alloy' }, { path: '/v1/audio/speech' })).status).toBe(200)
  await expectNothingHeld(fixture)
  const [row] = await charges(fixture)
  expect(row?.completion_tokens).toBe(tokens)
})

test('choices that are generated and not returned are held', async () => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done', usage(11, 1))), {
    user: { quota: 10_000 },
  })
  const body = ask(MODEL, { max_tokens: 1000, n: 1, best_of: 100 })

  expect((await fixture.chat(body)).status).toBe(403)
  expect(fixture.upstream.seen).toEqual([])
})
