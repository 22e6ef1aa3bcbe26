import { describe, expect, test } from 'vitest'
import type { ChannelChanges } from '../../../core/channels/channel.ts'
import { type ApiClient, openApi } from '../../support/api.ts'
import { CHANNEL_KEY, type TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { onBoth } from '../../support/toolkit.ts'

const openGateway = reused()

/** A list whose square is more than a database should hold. */
const MANY = Array.from({ length: 200 }, (_, at) => `x${at}`).join()

const NEW = { name: 'one', type: 1, key: CHANNEL_KEY, models: 'gpt-4o', group: 'default' }

async function open(database: 'sqlite' | 'postgres' = 'sqlite'): Promise<TestGateway & { admin: ApiClient }> {
  const fixture = await openGateway({ database })
  return { ...fixture, admin: await openApi(fixture).as(await fixture.user({ role: 10 })) }
}

const rows = async (client: ApiClient, query = ''): Promise<{ id: number; [field: string]: unknown }[]> =>
  (await client.get(`/api/channel/?page_size=100${query}`)).body.data
const names = async (client: ApiClient, path: string): Promise<string[]> =>
  (await client.get(path)).body.data.map(({ name }: { name: string }) => name)
const keyOf = async ({ toolkit }: TestGateway, id: number) => (await toolkit.channelDirectory()).find(id)?.key
const abilities = async ({ toolkit }: TestGateway) =>
  (await toolkit.db.reader('abilities').orderBy(['channel_id', 'group', 'model'])).map(
    ({ channel_id, group, model, enabled }) => `${channel_id} ${group} ${model} ${enabled ? 'on' : 'off'}`,
  )

describe('GET /api/channel/', () => {
  test('returns whole channels with an empty key, highest priority first, or newest first', async () => {
    const { admin, channel } = await open()
    await channel({ name: 'high', priority: 5 })
    await channel({ name: 'old' })
    await channel({ name: 'new' })

    const { body } = await admin.get('/api/channel/?p=0&page_size=10&id_sort=false&tag_mode=false')
    expect(body).toEqual({ success: true, message: '', data: expect.any(Array) })
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['high', 'new', 'old'])
    expect(await names(admin, '/api/channel/?id_sort=true')).toEqual(['new', 'old', 'high'])
    expect(body.data[0]).toEqual({
      id: 1,
      type: 1,
      key: '',
      openai_organization: null,
      test_model: null,
      status: 1,
      name: 'high',
      weight: 0,
      created_time: expect.any(Number),
      test_time: 0,
      response_time: 0,
      base_url: '',
      other: '',
      balance: 0,
      balance_updated_time: 0,
      models: 'gpt-4o',
      group: 'default',
      used_quota: 0,
      model_mapping: '',
      status_code_mapping: '',
      priority: 5,
      auto_ban: 1,
      other_info: '',
      tag: null,
      setting: '',
    })
  })

  test('pages start at 0 and have ten rows by default; an invalid page or size is ignored', async () => {
    const { admin } = await open()
    await admin.post('/api/channel/', { ...NEW, key: Array.from({ length: 12 }, (_, at) => `k${at}`).join('\n') })
    const ids = async (query: string) =>
      (await admin.get(`/api/channel/${query}`)).body.data.map(({ id }: { id: number }) => id)

    const first = [12, 11, 10, 9, 8, 7, 6, 5, 4, 3]
    for (const query of ['', '?p=0', '?p=-3', '?p=abc', '?p=NaN&page_size=', '?page_size=0', '?page_size=-5']) {
      expect(await ids(query)).toEqual(first)
    }
    expect(await ids('?p=1')).toEqual([2, 1])
    expect(await ids('?p=1&page_size=5')).toEqual([7, 6, 5, 4, 3])
    expect(await ids('?p=2')).toEqual([])
    expect(await ids('?p=999999999999999&page_size=999999999999999')).toEqual([])
  })

  test('in tag mode pages count tags, and each has all of its channels', async () => {
    const { admin, channel } = await open()
    for (const [name, tag] of [
      ['a1', 'a'],
      ['none', null],
      ['b1', 'b'],
      ['a2', 'a'],
      ['c1', 'c'],
    ] as const) {
      await channel({ name, tag })
    }
    expect(await names(admin, '/api/channel/?tag_mode=true&page_size=2')).toEqual(['a2', 'b1', 'a1'])
    expect(await names(admin, '/api/channel/?tag_mode=true&page_size=2&p=1')).toEqual(['c1'])
    expect(await names(admin, '/api/channel/?tag_mode=true&page_size=2&p=2')).toEqual([])
  })
})

describe('GET /api/channel/search', () => {
  test('finds by id, by part of a name case-insensitively, and by a whole key', async () => {
    const { admin, channel } = await open()
    const first = await channel({ name: 'Berlin', key: 'sk-alpha-1' })
    await channel({ name: 'Bern', key: 'sk-alpha-2' })
    const find = (keyword: string) => names(admin, `/api/channel/search?keyword=${encodeURIComponent(keyword)}`)

    expect(await find('ber')).toEqual(['Bern', 'Berlin'])
    expect(await find('LIN')).toEqual(['Berlin'])
    expect(await find(String(first.id))).toEqual(['Berlin'])
    expect(await find('sk-alpha-2')).toEqual(['Bern'])
    expect(await find('sk-alpha')).toEqual([])
    expect(await find('99999999999')).toEqual([])
    expect(await find('')).toEqual(['Bern', 'Berlin'])
  })

  test('filters by part of the models and by a whole group; the group "null" means none', async () => {
    const { admin, channel } = await open()
    await channel({ name: 'a', models: 'gpt-4o,o3', group: 'default,vip' })
    await channel({ name: 'b', models: 'claude-3', group: 'vip2' })
    const find = (query: string) => names(admin, `/api/channel/search?${query}`)

    expect(await find('model=PT-4')).toEqual(['a'])
    expect(await find('group=vip')).toEqual(['a'])
    expect(await find('group=vi')).toEqual([])
    expect(await find('group=null')).toEqual(['b', 'a'])
    expect(await find('group=&keyword=&model=')).toEqual(['b', 'a'])
    expect(await find('keyword=a&group=vip2')).toEqual([])
  })

  test('treats %, _ and \\ as literals', async () => {
    const { admin, channel } = await open()
    for (const name of ['100%', 'a_b', 'a\\b', 'axb']) await channel({ name, models: `m${name}` })
    const find = (field: string, text: string) =>
      names(admin, `/api/channel/search?${field}=${encodeURIComponent(text)}&id_sort=1`)

    expect(await find('keyword', '%')).toEqual(['100%'])
    expect(await find('keyword', 'a_b')).toEqual(['a_b'])
    expect(await find('model', 'a\\b')).toEqual(['a\\b'])
    expect(await find('keyword', "' OR 1=1 --")).toEqual([])
  })

  test('in tag mode returns all channels of matching tags', async () => {
    const { admin, channel } = await open()
    await channel({ name: 'a1', tag: 'a' })
    await channel({ name: 'a2', tag: 'a' })
    await channel({ name: 'b1', tag: 'b' })
    await channel({ name: 'a3' })

    expect(await names(admin, '/api/channel/search?keyword=a1&tag_mode=true')).toEqual(['a2', 'a1'])
    expect(await names(admin, '/api/channel/search?keyword=a3&tag_mode=true')).toEqual([])
  })
})

describe('GET /api/channel/:id', () => {
  test('returns the channel, or not found', async () => {
    const { admin, channel } = await open()
    const { id } = await channel({ name: 'one' })

    expect((await admin.get(`/api/channel/${id}`)).body).toMatchObject({
      success: true,
      data: { id, name: 'one', key: '' },
    })
    expect((await admin.get('/api/channel/77')).body).toEqual({ success: false, message: '渠道 77 不存在' })
  })

  test.each(['x', '1.5', '-1', '2147483648', '99999999999999999999'])('rejects the id %s by its name', async (id) => {
    const { admin } = await open()
    const { status, body } = await admin.get(`/api/channel/${id}`)
    expect({ status, ...body }).toMatchObject({ status: 200, success: false, message: expect.stringMatching(/^id /) })
  })
})

describe('POST /api/channel/', () => {
  test('creates one channel of a service account, for a document of any number of lines', async () => {
    const { admin, toolkit } = await open()
    const key = JSON.stringify({ type: 'service_account', project_id: 'p' }, null, 2)
    const vertex = { ...NEW, type: 41, other: '{"default":"us-central1"}' }
    await admin.post('/api/channel/', { ...vertex, key: `${key}\n${key}\n` })
    expect(await rows(admin)).toHaveLength(2)
    const directory = await toolkit.channelDirectory()
    expect([1, 2].map((id) => directory.find(id)?.key)).toEqual([key, key])
  })

  test('creates one channel with all lines of the key if its settings say so, and returns their number', async () => {
    const { admin } = await open()
    const setting = JSON.stringify({ multi_key_mode: 'random' })
    await admin.post('/api/channel/', { ...NEW, key: 'sk-a\nsk-b\nsk-a', setting })

    const [made] = await rows(admin)
    expect(made).toMatchObject({ key: '', setting, multi_key: { mode: 'random', keys: 2, set_aside: [] } })
    const wrong = JSON.stringify({ multi_key_mode: 'fastest' })
    const refused = await admin.put('/api/channel/', { id: 1, setting: wrong })
    expect(refused.body).toMatchObject({ success: false, message: expect.stringContaining('multi_key_mode') })
  })

  test('creates one channel for each line of the key, equal except for the key', async () => {
    const fixture = await open()
    const { admin } = fixture
    const answer = await admin.post('/api/channel/', {
      ...NEW,
      key: ' sk-a \r\n\n  \nsk-b',
      models: 'b, a,,a',
      tag: 't',
    })

    expect(answer.body).toEqual({ success: true, message: '' })
    const made = await rows(admin)
    expect(made).toMatchObject([
      { id: 2, name: 'one', models: 'b,a', tag: 't', status: 1 },
      { id: 1, name: 'one', models: 'b,a', tag: 't', status: 1 },
    ])
    expect([await keyOf(fixture, 1), await keyOf(fixture, 2)]).toEqual(['sk-a', 'sk-b'])
    expect(await abilities(fixture)).toEqual([1, 2].flatMap((id) => [`${id} default a on`, `${id} default b on`]))
  })

  test('requires only a type and a key', async () => {
    const { admin } = await open()
    expect((await admin.post('/api/channel/', { type: 1, key: 'k' })).body.success).toBe(true)
    expect(await rows(admin)).toMatchObject([{ name: '', models: '', group: 'default', auto_ban: 1, base_url: '' }])
  })

  test("ignores an id, counters, times and the console's own fields, nulls too", async () => {
    const { admin, channel } = await open()
    await channel({ name: 'source' })
    const copied = {
      ...(await rows(admin))[0],
      name: 'copy',
      key: '1',
      created_time: null,
      test_models: ['x'],
      used_quota: 99,
      balance: 7,
      response_time: 5,
      test_time: 5,
      balance_updated_time: 5,
      other_info: '{"status_reason":"x"}',
    }
    expect((await admin.post('/api/channel/', copied)).body).toEqual({ success: true, message: '' })

    const [copy] = await rows(admin)
    const untouched = {
      used_quota: 0,
      balance: 0,
      response_time: 0,
      test_time: 0,
      balance_updated_time: 0,
      other_info: '',
    }
    expect(copy).toMatchObject({ id: 2, name: 'copy', ...untouched })
    expect(copy?.created_time).toBeGreaterThan(1_700_000_000)
  })

  test.each([
    [undefined, 1],
    [null, 1],
    [0, 1],
    [1, 1],
    [2, 2],
    [3, 2],
  ])('a status of %s is created as %s', async (status, stored) => {
    const fixture = await open()
    await fixture.admin.post('/api/channel/', { ...NEW, status })
    expect(await rows(fixture.admin)).toMatchObject([{ status: stored }])
    expect(await abilities(fixture)).toEqual([`1 default gpt-4o ${stored === 1 ? 'on' : 'off'}`])
  })

  test.each(['', 'null', '{}', null])('a model mapping of %j is none', async (model_mapping) => {
    const { admin } = await open()
    expect((await admin.post('/api/channel/', { ...NEW, model_mapping })).body.success).toBe(true)
    expect(await rows(admin)).toMatchObject([{ model_mapping: '' }])
  })

  test.each([
    ['Vertex without a region', { type: 41, key: '' }, '部署地区不能为空'],
    ['Vertex without a default region', { type: 41, other: '{"a":"b"}' }, '部署地区必须包含default字段'],
    ['a type that is no longer supported', { type: 11 }, /Google PaLM 2/],
    ['Suno without a base URL', { type: 36 }, /base_url/],
    ['an unused kind', { type: 28 }, /28/],
    ['a kind out of every range', { type: 1e300 }, /类型/],
    ['a long model', { models: `ok,${'模'.repeat(256)}` }, `模型名称过长: ${'模'.repeat(255)}`],
    ['a long group', { group: 'x'.repeat(65) }, /^输入不合法，group /],
    ['no key line', { key: ' \n\r\n ' }, /^key /],
    ['no key', { key: undefined }, /^key /],
    ['too many keys', { key: 'k\n'.repeat(1001) }, /key/],
    [
      'too many pairs',
      { key: 'k\n'.repeat(1000), models: Array.from({ length: 201 }, (_, at) => at).join() },
      /models/,
    ],
    ['a type that is text', { type: '1' }, /^type /],
    ['no type', { type: undefined }, /^type /],
    ['models that are a list', { models: ['a'] }, /^models /],
    ['a weight below 0', { weight: -1 }, /^weight /],
    ['a weight that is no integer', { weight: 1.5 }, /^weight /],
    ['a weight too large for the database', { weight: 2 ** 31 }, /^weight /],
    ['a priority below -999', { priority: -1000 }, /^priority /],
    ['a priority that is text', { priority: 'x' }, /^priority /],
    ['a status that clients do not set', { status: 4 }, /^status /],
    ['an auto_ban that is neither', { auto_ban: 2 }, /^auto_ban /],
    ['a mapping that is no JSON', { model_mapping: '{' }, /model_mapping/],
    ['a mapping that is a list', { model_mapping: '["a"]' }, /model_mapping/],
    ['a status mapping of nonsense', { status_code_mapping: '{"a":"b"}' }, /status_code_mapping/],
    ['a setting that is no object', { setting: '[1]' }, /setting/],
    ['an address that is none', { base_url: 'example' }, /^base_url /],
    ['an address that is not http', { base_url: 'file:///etc/passwd' }, /^base_url /],
    ['a kind without the address it needs', { type: 3 }, /base_url/],
    ['a name that is a number', { name: 1 }, /^name /],
    ['a name that is too long', { name: 'x'.repeat(256) }, /name/],
    ['a tag that is too long', { tag: 'x'.repeat(256) }, /tag/],
    ['NUL', { name: 'a\0b' }, /^name /],
  ])('rejects %s and creates nothing', async (_, wrong, message) => {
    const { admin } = await open()
    const { status, body } = await admin.post('/api/channel/', { ...NEW, ...wrong })
    expect({ status, success: body.success }).toEqual({ status: 200, success: false })
    expect(body.message).toMatch(message)
    expect(await rows(admin)).toEqual([])
  })

  test.each(['', '{', '[]', '"x"', 'null', '1'])('rejects the body %j', async (raw) => {
    const { admin } = await open()
    const { status, body } = await admin.post('/api/channel/', raw)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(/./) })
  })
})

describe('PUT /api/channel/', () => {
  const FULL = {
    ...NEW,
    base_url: 'https://example.org',
    model_mapping: '{"a":"b"}',
    status_code_mapping: '{"400":"500"}',
    other: 'o',
    setting: '{"a":1}',
    tag: 't',
    test_model: 'm',
    openai_organization: 'org',
    priority: 4,
    weight: 5,
  }

  test('writes only the sent fields, and returns the channel without its key', async () => {
    const fixture = await open()
    const { admin } = fixture
    await admin.post('/api/channel/', FULL)
    const [before] = await rows(admin)

    const { body } = await admin.put('/api/channel/', { id: 1, priority: 0 })
    expect(body).toEqual({ success: true, message: '', data: { ...before, priority: 0 } })
    expect((await admin.put('/api/channel/', { id: 1, weight: 0 })).body.data).toEqual({
      ...before,
      priority: 0,
      weight: 0,
    })
    expect(await rows(admin)).toEqual([{ ...before, priority: 0, weight: 0 }])
    expect(await keyOf(fixture, 1)).toBe(CHANNEL_KEY)
  })

  test('an empty text keeps required fields, and clears optional ones', async () => {
    const fixture = await open()
    const { admin } = fixture
    await admin.post('/api/channel/', FULL)
    const [before] = await rows(admin)

    const kept = { type: 0, key: '', status: 0, name: '', other: '', models: '', group: '', setting: '' }
    expect((await admin.put('/api/channel/', { id: 1, ...kept })).body.data).toEqual(before)
    const nulls = Object.fromEntries(Object.keys(FULL).map((field) => [field, null]))
    expect((await admin.put('/api/channel/', { id: 1, ...nulls })).body.data).toEqual(before)
    const cleared = {
      base_url: '',
      model_mapping: '',
      status_code_mapping: '',
      test_model: '',
      tag: '',
      openai_organization: '',
      auto_ban: 0,
    }
    // Root: another address needs the key again from others.
    const root = await openApi(fixture).as(fixture.root)
    expect((await root.put('/api/channel/', { id: 1, ...cleared })).body.data).toMatchObject({
      base_url: '',
      model_mapping: '',
      status_code_mapping: '',
      test_model: null,
      tag: null,
      openai_organization: null,
      auto_ban: 0,
    })
    expect(await keyOf(fixture, 1)).toBe(CHANNEL_KEY)
  })

  test('a new key applies immediately, and a whole record with console fields is accepted', async () => {
    const fixture = await open()
    const { admin } = fixture
    await admin.post('/api/channel/', FULL)
    const [row] = await rows(admin)

    const whole = { ...row, key: ' sk-new ', groups: ['x'], children: [], test_models: [], used_quota: 9, balance: 9 }
    expect((await admin.put('/api/channel/', whole)).body.data).toMatchObject({ key: '', used_quota: 0, balance: 0 })
    expect(await keyOf(fixture, 1)).toBe('sk-new')
  })

  test('status changes between 1 and 2; an automatically disabled one keeps the reason when enabled', async () => {
    const fixture = await open()
    const { admin, toolkit, root } = fixture
    await admin.post('/api/channel/', NEW)
    const put = async (status: number) => (await admin.put('/api/channel/', { id: 1, status })).body

    expect((await put(2)).data.status).toBe(2)
    expect(await abilities(fixture)).toEqual(['1 default gpt-4o off'])
    expect((await put(1)).data.status).toBe(1)
    expect(await put(3)).toMatchObject({ success: false, message: expect.stringMatching(/^status /) })
    await toolkit.channels.disableAutomatically(root, 1, 'no money')
    expect((await put(3)).data.status).toBe(3)
    const { data } = await put(1)
    expect(data.status).toBe(1)
    expect(JSON.parse(data.other_info)).toEqual({ status_reason: 'no money', status_time: expect.any(Number) })
    expect(await abilities(fixture)).toEqual(['1 default gpt-4o on'])
  })

  test('an imported channel of an unrelayed kind can be edited, but no other can become one', async () => {
    const fixture = await open()
    const { admin, toolkit, channel } = fixture
    await channel({ name: 'imported' })
    await channel({ name: 'ours' })
    await toolkit.db.transaction((trx) => trx('channels').where({ id: 1 }).update({ type: 11 }))

    expect((await admin.put('/api/channel/', { id: 1, type: 11, name: 'x' })).body.data.name).toBe('x')
    expect((await admin.put('/api/channel/', { id: 2, type: 11 })).body.message).toMatch(/Google PaLM 2/)
    expect((await admin.put('/api/channel/', { id: 2, type: 41 })).body.message).toBe('部署地区不能为空')
    expect((await admin.put('/api/channel/', { id: 2, type: 3 })).body.message).toMatch(/base_url/)
    expect((await admin.put('/api/channel/', { id: 2, type: 29 })).body.message).toMatch(/29/)
  })

  test.each([
    [{}, /^id /],
    [{ id: '1' }, /^id /],
    [{ id: 2 ** 31 }, /^id /],
    [{ id: 9, name: 'x' }, '渠道 9 不存在'],
    [{ id: 1, weight: -1 }, /^weight /],
    [{ id: 1, models: 'x'.repeat(256) }, /^模型名称过长/],
    [{ id: 1, group: 5 }, /^group /],
    [{ id: 1, base_url: 'ftp://x' }, /^base_url /],
    [{ id: 1, model_mapping: '{"a":1}' }, /model_mapping/],
    [{ id: 1, ...Object.fromEntries(['models', 'group'].map((name) => [name, MANY])) }, /models × group/],
  ])('rejects %j and changes nothing', async (wrong, message) => {
    const { admin } = await open()
    await admin.post('/api/channel/', NEW)
    const before = await rows(admin)
    const { status, body } = await admin.put('/api/channel/', wrong)
    expect({ status, success: body.success }).toEqual({ status: 200, success: false })
    expect(body.message).toMatch(message)
    expect(await rows(admin)).toEqual(before)
  })

  test('a channel of many models accepts many, without duplicates', async () => {
    const fixture = await open()
    await fixture.admin.post('/api/channel/', NEW)
    const changes: ChannelChanges = { models: `${Array.from({ length: 300 }, (_, at) => `m${at}`).join(',')},m1` }
    await fixture.admin.put('/api/channel/', { id: 1, ...changes })
    expect(await abilities(fixture)).toHaveLength(300)
  })
})

describe('DELETE /api/channel/:id', () => {
  test('deletes the channel with its abilities, by both forms of the path', async () => {
    const fixture = await open()
    const { admin } = fixture
    await admin.post('/api/channel/', { ...NEW, key: 'a\nb\nc' })

    expect((await admin.delete('/api/channel/1')).body).toEqual({ success: true, message: '' })
    expect((await admin.delete('/api/channel/2/')).body).toEqual({ success: true, message: '' })
    expect((await rows(admin)).map(({ id }) => id)).toEqual([3])
    expect(await abilities(fixture)).toEqual(['3 default gpt-4o on'])
  })

  test.each([
    ['1', '渠道 1 不存在'],
    ['0', '渠道 0 不存在'],
    ['x', /^id /],
  ])('rejects %s', async (id, message) => {
    const { admin } = await open()
    const { status, body } = await admin.delete(`/api/channel/${id}`)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
  })
})

describe('DELETE /api/channel/disabled', () => {
  test('deletes disabled ones, by hand or automatically, and returns their number', async () => {
    const fixture = await open()
    const { admin, toolkit, root } = fixture
    await admin.post('/api/channel/', { ...NEW, key: 'a\nb\nc' })
    await admin.put('/api/channel/', { id: 1, status: 2 })
    await toolkit.channels.disableAutomatically(root, 2, 'x')

    expect((await admin.delete('/api/channel/disabled')).body).toEqual({ success: true, message: '', data: 2 })
    expect(await abilities(fixture)).toEqual(['3 default gpt-4o on'])
    expect((await admin.delete('/api/channel/disabled')).body.data).toBe(0)
  })
})

const BAD_IDS = [
  [{}, /^ids /],
  [{ ids: [] }, /^参数错误：ids/],
  [{ ids: null }, /^ids /],
  [{ ids: 'x' }, /^ids /],
  [{ ids: ['1'] }, /^ids/],
  [{ ids: [1.5] }, /^ids/],
  [{ ids: [2 ** 31] }, /^ids/],
  [{ ids: Array(10_001).fill(1) }, /ids/],
] as const

describe('POST /api/channel/batch', () => {
  test('deletes all listed ones, and returns their number', async () => {
    const fixture = await open()
    const { admin } = fixture
    await admin.post('/api/channel/', { ...NEW, key: 'a\nb\nc' })

    expect((await admin.post('/api/channel/batch', { ids: [1, 2, 99, 2] })).body).toEqual({
      success: true,
      message: '',
      data: 4,
    })
    expect((await rows(admin)).map(({ id }) => id)).toEqual([3])
    expect(await abilities(fixture)).toEqual(['3 default gpt-4o on'])
  })

  test.each(BAD_IDS)('rejects %j', async (wrong, message) => {
    const { admin, channel } = await open()
    await channel()
    const { status, body } = await admin.post('/api/channel/batch', wrong)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
    expect(await rows(admin)).toHaveLength(1)
  })
})

describe('POST /api/channel/tag/enabled', () => {
  test('enables all channels of a tag, for any reason of being disabled, and no others', async () => {
    const fixture = await open()
    const { admin, toolkit, root, channel } = fixture
    for (const tag of ['t', 't', 'T', null]) {
      const { id } = await channel({ tag })
      await toolkit.channels.setStatus(root, id, 2)
    }
    await toolkit.channels.setStatus(root, 2, 1)
    await toolkit.channels.disableAutomatically(root, 2, 'x')

    expect((await admin.post('/api/channel/tag/enabled', { tag: 't' })).body).toEqual({ success: true, message: '' })
    expect((await rows(admin)).map(({ status }) => status)).toEqual([2, 2, 1, 1])
    expect(await abilities(fixture)).toEqual(
      ['on', 'on', 'off', 'off'].map((is, at) => `${at + 1} default gpt-4o ${is}`),
    )
  })

  test.each([
    [{}, /^tag /],
    [{ tag: '' }, /^参数错误：tag/],
    [{ tag: 5 }, /^tag /],
  ])('rejects %j', async (wrong, message) => {
    const { admin } = await open()
    expect((await admin.post('/api/channel/tag/enabled', wrong)).body).toEqual({
      success: false,
      message: expect.stringMatching(message),
    })
  })
})

describe('POST /api/channel/tag/disabled', () => {
  test('disables all channels of a tag; an unknown tag changes nothing', async () => {
    const fixture = await open()
    const { admin, channel } = fixture
    await channel({ tag: 't' })
    await channel({ tag: 'u' })

    expect((await admin.post('/api/channel/tag/disabled', { tag: 'no-such-tag' })).body.success).toBe(true)
    expect((await admin.post('/api/channel/tag/disabled', { tag: 't' })).body).toEqual({ success: true, message: '' })
    expect(await abilities(fixture)).toEqual(['1 default gpt-4o off', '2 default gpt-4o on'])
    expect((await admin.post('/api/channel/tag/disabled', { tag: '' })).body.message).toMatch(/^参数错误：tag/)
  })
})

describe('PUT /api/channel/tag', () => {
  test('writes the given fields to all channels of the tag, a weight of 0 too', async () => {
    const fixture = await open()
    const { admin, channel, toolkit } = fixture
    await channel({ tag: 't', weight: 3, priority: 3 })
    await channel({ tag: 't', weight: 4 })
    await channel({ tag: 'other', weight: 5 })

    const changes = { new_tag: 'n', models: 'a,b', groups: 'vip', model_mapping: '{"a":"c"}', priority: -1, weight: 0 }
    expect((await admin.put('/api/channel/tag', { tag: 't', ...changes })).body).toEqual({ success: true, message: '' })

    const same = { tag: 'n', models: 'a,b', group: 'vip', model_mapping: '{"a":"c"}', priority: -1, weight: 0 }
    expect(await rows(admin, '&id_sort=true')).toMatchObject([{ tag: 'other', weight: 5 }, same, same])
    const stored = await toolkit.db.reader('abilities').where({ tag: 'n' })
    expect(stored).toHaveLength(4)
    for (const row of stored) expect(row).toMatchObject({ priority: -1, weight: 0, group: 'vip' })
  })

  test('ignores empty texts and nulls, removes the tag if the new one is empty, and accepts no change', async () => {
    const { admin, channel } = await open()
    await channel({ tag: 't', model_mapping: '{"a":"b"}' })
    const before = await rows(admin)

    const nothing = { new_tag: null, models: '', groups: '', model_mapping: '', priority: null, weight: null }
    for (const same of [nothing, {}, { new_tag: 't' }]) {
      expect((await admin.put('/api/channel/tag', { tag: 't', ...same })).body).toEqual({ success: true, message: '' })
      expect(await rows(admin)).toEqual(before)
    }
    await admin.put('/api/channel/tag', { tag: 't', new_tag: '' })
    expect(await rows(admin)).toMatchObject([{ tag: null }])
  })

  test.each([
    [{}, 'tag不能为空'],
    [{ tag: '' }, 'tag不能为空'],
    [{ tag: 't', weight: -1 }, /^weight /],
    [{ tag: 't', priority: 1.5 }, /^priority /],
    [{ tag: 't', priority: '1' }, /^priority /],
    [{ tag: 't', model_mapping: 'x' }, /model_mapping/],
    [{ tag: 't', models: 'x'.repeat(256) }, /^模型名称过长/],
    [{ tag: 't', groups: [7] }, /^groups /],
    [{ tag: 't', new_tag: 'x'.repeat(256) }, /new_tag/],
  ])('rejects %j and changes nothing', async (wrong, message) => {
    const { admin, channel } = await open()
    await channel({ tag: 't' })
    const before = await rows(admin)
    const { body } = await admin.put('/api/channel/tag', wrong)
    expect(body).toEqual({ success: false, message: expect.stringMatching(message) })
    expect(await rows(admin)).toEqual(before)
  })
})

describe('POST /api/channel/batch/tag', () => {
  test('sets the tag of channels, null removes it, and the abilities follow', async () => {
    const { admin, channel, toolkit } = await open()
    for (const tag of ['a', 'b', null]) await channel({ tag })
    const tags = async () => (await rows(admin, '&id_sort=true')).map(({ tag }) => tag)
    const stored = async () => (await toolkit.db.reader('abilities').orderBy('channel_id')).map(({ tag }) => tag)

    expect((await admin.post('/api/channel/batch/tag', { ids: [1, 3, 99], tag: 'n' })).body).toEqual({
      success: true,
      message: '',
      data: 3,
    })
    expect(await tags()).toEqual(['n', 'b', 'n'])
    expect(await stored()).toEqual(['n', 'b', 'n'])
    expect((await admin.post('/api/channel/batch/tag', { ids: [1, 2], tag: null })).body.data).toBe(2)
    expect(await stored()).toEqual([null, null, 'n'])
    expect((await admin.post('/api/channel/batch/tag', { ids: [3], tag: '' })).body.data).toBe(1)
    expect(await tags()).toEqual([null, null, null])
  })

  test.each([
    ...BAD_IDS.map(([wrong, message]) => [{ ...wrong, tag: 'x' }, message] as const),
    [{ ids: [1], tag: 5 }, /tag/] as const,
  ])('rejects %j', async (wrong, message) => {
    const { admin } = await open()
    const { status, body } = await admin.post('/api/channel/batch/tag', wrong)
    expect({ status, ...body }).toEqual({ status: 200, success: false, message: expect.stringMatching(message) })
  })
})

describe('POST /api/channel/fix', () => {
  test('repairs missing, stale and orphaned abilities, and returns channels plus repairs', async () => {
    const fixture = await open()
    const { admin, toolkit } = fixture
    await admin.post('/api/channel/', { ...NEW, key: 'a\nb\nc\nd' })
    const right = await abilities(fixture)
    const row = { group: 'g', model: 'm', channel_id: 77, enabled: true, priority: 0, weight: 0 }
    await toolkit.db.transaction(async (trx) => {
      await trx('abilities').where({ channel_id: 1 }).delete()
      await trx('abilities').where({ channel_id: 2 }).update({ enabled: false })
      await trx('abilities').insert([row, { ...row, channel_id: 3 }])
    })

    expect((await admin.post('/api/channel/fix')).body).toEqual({ success: true, message: '', data: 4 + 3 })
    expect(await abilities(fixture)).toEqual(right)
    expect((await admin.post('/api/channel/fix')).body.data).toBe(4)
  })

  test('without channels, no ability remains', async () => {
    const fixture = await open()
    const orphan = { group: 'g', model: 'm', channel_id: 77, enabled: true, priority: 0, weight: 0 }
    await fixture.toolkit.db.transaction((trx) => trx('abilities').insert(orphan))
    expect((await fixture.admin.post('/api/channel/fix')).body.data).toBe(0)
    expect(await abilities(fixture)).toEqual([])
  })
})

onBoth('channels over REST', (_, database) => {
  test('are listed, searched, tagged and deleted alike', async () => {
    const fixture = await open(database)
    const { admin } = fixture
    await admin.post('/api/channel/', { ...NEW, key: 'sk-one\nsk-two', tag: 'T' })
    await admin.post('/api/channel/', { ...NEW, name: 'Other', key: 'sk-three' })

    expect(await names(admin, '/api/channel/?p=0')).toEqual(['Other', 'one', 'one'])
    expect(await names(admin, '/api/channel/?tag_mode=true')).toEqual(['one', 'one'])
    for (const keyword of ['oTHER', 'sk-three', '3']) {
      expect(await names(admin, `/api/channel/search?keyword=${keyword}`)).toEqual(['Other'])
    }
    expect(await names(admin, '/api/channel/search?group=DEFAULT')).toEqual([])
    expect(await names(admin, '/api/channel/search?model=GPT&group=default&tag_mode=true')).toEqual(['one', 'one'])
    await admin.put('/api/channel/tag', { tag: 'T', new_tag: 'U', weight: 7 })
    expect((await admin.post('/api/channel/fix')).body.data).toBe(3)
    expect((await admin.post('/api/channel/batch', { ids: [1, 2, 3] })).body.data).toBe(3)
    expect(await abilities(fixture)).toEqual([])
  })
})
