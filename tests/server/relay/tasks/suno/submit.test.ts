import { expect, test } from 'vitest'
import type { NewChannel } from '../../../../../core/channels/channel.ts'
import type { Log } from '../../../../../core/logs/log.ts'
import { charges, expectExactBooks, expectNothingHeld, otherOf } from '../../../../support/books.ts'
import { type Call, post } from '../../../../support/chat.ts'
import { CHANNEL_KEY, customer, openTestGateway, type TestGateway } from '../../../../support/gateway.ts'
import { sendJson } from '../../../../support/hand-made-upstream.ts'
import { shared } from '../../../../support/lifetime.ts'
import { type SunoServer, startSunoServer } from '../../../../support/suno-server.ts'
import type { Person } from '../../../../support/toolkit.ts'

const MUSIC_PRICE = 50_000
const NOWHERE = 'http://127.0.0.1:1'

interface Fixture extends TestGateway {
  key: string
  person: Person
  server: SunoServer
  channelId: number
  group: string
  submit(body: unknown, call?: Partial<Call>): ReturnType<typeof post>
  get(path: string, key?: string): Promise<{ status: number; body: Record<string, unknown> }>
  suno(channel?: Partial<NewChannel>): Promise<number>
  /** The customer's own. */
  rows(): Promise<Record<string, unknown>[]>
  paid(): Promise<Log[]>
}

const GROUPS = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`g${at}`, 1]))
let groups = 0

const gatewayOf = shared(async () => {
  const fixture = await openTestGateway({ settings: { BODY_MAX_MB: '1', STOP_GRACE: '5' } })
  await fixture.toolkit.options.set(fixture.root, 'GroupRatio', JSON.stringify({ default: 1, ...GROUPS }))
  return fixture
})

/** A customer and a channel to a server that makes music, in a group of their own. */
async function openMusic(): Promise<Fixture> {
  const fixture = gatewayOf()
  const server = await startSunoServer()
  const group = `g${groups++}`
  const { key, person } = await customer(fixture, { user: { quota: 1e8, group } })
  const suno = async (channel: Partial<NewChannel> = {}) => {
    const fields = { type: 36, models: 'suno_music,suno_lyrics', key: CHANNEL_KEY, base_url: server.url, group }
    return (await fixture.channel({ ...fields, ...channel })).id
  }
  return {
    ...fixture,
    key,
    person,
    server,
    group,
    channelId: await suno(),
    suno,
    submit: (body, call = {}) => post({ url: fixture.url, key, path: '/suno/submit/music', body, ...call }),
    async get(path, as = key) {
      const response = await fetch(fixture.url + path, { headers: { authorization: `Bearer ${as}` } })
      return { status: response.status, body: (await response.json()) as Record<string, unknown> }
    },
    rows: () => fixture.toolkit.db.reader('tasks').where({ user_id: person.id }).orderBy('id').select(),
    paid: async () => (await charges(fixture)).filter(({ user_id }) => user_id === person.id),
  }
}

test("a submission is sent with defaults, charged once, stored with its request, and returned like the upstream's reply", async () => {
  const fixture = await openMusic()
  const { server, submit, toolkit, person, channelId } = fixture
  const body = { gpt_description_prompt: 'rain', title: null, extra: [1], notify_hook: 'http://127.0.0.1/hook' }
  // Known fields in another case, which servers without case would read: the last has a long s.
  const variants = { Prompt: 'x', Continue_clip_id: 'c', TASK_ID: 't', Notify_Hook: 'http://127.0.0.1', taſk_id: 't' }

  const { status, text, headers } = await submit({ ...body, ...variants }, { path: '/suno/submit/MuSiC' })

  expect({ status, text }).toEqual({ status: 200, text: '{"code":"success","message":"","data":"task-1"}' })
  expect(headers.get('content-type')).toMatch(/^application\/json/)
  const [sent] = server.seen
  expect(sent).toMatchObject({ path: '/suno/submit/MUSIC', headers: { authorization: `Bearer ${CHANNEL_KEY}` } })
  expect(sent?.body).toEqual({ gpt_description_prompt: 'rain', extra: [1], mv: 'chirp-v3-0' })
  await expectExactBooks(fixture)
  const [log] = await fixture.paid()
  expect(log).toMatchObject({ quota: MUSIC_PRICE, model_name: 'suno_music', channel: channelId, user_id: person.id })
  expect(log?.content).toBe('模型固定价格 0.10，分组倍率 1.00，操作 MUSIC')
  expect(otherOf(log as never)).toMatchObject({ model_price: 0.1, admin_info: { use_channel: [String(channelId)] } })
  const [row] = await fixture.rows()
  expect(row).toMatchObject({ task_id: 'task-1', platform: 'suno', action: 'MUSIC', status: 'NOT_START' })
  expect(row).toMatchObject({ progress: '0%', quota: MUSIC_PRICE, request_id: log?.request_id, channel_id: channelId })
  expect(await toolkit.tasks.listTasks(person)).toMatchObject([{ properties: { input: 'rain' }, data: null }])
  await expectNothingHeld(fixture)

  // The notify address goes on only where the operator lets it.
  await toolkit.options.set(fixture.root, 'MjNotifyEnabled', 'true')
  await submit(body)
  expect(server.seen[1]?.body).toMatchObject({ notify_hook: 'http://127.0.0.1/hook' })
})

test("an invalid request gets an error in Suno's format, and nothing is held, sent or charged", async () => {
  const fixture = await openMusic()
  const { submit, group } = fixture
  const limited = await fixture.token(fixture.person, { model_limits_enabled: true, model_limits: 'gpt-4o' })
  const poor = await customer(fixture, { user: { quota: 100, group } })
  const tight = await customer(fixture, { user: { group }, token: { unlimited_quota: false, remain_quota: 100 } })
  const elsewhere = await customer(fixture, { user: { group: 'default' } })
  const cases: [body: unknown, call: Partial<Call>, status: number, code: string, message?: RegExp | string][] = [
    [{ prompt: 'x', tags: 'a TEST_sensitive tag' }, {}, 400, 'sensitive_words_detected', /^(?!.*test_)/i],
    [{ prompt: 'x', negative_tags: ['a test_sensitive tag'] }, {}, 400, 'sensitive_words_detected'],
    [{ prompt: 'x' }, { path: '/suno/submit/dance' }, 400, 'invalid_request', 'invalid_action'],
    [{}, { path: '/suno/submit/lyrics' }, 400, 'invalid_request', 'prompt_empty'],
    [{ prompt: ' ' }, { path: '/suno/submit/lyrics' }, 400, 'invalid_request', 'prompt_empty'],
    [{ continue_clip_id: 'c' }, {}, 400, 'invalid_request', 'task id is empty'],
    [{ continue_clip_id: 'c', task_id: 'x\0' }, {}, 400, 'task_not_exist', 'task_origin_not_exist'],
    [{ prompt: ['x'] }, {}, 400, 'invalid_request', /prompt must be a text/],
    ['{', {}, 400, 'invalid_request', /not valid JSON/],
    ['[]', {}, 400, 'invalid_request', /JSON object/],
    ['', {}, 400, 'invalid_request', /empty/],
    [`{"prompt":"${'x'.repeat(2 ** 20)}"}`, {}, 413, 'request_too_large'],
    [{ prompt: 'x' }, { key: undefined }, 401, 'token_missing'],
    [{ prompt: 'x' }, { key: 'sk-unknown' }, 401, 'invalid_api_key'],
    [{ prompt: 'x' }, { key: `sk-${limited.key}` }, 403, 'token_model'],
    [{ prompt: 'x' }, { key: poor.key }, 403, 'quota_not_enough', 'user quota is not enough'],
    [{ prompt: 'x' }, { key: tight.key }, 403, 'insufficient_token_quota'],
    [{ prompt: 'x' }, { key: elsewhere.key }, 503, 'no_channel'],
    [{ ids: 'x' }, { path: '/suno/fetch' }, 400, 'invalid_request', /ids must be a list/],
    [{ ids: [1] }, { path: '/suno/fetch' }, 400, 'invalid_request', /ids must be texts/],
    [{ ids: Array(1001).fill('x') }, { path: '/suno/fetch' }, 400, 'invalid_request', /1000/],
    [{ ids: [] }, { path: '/suno/fetch', key: 'sk-unknown' }, 401, 'invalid_api_key'],
  ]
  for (const [body, call, status, code, message] of cases) {
    const refusal = await submit(body, call)
    const summary = { request: call.path ?? body, status: refusal.status, code: refusal.json.code }
    expect(summary).toEqual({ request: call.path ?? body, status, code })
    expect(Object.keys(refusal.json)).toEqual(['code', 'message', 'data'])
    expect(refusal.json.data).toBeNull()
    if (typeof message === 'string') expect(refusal.json.message).toBe(message)
    else expect(refusal.json.message).toMatch(message ?? /request id/)
  }
  expect(fixture.server.seen).toEqual([])
  expect(await fixture.paid()).toEqual([])
  await expectNothingHeld(fixture)
})

test('a song is continued by its channel, with its key, or not at all', async () => {
  const fixture = await openMusic()
  const { submit, server, suno, toolkit, root, channelId } = fixture
  await submit({ prompt: 'x' })
  const other = await startSunoServer('other')
  await suno({ base_url: other.url, priority: 9, key: 'sk-another-0123456789' })
  const more = (call = {}) => submit({ continue_clip_id: 'c', task_id: 'task-1', prompt: 'y' }, call)

  expect((await more()).json.data).toBe('task-2')
  expect(server.seen.at(-1)?.headers.authorization).toBe(`Bearer ${CHANNEL_KEY}`)
  expect(other.seen).toEqual([])
  const stranger = await customer(fixture, { user: { group: fixture.group } })
  expect((await more({ key: stranger.key })).json).toMatchObject({ code: 'task_not_exist' })
  await toolkit.channels.setStatus(root, channelId, 2)
  await expect.poll(async () => (await more()).json.code).toBe('task_channel_disable')
  await toolkit.channels.delete(root, channelId)
  await expect.poll(async () => (await more()).json.code).toBe('channel_not_found')
  expect(other.seen).toEqual([])
  expect(await fixture.paid()).toHaveLength(2)
})

test('another channel is used after a clear rejection, and never if the task may have been accepted', async () => {
  const fixture = await openMusic()
  const { submit, suno, server, toolkit, root, channelId } = fixture
  await toolkit.options.set(root, 'RetryTimes', '3')
  const first = await startSunoServer('first')
  const firstId = await suno({ base_url: first.url, priority: 9 })
  const nowhere = await suno({ base_url: NOWHERE, priority: 10 })
  const html = '<html>busy</html>'
  const scripts: [answer: SunoServer['script'][number], elsewhere: boolean, status: number, code: string][] = [
    [(exchange) => sendJson(exchange, { message: 'busy' }, 429), true, 429, 'fail_to_fetch_task'],
    [(exchange) => sendJson(exchange, html, 502), true, 502, 'fail_to_fetch_task'],
    [(exchange) => sendJson(exchange, { message: 'no' }, 401), true, 401, 'fail_to_fetch_task'],
    [(exchange) => sendJson(exchange, { code: 'full', message: `no ${CHANNEL_KEY}` }), true, 500, 'full'],
    [(exchange) => sendJson(exchange, { code: 'x', message: 'no credits left' }), true, 500, 'x'],
    [
      (exchange) => sendJson(exchange, { code: 'invalid_request', message: 'too many tags' }),
      false,
      500,
      'invalid_request',
    ],
    [(exchange) => sendJson(exchange, { code: 'x', message: 'no such style' }), false, 500, 'x'],
    [(exchange) => sendJson(exchange, { message: 'bad' }, 400), false, 400, 'fail_to_fetch_task'],
    [(exchange) => sendJson(exchange, {}, 504), false, 504, 'fail_to_fetch_task'],
    [(exchange) => sendJson(exchange, html), false, 502, 'bad_response_body'],
    [(exchange) => sendJson(exchange, ''), false, 502, 'bad_response_body'],
    [(exchange) => sendJson(exchange, { code: 'success', data: null }), false, 502, 'bad_response_body'],
    [(exchange) => sendJson(exchange, { code: 'success', data: 'i'.repeat(51) }), false, 502, 'bad_response_body'],
    [
      (exchange) => sendJson(exchange, `{"code":"success","x":"${'x'.repeat(2 ** 20)}"}`),
      false,
      502,
      'do_request_failed',
    ],
    [({ response }) => response.destroy(), false, 502, 'do_request_failed'],
  ]
  let [taken, well] = [0, 0]
  /** What fails again and again is set aside: it does well in between. */
  const doWell = async () => {
    first.script.push((exchange) => sendJson(exchange, { code: 'success', data: `well-${++well}` }))
    expect((await submit({ prompt: 'x' })).json.data).toBe(`well-${well}`)
  }
  for (const [script, elsewhere, status, code] of scripts) {
    first.script.push(script)
    const answer = await submit({ prompt: 'x' })
    if (elsewhere) taken += 1
    expect({ code, elsewhere: answer.json.data !== null }).toEqual({ code, elsewhere })
    expect(server.seen).toHaveLength(taken)
    if (!elsewhere) expect(answer).toMatchObject({ status, json: { code, data: null } })
    await doWell()
  }
  // Without another channel, the client gets the refusal itself.
  for (const id of [channelId, nowhere]) await toolkit.channels.setStatus(root, id, 2)
  const directory = await toolkit.channelDirectory()
  await expect.poll(() => [channelId, nowhere].map((id) => directory.find(id)?.status)).toEqual([2, 2])
  for (const [script, , status, code] of scripts) {
    first.script.push(script)
    const answer = await submit({ prompt: 'x' })
    expect(answer).toMatchObject({ status, json: { code, data: null } })
    expect(answer.text).not.toMatch(/sk-upstream|127\.0\.0\.1|<html/)
    await doWell()
  }
  // Who fails often enough is not asked any more, and says so.
  for (let time = 0; time < 3; time++) {
    first.script.push((exchange) => sendJson(exchange, {}, 429, { 'retry-after': '7' }))
    await submit({ prompt: 'x' })
  }
  const { length } = first.seen
  const busy = await submit({ prompt: 'x' })
  expect(busy).toMatchObject({
    status: expect.any(Number),
    json: { code: expect.stringMatching(/^channels_/), data: null },
  })
  expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(first.seen).toHaveLength(length)
  taken += well
  const logs = await fixture.paid()
  expect(otherOf(logs[0] as never).admin_info.use_channel).toEqual([nowhere, firstId, channelId].map(String))
  expect(logs).toHaveLength(taken)
  expect(await fixture.rows()).toHaveLength(taken)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
})

test('errors caused by clients, or echoed text, disable no channel', async () => {
  const { submit, server, toolkit, root, channelId } = await openMusic()
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'true')
  const refusal = (code: string, message: string, status = 200) =>
    server.script.push((exchange) => sendJson(exchange, { code, message }, status))
  for (let time = 0; time < 12; time++) {
    refusal(time % 2 ? 'invalid_request' : 'odd', 'no such style')
    await submit({ prompt: 'x' })
  }
  const phrase = 'Your credit balance is too low'
  for (const status of [200, 400]) {
    refusal('odd', `unknown model: ${phrase}`, status)
    await submit({ prompt: 'x', mv: phrase })
  }

  expect((await submit({ prompt: 'x' })).status).toBe(200)
  expect((await toolkit.channels.get(root, channelId)).status).toBe(1)
  await toolkit.options.set(root, 'AutomaticDisableChannelEnabled', 'false')
})

test('the id of a running task is not a new task, an ended one may be reused', async () => {
  const fixture = await openMusic()
  const { submit, get, server, toolkit, root, suno } = fixture
  const again = (id: string, times = 1) => {
    for (let time = 0; time < times; time++) {
      server.script.push((exchange) => sendJson(exchange, { code: 'success', data: id }))
    }
  }
  again('1', 5)
  const answers = await Promise.all(Array.from({ length: 5 }, () => submit({ prompt: 'y' })))

  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused).toHaveLength(4)
  for (const answer of refused) expect(answer).toMatchObject({ status: 502, json: { code: 'bad_response_body' } })
  // Nor where it costs nothing.
  await toolkit.options.set(root, 'GroupRatio', JSON.stringify({ default: 1, ...GROUPS, [fixture.group]: 0 }))
  again('1')
  expect((await submit({ prompt: 'y' })).status).toBe(502)
  expect(await fixture.rows()).toHaveLength(1)
  expect(await fixture.paid()).toHaveLength(1)
  await expectNothingHeld(fixture)
  await expectExactBooks(fixture)
  // The same id of another channel is another task.
  const other = await startSunoServer('1')
  other.script.push((exchange) => sendJson(exchange, { code: 'success', data: '1' }))
  await suno({ base_url: other.url, priority: 9 })
  expect((await submit({ prompt: 'y' })).status).toBe(200)

  await toolkit.taskLifecycle.advance('tasks', Number((await fixture.rows())[0]?.id), { status: 'SUCCESS' }, 'success')
  await suno({ priority: 10 })
  again('1')
  expect((await submit({ prompt: 'new' })).status).toBe(200)
  expect((await get('/suno/fetch/1')).body.data).toMatchObject({ task_id: '1', status: 'NOT_START' })
})

test('tasks are shown to their owner only, in the documented format', async () => {
  const fixture = await openMusic()
  const { submit, get, toolkit, group } = fixture
  await submit({ prompt: 'x' })
  const stranger = await customer(fixture, { user: { group } })
  const songs = [{ id: 's', audio_url: 'https://cdn.example/s.mp3' }]
  const task = {
    task_id: 'task-1',
    action: 'MUSIC',
    status: 'NOT_START',
    fail_reason: '',
    submit_time: expect.any(Number),
    start_time: 0,
    finish_time: 0,
    progress: '0%',
    data: null,
  }
  const fetchAll = (ids: unknown, key = fixture.key) => submit({ ids }, { path: '/suno/fetch', key })

  expect(await get('/suno/fetch/task-1')).toEqual({ status: 200, body: { code: 'success', message: '', data: task } })
  await toolkit.taskLifecycle.advance(
    'tasks',
    Number((await fixture.rows())[0]?.id),
    { data: JSON.stringify(songs), status: 'SUCCESS' },
    'success',
  )
  expect((await fetchAll(['task-1', 'task-1', 'none', '\0'])).json.data).toMatchObject([
    { status: 'SUCCESS', progress: '100%', data: songs },
  ])
  expect((await fetchAll([])).json.data).toEqual([])
  expect((await fetchAll(['none'])).json.data).toBeNull()
  expect((await fetchAll(['task-1'], stranger.key)).json.data).toBeNull()
  // A key that has spent its last still finds what it has paid for.
  const last = await customer(fixture, {
    user: { group },
    token: { unlimited_quota: false, remain_quota: MUSIC_PRICE },
  })
  await submit({ prompt: 'x' }, { key: last.key })
  expect((await submit({ prompt: 'x' }, { key: last.key })).json.code).toBe('insufficient_token_quota')
  await expect.poll(async () => (await submit({ prompt: 'x' }, { key: last.key })).json.code).toBe('token_exhausted')
  expect(await get('/suno/fetch/task-2', last.key)).toMatchObject({ body: { data: { task_id: 'task-2' } } })

  for (const [id, key] of [['none'], ['task-1', stranger.key], ['%00']]) {
    expect(await get(`/suno/fetch/${id}`, key)).toEqual({
      status: 400,
      body: { code: 'task_not_exist', message: 'task_not_exist', data: null },
    })
  }
  const unknown = await get('/suno/nothing')
  expect(unknown).toMatchObject({ status: 404, body: { code: 'path_unknown', data: null } })
  expect(await get('/mj/nothing')).toMatchObject({ status: 404, body: { type: 'upstream_error', code: 4 } })
})

// These two change what all others rest on.
test('lyrics, operator and group prices, and a free model have the right cost', async () => {
  const fixture = await openMusic()
  const { submit, toolkit, root, group } = fixture
  const lyrics = () => submit({ prompt: 'words' }, { path: '/suno/submit/lyrics' })
  await lyrics()
  await toolkit.options.set(root, 'ModelPrice', JSON.stringify({ suno_music: 0.3 }))
  await toolkit.options.set(root, 'GroupRatio', JSON.stringify({ [group]: 0.5 }))
  await submit({ prompt: 'x' })
  await lyrics()
  await toolkit.options.set(root, 'ModelPrice', JSON.stringify({ suno_music: 0 }))
  expect((await submit({ prompt: 'x' })).status).toBe(200)

  await expectExactBooks(fixture)
  const logs = await fixture.paid()
  // The second time lyrics have no price, so they cost a tenth of a dollar.
  expect(logs.map(({ quota }) => quota)).toEqual([5000, 75_000, 25_000])
  expect((await fixture.rows()).map(({ quota }) => quota)).toEqual([5000, 75_000, 25_000, 0])
})

test('a client that disconnects does not undo an accepted task, nor does a gateway that stops', async () => {
  const fixture = await openMusic()
  const { submit, server, gateway } = fixture
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  for (const id of ['a', 'b']) {
    server.script.push(async (exchange) => {
      await held
      sendJson(exchange, { code: 'success', message: '', data: id })
    })
  }
  const leaving = new AbortController()
  const left = submit({ prompt: 'x' }, { signal: leaving.signal }).catch(() => 'left')
  const stays = submit({ prompt: 'x' })
  await expect.poll(() => server.seen.length).toBe(2)
  leaving.abort()
  expect(await left).toBe('left')
  const closed = gateway.close()
  release()

  expect((await stays).status).toBe(200)
  await closed
  expect((await fixture.rows()).map(({ task_id }) => task_id).sort()).toEqual(['a', 'b'])
  await expectExactBooks(fixture)
})
