import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { expectExactBooks } from '../../../support/books.ts'
import { keyOf, MODEL, type RelayOptions, serve, type TestRelay } from '../../../support/gateway.ts'
import { completion, type Exchange, sendJson, usage } from '../../../support/hand-made-upstream.ts'
import { reusedRelay } from '../../../support/reused.ts'
import { onBoth } from '../../../support/toolkit.ts'

const openRelay = reusedRelay()

const clientOf = ({ url, key }: { url: string; key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

onBoth('a conversation', (open) => {
  const chatting = (options: RelayOptions = {}) =>
    openRelay((exchange: Exchange) => sendJson(exchange, completion('Hi there', usage(20, 12))), {
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })
  const textsSent = ({ upstream }: TestRelay, at: number) =>
    ((upstream.seen[at] as Exchange).body.messages as { content: string }[]).map(({ content }) => content)

  test('gets the items of its responses, in either process', async () => {
    const fixture = await chatting()
    const other = await serve({ ...fixture, toolkit: await fixture.another() })
    const client = clientOf(fixture)
    const { id } = await client.conversations.create({
      metadata: { topic: 'names' },
      items: [{ type: 'message', role: 'user', content: 'My name is Ann.' }],
    })
    const first = await client.responses.create({ model: MODEL, conversation: id, input: 'Hello' })
    await clientOf({ ...fixture, url: other.url }).responses.create({
      model: MODEL,
      conversation: { id },
      input: 'Who am I?',
    })
    expect(first.conversation).toEqual({ id })
    expect(textsSent(fixture, 0)).toEqual(['My name is Ann.', 'Hello'])
    expect(textsSent(fixture, 1)).toEqual(['My name is Ann.', 'Hello', 'Hi there', 'Who am I?'])
    expect(fixture.upstream.seen[0]?.body).not.toHaveProperty('conversation')
    const items = await client.conversations.items.list(id, { order: 'asc' })
    expect(items.data).toHaveLength(5)
    expect(await client.conversations.retrieve(id)).toMatchObject({
      object: 'conversation',
      metadata: { topic: 'names' },
    })
    expect(await expectExactBooks(fixture)).toHaveLength(2)
  })

  test('loses a deleted item, and keeps the ids of the others', async () => {
    const fixture = await chatting()
    const client = clientOf(fixture)
    const { id } = await client.conversations.create()
    await client.responses.create({
      model: MODEL,
      conversation: id,
      input: [
        { role: 'user', content: 'one' },
        { role: 'user', content: 'two' },
      ],
    })
    const before = (await client.conversations.items.list(id, { order: 'asc' })).data
    await client.conversations.items.delete(String(before[0]?.id), { conversation_id: id })
    const after = (await client.conversations.items.list(id, { order: 'asc' })).data
    expect(after.map((item) => item.id)).toEqual(before.slice(1).map((item) => item.id))
    expect(await client.conversations.items.retrieve(String(after[0]?.id), { conversation_id: id })).toMatchObject({
      content: [{ text: 'two' }],
    })
    await client.responses.create({ model: MODEL, conversation: id, input: 'three' })
    expect(textsSent(fixture, 1)).toEqual(['two', 'Hi there', 'three'])
  })

  test('can be changed, extended and deleted', async () => {
    const fixture = await chatting()
    const client = clientOf(fixture)
    const { id } = await client.conversations.create()
    expect(await client.conversations.update(id, { metadata: { a: 'b' } })).toMatchObject({ metadata: { a: 'b' } })
    const added = await client.conversations.items.create(id, {
      items: [{ type: 'message', role: 'user', content: 'one' }],
    })
    expect(added.data).toMatchObject([{ type: 'message', content: [{ type: 'input_text', text: 'one' }] }])
    await client.conversations.delete(id)
    await expect(client.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(client.responses.create({ model: MODEL, conversation: id, input: 'x' })).rejects.toMatchObject({
      status: 404,
    })
    expect(await fixture.toolkit.db.reader('stored_responses').select()).toEqual([])
  })

  test('is not found by another key', async () => {
    const fixture = await chatting()
    const { id } = await clientOf(fixture).conversations.create()
    const stranger = clientOf({ url: fixture.url, key: keyOf(await fixture.token(fixture.person)) })
    await expect(stranger.conversations.retrieve(id)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.conversations.delete(id)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.conversations.items.list(id)).rejects.toMatchObject({ status: 404 })
    await expect(stranger.responses.create({ model: MODEL, conversation: id, input: 'x' })).rejects.toMatchObject({
      status: 404,
    })
    expect(fixture.upstream.seen).toEqual([])
  })

  test.each([
    ['metadata', { metadata: { a: 1 } }],
    ['metadata', { metadata: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`k${at}`, 'v'])) }],
    ['items', { items: 'all' }],
    ['items', { items: Array.from({ length: 21 }, () => ({ role: 'user', content: 'x' })) }],
  ])('rejects bad %s', async (param, body) => {
    const fixture = await chatting()
    await expect(clientOf(fixture).conversations.create(body as object)).rejects.toMatchObject({ status: 400, param })
  })

  test('is not created if its items are too large', async () => {
    const fixture = await chatting()
    const items = [{ type: 'message' as const, role: 'user' as const, content: 'x'.repeat(9 * 1024 * 1024) }]
    await expect(clientOf(fixture).conversations.create({ items })).rejects.toMatchObject({ status: 413 })
    expect(await fixture.toolkit.db.reader('stored_conversations').select('id_hash')).toEqual([])
  })

  test('cannot be created if storage is disabled', async () => {
    const fixture = await chatting({ token: { store_responses: false } })
    await expect(clientOf(fixture).conversations.create()).rejects.toMatchObject({
      status: 400,
      code: 'responses_not_stored',
    })
  })
})
