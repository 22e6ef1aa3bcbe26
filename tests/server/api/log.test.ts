import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import type { Person, TestOptions } from '../../support/toolkit.ts'

const openGateway = reused()

const HUGE = '999999999999999'
const OTHER = JSON.stringify({ model_ratio: 1, model_price: -1, admin_info: { use_channel: ['7'] } })

async function open(options: TestOptions = {}) {
  const fixture = await openGateway(options)
  const api = openApi(fixture)
  const [ann, bob] = [await fixture.user({ quota: 1e6 }), await fixture.user({ quota: 1e6 })]
  const admin = await api.as(await fixture.user({ role: 10 }))
  const ownClient = await api.as(ann)
  const quotas = async (path: string, client = admin): Promise<number[]> =>
    (await client.get(path)).body.data.items.map(({ quota }: { quota: number }) => quota)
  /** Inserts a row of a user, at any place in the table. */
  const write = (person: Person, row: object) =>
    fixture.toolkit.db.transaction((trx) =>
      trx('logs').insert({ user_id: person.id, username: person.username, created_at: 1000, ...row }),
    )
  return { ...fixture, api, ann, bob, admin, ownClient, quotas, write }
}

const refusal = (message: string | RegExp) => ({ success: false, message: expect.stringMatching(message) })

/** Names, values that some of them let through, and how many rows of the two that `openFilters` wrote. */
async function openFilters(options?: TestOptions) {
  const fixture = await open(options)
  const { id: channelId } = await fixture.channel()
  const first = { quota: 1, modelName: 'gpt-4o', tokenName: 'one', channelId, promptTokens: 3, completionTokens: 4 }
  await fixture.charge(fixture.ann, first)
  await fixture.charge(fixture.ann, { quota: 2, modelName: 'gpt-4o-mini', tokenName: 'two', group: 'vip' })
  await fixture.charge(fixture.bob, { quota: 4, modelName: 'o3' })
  return { ...fixture, channelId }
}

describe('GET /api/log/', () => {
  test('returns a page of rows, newest first, with every documented field', async () => {
    const { admin, ann, charge, channel } = await open({ now: () => 1_700_000_000 })
    const { id: channelId, name } = await channel()
    await charge(ann, { quota: 5, promptTokens: 3, completionTokens: 4, channelId, other: OTHER, tokenName: 'app' })

    const { body } = await admin.get('/api/log/?p=1&page_size=1&type=2')

    expect(body).toMatchObject({ success: true, message: '', data: { total: 1, page: 1, page_size: 1 } })
    expect(body.data.items).toEqual([
      {
        id: expect.any(Number),
        user_id: ann.id,
        created_at: 1_700_000_000,
        type: 2,
        content: '',
        username: ann.username,
        token_name: 'app',
        model_name: 'gpt-4o',
        quota: 5,
        prompt_tokens: 3,
        completion_tokens: 4,
        use_time: 1,
        is_stream: false,
        channel: channelId,
        channel_name: name,
        token_id: 0,
        group: 'default',
        other: OTHER,
        request_id: expect.any(String),
      },
    ])
  })

  test('applies each filter; only the model accepts wildcards', async () => {
    const { quotas, ann, channelId } = await openFilters()
    const quotasFor = (query: string) => quotas(`/api/log/?type=2&page_size=10&${query}`)

    expect(await quotasFor('')).toEqual([4, 2, 1])
    expect(await quotasFor(`username=${ann.username}`)).toEqual([2, 1])
    expect(await quotasFor('username=no-such-user')).toEqual([])
    expect(await quotasFor('token_name=one')).toEqual([1])
    expect(await quotasFor('token_name=o%25')).toEqual([])
    expect(await quotasFor('model_name=gpt-4o')).toEqual([1])
    expect(await quotasFor('model_name=gpt%25')).toEqual([2, 1])
    expect(await quotasFor('model_name=gpt-4_')).toEqual([1])
    expect(await quotasFor('model_name=%25%5C')).toEqual([])
    expect(await quotasFor('group=vip')).toEqual([2])
    expect(await quotasFor(`channel=${channelId}`)).toEqual([1])
    expect(await quotasFor('channel=&start_timestamp=NaN&end_timestamp=')).toEqual([4, 2, 1])
    expect(await quotasFor(`start_timestamp=${HUGE}`)).toEqual([])
    expect(await quotasFor('end_timestamp=5')).toEqual([])
    expect(await quotas('/api/log/?type=9')).toEqual([])
  })

  test('replaces invalid pages and sizes with defaults', async () => {
    const { admin, ann, write } = await open()
    for (let row = 0; row < 12; row++) await write(ann, { type: 2, quota: row })
    const page = async (query: string) => {
      const { items, total, page: at, page_size } = (await admin.get(`/api/log/?type=2&${query}`)).body.data
      return [items.length, total, at, page_size]
    }

    expect(await page('')).toEqual([10, 12, 1, 10])
    expect(await page('p=0&page_size=0')).toEqual([10, 12, 1, 10])
    expect(await page('p=-2&page_size=-5')).toEqual([10, 12, 1, 10])
    expect(await page('p=2&page_size=x')).toEqual([2, 12, 2, 10])
    expect(await page(`p=1&page_size=${HUGE}`)).toEqual([12, 12, 1, 1000])
    expect(await page(`p=${HUGE}&page_size=${HUGE}`)).toEqual([0, 12, Number(HUGE), 1000])
  })

  test.each(['type', 'channel'])('rejects a %s beyond the column range', async (field) => {
    const { admin } = await open()
    expect((await admin.get(`/api/log/?${field}=99999999999`)).body).toEqual(refusal(field))
  })
})

describe('GET /api/log/self', () => {
  test("shows only the user's rows under any filter, to administrators too", async () => {
    const { quotas, ownClient, api, root, ann, bob, channelId } = await openFilters()

    for (const query of ['', `username=${bob.username}`, 'channel=99', `channel=${channelId}`, `user_id=${bob.id}`]) {
      expect(await quotas(`/api/log/self/?type=2&${query}`, ownClient)).toEqual([2, 1])
    }
    expect(await quotas('/api/log/self?model_name=gpt%25&group=vip', ownClient)).toEqual([2])
    expect(await quotas(`/api/log/self?type=2&username=${ann.username}`, await api.as(root))).toEqual([])
  })

  test('hides the real id, the channel name and administrator fields, but not the channel', async () => {
    const { ownClient, ann, write, channel } = await open()
    const { id } = await channel()
    await write(ann, { id: 1024 * 3 + 7, type: 2, channel_id: id, other: OTHER })
    await write(ann, { id: 1024 * 3 + 8, type: 2, other: 'not JSON {"admin_info"' })
    await write(ann, { id: 1024 * 3 + 9, type: 2, other: 'null' })

    const { items } = (await ownClient.get('/api/log/self?type=2')).body.data

    expect(items[2]).toMatchObject({ id: 7, channel: id, channel_name: '' })
    expect(items.map(({ other }: { other: string }) => other)).toEqual(['', '', '{"model_ratio":1,"model_price":-1}'])
  })

  test('returns at most 100 rows', async () => {
    const { ownClient, ann, write } = await open()
    for (let row = 0; row < 103; row++) await write(ann, { type: 2 })
    const page = async (query: string) => (await ownClient.get(`/api/log/self?type=2&${query}`)).body.data

    expect(await page('page_size=1000')).toMatchObject({ total: 103, page_size: 100 })
    expect((await page('p=2&page_size=100')).items).toHaveLength(3)
    expect((await page(`p=${HUGE}&page_size=100`)).items).toEqual([])
  })
})

describe('GET /api/log/stat', () => {
  test('sums the range and counts the last minute, with every filter except the type', async () => {
    const { admin, bob, channelId } = await openFilters()
    const stat = async (query: string) => (await admin.get(`/api/log/stat?${query}`)).body.data

    expect(await stat('')).toEqual({ quota: 7, rpm: 3, tpm: 7 })
    expect(await stat('type=1')).toEqual({ quota: 7, rpm: 3, tpm: 7 })
    expect(await stat('end_timestamp=5')).toEqual({ quota: 0, rpm: 3, tpm: 7 })
    expect(await stat(`username=${bob.username}`)).toEqual({ quota: 4, rpm: 1, tpm: 0 })
    expect(await stat('model_name=gpt%25')).toEqual({ quota: 3, rpm: 2, tpm: 7 })
    expect(await stat('token_name=one')).toEqual({ quota: 1, rpm: 1, tpm: 7 })
    expect(await stat('group=vip')).toEqual({ quota: 2, rpm: 1, tpm: 0 })
    expect(await stat(`channel=${channelId}`)).toEqual({ quota: 1, rpm: 1, tpm: 7 })
    expect(await stat('username=no-such-user')).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })
})

describe('GET /api/log/self/stat', () => {
  test('always covers the caller, also for administrators', async () => {
    const { ownClient, api, root, bob, ann } = await openFilters()

    expect((await ownClient.get(`/api/log/self/stat?username=${bob.username}`)).body.data).toEqual({
      quota: 3,
      rpm: 2,
      tpm: 7,
    })
    const { data } = (await (await api.as(root)).get(`/api/log/self/stat/?username=${ann.username}`)).body
    expect(data).toEqual({ quota: 0, rpm: 0, tpm: 0 })
  })

  test('counts rows before a change of the name', async () => {
    const { ownClient, ann, toolkit } = await openFilters()
    await toolkit.db.transaction((trx) => trx('users').where({ id: ann.id }).update({ username: 'renamed' }))

    expect((await ownClient.get('/api/log/self/stat')).body.data).toMatchObject({ quota: 3 })
  })
})

describe('GET /api/log/search', () => {
  test('finds rows by type or by the start of their text, the newest 100', async () => {
    const { admin, ann, write } = await open()
    for (let row = 0; row < 101; row++) await write(ann, { type: 9, content: `100% row ${row}` })
    const search = async (keyword: string): Promise<{ content: string; channel_name: string }[]> =>
      (await admin.get(`/api/log/search?keyword=${encodeURIComponent(keyword)}`)).body.data

    expect(await search('9')).toHaveLength(100)
    expect((await search('9'))[0]).toMatchObject({ content: '100% row 100' })
    expect(await search('100% row 5')).toHaveLength(11)
    expect(await search('%')).toEqual([])
    expect(await search('row')).toEqual([])
    expect(await search('99999999999999999999')).toEqual([])
    expect(await search('')).toHaveLength(100)
  })
})

describe('GET /api/log/self/search', () => {
  test("finds the user's rows by type, in the user format", async () => {
    const { ownClient, ann, bob, write } = await open()
    await write(ann, { id: 1024 * 5 + 3, type: 3, content: 'mine', other: OTHER })
    await write(bob, { type: 3, content: 'his' })
    const search = async (keyword: string) =>
      (await ownClient.get(`/api/log/self/search?keyword=${encodeURIComponent(keyword)}`)).body.data

    expect(await search('3')).toMatchObject([{ id: 3, content: 'mine', other: '{"model_ratio":1,"model_price":-1}' }])
    expect(await search('mine')).toEqual([])
    expect(await search('')).toEqual([])
    expect(await search('x'.repeat(90))).toEqual([])
  })
})

describe('GET /api/log/token', () => {
  test('shows the rows of a key to its holder, newest first, with or without its prefix', async () => {
    const { api, ann, bob, token, charge } = await open()
    const [mine, other] = [await token(ann), await token(ann)]
    await charge(ann, { quota: 1, tokenId: mine.id, other: OTHER })
    await charge(ann, { quota: 2, tokenId: other.id })
    await charge(ann, { quota: 3, tokenId: mine.id })
    await charge(bob, { quota: 4 })
    const rows = async (key: string) => (await api.anonymous().get(`/api/log/token?key=${key}`)).body

    for (const key of [mine.key, `sk-${mine.key}`]) {
      const { success, data } = await rows(key)
      expect(success).toBe(true)
      expect(data.map(({ quota }: { quota: number }) => quota)).toEqual([3, 1])
      expect(data[1]).toMatchObject({ channel_name: '', other: '{"model_ratio":1,"model_price":-1}' })
    }
    expect((await rows('')).data).toEqual([])
    expect((await rows(mine.key.slice(1))).data).toEqual([])
    expect((await rows('x'.repeat(1001))).success).toBe(false)
  })

  test('does not find a deleted key', async () => {
    const { api, ann, token, charge, toolkit } = await open()
    const { id, key } = await token(ann)
    await charge(ann, { quota: 1, tokenId: id })
    await toolkit.tokens.delete(ann, id)

    expect((await api.anonymous().get(`/api/log/token?key=${key}`)).body.data).toEqual([])
  })

  test.each(['delete', 'disable'])('shows nothing of an owner after %s', async (action) => {
    const { api, ann, token, charge, toolkit, root } = await open()
    const { id, key } = await token(ann)
    await charge(ann, { quota: 1, tokenId: id })
    const rows = async () => (await api.anonymous().get(`/api/log/token?key=${key}`)).body.data
    expect(await rows()).toHaveLength(1)

    await toolkit.accounts.manage(root, ann.id, action)

    expect(await rows()).toEqual([])
  })

  test('returns at most 1000 rows', async () => {
    const { api, ann, token, toolkit } = await open()
    const { id, key } = await token(ann)
    const rows = Array.from({ length: 1003 }, (_, at) => ({ user_id: ann.id, token_id: id, type: 2, quota: at }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 100))

    const { data } = (await api.anonymous().get(`/api/log/token?key=${key}`)).body
    expect([data.length, data[0].quota]).toEqual([1000, 1002])
  })

  test('can be read by pages of any origin', async () => {
    const { url } = await open()
    const origin = { origin: 'https://check.example' }

    const answer = await fetch(`${url}/api/log/token?key=x`, { headers: origin })
    const preflight = await fetch(`${url}/api/log/token?key=x`, { method: 'OPTIONS', headers: origin })

    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, '*'])
    const closed = await fetch(`${url}/api/log/self`, { headers: origin })
    expect(closed.headers.get('access-control-allow-origin')).toBeNull()
  })
})

describe('DELETE /api/log/', () => {
  test('deletes rows before the time, returns their number, and logs the actor', async () => {
    const { admin, ann, write, toolkit, root, charge } = await open()
    await charge(ann, { quota: 5 })
    for (const created_at of [100, 200, 300]) await write(ann, { type: 4, created_at, content: `at ${created_at}` })

    const { body } = await admin.delete('/api/log/?target_timestamp=300')

    expect(body).toEqual({ success: true, message: '', data: 2 })
    const { items } = await toolkit.logs.list(root, { type: 3 })
    expect(items[0]).toMatchObject({ content: '管理员清理了 2 条日志', username: expect.any(String) })
    expect((await toolkit.logs.list(root, { end_timestamp: 300 })).items).toMatchObject([{ content: 'at 300' }])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('keeps the ledger balanced when it deletes charges', async () => {
    const { admin, ann, charge, toolkit, balance } = await open()
    await charge(ann, { quota: 5 })

    const { body } = await admin.delete(`/api/log/?target_timestamp=${HUGE}`)

    expect(body.data).toBeGreaterThan(0)
    expect(await balance(ann)).toBe(1e6 - 5)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test.each(['', '?target_timestamp=0', '?target_timestamp=', '?target_timestamp=x', '?target_timestamp=-5'])(
    'requires a time when it is called with %s, and deletes nothing',
    async (query) => {
      const { admin, toolkit, root } = await open()
      const { total } = await toolkit.logs.list(root)

      const { body } = await admin.delete(`/api/log/${query}`)

      expect(body).toEqual({ success: false, message: 'target timestamp is required' })
      expect(await toolkit.logs.list(root)).toMatchObject({ total })
    },
  )
})

describe('GET /api/log/:id', () => {
  test('returns one row to administrators, also by its request id', async () => {
    const { admin, ownClient, ann, charge } = await open()
    const { requestId } = await charge(ann, { quota: 5, other: OTHER })
    const { items } = (await admin.get(`/api/log/?request_id=${requestId}`)).body.data
    expect(items).toMatchObject([{ quota: 5, request_id: requestId }])
    expect((await admin.get(`/api/log/${items[0].id}`)).body.data).toEqual(items[0])
    expect((await admin.get('/api/log/99999')).body).toEqual(refusal('99999'))
    expect((await ownClient.get(`/api/log/${items[0].id}`)).body.success).toBe(false)
  })
})

describe('GET /api/log/:id/receipt', () => {
  test('recomputes the price; a row without a readable price has no receipt', async () => {
    const { admin, ann, charge, write, quotas } = await open()
    const price = { model_ratio: 1, model_price: -1, completion_ratio: 4, group_ratio: 1, quota_per_unit: 500_000 }
    await charge(ann, { quota: 5, promptTokens: 5, other: JSON.stringify(price) })
    const id = (await admin.get('/api/log/?type=2')).body.data.items[0].id
    const { data } = (await admin.get(`/api/log/${id}/receipt`)).body
    expect(data).toMatchObject({ charged: 5, recomputed: 5, equal: true, usage: { promptTokens: 5 } })
    for (const [at, other] of ['', 'null', 'not JSON', '[]'].entries()) {
      await write(ann, { id: 7000 + at, type: 2, other })
      expect((await admin.get(`/api/log/${7000 + at}/receipt`)).body.success).toBe(false)
    }
    expect(await quotas('/api/log/?type=1')).toEqual([])
  })
})

test.each([
  ['export', (text: string) => linesIn(text)[0]],
  ['self/export', (text: string) => linesIn(text)[0]],
  ['ID/receipt', (text: string) => JSON.parse(text).data.log],
  ['request/REQUEST', (text: string) => JSON.parse(text).data.receipt.log],
])('GET /api/log/%s translates remarks into English', async (path, rowIn) => {
  const { root, api, charge, toolkit } = await open()
  const price = { model_ratio: 1, model_price: -1, completion_ratio: 4, group_ratio: 1, quota_per_unit: 500_000 }
  const { requestId } = await charge(root, { quota: 0, other: JSON.stringify(price) })
  const content = '模型倍率 1.00，补全倍率 4.00，分组倍率 1.00'
  const row = () => toolkit.db.reader('logs').where({ request_id: requestId }).first('id')
  await toolkit.db.transaction((trx) => trx('logs').where({ request_id: requestId }).update({ content }))
  const client = await api.as(root)
  const read = async (language: string) => {
    const url = `/api/log/${path.replace('ID', String((await row()).id)).replace('REQUEST', requestId)}`
    return rowIn((await client.get(url, { 'accept-language': language })).text)
  }
  expect(await read('zh')).toMatchObject({ content })
  const text = 'model ratio 1.00, completion ratio 4.00, group ratio 1.00'
  expect(await read('en')).toMatchObject({ content: text, request_id: requestId })
})

describe('GET /api/log/:id', () => {
  test.each(['1e400', '1e2', '1.0', '%20', 'x'])('rejects a %s as an id', async (id) => {
    const { admin } = await open()
    for (const path of ['/api/log', '/api/mj', '/api/task', '/api/channel', '/api/user']) {
      expect((await admin.get(`${path}/${id}`)).body).toMatchObject({
        success: false,
        message: expect.stringContaining('id'),
      })
    }
    expect((await admin.get('/api/log/99999999999')).body).toEqual(refusal('id'))
  })
})

describe('GET /api/log/tail', () => {
  test('returns each row once in any order of commits, and rejects an invalid cursor', async () => {
    const { admin, ann, write } = await open()
    const row = (id: number) => write(ann, { id, type: 4, content: String(id) })
    const step = async (query: string) => {
      const { items, cursor, more } = (await admin.get(`/api/log/tail?type=4&${query}`)).body.data
      return {
        content: items.map(({ content }: { content: string }) => content),
        cursor: encodeURIComponent(cursor),
        more,
      }
    }
    await row(100)
    const first = await step('last=1')
    expect(first).toMatchObject({ content: ['100'], more: false })
    await row(105)
    const second = await step(`cursor=${first.cursor}`)
    expect(second.content).toEqual(['105'])
    await row(103)
    await row(99)
    await row(106)
    const third = await step(`cursor=${second.cursor}`)
    expect(third.content).toEqual(['99', '103', '106'])
    expect((await step(`cursor=${third.cursor}`)).content).toEqual([])
    // One that was asked for before may be asked again, as after a network that broke.
    expect((await step(`cursor=${first.cursor}`)).content).toEqual(['99', '103', '105', '106'])
    for (const cursor of ['x', 'v1:AAAA', second.cursor.slice(0, -8)]) {
      expect((await admin.get(`/api/log/tail?cursor=${cursor}`)).body.success).toBe(false)
    }
  })

  test('reads a large number of rows in steps', async () => {
    const { admin, ann, toolkit } = await open()
    const { cursor } = (await admin.get('/api/log/tail?last=0')).body.data
    const rows = Array.from({ length: 6000 }, () => ({ user_id: ann.id, type: 9 }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 400))
    const ids = new Set<number>()
    let at = { cursor, more: true }
    while (at.more) {
      const { data } = (await admin.get(`/api/log/tail?type=9&cursor=${encodeURIComponent(at.cursor)}`)).body
      for (const { id } of data.items) {
        expect(ids.has(id)).toBe(false)
        ids.add(id)
      }
      at = data
    }
    expect(ids.size).toBe(6000)
  })
})

describe('GET /api/log/self/tail', () => {
  test("returns only the user's rows, in the user format, with an opaque cursor", async () => {
    const { ownClient, ann, bob, write } = await open()
    await write(ann, { id: 5000, type: 9, content: 'mine' })
    await write(bob, { id: 5001, type: 9, content: 'his' })
    const { items, cursor } = (await ownClient.get('/api/log/self/tail?type=9')).body.data
    expect(items).toMatchObject([{ id: 5000 % 1024, content: 'mine' }])
    expect(cursor).toMatch(/^v1:/)
    await write(bob, { id: 5002, type: 9, content: 'his too' })
    await write(ann, { id: 5003, type: 9, content: 'mine too' })
    const next = (await ownClient.get(`/api/log/self/tail?type=9&cursor=${encodeURIComponent(cursor)}`)).body.data
    expect(next.items).toMatchObject([{ content: 'mine too' }])
  })

  test('skips relays of other users, and reports more only for own rows', async () => {
    const { ownClient, ann, bob, toolkit, write } = await open()
    const step = async (at: string) =>
      (await ownClient.get(`/api/log/self/tail?type=9&cursor=${encodeURIComponent(at)}`)).body.data
    const many = (id: number, size: number) =>
      toolkit.db.transaction((trx) =>
        trx.batchInsert(
          'logs',
          Array.from({ length: size }, () => ({ user_id: id, type: 9 })),
          400,
        ),
      )
    const { cursor } = (await ownClient.get('/api/log/self/tail?last=0')).body.data
    await many(bob.id, 5500)

    const quiet = await step(cursor)
    expect(quiet).toMatchObject({ items: [], more: false })
    await many(bob.id, 5500)
    await write(ann, { type: 9, content: 'mine' })
    expect(await step(cursor)).toMatchObject({ items: [{ content: 'mine' }], more: false })
    expect(await step(quiet.cursor)).toMatchObject({ items: [{ content: 'mine' }], more: false })
    await many(ann.id, 5500)
    const first = await step(quiet.cursor)
    expect(first.more).toBe(true)
    const rest = await step(first.cursor)
    expect(first.items.length + rest.items.length).toBe(5501)
  })
})

const linesIn = (text: string) =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))

describe('GET /api/log/export', () => {
  test('returns all rows of a filter, one per line, newest first', async () => {
    const { admin, ann, bob, toolkit, write } = await open()
    const rows = Array.from({ length: 2100 }, (_, at) => ({
      user_id: ann.id,
      username: ann.username,
      type: 9,
      quota: at,
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 400))
    await write(bob, { type: 9 })
    const { text, headers } = await admin.get(`/api/log/export?type=9&username=${ann.username}`)
    expect(headers.get('content-type')).toContain('ndjson')
    expect(linesIn(text).map(({ quota }) => quota)).toEqual(rows.map(({ quota }) => quota).reverse())
    expect(linesIn((await admin.get('/api/log/export?type=9')).text)).toHaveLength(2101)
    expect((await admin.get('/api/log/export?type=77')).text).toBe('')
  })
})

describe('GET /api/log/self/export', () => {
  test("returns only the user's rows, in the user format", async () => {
    const { ownClient, ann, bob, write } = await open()
    await write(ann, { id: 9000, type: 9, content: 'mine', other: OTHER })
    await write(bob, { type: 9, content: 'his' })
    const lines = linesIn((await ownClient.get(`/api/log/self/export?type=9&username=${bob.username}`)).text)
    expect(lines).toMatchObject([{ id: 9000 % 1024, content: 'mine', other: '{"model_ratio":1,"model_price":-1}' }])
  })

  test('runs once at a time per user, and for two users concurrently', async () => {
    const { ownClient, admin, api, ann, bob, toolkit } = await open()
    const his = await api.as(bob)
    const rows = Array.from({ length: 3000 }, () => ({ user_id: ann.id, username: ann.username, type: 9 }))
    await toolkit.db.transaction((trx) => trx.batchInsert('logs', rows, 400))

    const twice = await Promise.all([ownClient, ownClient].map((client) => client.get('/api/log/self/export')))
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 429])
    const [refused] = twice.filter(({ status }) => status === 429)
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0)

    const root = await api.as({ id: 1 })
    const calls = [ownClient, admin, root].map((client) =>
      client.get(`/api/log${client === ownClient ? '/self' : ''}/export`),
    )
    expect((await Promise.all(calls)).map(({ status }) => status).sort()).toEqual([200, 200, 429])
    const one = await ownClient.get('/api/log/self/export?type=9')
    const next = await ownClient.get('/api/log/self/export?type=9')
    expect([one, next].map(({ text }) => linesIn(text).length)).toEqual([3000, 3000])
    expect((await his.get('/api/log/self/export')).status).toBe(200)
  })
})

describe('GET /api/log/request/:request_id', () => {
  test('explains a request only to its user and to administrators', async () => {
    const fixture = await openTestGateway()
    const api = openApi(fixture)
    const [ann, bob] = [await fixture.user({ quota: 1000 }), await fixture.user()]
    const { requestId } = await fixture.charge(ann, { quota: 5 })
    const read = async (person: typeof ann, id = requestId) =>
      (await (await api.as(person)).get(`/api/log/request/${encodeURIComponent(id)}`)).body

    expect((await read(ann)).data).toMatchObject({
      request_id: requestId,
      outcome: 'complete',
      charged: 5,
      attempts: [],
    })
    expect((await read(fixture.root)).data).toMatchObject({ username: ann.username })
    expect(await read(bob)).toMatchObject({ success: false })
    expect(await read(ann, 'x'.repeat(90))).toMatchObject({ success: false })
  })
})
