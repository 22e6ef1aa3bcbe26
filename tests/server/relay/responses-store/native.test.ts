import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { expectExactBooks } from '../../../support/books.ts'
import { MODEL, openTestRelay, type RelayOptions, serve } from '../../../support/gateway.ts'
import {
  completion,
  type Exchange,
  sendJson,
  startStream,
  startUpstream,
  usage,
} from '../../../support/hand-made-upstream.ts'
import { onBoth } from '../../../support/toolkit.ts'

const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }

const clientOf = ({ url, key }: { url: string; key: string }) =>
  new OpenAI({ apiKey: key, baseURL: `${url}/v1`, maxRetries: 0 })

onBoth('a response that its upstream stores too', (open) => {
  const relay = (answer: (exchange: Exchange) => unknown, options: RelayOptions = { channel: RESPONSES }) =>
    openTestRelay(answer, {
      user: { quota: 100_000_000 },
      ...options,
      gateway: async ({ settings }) => {
        const fixture = await open()
        const gateway = await serve(fixture, { settings })
        return { ...fixture, gateway, url: gateway.url }
      },
    })

  /** An upstream that numbers its responses, and streams them on demand. */
  const storing = (more: object = {}) => {
    let count = 0
    return (exchange: Exchange) => {
      count += 1
      const response = {
        id: `resp_${count}`,
        object: 'response',
        status: 'completed',
        model: MODEL,
        store: true,
        output: [
          { id: `rs_${count}`, type: 'reasoning', summary: [] },
          {
            id: `msg_${count}`,
            type: 'message',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: `Reply ${count}`, annotations: [] }],
          },
        ],
        usage: { input_tokens: 11, output_tokens: 3 },
        ...more,
      }
      if (exchange.body.stream !== true) return sendJson(exchange, response)
      startStream(exchange)
      const events = [
        { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress', output: [] } },
        ...response.output.map((item, output_index) => ({
          type: 'response.output_item.added',
          sequence_number: 1,
          output_index,
          item,
        })),
        {
          type: 'response.output_text.delta',
          sequence_number: 2,
          output_index: 1,
          item_id: `msg_${count}`,
          content_index: 0,
          delta: '',
        },
        ...response.output.map((item, output_index) => ({
          type: 'response.output_item.done',
          sequence_number: 3,
          output_index,
          item,
        })),
        { type: 'response.completed', sequence_number: 4, response },
      ]
      exchange.response.end(events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    }
  }

  test('is continued at its upstream, by its id', async () => {
    const fixture = await relay(storing())
    const first = await clientOf(fixture).responses.create({ model: MODEL, input: 'hello' })
    const reference = { type: 'item_reference' as const, id: 'rs_1' }
    await clientOf(fixture).responses.create({ model: MODEL, input: [reference], previous_response_id: first.id })
    expect(fixture.upstream.seen[1]?.body).toEqual({ model: MODEL, input: [reference], previous_response_id: 'resp_1' })
    expect(await clientOf(fixture).responses.retrieve('resp_1')).toMatchObject({ output_text: 'Reply 1' })
    expect(await expectExactBooks(fixture)).toHaveLength(2)
  })

  test.each([false, true])('continues elsewhere if its channel is deleted; streamed: %s', async (stream) => {
    const fixture = await relay(storing())
    const elsewhere = await startUpstream((exchange) => sendJson(exchange, completion('Hi', usage(20, 12))))
    const ask = async (body: { input: string; previous_response_id?: string }) => {
      const { responses } = clientOf(fixture)
      return stream
        ? responses.stream({ model: MODEL, ...body }).finalResponse()
        : responses.create({ model: MODEL, ...body })
    }
    const first = await ask({ input: 'one' })
    const second = await ask({ input: 'two', previous_response_id: first.id })
    await fixture.channel({ base_url: elsewhere.url, models: MODEL, key: 'sk-other' })
    await fixture.toolkit.channels.update(fixture.root, fixture.servedBy.id, { status: 2 })
    await fixture.toolkit.events.catchUp()

    const third = await clientOf(fixture).responses.create({
      model: MODEL,
      input: 'three',
      previous_response_id: second.id,
    })

    expect(elsewhere.seen[0]?.body.messages).toEqual([
      { role: 'user', content: 'one' },
      { role: 'assistant', content: 'Reply 1' },
      { role: 'user', content: 'two' },
      { role: 'assistant', content: 'Reply 2' },
      { role: 'user', content: 'three' },
    ])
    expect(third.previous_response_id).toBe('resp_2')
    expect(await expectExactBooks(fixture)).toHaveLength(3)
  })

  test.each([false, true])('is stored only here if its upstream stores nothing; streamed: %s', async (stream) => {
    const fixture = await relay(storing({ store: false, previous_response_id: null }))
    const { responses } = clientOf(fixture)
    const ask = async (body: { input: string; previous_response_id?: string }) =>
      stream ? responses.stream({ model: MODEL, ...body }).finalResponse() : responses.create({ model: MODEL, ...body })
    const first = await ask({ input: 'one' })
    const second = await ask({ input: 'two', previous_response_id: first.id })
    expect(first).toMatchObject({ id: 'resp_1', store: true })
    expect(second).toMatchObject({ id: 'resp_2', store: true, previous_response_id: 'resp_1' })
    // The thought is left out: only with its content could the upstream read it.
    expect(fixture.upstream.seen[1]?.body.input).toEqual([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'one' }] },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Reply 1', annotations: [] }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'two' }] },
    ])
    expect(fixture.upstream.seen[1]?.body).not.toHaveProperty('previous_response_id')
  })

  test('cannot be continued after it is deleted', async () => {
    const fixture = await relay(storing())
    const { responses } = clientOf(fixture)
    const first = await responses.create({ model: MODEL, input: 'hello' })
    await responses.delete(first.id)
    await expect(responses.create({ model: MODEL, input: 'x', previous_response_id: first.id })).rejects.toMatchObject({
      status: 404,
    })
    await expect(
      responses.create({ model: MODEL, input: [{ type: 'item_reference', id: 'msg_1' }] }),
    ).rejects.toMatchObject({ status: 404 })
    expect(fixture.upstream.seen).toHaveLength(1)
  })

  test('is stored neither here nor upstream if key or channel disable it', async () => {
    const setting = JSON.stringify({ dialects: ['openai-responses'], store_responses: false })
    const byChannel = await relay(storing(), { channel: { setting } })
    await clientOf(byChannel).responses.create({ model: MODEL, input: 'hello' })
    expect(byChannel.upstream.seen[0]?.body).toMatchObject({ input: 'hello', store: false })
    const byKey = await relay(storing(), { channel: RESPONSES, token: { store_responses: false } })
    await clientOf(byKey).responses.create({ model: MODEL, input: 'hello' })
    expect(byKey.upstream.seen[0]?.body).toMatchObject({ input: 'hello', store: false })
    for (const { toolkit } of [byChannel, byKey])
      expect(await toolkit.db.reader('stored_responses').select()).toEqual([])
  })
})
