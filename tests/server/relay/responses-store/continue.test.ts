import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { expectExactBooks } from '../../../support/books.ts'
import { post } from '../../../support/chat.ts'
import {
  type Customer,
  customer,
  keyOf,
  MODEL,
  priceOf,
  type RelayOptions,
  serve,
  type TestRelay,
} from '../../../support/gateway.ts'
import {
  completion,
  type Exchange,
  say,
  sendJson,
  sendStream,
  stopChunk,
  usage,
  usageChunk,
} from '../../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../../support/reused.ts'
import { onBoth } from '../../../support/toolkit.ts'

const openRelay = reusedRelay()

const clientOf = ({ url, key }: { url: string; key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

onBoth('a stored response', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = {}) =>
    openRelay(answer, {
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })
  const chatting = (options: RelayOptions = {}) =>
    relay((exchange) => {
      if (exchange.body.stream === true)
        sendStream(exchange, [say('Hi '), say('there'), stopChunk(), usageChunk(usage(20, 12))])
      else sendJson(exchange, completion('Hi there', usage(20, 12)))
    }, options)
  /** A second process over the same database. */
  const anotherProcess = async (fixture: TestRelay) => {
    const gateway = await serve({ ...fixture, toolkit: await fixture.another() })
    return { ...fixture, url: gateway.url }
  }
  const messagesOf = ({ upstream }: TestRelay, at: number) => upstream.seen[at]?.body.messages

  test('is continued with an upstream of chat completions, in either process', async () => {
    const fixture = await chatting()
    const other = await anotherProcess(fixture)
    const first = await clientOf(fixture).responses.create({
      model: MODEL,
      instructions: 'Be brief.',
      input: 'My name is Ann.',
    })
    expect(first).toMatchObject({ store: true, previous_response_id: null })

    const second = await clientOf(other)
      .responses.stream({ model: MODEL, input: 'Who am I?', previous_response_id: first.id })
      .finalResponse()
    const third = await clientOf(fixture).responses.create({
      model: MODEL,
      input: 'Sure?',
      previous_response_id: second.id,
    })

    expect(second).toMatchObject({ store: true, previous_response_id: first.id })
    // Instructions are of their own request alone.
    expect(messagesOf(fixture, 1)).toEqual([
      { role: 'user', content: 'My name is Ann.' },
      { role: 'assistant', content: 'Hi there' },
      { role: 'user', content: 'Who am I?' },
    ])
    expect(messagesOf(fixture, 2)).toHaveLength(5)
    expect(fixture.upstream.seen[1]?.body).not.toHaveProperty('previous_response_id')
    expect(fixture.upstream.seen[1]?.body).not.toHaveProperty('store')
    expect(third.previous_response_id).toBe(second.id)
    const logs = await expectExactBooks(fixture)
    expect(logs.map(({ quota }) => quota)).toEqual([priceOf(20, 12), priceOf(20, 12), priceOf(20, 12)])
  })

  test('is read, listed and deleted by the key that created it, and by no other', async () => {
    const fixture = await chatting()
    const other = await anotherProcess(fixture)
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', metadata: { a: 'b' } })
    const stranger: Customer = await customer(fixture)
    const secondKey = { key: keyOf(await fixture.token(fixture.person)) }

    expect(await clientOf(other).responses.retrieve(made.id)).toMatchObject({
      id: made.id,
      output: made.output,
      metadata: { a: 'b' },
    })
    const items = await clientOf(other).responses.inputItems.list(made.id)
    expect(items.data).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello' }] },
    ])
    for (const { key } of [stranger, secondKey]) {
      const theirs = clientOf({ url: fixture.url, key })
      await expect(theirs.responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
      await expect(theirs.responses.delete(made.id)).rejects.toMatchObject({ status: 404 })
      await expect(
        theirs.responses.create({ model: MODEL, input: 'x', previous_response_id: made.id }),
      ).rejects.toMatchObject({ status: 404, code: 'previous_response_not_found' })
      const [output] = made.output
      await expect(
        theirs.responses.create({ model: MODEL, input: [{ type: 'item_reference', id: String(output?.id) }] }),
      ).rejects.toMatchObject({ status: 404 })
    }
    await clientOf(other).responses.delete(made.id)
    await expect(clientOf(fixture).responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
    await expect(
      clientOf(fixture).responses.create({ model: MODEL, input: 'x', previous_response_id: made.id }),
    ).rejects.toMatchObject({ status: 404 })
    expect(fixture.upstream.seen).toHaveLength(1)
    expect(await fixture.toolkit.db.reader('stored_response_items').select()).toEqual([])
  })

  test('has items that later requests can reference', async () => {
    const fixture = await chatting()
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello' })
    const reference = { type: 'item_reference' as const, id: String(made.output[0]?.id) }
    const second = await clientOf(fixture).responses.create({
      model: MODEL,
      input: [{ role: 'user', content: 'hello' }, reference, { role: 'user', content: 'and?' }],
    })
    expect(messagesOf(fixture, 1)).toEqual([
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: 'Hi there' },
      { role: 'user', content: 'and?' },
    ])
    // What refers to items is gone on from with their content.
    await clientOf(fixture).responses.create({ model: MODEL, input: 'so?', previous_response_id: second.id })
    expect(messagesOf(fixture, 2)).toHaveLength(5)
    const listed = await clientOf(fixture).responses.inputItems.list(second.id, { order: 'asc' })
    expect(listed.data.map((item) => ('content' in item ? item.content : undefined))).toMatchObject([
      [{ text: 'hello' }],
      [{ text: 'Hi there' }],
      [{ text: 'and?' }],
    ])
  })

  test('has items that an id alone references', async () => {
    const fixture = await chatting()
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello' })
    const id = String(made.output[0]?.id)

    const again = await post({
      ...fixture,
      path: '/v1/responses',
      body: { model: MODEL, input: [{ id }, { role: 'user', content: 'go on' }] },
    })

    expect(again.status).toBe(200)
    expect(messagesOf(fixture, 1)).toEqual([
      { role: 'assistant', content: 'Hi there' },
      { role: 'user', content: 'go on' },
    ])
  })

  test('counts in the input tokens of what continues it, for its own key', async () => {
    const fixture = await chatting()
    const client = clientOf(fixture)
    const made = await client.responses.create({ model: MODEL, input: 'a long story about the sea '.repeat(40) })
    const conversation = await client.conversations.create({
      items: [{ type: 'message', role: 'user', content: 'a '.repeat(300) }],
    })
    const count = async (continued: object, openAi = client) =>
      (await openAi.responses.inputTokens.count({ model: MODEL, input: 'And then?', ...continued })).input_tokens
    const alone = await count({})

    expect(await count({ previous_response_id: made.id })).toBeGreaterThan(alone + 200)
    expect(await count({ conversation: conversation.id })).toBeGreaterThan(alone + 200)
    const stranger = clientOf({ url: fixture.url, key: (await customer(fixture)).key })
    await expect(count({ previous_response_id: made.id }, stranger)).rejects.toMatchObject({ status: 404 })
  })

  test('that was too large reports its missing pictures', async () => {
    const fixture = await chatting({ user: { quota: 1_000_000_000 } })
    const image_url = `data:image/png;base64,${'A'.repeat(9 * 1024 * 1024)}`
    const input = [{ role: 'user', content: [{ type: 'input_image', image_url }] }]
    const { json } = await post({ ...fixture, path: '/v1/responses', body: { model: MODEL, input } })
    const next = await post({
      ...fixture,
      path: '/v1/responses',
      body: { model: MODEL, input: 'and?', previous_response_id: json.id },
    })
    expect(next.headers.get('tollgate-omitted')).toBe('input[0].content[0]')
    expect(JSON.stringify(messagesOf(fixture, 1))).toContain('too large to be stored')
    const { response } = await clientOf(fixture).responses.retrieve(String(json.id)).withResponse()
    expect(response.headers.get('tollgate-omitted')).toBe('input[0].content[0]')
  })

  test('is encrypted in the database', async () => {
    const fixture = await chatting()
    await clientOf(fixture).responses.create({ model: MODEL, input: 'a very secret word' })
    const [row] = await fixture.toolkit.db.reader('stored_responses').select()
    expect(JSON.stringify(row)).not.toContain('resp_')
    expect(Buffer.from(row.content).toString('latin1')).not.toMatch(/secret|Hi there/)
  })

  test.each([
    ['the request', {}, { store: false }],
    ['the key', { token: { store_responses: false } }, {}],
    ['the channel', { channel: { setting: '{"store_responses":false}' } }, {}],
  ] as const)('is not stored if %s disables it', async (_, options, body) => {
    const fixture = await chatting(options)
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello', ...body })
    expect(made).toMatchObject({ store: false })
    expect(await fixture.toolkit.db.reader('stored_responses').select()).toEqual([])
    await expect(clientOf(fixture).responses.retrieve(made.id)).rejects.toMatchObject({ status: 404 })
  })

  test('is not stored if the operator disables it', async () => {
    const fixture = await chatting()
    await fixture.toolkit.options.set(fixture.root, 'ResponseStoreHours', '0')
    const made = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello' })
    expect(made).toMatchObject({ store: false })
    expect(await fixture.toolkit.db.reader('stored_responses').select()).toEqual([])
  })

  test('is not stored if its stream breaks off', async () => {
    const fixture = await relay((exchange) => {
      exchange.response.writeHead(200, { 'content-type': 'text/event-stream' })
      exchange.response.write(`data: ${JSON.stringify(say('half'))}\n\n`)
      setTimeout(() => exchange.response.destroy(), 50)
    })
    await post({ ...fixture, path: '/v1/responses', body: { model: MODEL, input: 'hello', stream: true } })
    expect(await fixture.toolkit.db.reader('stored_responses').select()).toEqual([])
  })

  test('accepts either a previous response or a conversation', async () => {
    const fixture = await chatting()
    const body = { model: MODEL, input: 'x', previous_response_id: 'resp_1', conversation: 'conv_1' }
    const { status, json } = await post({ ...fixture, path: '/v1/responses', body })
    expect(status).toBe(400)
    expect(json.error).toMatchObject({ param: 'conversation' })
  })
})
