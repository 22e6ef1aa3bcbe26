import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { CHANNEL_KEY, openTestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'

/** What the terminal asks for beyond the documented calls: the bounds and refusals; what it does, its own tests show. */
const fixture = shared(async () => {
  const gateway = await openTestGateway()
  return { ...gateway, admin: await openApi(gateway).as(await gateway.user({ role: 10 })) }
})
const NEW = { type: 1, key: CHANNEL_KEY, models: 'gpt-4o', group: 'default' }

describe('GET /api/channel/page', () => {
  test('counts the matches of all filters, and returns no key', async () => {
    const { admin, channel } = fixture()
    const first = await channel({ name: 'page-1', tag: 'page', priority: 3 })
    const second = await channel({ name: 'page-2', tag: 'page' })
    const page = async (query: string) => (await admin.get(`/api/channel/page?${query}`)).body.data
    expect(await page('tag=page&page_size=1')).toMatchObject({ total: 2, page: 1, page_size: 1, items: [{ key: '' }] })
    expect((await page('tag=page&id_sort=true')).items).toMatchObject([{ id: second.id }, { id: first.id }])
    expect(await page(`ids=${first.id},999,x`)).toMatchObject({ total: 1, items: [{ id: first.id }] })
    expect((await page('tag=page&type=14')).total).toBe(0)
    expect((await page('tag=page&keyword=page-2&model=gpt-4o&group=default&status=1')).total).toBe(1)
    const none = (await admin.get('/api/channel/page?ids=x')).body
    expect(none).toMatchObject({ success: false })
    for (const query of ['status=2147483648', 'type=2147483648']) {
      const { body } = await admin.get(`/api/channel/page?${query}`)
      expect(body).toMatchObject({ success: false, message: expect.stringContaining(query.slice(0, 4)) })
    }
  })

  test('in tag mode returns pages of tags, each with all of its channels, and counts the tags', async () => {
    const { admin, channel } = fixture()
    const one = await channel({ name: 'by-tag-1', tag: 'by-tag a', models: 'only-here' })
    const two = await channel({ name: 'by-tag-2', tag: 'by-tag a', priority: 3 })
    const three = await channel({ name: 'by-tag-3', tag: 'by-tag b' })
    await channel({ name: 'by-tag-4' })
    const page = async (query: string) => (await admin.get(`/api/channel/page?tag_mode=true&${query}`)).body.data
    const both = [{ id: two.id, key: '' }, { id: one.id }]
    expect(await page('keyword=by-tag&page_size=1')).toMatchObject({ total: 2, page: 1, page_size: 1, items: both })
    expect(await page('keyword=by-tag&page_size=1&p=2')).toMatchObject({ total: 2, items: [{ id: three.id }] })
    expect(await page('model=only-here')).toMatchObject({ total: 1, items: both })
    expect(await page('keyword=by-tag-4')).toMatchObject({ total: 0, items: [] })
  })
})

describe('POST /api/channel/several', () => {
  test('returns the error of each channel, and creates none of them', async () => {
    const { admin, toolkit, root } = fixture()
    const channels = [
      { ...NEW, name: 'several-1' },
      { ...NEW, name: 'several-1' },
      { ...NEW, name: '' },
      { ...NEW, name: 'several-2', weight: -1 },
    ]
    const { body } = await admin.post('/api/channel/several', { channels })
    expect(body.data.created).toEqual([])
    expect(body.data.refused).toMatchObject([
      { at: 1, code: 'CHANNEL_NAME_TAKEN', kind: 'conflict', params: { name: 'several-1' } },
      { at: 2, code: 'FIELD_REQUIRED', kind: 'invalid' },
      { at: 3, code: 'FIELD_RANGE', message: expect.stringContaining('weight') },
    ])
    expect((await toolkit.channels.list(root, { keyword: 'several' })).total).toBe(0)
  })

  test('reports for each channel the missing or mistyped field', async () => {
    const { admin } = fixture()
    const odd: object[] = [
      { key: CHANNEL_KEY, models: 'm' },
      { type: '1' },
      { type: 1.5 },
      { key: undefined },
      { key: null },
      { key: 5 },
      { key: 'k'.repeat(1024 * 1024 + 1) },
      { models: 5 },
      { models: null },
      { name: 5 },
      { weight: '3' },
      { other: {} },
      { type: 41, other: 7 },
      { status: 'on' },
      { status_code_mapping: {} },
    ]
    const channels = odd.map((fields, at) => ({ ...(at > 0 && NEW), name: `odd-${at}`, ...fields }))
    channels.push({ ...NEW, name: 'fits', status: null, tag: null, weight: null } as (typeof channels)[0])
    const { refused } = (await admin.post('/api/channel/several?check=true', { channels })).body.data
    expect(
      refused.map(({ at, code, params }: { at: number; code: string; params: object }) => [at, code, params]),
    ).toEqual([
      [0, 'FIELD_REQUIRED', { field: 'type' }],
      [1, 'FIELD_WHOLE_NUMBER', { field: 'type' }],
      [2, 'FIELD_WHOLE_NUMBER', { field: 'type' }],
      [3, 'CHANNEL_KEY_MISSING', {}],
      [4, 'CHANNEL_KEY_MISSING', {}],
      [5, 'FIELD_TEXT', { field: 'key' }],
      [6, 'FIELD_LENGTH', { field: 'key', min: 0, max: 1024 * 1024 }],
      [7, 'FIELD_TEXT', { field: 'models' }],
      [8, 'FIELD_REQUIRED', { field: 'models' }],
      [9, 'FIELD_TEXT', { field: 'name' }],
      [10, 'FIELD_WHOLE_NUMBER', { field: 'weight' }],
      [11, 'FIELD_TEXT', { field: 'other' }],
      [12, 'FIELD_TEXT', { field: 'other' }],
      [13, 'FIELD_CHOICE', { field: 'status', words: '1, 2', value: expect.anything() }],
      [14, 'FIELD_TEXT', { field: 'status_code_mapping' }],
    ])
  })

  test('creates all, or with check only validates', async () => {
    const { admin } = fixture()
    const channels = [
      { ...NEW, name: 'all-1' },
      { ...NEW, name: 'all-2', status: 2, tag: 'all' },
    ]
    const looked = await admin.post('/api/channel/several?check=true', { channels })
    expect(looked.body.data).toEqual({ created: [], refused: [] })
    const { created } = (await admin.post('/api/channel/several', { channels })).body.data
    expect(created).toMatchObject([
      { name: 'all-1', key: '', status: 1 },
      { name: 'all-2', key: '', status: 2, tag: 'all' },
    ])
    const many = Array.from({ length: 1001 }, (_, at) => ({ ...NEW, name: `x-${at}` }))
    expect((await admin.post('/api/channel/several', { channels: many })).body.success).toBe(false)
  })
})

describe('POST /api/channel/batch/status', () => {
  test('changes all of them or none', async () => {
    const { admin, channel } = fixture()
    const { id } = await channel({ name: 'status-1' })
    const turn = async (ids: number[], status: number) =>
      (await admin.post('/api/channel/batch/status', { ids, status })).body
    expect((await turn([id, 99_999], 2)).success).toBe(false)
    expect((await turn([], 2)).success).toBe(false)
    expect((await turn([id], 3)).success).toBe(false)
    expect((await admin.get(`/api/channel/${id}`)).body.data.status).toBe(1)
    expect((await turn([id, id], 2)).data).toBe(1)
    expect((await admin.get(`/api/channel/${id}`)).body.data.status).toBe(2)
  })
})

describe('POST /api/channel/:id/copy', () => {
  test('copies the key without returning it', async () => {
    const { admin, channel, toolkit } = fixture()
    const { id } = await channel({ name: 'copy-1', key: 'sk-to-be-copied' })
    const { data } = (await admin.post(`/api/channel/${id}/copy`, { name: 'copy-2' })).body
    expect(data).toMatchObject({ name: 'copy-2', key: '', used_quota: 0, test_time: 0, status: 1 })
    expect((await toolkit.channelDirectory()).find(data.id)?.key).toBe('sk-to-be-copied')
    expect((await admin.post(`/api/channel/${id}/copy`, { name: 'copy-2' })).body.success).toBe(false)
    expect((await admin.post('/api/channel/99999/copy', {})).body.success).toBe(false)
  })
})

describe('the record instead of the documented reply', () => {
  test('a created channel, with its own name; the result of fix; the result of a test', async () => {
    const { admin } = fixture()
    const create = (body: object) => admin.post('/api/channel/?answer=record', body)
    const { data } = (await create({ ...NEW, name: 'record', base_url: 'http://127.0.0.1:9' })).body
    expect(data).toMatchObject({ name: 'record', key: '' })
    expect((await create({ ...NEW, name: 'record' })).body.success).toBe(false)
    expect((await create({ ...NEW, name: 'record-2', key: 'k1\nk2' })).body.success).toBe(false)
    expect((await admin.post('/api/channel/fix?answer=record')).body.data).toMatchObject({ repaired: 0 })
    const { body } = await admin.get(`/api/channel/test/${data.id}?answer=record`)
    expect(body).toMatchObject({ success: true, data: { success: false, model: 'gpt-4o', time: expect.any(Number) } })
    expect(body.data.message).not.toBe('')
  })

  test('empty=clear clears fields that an empty text keeps otherwise, and no more', async () => {
    const { admin, channel } = fixture()
    const { id } = await channel({ name: 'clear', other: 'x', setting: '{"force_format":true}' })
    const put = async (query: string, body: object) => (await admin.put(`/api/channel/${query}`, { id, ...body })).body
    expect((await put('', { other: '', setting: '' })).data).toMatchObject({ other: 'x' })
    expect((await put('?empty=clear', { other: '', setting: '' })).data).toMatchObject({ other: '', setting: '' })
    for (const field of ['name', 'models', 'group']) {
      expect((await put('?empty=clear', { [field]: '' })).success).toBe(false)
    }
  })
})
