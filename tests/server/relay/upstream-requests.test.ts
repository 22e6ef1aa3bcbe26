import { describe, expect, test } from 'vitest'
import type { NewChannel } from '../../../core/channels/channel.ts'
import { mappedModel } from '../../../server/relay/routing/attempts.ts'
import { charges, otherOf } from '../../support/books.ts'
import { ask, post } from '../../support/chat.ts'
import { MODEL, setPrices } from '../../support/gateway.ts'
import {
  completion,
  type Exchange,
  onlyRequest,
  say,
  sendJson,
  sendStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../support/reused.ts'

const openRelay = reusedRelay()

const works = (exchange: Exchange) => sendJson(exchange, completion('ok', usage(5, 5)))
const open = (answer: (exchange: Exchange) => unknown, channel: Partial<NewChannel> = {}) =>
  openRelay(answer, { channel })

describe('the upstream request', () => {
  /** An unknown field that no JSON library leaves as it is, keys in no order, odd blanks. */
  const raw = `{ "zeta":12345678901234567890,"model":"${MODEL}" , "messages":[{"role":"user","content":"\\u0041"}],
    "nested":{"exact":1.10,"tiny":1e-7},"alpha":[ 1.0,-0 ] }`

  test('is unchanged if nothing is mapped', async () => {
    const fixture = await open(works)

    expect((await fixture.chat(raw)).status).toBe(200)

    expect(onlyRequest(fixture.upstream).raw.toString()).toBe(raw)
  })

  test('of a stream only gains the usage option: every other byte is unchanged', async () => {
    const fixture = await open((exchange) => sendStream(exchange, [say('hi'), stopChunk(), usageChunk(usage(5, 5))]))
    const streamed = raw.replace('{ "zeta"', '{ "stream":true, "zeta"')

    expect((await fixture.chat(streamed)).complete).toBe(true)

    const arrived = onlyRequest(fixture.upstream).raw.toString()
    expect(arrived).toContain(streamed.slice(1))
    expect(JSON.parse(arrived)).toMatchObject({ stream_options: { include_usage: true } })
  })

  test.each([
    ['/v1/chat/completions', {}],
    ['/v1/messages', { max_tokens: 9 }],
  ])('to %s names no other models that could reply instead of the paid one', async (path, needed) => {
    const fixture = await open(works)

    const others = { models: ['dear/model'], fallbacks: [{ model: 'dear/model' }], route: 'fallback' }
    expect(
      (await fixture.chat(ask(MODEL, { ...needed, ...others, provider: { sort: 'price' } }), { path })).status,
    ).toBe(200)

    const { body } = onlyRequest(fixture.upstream)
    expect(body).toMatchObject({ model: MODEL })
    for (const name of Object.keys(others)) expect(body).not.toHaveProperty(name)
    expect(body.provider).toEqual(path === '/v1/chat/completions' ? { sort: 'price' } : undefined)
  })

  test('has the mapped model, at the end of the chain; the client is charged for the requested one', async () => {
    const fixture = await open(works, {
      model_mapping: JSON.stringify({ [MODEL]: 'first-alias', 'first-alias': 'the-real-one' }),
    })
    await fixture.toolkit.options.set(fixture.root, 'OutputTokensMax', JSON.stringify({ 'the-real-one': 1000 }))

    expect((await fixture.chat(ask(MODEL, { extra: { kept: true } }))).status).toBe(200)

    expect(onlyRequest(fixture.upstream).body).toEqual({ ...ask(MODEL), model: 'the-real-one', extra: { kept: true } })
    const [log] = await charges(fixture)
    expect(log?.model_name).toBe(MODEL)
    expect(log && otherOf(log)).toMatchObject({ is_model_mapped: true, upstream_model_name: 'the-real-one' })
  })

  test('does not loop forever in a mapping stored by another program', () => {
    expect(mappedModel('a', { a: 'b', b: 'c', c: 'b' })).toBe('c')
  })

  test("has the channel's key, and only the allowed headers of the client", async () => {
    const fixture = await open(works, { key: 'sk-of-the-channel' })

    await post({
      ...fixture,
      path: `/v1/chat/completions?key=${fixture.key}&trace=1`,
      key: undefined,
      headers: {
        cookie: 'session=secret',
        'x-api-key': fixture.key,
        'x-forwarded-for': '10.1.2.3',
        'openai-beta': 'a=v1',
      },
      body: ask(MODEL),
    })

    const { path, headers } = onlyRequest(fixture.upstream)
    expect(headers).toMatchObject({ authorization: 'Bearer sk-of-the-channel', 'openai-beta': 'a=v1' })
    expect(JSON.stringify({ path, headers })).not.toContain(fixture.key.slice(3))
    expect(headers).not.toHaveProperty('cookie')
    expect(headers).not.toHaveProperty('x-forwarded-for')
  })
})

describe('Azure', () => {
  const AZURE = 3
  const azure = { type: AZURE, key: 'azure-secret-key', other: '2025-01-01', models: 'gpt-3.5-turbo' }

  async function openAzure(answer: (exchange: Exchange) => unknown, channel: Partial<NewChannel> = {}) {
    const fixture = await open(answer, { ...azure, ...channel })
    await setPrices(fixture, { 'gpt-3.5-turbo': 1 })
    return fixture
  }

  test('gets the deployment without dots, the api-version of the channel and its key in api-key', async () => {
    const fixture = await openAzure((exchange) =>
      sendJson(exchange, completion('ok', usage(5, 5), { model: 'gpt-35-turbo-0613' })),
    )

    const answer = await fixture.chat(ask('gpt-3.5-turbo'))

    const { path, headers } = onlyRequest(fixture.upstream)
    expect(path).toBe('/openai/deployments/gpt-35-turbo/chat/completions?api-version=2025-01-01')
    expect(headers['api-key']).toBe('azure-secret-key')
    expect(headers).not.toHaveProperty('authorization')
    expect(answer).toMatchObject({ status: 200, json: { model: 'gpt-3.5-turbo' } })
  })

  test("accepts the client's api-version", async () => {
    const fixture = await openAzure(works)

    await post({ ...fixture, path: '/v1/chat/completions?api-version=2026-06-01', body: ask('gpt-3.5-turbo') })

    expect(onlyRequest(fixture.upstream).path).toContain('?api-version=2026-06-01')
  })

  test('streams have the requested model name, and no prompt filter chunk', async () => {
    const filter = {
      id: '',
      object: '',
      created: 0,
      model: '',
      choices: [],
      prompt_filter_results: [{ prompt_index: 0 }],
    }
    const fixture = await openAzure((exchange) =>
      sendStream(exchange, [
        filter,
        { ...say('hi'), model: 'gpt-35-turbo-0613' },
        stopChunk(),
        usageChunk(usage(5, 5)),
      ]),
    )

    const answer = await fixture.chat(ask('gpt-3.5-turbo', { stream: true }))

    expect(answer).toMatchObject({ content: 'hi', complete: true })
    expect(new Set(answer.events.map(({ model }) => model))).toEqual(new Set(['gpt-3.5-turbo']))
    expect(answer.text).not.toContain('prompt_filter_results')
  })
})
