import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../support/books.ts'
import { post } from '../support/chat.ts'
import { MODEL } from '../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../support/hand-made-upstream.ts'
import { reusedRelay } from '../support/reused.ts'

const openRelay = reusedRelay()

/*
 * An attack on the operator's money: a short address names a picture, a book or a film where the format does not define one, or
 * under a type that the gateway does not know. The upstream reads it, and its tokens exceed the balance.
 */

const BALANCE = 50_000
const unasked = (exchange: Exchange) => sendJson(exchange, { error: { message: 'asked' } }, 418)

const address = (at: number) => `https://example.com/${at}`
const many = <T>(make: (url: string) => T): T[] => Array.from({ length: 50 }, (_, at) => make(address(at)))
const user = (content: unknown) => [{ role: 'user', content }]
const chat = (content: unknown, more = {}) => ({ model: MODEL, max_tokens: 1, messages: user(content), ...more })
const responses = (input: unknown) => ({ model: MODEL, max_output_tokens: 1, input })
const messages = (content: unknown) => ({ model: MODEL, max_tokens: 1, messages: user(content) })
const gemini = (parts: unknown, more = {}) => ({ contents: [{ role: 'user', parts }], ...LIMITED, ...more })
const LIMITED = { generationConfig: { maxOutputTokens: 1 } }
const PDF = Buffer.from(`%PDF-1.4\n${'/Type /Page\n'.repeat(1000)}`).toString('base64')
const FILM = 'https://www.youtube.com/watch?v=abc'

const CHAT = '/v1/chat/completions'
const RESPONSES = '/v1/responses'
const GEMINI = `/v1beta/models/${MODEL}:generateContent`

describe('files that the balance does not cover are rejected', () => {
  test.each<[place: string, path: string, body: object]>([
    ['pictures of Responses in chat completions', CHAT, chat(many((url) => ({ type: 'input_image', image_url: url })))],
    ['pictures without a type', CHAT, chat(many((url) => ({ image_url: url })))],
    ['pictures with the type in capitals', CHAT, chat(many((url) => ({ Type: 'image_url', image_url: { url } })))],
    ['pictures of Qwen', CHAT, chat(many((url) => ({ type: 'image', image: url })))],
    [
      'pictures beside the content',
      CHAT,
      { ...chat(''), messages: [{ role: 'user', content: 'x', images: many(String) }] },
    ],
    ['pictures beside the messages', CHAT, chat('x', { images: many(String) })],
    [
      'pictures of both details',
      CHAT,
      chat(many((url) => ({ type: 'image_url', image_url: { url, detail: 'low', Detail: 'high' } }))),
    ],
    ['a recording', CHAT, chat([{ type: 'audio_url', audio_url: { url: address(1) } }])],
    ['a film', CHAT, chat([{ type: 'input_video', video_url: address(1) }])],
    ['a film as a picture', CHAT, chat([{ type: 'image_url', image_url: { url: FILM } }])],
    ["a document in Claude's format", CHAT, chat([{ type: 'document', source: { type: 'url', url: address(1) } }])],
    ['a part that is no list', CHAT, chat({ type: 'file', file_url: address(1) })],
    ['a document in extra_body', CHAT, chat('x', { extra_body: { document_url: address(1) } })],
    ['pictures of chat completions', RESPONSES, responses(user(many((url) => ({ type: 'image', image: url }))))],
    [
      'screenshots',
      RESPONSES,
      responses(
        many((image_url) => ({ type: 'computer_call_output', output: { type: 'computer_screenshot', image_url } })),
      ),
    ],
    [
      'pictures of an output beside a content',
      RESPONSES,
      responses(many((image_url) => ({ content: 'a', output: [{ type: 'input_image', image_url }] }))),
    ],
    ['pictures of chat completions in Messages', '/v1/messages', messages(many((url) => ({ image_url: { url } })))],
    [
      'documents of instructions',
      GEMINI,
      gemini([{ text: 'x' }], { systemInstruction: { parts: [fileOf('application/pdf')] } }),
    ],
    [
      'films of a result',
      GEMINI,
      gemini([{ functionResponse: { name: 'x', response: {}, parts: [fileOf('video/mp4')] } }]),
    ],
    ['a film in another case', GEMINI, gemini([{ FileData: { mimeType: 'video/mp4', fileUri: address(1) } }])],
    ['a film with the type of a picture', GEMINI, gemini([{ fileData: { mimeType: 'image/png', fileUri: FILM } }])],
    ['a document with the type of a picture', GEMINI, gemini([{ inlineData: { mimeType: 'image/png', data: PDF } }])],
    ['pictures to embed', '/v1/embeddings', { model: MODEL, input: many((image) => ({ image })) }],
    ['pictures to rank', '/v1/rerank', { model: MODEL, query: 'x', documents: many((image) => ({ image })) }],
  ])('%s', async (_, path, body) => {
    const fixture = await openRelay(unasked, { user: { quota: BALANCE } })

    const { status } = await post({ ...fixture, path, body })

    expect([status, fixture.upstream.seen.length]).toEqual([403, 0])
    await expectNothingHeld(fixture)
    expect(await expectExactBooks(fixture)).toEqual([])
  })

  const drawn = { model: 'gpt-image-1', prompt: 'x', quality: 'low', size: '1024x1024' }
  const priced = async () => {
    const fixture = await openRelay(unasked, { user: { quota: BALANCE }, channel: { models: 'gpt-image-1' } })
    await fixture.toolkit.options.set(fixture.root, 'ModelRatio', JSON.stringify({ 'gpt-image-1': 2.5 }))
    return fixture
  }

  test('pictures to draw from, in a form', async () => {
    const fixture = await priced()
    const form = new FormData()
    for (const [name, value] of Object.entries(drawn)) form.append(name, value)
    for (let at = 0; at < 16; at++) form.append('image[]', new Blob(['png']), `${at}.png`)
    const headers = { authorization: `Bearer ${fixture.key}` }

    const { status } = await fetch(`${fixture.url}/v1/images/edits`, { method: 'POST', headers, body: form })

    expect([status, fixture.upstream.seen.length]).toEqual([403, 0])
    await expectNothingHeld(fixture)
  })

  test.each(['/v1/images/edits', '/v1/images/generations'])('pictures to draw from, in JSON, of %s', async (path) => {
    const fixture = await priced()
    const body = { ...drawn, image: many(String).slice(0, 16) }

    const { status } = await post({ ...fixture, path, body })

    expect([status, fixture.upstream.seen.length]).toEqual([403, 0])
  })

  test('the prompt of a recording', async () => {
    const fixture = await openRelay(unasked, { user: { quota: BALANCE } })
    const form = new FormData()
    form.append('model', MODEL)
    form.append('prompt', 'some words '.repeat(20_000))
    form.append('file', new Blob([new Uint8Array(1000)]), 'a.webm')
    const headers = { authorization: `Bearer ${fixture.key}` }

    const { status } = await fetch(`${fixture.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })

    expect([status, fixture.upstream.seen.length]).toEqual([403, 0])
  })
})

function fileOf(mimeType: string) {
  return { fileData: { mimeType, fileUri: address(1) } }
}

test.each<[place: string, path: string, body: object]>([
  ['a text', CHAT, chat(address(1))],
  ['a text part', CHAT, chat([{ type: 'text', text: address(1) }])],
  [
    'a schema',
    CHAT,
    chat('x', { tools: [{ type: 'function', function: { name: 'f', parameters: { image: address(1) } } }] }),
  ],
  ['metadata', CHAT, chat('x', { metadata: { image: address(1) } })],
  [
    'a citation',
    RESPONSES,
    responses([{ role: 'assistant', content: [{ annotations: [{ type: 'url_citation', url: address(1) }] }] }]),
  ],
  [
    "a function's result",
    GEMINI,
    gemini([{ functionResponse: { name: 'f', response: { file: address(1), image: address(2) } } }]),
  ],
])('an address that names no file of the prompt is held as a text: %s', async (_, path, body) => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done', usage(11, 1))), {
    user: { quota: 2000 },
  })
  expect((await post({ ...fixture, path, body })).status).toBe(200)
})

test('a file is counted once', async () => {
  const fixture = await openRelay((exchange) => sendJson(exchange, completion('Done')), { user: { quota: 5_000_000 } })
  const part = { type: 'image_url', image_url: { url: address(1) } }
  expect((await fixture.chat(chat([part]))).status).toBe(200)
  const [row] = await expectExactBooks(fixture)
  expect(row?.prompt_tokens).toBeLessThan(2 * 1105)
})
