import OpenAI from 'openai'
import { expect, test, vi } from 'vitest'
import { expectExactBooks, expectNothingHeld, untilCharged } from '../../../support/books.ts'
import { MODEL, openTestRelay, priceOf, type RelayOptions, serve } from '../../../support/gateway.ts'
import {
  completion,
  type Exchange,
  event,
  say,
  sendJson,
  sendStream,
  startStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'

const clientOf = ({ url, key }: { url: string; key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

onBoth('a response in the background', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) =>
    openTestRelay(answer, {
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })
  const streamed = (exchange: Exchange) =>
    sendStream(exchange, [say('Hi '), say('there'), stopChunk(), usageChunk(usage(20, 12))])
  const statusOf = async (client: OpenAI, id: string) => (await client.responses.retrieve(id)).status

  test('runs after its client has its id, is charged once, and is read in any process', async () => {
    const fixture = await relay(streamed)
    const other = await serve({ ...fixture, toolkit: await fixture.another() })
    const begun = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', background: true })
    expect(begun).toMatchObject({ status: 'queued', background: true, output: [] })
    const elsewhere = clientOf({ ...fixture, url: other.url })
    await expect.poll(() => statusOf(elsewhere, begun.id)).toBe('completed')
    expect(await elsewhere.responses.retrieve(begun.id)).toMatchObject({
      id: begun.id,
      background: true,
      output_text: 'Hi there',
      usage: { input_tokens: 20 },
    })
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(20, 12))
    await expectNothingHeld(fixture)

    await elsewhere.responses
      .create({ model: MODEL, input: 'and?', previous_response_id: begun.id, stream: true })
      .then((stream) => stream.toReadableStream().cancel())
    expect(fixture.upstream.seen[1]?.body.messages).toHaveLength(3)
  })

  test("is read from an upstream's own events, whose lines may end by CRLF", async () => {
    const response = { id: 'resp_1', object: 'response', status: 'completed', output: [], usage: { input_tokens: 20 } }
    const fixture = await relay(
      (exchange) => {
        startStream(exchange)
        const data = JSON.stringify({ type: 'response.completed', sequence_number: 0, response })
        exchange.response.end(`event: response.completed\r\ndata:${data}\r\n\r\n`)
      },
      { channel: { setting: JSON.stringify({ dialects: ['openai-responses'] }) } },
    )
    const client = clientOf(fixture)
    const { id } = await client.responses.create({ model: MODEL, input: 'hello', background: true })
    await expect.poll(() => statusOf(client, id)).toBe('completed')
  })

  test('that is too large to be stored is failed, and costs its output', async () => {
    const piece = 'x'.repeat(1_000_000)
    const answer = (exchange: Exchange) =>
      sendStream(exchange, [...Array.from({ length: 9 }, () => say(piece)), stopChunk(), usageChunk(usage(20, 12))])
    const fixture = await relay(answer, { user: { quota: 10 ** 12 } })
    const client = clientOf(fixture)
    const begun = await client.responses.create({ model: MODEL, input: 'hello', background: true })
    await expect.poll(() => statusOf(client, begun.id)).toBe('failed')
    const ended = await client.responses.retrieve(begun.id)
    expect(ended).toMatchObject({
      output: [],
      error: { code: 'server_error', message: expect.stringContaining('too large') },
    })
    const [log] = await expectExactBooks(fixture)
    expect(log?.quota).toBe(priceOf(20, 12))
  })

  test('is canceled in another process, and costs its output', async () => {
    const fixture = await relay((exchange) => {
      startStream(exchange)
      exchange.response.write(event(say('half')))
    })
    const other = await serve({ ...fixture, toolkit: await fixture.another() })
    const begun = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', background: true })
    await expect.poll(() => fixture.upstream.seen.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 200))
    const cancelled = await clientOf({ ...fixture, url: other.url }).responses.cancel(begun.id)
    expect(cancelled.status).toBe('cancelled')
    await untilCharged(fixture, 1)
    const [log] = await expectExactBooks(fixture)
    expect(log?.completion_tokens).toBeGreaterThan(0)
    await expectNothingHeld(fixture)
    expect(await statusOf(clientOf(fixture), begun.id)).toBe('cancelled')
  })

  test('that fails has the reason, and costs nothing', async () => {
    const fixture = await relay((exchange) =>
      sendJson(exchange, { error: { message: 'No', type: 'invalid_request_error', code: 'bad' } }, 400),
    )
    const begun = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', background: true })
    await expect.poll(() => statusOf(clientOf(fixture), begun.id)).toBe('failed')
    expect(await clientOf(fixture).responses.retrieve(begun.id)).toMatchObject({
      error: { message: expect.stringContaining('No') },
    })
    expect(await expectExactBooks(fixture)).toEqual([])
    await expectNothingHeld(fixture)
  })

  test('whose process has died is reported as failed', async () => {
    const fixture = await relay(streamed)
    const begun = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', background: true })
    await expect.poll(() => statusOf(clientOf(fixture), begun.id)).toBe('completed')
    await fixture.toolkit.db.transaction((trx) => trx('stored_responses').update({ node_id: 'dead' }))
    expect(await statusOf(clientOf(fixture), begun.id)).toBe('failed')
    await expect(
      clientOf(fixture).responses.create({ model: MODEL, input: 'x', previous_response_id: begun.id }),
    ).rejects.toMatchObject({ status: 404 })
  })

  test('is rejected if the user has 50 running ones, also in a burst', async () => {
    let isStalled = true
    const stalled: Exchange[] = []
    const fixture = await relay((exchange) => (isStalled ? stalled.push(exchange) : streamed(exchange)), {
      user: { quota: 10 ** 12 },
    })
    const client = clientOf(fixture)
    const create = () => client.responses.create({ model: MODEL, input: 'hello', background: true })
    const results = await Promise.allSettled(Array.from({ length: 60 }, create))
    const rejected = results.filter((result) => result.status === 'rejected')
    expect(rejected.map(({ reason }) => reason)).toEqual(Array(10).fill(expect.objectContaining({ status: 429 })))

    await expect.poll(() => stalled.length).toBe(50)
    isStalled = false
    for (const exchange of stalled) streamed(exchange)
    await expect.poll(() => create().then(({ status }) => status, String)).toBe('queued')
  })

  test('that cannot be stored does not count as running', async () => {
    const fixture = await relay(streamed)
    const client = clientOf(fixture)
    const create = () => client.responses.create({ model: MODEL, input: 'hello', background: true })
    const add = vi.spyOn(fixture.toolkit.responses, 'add').mockResolvedValue(false)
    for (let i = 0; i < 51; i++) await expect(create()).rejects.toMatchObject({ status: 413 })
    add.mockRestore()
    expect(await create()).toMatchObject({ status: 'queued' })
  })

  test.each([
    ['stream', { stream: true }],
    ['store', { store: false }],
  ])('is rejected with %s', async (param, body) => {
    const fixture = await relay(streamed)
    await expect(
      clientOf(fixture).responses.create({ model: MODEL, input: 'hello', background: true, ...body } as never),
    ).rejects.toMatchObject({ status: 400, param })
  })

  test('cannot be canceled if it is in the foreground', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello' })
    await expect(clientOf(fixture).responses.cancel(made.id)).rejects.toMatchObject({ status: 400 })
    await expect(clientOf(fixture).responses.cancel('resp_none')).rejects.toMatchObject({ status: 404 })
  })

  test('cannot be created by a client that claims to be the gateway', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const client = new OpenAI({
      apiKey: fixture.key,
      baseURL: `${fixture.url}/v1`,
      defaultHeaders: { 'tollgate-inner-call': 'x' },
    })
    const made = await client.responses.create({ model: MODEL, input: 'hello' })
    expect(made).toMatchObject({ store: true })
  })
})

onBoth('a compaction', (open) => {
  test('is a summary by the model, which any upstream can continue', async () => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, completion('Ann likes tea.', usage(20, 12))), {
      gateway: async ({ settings }) => {
        const opened = await open()
        const gateway = await serve(opened, { settings })
        return { ...opened, gateway, url: gateway.url }
      },
    })
    const client = clientOf(fixture)
    const compacted = await client.responses.compact({
      model: MODEL,
      input: [
        { role: 'user', content: 'I am Ann.' },
        { type: 'function_call', call_id: 'c1', name: 'taste', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'tea' },
      ],
    })
    expect(compacted).toMatchObject({
      object: 'response.compaction',
      output: [{ role: 'user' }, { type: 'compaction' }],
      usage: { input_tokens: 20 },
    })
    const sent = fixture.upstream.seen[0]?.body.messages as { role: string; content: string }[]
    expect(sent.map(({ content }) => content)).toEqual([
      expect.stringContaining('Summarize'),
      'I am Ann.',
      '[Called taste: {}]',
      '[Result of the call: tea]',
      'Write the summary now.',
    ])
    await client.responses.create({
      model: MODEL,
      input: [...(compacted.output as OpenAI.Responses.ResponseInputItem[]), { role: 'user', content: 'And?' }],
    })
    expect(JSON.stringify(fixture.upstream.seen[1]?.body.messages)).toContain('Ann likes tea.')
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12)])
    await expect(client.responses.compact({ model: MODEL })).rejects.toMatchObject({ status: 400, param: 'input' })
  })
})
