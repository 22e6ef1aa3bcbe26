import { describe, expect, test } from 'vitest'
import { expectExactBooks, otherOf, untilCharged } from '../support/books.ts'
import { post } from '../support/chat.ts'
import {
  type Customer,
  customer,
  keyOf,
  MODEL,
  openTestRelay,
  priceOf,
  type RelayOptions,
  serve,
  type TestRelay,
} from '../support/gateway.ts'
import { type Exchange, sendJson, sendStream } from '../support/hand-made-upstream.ts'
import { onBoth, type Person } from '../support/toolkit.ts'

/*
 * An attack on other users: all users of a channel share one account of the upstream, and what one has stored there another could
 * name by its id.
 */

const RESPONSES = { setting: JSON.stringify({ dialects: ['openai-responses'] }) }

const replyOf = (id: string, more: object = {}, output: readonly object[] = []) => ({
  id,
  object: 'response',
  status: 'completed',
  model: MODEL,
  store: true,
  output: [...output, { id: `msg_${id}`, type: 'message', content: [{ type: 'output_text', text: 'Done' }] }],
  usage: { input_tokens: 11, output_tokens: 3 },
  ...more,
})

/** An upstream that must not be asked. */
const unasked = (exchange: Exchange) => sendJson(exchange, { error: { message: 'asked' } }, 418)

const toResponses = ({ url }: { url: string }, { key }: Pick<Customer, 'key'>, body: object | string) =>
  post({
    url,
    key,
    path: '/v1/responses',
    body: typeof body === 'string' ? body : { model: MODEL, input: 'hello', ...body },
  })

onBoth('a stored object', (open) => {
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
  const rows = ({ toolkit }: TestRelay) => toolkit.db.reader('stored_objects').select('*')

  test('can be referenced only by the user whose request created it', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1')))
    const other = await customer(fixture)
    await toResponses(fixture, fixture, {})

    const stolen = await toResponses(fixture, other, { previous_response_id: 'resp_1' })
    expect(stolen.status).toBe(404)
    expect(stolen.json.error).toMatchObject({ code: 'previous_response_not_found', param: 'previous_response_id' })
    expect(fixture.upstream.seen).toHaveLength(1)

    expect((await toResponses(fixture, fixture, { previous_response_id: 'resp_1' })).status).toBe(200)
    expect((await toResponses(fixture, fixture, { previous_response_id: 'resp_2' })).status).toBe(404)
  })

  test('of a team member is not found by another member', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1')))
    const { toolkit, person: owner } = fixture
    // Stored by the gateway, they belong to one key anyway.
    await toolkit.options.set(fixture.root, 'ResponseStoreHours', '0')
    const team = await toolkit.teams.create(owner, { name: `Team ${owner.id}` })
    await toolkit.teams.transfer(owner, team.id, 10_000_000)
    const member = await fixture.user()
    await toolkit.teams.join(member, (await toolkit.teams.invite(owner, team.id)).code ?? '')
    const keyFor = async (person: Person, name: string) => ({
      key: keyOf(await toolkit.teams.keys.create(person, team.id, { name, unlimited_quota: true })),
    })
    const [first, second, foreign] = [
      await keyFor(owner, 'first'),
      await keyFor(owner, 'second'),
      await keyFor(member, 'foreign'),
    ]
    await toResponses(fixture, first, {})
    const before = fixture.upstream.seen.length

    const stolen = await toResponses(fixture, foreign, { previous_response_id: 'resp_1' })

    expect(stolen.status).toBe(404)
    expect(fixture.upstream.seen).toHaveLength(before)
    expect((await toResponses(fixture, second, { previous_response_id: 'resp_1' })).status).toBe(200)
    expect((await toResponses(fixture, fixture, { previous_response_id: 'resp_1' })).status).toBe(404)
  })

  test('is recorded once, without its plain id, before a stream ends', async () => {
    const created = { type: 'response.created', response: { ...replyOf('resp_1'), output: [] } }
    const completed = { type: 'response.completed', response: replyOf('resp_1') }
    const fixture = await relay((exchange) => sendStream(exchange, [created, completed], ''))

    await toResponses(fixture, fixture, { stream: true })
    await toResponses(fixture, fixture, { stream: true })

    const stored = await rows(fixture)
    expect(stored.map(({ kind, user_id, channel_id }) => [kind, user_id, channel_id]).sort()).toEqual([
      ['item', fixture.person.id, fixture.servedBy.id],
      ['response', fixture.person.id, fixture.servedBy.id],
    ])
    expect(JSON.stringify(stored)).not.toContain('resp_1')
  })

  test('of fifty concurrent replies is recorded for each', async () => {
    let count = 0
    const fixture = await relay((exchange) => sendJson(exchange, replyOf(`resp_${count++}`)))
    const answers = await Promise.all(Array.from({ length: 50 }, () => toResponses(fixture, fixture, {})))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(await rows(fixture)).toHaveLength(100)
  })

  test('is held as a part of the prompt: a short request costs as much as its context', async () => {
    const long = { usage: { input_tokens: 40_000, output_tokens: 1000 } }
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1', long)))
    await toResponses(fixture, fixture, { max_output_tokens: 100 })
    await toResponses(fixture, fixture, { max_output_tokens: 100, previous_response_id: 'resp_1' })
    const input = [{ type: 'item_reference', id: 'msg_resp_1' }]
    await toResponses(fixture, fixture, { max_output_tokens: 100, input })

    await untilCharged(fixture, 3)
    const holds = (await expectExactBooks(fixture)).map((log) => Number(otherOf(log).hold)).sort((x, y) => x - y)
    const [first = 0, ofItem = 0, ofResponse = 0] = holds
    expect(ofItem - first).toBeGreaterThanOrEqual(priceOf(900, 0))
    expect(ofResponse - first).toBeGreaterThanOrEqual(priceOf(40_900, 0))
  })

  test('is requested from its channel', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1')))
    await toResponses(fixture, fixture, {})
    const { upstream } = await openTestRelay((exchange) => sendJson(exchange, replyOf('resp_other')))
    // It comes before the one that has the response.
    await fixture.channel({ base_url: upstream.url, models: MODEL, priority: 9, ...RESPONSES })
    await expect
      .poll(async () => (await toResponses(fixture, fixture, {})).text, { timeout: 5000 })
      .toContain('resp_other')
    const before = fixture.upstream.seen.length

    expect((await toResponses(fixture, fixture, { previous_response_id: 'resp_1' })).text).toContain('resp_1')
    expect(fixture.upstream.seen).toHaveLength(before + 1)
    // Stored here, they could go on together.
    await fixture.toolkit.options.set(fixture.root, 'ResponseStoreHours', '0')
    const both = { previous_response_id: 'resp_1', input: [{ type: 'item_reference', id: 'msg_resp_other' }] }
    expect((await toResponses(fixture, fixture, both)).status).toBe(404)
  })

  test('is requested with the key that created it, of several', async () => {
    const keys: unknown[] = []
    const fixture = await relay(
      (exchange) => {
        keys.push(exchange.headers.authorization)
        sendJson(exchange, replyOf(`resp_${keys.length}`))
      },
      {
        channel: {
          key: 'sk-first-0123456789\nsk-second-0123456789',
          setting: JSON.stringify({ dialects: ['openai-responses'], multi_key_mode: 'polling' }),
        },
      },
    )
    await toResponses(fixture, fixture, {})
    await toResponses(fixture, fixture, {})
    for (let time = 0; time < 3; time++) await toResponses(fixture, fixture, { previous_response_id: 'resp_1' })
    expect(keys[1]).not.toBe(keys[0])
    expect(keys.slice(2)).toEqual([keys[0], keys[0], keys[0]])
  })

  test('that the upstream did not store is not recorded, but files and containers are', async () => {
    const code = { id: 'ci_1', type: 'code_interpreter_call', container_id: 'cntr_1' }
    const annotation = { type: 'container_file_citation', container_id: 'cntr_1', file_id: 'cfile_1' }
    const old = { type: 'file_citation', file_id: 'file_of_another' }
    const cited = { type: 'message', content: [{ type: 'output_text', text: 'a', annotations: [annotation, old] }] }
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1', { store: false }, [code, cited])))

    await toResponses(fixture, fixture, { tools: [{ type: 'code_interpreter', container: { type: 'auto' } }] })

    expect((await rows(fixture)).map(({ kind }) => kind).sort()).toEqual(['container', 'file'])
    const again = (container: string) =>
      toResponses(fixture, fixture, { tools: [{ type: 'code_interpreter', container }] }).then(({ status }) => status)
    expect(await again('cntr_1')).toBe(200)
    expect(await again('cntr_2')).toBe(404)
    const file = (file_id: string) =>
      toResponses(fixture, fixture, { input: [{ role: 'user', content: [{ type: 'input_file', file_id }] }] })
    expect((await file('cfile_1')).status).toBe(200)
    expect((await file('file_of_another')).status).toBe(404)
  })

  test('expires, and is removed', async () => {
    const fixture = await relay((exchange) => sendJson(exchange, replyOf('resp_1')))
    await toResponses(fixture, fixture, {})
    await fixture.toolkit.db.transaction((trx) => trx('stored_objects').update({ expires_at: 1 }))
    expect((await toResponses(fixture, fixture, { previous_response_id: 'resp_1' })).status).toBe(404)
    expect(await fixture.toolkit.storedObjects.trim()).toBe(2)
    expect(await rows(fixture)).toHaveLength(0)
  })
})

const NAMED = 'of_another'
const inInput = (part: object) => ({ input: [{ role: 'user', content: [part] }] })

describe('an object that the user did not create is not found', () => {
  test.each([
    ['previous_response_id', { previous_response_id: NAMED }],
    ['a key in capitals', { Previous_Response_ID: NAMED }],
    ['a key with the long s', { previouſ_reſponſe_id: NAMED }],
    ['a conversation', { conversation: NAMED }],
    ['a conversation as an object', { conversation: { id: NAMED } }],
    ['a prompt', { prompt: { id: NAMED } }],
    ['a file within a prompt', { prompt: { variables: { a: { type: 'input_file', file_id: NAMED } } } }],
    ['a file', inInput({ type: 'input_file', file_id: NAMED })],
    ['a picture', inInput({ type: 'input_image', file_id: NAMED })],
    ['a file in capitals', inInput({ type: 'input_file', FILE_ID: NAMED })],
    ['a vector store', { tools: [{ type: 'file_search', vector_store_ids: [NAMED] }] }],
    ['a vector store in capitals', { tools: [{ type: 'file_search', Vector_Store_Ids: [NAMED] }] }],
    ['a container', { tools: [{ type: 'code_interpreter', container: NAMED }] }],
    [
      'files for a container',
      { tools: [{ type: 'code_interpreter', container: { type: 'auto', file_ids: [NAMED] } }] },
    ],
    ['a mask', { tools: [{ type: 'image_generation', input_image_mask: { file_id: NAMED } }] }],
    ['an item', { input: [{ type: 'item_reference', id: NAMED }] }],
    ['an item without a type', { input: [{ id: NAMED }] }],
    ['a thought without its content', { input: [{ type: 'reasoning', id: NAMED, summary: [] }] }],
    ['a picture that was made', { input: [{ type: 'image_generation_call', id: NAMED }] }],
  ])('in Responses: %s', async (_, body) => {
    const fixture = await openTestRelay(unasked, { channel: RESPONSES })
    expect((await toResponses(fixture, fixture, body)).status).toBe(404)
  })

  test('in Responses: with an escaped key, and with a duplicate one', async () => {
    const fixture = await openTestRelay(unasked, { channel: RESPONSES })
    for (const field of [
      '"previous_\\u0072esponse_id":"a"',
      '"previous_response_id":null,"previous_response_id":"a"',
    ]) {
      const { status } = await toResponses(fixture, fixture, `{"model":"${MODEL}","input":"hi",${field}}`)
      expect(status).toBe(404)
    }
  })

  test.each([
    ['a container', { container: NAMED }],
    ['a container with skills', { container: { skills: [{ type: 'custom', skill_id: NAMED }] } }],
    ['a skill of two types', { container: { skills: [{ Type: 'custom', type: 'anthropic', skill_id: NAMED }] } }],
    [
      'a file',
      { messages: [{ role: 'user', content: [{ type: 'document', source: { type: 'file', file_id: NAMED } }] }] },
    ],
    ['an upload', { messages: [{ role: 'user', content: [{ type: 'container_upload', file_id: NAMED }] }] }],
  ])('in Messages: %s', async (_, more) => {
    const fixture = await openTestRelay(unasked, { channel: { type: 14 } })
    const body = { model: MODEL, max_tokens: 9, messages: [{ role: 'user', content: 'hi' }], ...more }
    expect((await post({ ...fixture, path: '/v1/messages', body })).status).toBe(404)
  })

  test.each([
    ['a cache', { cachedContent: 'cachedContents/1' }],
    ['a cache in the other spelling', { cached_content: 'cachedContents/1' }],
    [
      'a file',
      {
        contents: [
          { parts: [{ fileData: { fileUri: 'https://generativelanguage.googleapis.com/v1beta/files/abc' } }] },
        ],
      },
    ],
    ['a store', { tools: [{ fileSearch: { fileSearchStoreNames: ['fileSearchStores/1'] } }] }],
  ])('of Gemini: %s', async (_, more) => {
    const fixture = await openTestRelay(unasked, { channel: { type: 24 } })
    const body = { contents: [{ parts: [{ text: 'hi' }] }], ...more }
    for (const method of ['generateContent', 'countTokens']) {
      const { status } = await post({ ...fixture, path: `/v1beta/models/${MODEL}:${method}`, body })
      expect(status).toBe(404)
    }
  })

  test.each([
    ['a file', [{ role: 'user', content: [{ type: 'file', file: { file_id: NAMED } }] }]],
    ['a recording', [{ role: 'assistant', audio: { id: NAMED } }]],
    ['a file of Moonshot', [{ role: 'user', content: [{ type: 'image_url', image_url: { url: `ms://${NAMED}` } }] }]],
    ['a file of Qwen', [{ role: 'system', content: `fileid://${NAMED}` }]],
  ])('in chat completions: %s', async (_, messages) => {
    const fixture = await openTestRelay(unasked, {})
    expect((await fixture.chat({ model: MODEL, messages })).status).toBe(404)
  })

  test.each(['data_sources', 'dataSources'])(
    "Azure's search index, which it reads as the operator: %s",
    async (field) => {
      const fixture = await openTestRelay(unasked)
      const authentication = { type: 'system_assigned_managed_identity' }
      const source = {
        type: 'azure_search',
        parameters: { endpoint: 'https://a.b', index_name: 'salaries', authentication },
      }
      const refused = await fixture.chat({
        model: MODEL,
        messages: [{ role: 'user', content: 'x' }],
        [field]: [source],
      })
      expect([refused.status, refused.json.error?.code]).toEqual([404, 'stored_object_not_found'])
      expect(fixture.upstream.seen).toEqual([])
    },
  )

  test('in a form', async () => {
    const fixture = await openTestRelay(unasked, {})
    const form = new FormData()
    form.set('model', MODEL)
    form.set('prompt', 'a cat')
    form.set('file_id', NAMED)
    form.set('image', new Blob(['png'], { type: 'image/png' }), 'a.png')
    const response = await fetch(`${fixture.url}/v1/images/edits`, {
      method: 'POST',
      headers: { authorization: `Bearer ${fixture.key}` },
      body: form,
    })
    expect(response.status).toBe(404)
  })
})

test('a request cannot name thousands of objects, each of which needs a lookup', async () => {
  const fixture = await openTestRelay(unasked, { channel: RESPONSES })
  const file_ids = Array.from({ length: 1001 }, (_, at) => `file_${at}`)
  const tools = [{ type: 'code_interpreter', container: { type: 'auto', file_ids } }]
  expect((await toResponses(fixture, fixture, { tools })).status).toBe(400)
  expect(
    (await toResponses(fixture, fixture, { tools: [{ ...tools[0], container: { file_ids: file_ids.slice(1) } }] }))
      .status,
  ).toBe(404)
})

describe('an object of another user', () => {
  test('can be named if the channel shares its objects', async () => {
    const fixture = await openTestRelay((exchange) => sendJson(exchange, replyOf('resp_2')), {
      // As long as a prompt can be.
      user: { quota: 100_000_000 },
      channel: { setting: JSON.stringify({ dialects: ['openai-responses'], shared_objects: true }) },
    })
    expect((await toResponses(fixture, fixture, { previous_response_id: NAMED })).status).toBe(200)
  })

  test("is not searched in arguments of the client's own functions", async () => {
    const fixture = await openTestRelay(
      (exchange) =>
        sendJson(exchange, {
          id: 'msg',
          type: 'message',
          content: [{ type: 'text', text: 'hi' }],
          stop_reason: 'end_turn',
          usage: { input_tokens: 1, output_tokens: 1 },
        }),
      { channel: { type: 14 } },
    )
    const body = {
      model: MODEL,
      max_tokens: 9,
      metadata: { conversation: 'mine' },
      tools: [{ name: 'read', input_schema: { type: 'object', properties: { file_id: { type: 'string' } } } }],
      messages: [
        { role: 'user', content: 'read' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'read', input: { file_id: 'mine' } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'file_id' }] },
      ],
    }
    expect((await post({ ...fixture, path: '/v1/messages', body })).status).toBe(200)
  })
})
