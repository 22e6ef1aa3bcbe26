import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { customer, MODEL, setPrices } from '../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../support/hand-made-upstream.ts'
import { startServer } from '../support/server-process.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const RECORDER = fileURLToPath(new URL('../support/modules/record.mjs', import.meta.url))

/** A model that only the price library knows. */
const LIBRARY_MODEL = 'gpt-4o-mini'
const MESSAGES = [{ role: 'user', content: 'hello' }]
const RECORDING = Buffer.from(
  'RIFF$\0\0\0WAVEfmt \x10\0\0\0\x01\0\x01\0@\x1f\0\0@\x1f\0\0\x01\0\x08\0data\0\0\0\0',
  'latin1',
)

const CALLS: readonly [path: string, body: unknown][] = [
  ['/v1/chat/completions', { model: MODEL, messages: MESSAGES }],
  ['/v1/chat/completions', { model: LIBRARY_MODEL, messages: MESSAGES }],
  ['/v1/chat/completions', { model: MODEL, messages: MESSAGES, stream: true }],
  ['/v1/completions', { model: MODEL, prompt: 'hello' }],
  ['/v1/responses', { model: MODEL, input: 'hello' }],
  ['/v1/messages', { model: MODEL, max_tokens: 5, messages: MESSAGES }],
  [`/v1beta/models/${MODEL}:generateContent`, { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] }],
  ['/v1/embeddings', { model: MODEL, input: 'hello' }],
  ['/v1/audio/transcriptions', recordingForm()],
  ['/api/user/login', { username: 'root', password: 'wrong' }],
]

function recordingForm(): FormData {
  const form = new FormData()
  form.set('model', MODEL)
  form.set('file', new Blob([RECORDING], { type: 'audio/wav' }), 'hello.wav')
  return form
}

test('the first request of each API loads no module, because all are loaded before the port opens', async () => {
  const fixture = await openTestToolkit()
  // With a result of each kind.
  const results = { data: [{ index: 0, embedding: [1] }], text: 'hi' }
  const upstream = await startUpstream((exchange) =>
    sendJson(exchange, { ...completion('hi', usage(9, 1)), ...results }),
  )
  await setPrices(fixture)
  await fixture.channel({ base_url: upstream.url, models: `${MODEL},${LIBRARY_MODEL}` })
  const { key } = await customer(fixture)
  const file = join(fixture.config.dataFolder, 'modules.txt')
  const server = await startServer(fixture, {}, { NODE_OPTIONS: `--import ${RECORDER}`, MODULES_FILE: file })
  const loaded = async () => (await readFile(file, 'utf8')).split('\n')
  const before = await loaded()
  expect(before.length).toBeGreaterThan(500)

  const statuses: number[] = []
  for (const [path, body] of CALLS) {
    const form = body instanceof FormData
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, ...(!form && { 'content-type': 'application/json' }) },
      body: form ? body : JSON.stringify(body),
    })
    await response.arrayBuffer()
    statuses.push(response.status)
  }

  expect((await loaded()).slice(before.length - 1).filter(Boolean)).toEqual([])
  expect(statuses).toEqual(CALLS.map(() => 200))
})
