import { pino } from 'pino'
import { expect, test } from 'vitest'
import { refuseSensitive } from '../../../server/relay/admission/sensitive.ts'
import { openApi } from '../../support/api.ts'
import { charges } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { customer, MODEL, openTestRelay } from '../../support/gateway.ts'
import { completion, sendJson, usage } from '../../support/hand-made-upstream.ts'
import { openTestToolkit } from '../../support/toolkit.ts'

const WORD = 'Schibboleth'
const PROMPT = `please say ${WORD.toUpperCase()}!`
const content = (text: string) => ({ contents: [{ parts: [{ text }] }] })
const message = (text: unknown) => ({ messages: [{ role: 'user', content: text }] })

/** A form with a picture or a recording. */
function form(file: string, fields: Record<string, string>): FormData {
  const made = new FormData()
  for (const [name, value] of Object.entries(fields)) made.append(name, value)
  made.append(file, new Blob([new Uint8Array(100)], { type: 'image/png' }), 'a.png')
  return made
}

const OPENAI = (code = 'sensitive_words_detected') => ({ error: { code, type: 'gateway_error', param: null } })
const ANTHROPIC = { type: 'error', error: { type: 'invalid_request_error' } }
const GEMINI = { error: { code: 400, status: 'INVALID_ARGUMENT' } }
const IMAGE = OPENAI('invalid_image_request')

const REFUSED: readonly [path: string, body: object, shape: object][] = [
  ['/v1/chat/completions', message(PROMPT), OPENAI()],
  ['/v1/chat/completions', { ...message([{ type: 'text', text: PROMPT }]), stream: true }, OPENAI()],
  ['/v1/completions', { prompt: ['a', PROMPT] }, OPENAI()],
  ['/v1/responses', { input: 'a', instructions: PROMPT }, OPENAI()],
  ['/v1/messages', { max_tokens: 9, system: PROMPT, ...message('a') }, ANTHROPIC],
  [`/v1beta/models/${MODEL}:generateContent`, content(PROMPT), GEMINI],
  [`/v1beta/models/${MODEL}:streamGenerateContent`, { ...content('a'), systemInstruction: PROMPT }, GEMINI],
  [`/v1beta/models/${MODEL}:embedContent`, { content: { parts: [{ text: PROMPT }] } }, GEMINI],
  [`/v1beta/models/${MODEL}:predict`, { instances: [{ prompt: PROMPT }] }, GEMINI],
  ['/v1/embeddings', { input: [PROMPT] }, OPENAI()],
  ['/v1/moderations', { input: PROMPT }, OPENAI()],
  ['/v1/rerank', { query: 'a', documents: [PROMPT] }, OPENAI()],
  ['/v1/audio/speech', { input: PROMPT, voice: 'alloy' }, OPENAI('invalid_audio_request')],
  ['/v1/images/generations', { prompt: PROMPT }, IMAGE],
  ['/v1/images/edits', form('image', { model: MODEL, prompt: PROMPT }), IMAGE],
  ['/v1/audio/transcriptions', form('file', { model: MODEL, prompt: PROMPT }), OPENAI()],
]

async function open() {
  const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('ok', usage(5, 5))), {
    channel: { type: 1 },
  })
  await fixture.toolkit.options.set(fixture.root, 'SensitiveWords', `other\n${WORD}`)
  // Cohere ranks; type 1 does not.
  await fixture.channel({ type: 34, base_url: fixture.upstream.url, models: MODEL, priority: -1 })
  return fixture
}

test('every path rejects a prompt with a sensitive word in its format, before any upstream request, and does not repeat it', async () => {
  const fixture = await open()
  const answers = await Promise.all(
    REFUSED.map(async ([path, body]) => {
      const isForm = body instanceof FormData
      const response = await fetch(fixture.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${fixture.key}`, ...(!isForm && { 'content-type': 'application/json' }) },
        body: isForm ? body : JSON.stringify({ model: MODEL, ...body }),
      })
      return { path, status: response.status, text: await response.text() }
    }),
  )
  expect(answers.map(({ text, ...rest }) => ({ ...rest, json: JSON.parse(text) }))).toMatchObject(
    REFUSED.map(([path, , json]) => ({ path, status: 400, json })),
  )
  for (const { text } of answers) {
    expect(text).toContain('words that are not allowed')
    expect(text.toLowerCase()).not.toContain(WORD.toLowerCase())
  }
  expect(fixture.upstream.seen).toEqual([])
  expect(await charges(fixture)).toEqual([])

  // What has none passes, and a prompt of an empty account is refused for its words.
  expect(await fixture.chat(ask(MODEL))).toMatchObject({ status: 200, content: 'ok' })
  const poor = await customer(fixture, { user: { quota: 0 } })
  const refused = await post({ url: fixture.url, key: poor.key, body: { model: MODEL, ...message(PROMPT) } })
  expect(refused.json.error?.code).toBe('sensitive_words_detected')
  const person = await openApi(fixture).as(fixture.person)
  const played = await person.post('/pg/chat/completions', { model: MODEL, ...message(PROMPT) })
  expect([played.status, JSON.parse(played.text)]).toMatchObject([400, OPENAI()])
  const headers = { 'accept-language': 'zh-CN' }
  const chinese = await fixture.chat({ model: MODEL, ...message(PROMPT) }, { headers })
  expect(chinese.json.error?.message).toContain('请求包含不允许的词语')
  expect(fixture.upstream.seen).toHaveLength(1)
  await fixture.toolkit.options.set(fixture.root, 'CheckSensitiveOnPromptEnabled', 'false')
  expect(await fixture.chat({ model: MODEL, ...message(PROMPT) })).toMatchObject({ status: 200, content: 'ok' })
})

test('the words are shown only in the process log and to administrators', async () => {
  const { toolkit, root, user, token } = await openTestToolkit()
  await toolkit.options.set(root, 'SensitiveWords', WORD)
  const ann = await user()
  const key = await token(ann, { name: 'hers' })
  const live = await toolkit.callers.findToken(key.key)
  const owner = await toolkit.callers.findUser(ann.id)
  if (!live || !owner) throw new Error('The key of this test is unknown')
  const lines: string[] = []
  const logger = pino({}, { write: (line: string) => void lines.push(line) })
  const asking = { requestId: 'r1', caller: { user: owner, token: live }, group: 'default', model: MODEL }
  const refuse = (texts: string[]) =>
    refuseSensitive(
      { toolkit, logger },
      () => asking,
      () => texts,
    )

  await expect(refuse(['a', `x${WORD}`])).rejects.toMatchObject({ code: 'SENSITIVE_WORDS', params: {} })
  await expect(refuse([`${'x'.repeat(200_000)}${WORD}`])).rejects.toMatchObject({ code: 'SENSITIVE_WORDS' })
  await expect(refuse(['a', 'x'.repeat(200_000)])).resolves.toBeUndefined()

  const line = { level: 40, requestId: 'r1', userId: ann.id, tokenId: key.id, model: MODEL, words: [WORD] }
  expect(lines.map((text) => JSON.parse(text))).toMatchObject([line, line])
  const { items } = await toolkit.logs.list(root, { type: 4, username: ann.username })
  expect(items.filter(({ other }) => other.includes(WORD))).toMatchObject([{ token_name: 'hers', model_name: MODEL }])

  // The request is rejected even if the row cannot be written.
  const broken = { ...toolkit, sensitiveWords: { ...toolkit.sensitiveWords, record: () => Promise.reject('down') } }
  await expect(
    refuseSensitive(
      { toolkit: broken, logger },
      () => asking,
      () => [WORD],
    ),
  ).rejects.toMatchObject({
    code: 'SENSITIVE_WORDS',
  })
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ level: 50, requestId: 'r1' })
})
