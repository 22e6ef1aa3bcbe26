import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../../core/options/registry.ts'
import { openApi } from '../../support/api.ts'
import { CHANNEL_KEY } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  return { ...fixture, root: await api.as(fixture.root), owner: fixture.root }
}

describe('clients of the documented API', () => {
  test('read an empty text if a channel maps no model, for each stored form', async () => {
    const { root, channel, toolkit } = await open()
    const { id } = await channel({ model_mapping: '{"a":"b"}' })
    const { id: without } = await channel({})

    expect((await root.get(`/api/channel/${id}`)).body.data.model_mapping).toBe('{"a":"b"}')
    expect((await root.get(`/api/channel/${without}`)).body.data.model_mapping).toBe('')
    expect((await root.put('/api/channel/', { id, model_mapping: '' })).body.data.model_mapping).toBe('')
    expect((await toolkit.db.reader('channels').where({ id }).first('model_mapping')).model_mapping).toBeNull()
  })

  test('find the ratios in the row of every channel test, also of an unpriced model', async () => {
    const { root, channel, toolkit, owner } = await open()
    const { url } = await startUpstream((exchange) => sendJson(exchange, completion('hello', usage(3, 2))))
    const { id } = await channel({ base_url: url, key: CHANNEL_KEY, models: 'unpriced-model' })

    expect((await root.get(`/api/channel/test/${id}`)).body.success).toBe(true)

    const [row] = (await toolkit.logs.list(owner, { type: 2 })).items
    expect(row?.quota).toBe(0)
    expect(JSON.parse(row?.other ?? '')).toMatchObject({
      model_ratio: 0,
      model_price: -1,
      completion_ratio: 1,
      group_ratio: 1,
    })
    expect((await toolkit.logs.receipt(owner, row?.id ?? 0)).equal).toBe(true)
  })

  test('send an empty text for the default of a number', async () => {
    const { root, toolkit } = await open()
    const put = (key: string, value: string) => root.put('/api/option/', { key, value })
    for (const [key, value] of [
      ['RetryTimes', '4'],
      ['Price', '9'],
    ] as const) {
      await put(key, value)
      expect((await put(key, '')).body).toEqual({ success: true, message: '' })
    }
    expect(toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)
    expect(toolkit.options.get(OPTIONS.Price)).toBe(7.3)
  })

  test('save an address and a minimum while they are typed: each text is stored, and a warning says if it has no effect', async () => {
    const { root, toolkit, owner } = await open()
    const put = async (key: string, value: string) => (await root.put('/api/option/', { key, value })).body

    for (const value of ['h', 'http', 'https:/']) {
      const { success, message } = await put('CustomCallbackAddress', value)
      expect({ value, success }).toEqual({ value, success: true })
      expect(message).toContain('CustomCallbackAddress')
      expect(toolkit.options.read(owner, 'CustomCallbackAddress')).toBe(value)
      expect(toolkit.options.get(OPTIONS.CustomCallbackAddress)).toBe('')
    }
    expect(await put('CustomCallbackAddress', 'https://hook.example.com/')).toEqual({ success: true, message: '' })
    expect(toolkit.options.get(OPTIONS.CustomCallbackAddress)).toBe('https://hook.example.com')
    for (const value of ['0', '-', 'x']) expect((await put('MinTopUp', value)).message).toContain('MinTopUp')
    expect(toolkit.options.get(OPTIONS.MinTopUp)).toBe(1)
    expect(await put('MinTopUp', '12')).toEqual({ success: true, message: '' })
    expect(toolkit.options.get(OPTIONS.MinTopUp)).toBe(12)
  })

  test('get the same rejections from the single-option call as from the batch call', async () => {
    const { root, toolkit } = await open()
    const put = async (key: string, value: string) => (await root.put('/api/option/', { key, value })).body.success
    for (const key of ['GitHubClientId', 'GitHubClientSecret']) await put(key, 'x')
    expect(await put('GitHubOAuthEnabled', 'true')).toBe(true)

    expect(await put('GitHubClientId', '')).toBe(false)

    expect(toolkit.options.get(OPTIONS.GitHubClientId)).toBe('x')
    expect(await put('GitHubOAuthEnabled', 'false')).toBe(true)
    expect(await put('GitHubClientId', '')).toBe(true)
  })

  test('send groups as a list, in a new channel, an edit, and an edit of a tag', async () => {
    const { root, toolkit, owner } = await open()
    const channel = { type: 1, name: 'east', key: 'k', models: 'gpt-4o', tag: 'eu' }
    expect((await root.post('/api/channel/', { ...channel, groups: ['default', 'vip'] })).body.success).toBe(true)
    const read = async () => (await toolkit.channels.list(owner)).items[0]
    const id = (await read())?.id
    expect((await read())?.group).toBe('default,vip')

    await root.put('/api/channel/', { id, groups: ['svip'] })
    expect((await read())?.group).toBe('svip')
    await root.put('/api/channel/', { id, groups: [], group: 'default' })
    expect((await read())?.group).toBe('default')
    await root.put('/api/channel/tag', { tag: 'eu', groups: ['vip', 'svip'] })
    expect((await read())?.group).toBe('vip,svip')
    await root.put('/api/channel/tag', { tag: 'eu', groups: 'default' })
    expect((await read())?.group).toBe('default')
    expect((await root.put('/api/channel/', { id, groups: [7] })).body.success).toBe(false)
  })

  test('cannot put a user into a group that does not exist', async () => {
    const { root, user, toolkit, owner } = await open()
    const { id } = await user()
    const { body } = await root.put('/api/user/', { id, group: 'nowhere' })
    expect(body).toMatchObject({ success: false, message: expect.stringContaining('nowhere') })
    expect((await toolkit.accounts.get(owner, id)).group).toBe('default')
    expect((await root.put('/api/user/', { id, group: 'vip' })).body.success).toBe(true)
    await expect(
      toolkit.accounts.create(owner, { username: 'lost', password: 'correct horse', group: 'nowhere' }),
    ).rejects.toMatchObject({ code: 'GROUP_NOT_FOUND' })
  })

  test('find channels by part of a model, in pages as in the search', async () => {
    const { root, channel } = await open()
    await channel({ name: 'one', models: 'gpt-4o-mini' })
    await channel({ name: 'two', models: 'claude-sonnet-5' })
    const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
    expect(names((await root.get('/api/channel/page?model=4o')).body.data.items)).toEqual(['one'])
    expect(names((await root.get('/api/channel/search?model=4o')).body.data)).toEqual(['one'])
  })

  test('set a priority up to 2147483647, and no higher', async () => {
    const { root, channel } = await open()
    const { id } = await channel()
    const put = async (priority: number) => (await root.put('/api/channel/', { id, priority })).body.success
    expect([await put(2147483647), await put(2147483648)]).toEqual([true, false])
  })

  test('name tokens by characters, like users', async () => {
    const { root } = await open()
    const create = async (name: string) =>
      (await root.post('/api/token/', { name, unlimited_quota: true })).body.success
    expect([await create('汉'.repeat(30)), await create('汉'.repeat(31))]).toEqual([true, false])
  })

  test('see why a test failed until one passes', async () => {
    const { root, channel } = await open()
    let isBroken = true
    const { url } = await startUpstream((exchange) =>
      isBroken
        ? sendJson(exchange, { error: { message: 'out of order' } }, 500)
        : sendJson(exchange, completion('hello', usage(3, 2))),
    )
    const { id } = await channel({ base_url: url, key: CHANNEL_KEY })
    const failure = async () => {
      const { other_info } = (await root.get(`/api/channel/${id}`)).body.data
      return other_info === '' ? undefined : JSON.parse(other_info).test_failure
    }

    await root.get(`/api/channel/test/${id}`)
    expect(await failure()).toContain('out of order')
    isBroken = false
    await root.get(`/api/channel/test/${id}`)
    expect(await failure()).toBeUndefined()
  })

  test('test a Claude channel with a currently served model', async () => {
    const { root, channel } = await open()
    const { url, seen } = await startUpstream((exchange) =>
      sendJson(exchange, {
        type: 'message',
        content: [{ type: 'text', text: 'hi' }],
        usage: { input_tokens: 1, output_tokens: 1 },
      }),
    )
    const models = 'claude-instant-1.2,claude-2.1,claude-sonnet-5'
    const { id } = await channel({ type: 14, base_url: url, key: CHANNEL_KEY, models })
    await root.get(`/api/channel/test/${id}`)
    const retired = await channel({ type: 14, base_url: url, key: CHANNEL_KEY, models: 'claude-2.1,claude-2.0' })
    await root.get(`/api/channel/test/${retired.id}`)
    expect(seen.map(({ body }) => (body as { model: string }).model)).toEqual(['claude-sonnet-5', 'claude-haiku-4-5'])
  })
})
