import { expect, test } from 'vitest'
import { openApi } from '../support/api.ts'
import { openTestGateway } from '../support/gateway.ts'
import { sendJson, startUpstream } from '../support/hand-made-upstream.ts'
import { onBoth } from '../support/toolkit.ts'

const SECRET = 'sk-stored-upstream-key'

onBoth('an administrator', (_, database) => {
  async function open() {
    const fixture = await openTestGateway({ database, settings: { MEDIA_ALLOW_HOSTS: '127.0.0.0/8' } })
    const api = openApi(fixture)
    const admin = await fixture.user({ role: 10 })
    const evil = await startUpstream((exchange) => sendJson(exchange, { data: [] }))
    const { id } = await fixture.channel({
      key: SECRET,
      base_url: 'http://127.0.0.1:9',
      tag: 't',
      setting: JSON.stringify({ header_override: { 'x-team': 'blue' } }),
    })
    const stolen = () => evil.seen.filter(({ headers, raw }) => `${JSON.stringify(headers)}${raw}`.includes(SECRET))
    return { ...fixture, admin, evil, id, stolen, asAdmin: await api.as(admin), asRoot: await api.as(fixture.root) }
  }
  type Fixture = Awaited<ReturnType<typeof open>>

  /** Everything that sends a key to an upstream. At once: each waits until replies about upstreams that were not reached are due. */
  async function sendKey({ asAdmin, id }: Fixture, channel = id) {
    await Promise.all(
      ['test', 'fetch_models', 'update_balance'].map((action) => asAdmin.get(`/api/channel/${action}/${channel}`)),
    )
  }

  const redirects = (evil: string): Record<string, Record<string, unknown>> => ({
    'another address': { base_url: evil },
    'the address of the vendor': { base_url: '' },
    'another path': { base_url: 'http://127.0.0.1:9/elsewhere' },
    'another type': { type: 4 },
    'a proxy': { setting: JSON.stringify({ proxy: evil, header_override: { 'x-team': 'blue' } }) },
    'a header with the key': {
      setting: JSON.stringify({ header_override: { 'x-team': 'blue', 'x-copy': '{api_key}' } }),
    },
    'a header that a proxy goes by': { setting: JSON.stringify({ header_override: { 'helicone-target-url': evil } }) },
    'no header': { setting: '{}' },
    'a parameter': {
      setting: JSON.stringify({ header_override: { 'x-team': 'blue' }, param_override: { webhook: evil } }),
    },
  })

  test('cannot send a stored key to another address', async () => {
    const fixture = await open()
    const { asAdmin, evil, id, stolen, toolkit, root } = fixture
    const before = await toolkit.channels.get(root, id)
    for (const [name, change] of Object.entries(redirects(evil.url))) {
      for (const body of [
        { id, ...change },
        { ...before, ...change },
        { id, ...change, key: ' ' },
      ]) {
        const { body: answer, headers } = await asAdmin.put('/api/channel/?empty=clear', body)
        expect(answer.success, name).toBe(false)
        expect(decodeURIComponent(headers.get('tollgate-error') ?? ''), name).toContain('CHANNEL_KEY_AGAIN')
      }
    }
    await sendKey(fixture)
    expect(stolen()).toEqual([])
    expect(await toolkit.channels.get(root, id)).toEqual({
      ...before,
      other_info: expect.stringContaining('test_failure'),
      response_time: expect.anything(),
      test_time: expect.anything(),
    })
  })

  test('can with the key, which leaves a row with the changed fields', async () => {
    const fixture = await open()
    const { asAdmin, evil, id, stolen, toolkit, root } = fixture
    expect((await asAdmin.put('/api/channel/', { id, base_url: evil.url, key: 'sk-own' })).body.success).toBe(true)
    await sendKey(fixture)
    expect(stolen()).toEqual([])
    expect(evil.seen.length).toBeGreaterThan(0)
    const [row] = await toolkit.audit.list(root, { action: 'channel.update' })
    expect(row).toMatchObject({
      actor_id: fixture.admin.id,
      before: { base_url: 'http://127.0.0.1:9' },
      after: { base_url: evil.url },
    })
    expect(Object.keys(row?.after ?? {}).sort()).toEqual(['base_url', 'key'])
  })

  test('change settings that do not redirect the key without entering it', async () => {
    const { asAdmin, id, toolkit, root } = await open()
    const stored = await toolkit.channels.get(root, id)
    const same = {
      setting: JSON.stringify({ header_override: { 'X-Team': 'blue' }, force_format: true }),
    }
    for (const change of [{ weight: 3 }, { models: 'm,n' }, { base_url: 'http://127.0.0.1:9/' }, same, { ...stored }]) {
      expect((await asAdmin.put('/api/channel/', { id, ...change })).body).toMatchObject({ success: true })
    }
    const { id: plain } = await toolkit.channels.create(root, { name: 'plain', type: 1, key: SECRET, models: 'm' })
    const spelledOut = { id: plain, base_url: 'https://api.openai.com' }
    expect((await asAdmin.put('/api/channel/', spelledOut)).body.success).toBe(true)
  })

  test('cannot send it by a copy, a tag, a file or a list of models', async () => {
    const fixture = await open()
    const { asAdmin, evil, id, stolen } = fixture
    const { data: copy } = (
      await asAdmin.post(`/api/channel/${id}/copy`, { name: 'copy', base_url: evil.url, setting: '{}' })
    ).body
    expect((await asAdmin.put('/api/channel/', { id: copy.id, base_url: evil.url })).body.success).toBe(false)
    await asAdmin.put('/api/channel/tag', { tag: 't', base_url: evil.url, setting: '{}', type: 4, weight: 1 })
    const file = { id, name: 'file', type: 1, models: 'm', group: 'default', base_url: evil.url }
    await asAdmin.post('/api/channel/several', { channels: [file, { ...file, name: 'two', key: '' }] })
    await asAdmin.post('/api/channel/', { ...file, key: '' })
    await Promise.all([
      asAdmin.post('/api/channel/fetch_models', { id, base_url: evil.url, type: 1 }),
      asAdmin.post('/api/channel/fetch_models', { id, base_url: evil.url, type: 1, key: '' }),
      asAdmin.get(`/api/channel/test/${id}?base_url=${encodeURIComponent(evil.url)}`),
      asAdmin.get(`/api/channel/fetch_models/${id}?base_url=${encodeURIComponent(evil.url)}`),
      ...[id, copy.id].map((channel) => sendKey(fixture, channel)),
    ])
    expect(stolen()).toEqual([])
  })

  test('cannot let the model’s name choose the host', async () => {
    const { asAdmin, asRoot, id } = await open()
    for (const base_url of ['https://{model}', 'https://api{model}.example/v1']) {
      for (const client of [asAdmin, asRoot]) {
        expect((await client.put('/api/channel/', { id, type: 8, base_url, key: 'sk-own' })).body.success).toBe(false)
      }
    }
  })

  test('cannot put a line break into a header', async () => {
    const { asAdmin, id } = await open()
    for (const openai_organization of ['org\r\nhost: evil.example', 'org\0', 'o\u2028rg']) {
      const { body, headers } = await asAdmin.put('/api/channel/', { id, openai_organization })
      expect(body.success).toBe(false)
      expect(decodeURIComponent(headers.get('tollgate-error') ?? '')).toMatch(/FIELD_HEADER|FIELD_NUL/)
    }
  })

  test('who are root need no key', async () => {
    const { asRoot, evil, id } = await open()
    for (const change of Object.values(redirects(evil.url))) {
      expect((await asRoot.put('/api/channel/', { id, ...change })).body).toMatchObject({ success: true })
    }
  })

  test('do not find root in lists', async () => {
    const { asAdmin, asRoot, root, admin } = await open()
    for (const path of [
      '?page_size=100',
      'search?page_size=100',
      'search?keyword=root',
      'search?role=100',
      `search?keyword=${root.id}`,
    ]) {
      const { items, total } = (await asAdmin.get(`/api/user/${path}`)).body.data
      const ids = items.map(({ id }: { id: number }) => id)
      expect(ids, path).not.toContain(root.id)
      expect(total, path).toBe(ids.length)
    }
    const ids = async (client: typeof asAdmin) =>
      (await client.get('/api/user/?page_size=100')).body.data.items.map(({ id }: { id: number }) => id)
    expect(await ids(asAdmin)).toEqual([admin.id])
    expect(await ids(asRoot)).toEqual([admin.id, root.id])
  })

  test('cannot create quota with their own codes', async () => {
    const fixture = await open()
    const { asAdmin, asRoot, admin, toolkit, root, balance } = fixture
    const make = async (client: typeof asAdmin): Promise<string> =>
      (await client.post('/api/redemption/', { name: 'gift', quota: 1000, count: 1 })).body.data[0]
    const redeem = (key: string, client = asAdmin) => client.post('/api/user/topup', { key })

    const ownCode = await make(asAdmin)
    expect((await redeem(ownCode)).body.success).toBe(false)
    // Root's code, with the value that the administrator set, also after a later change.
    const raised = await make(asRoot)
    const { id } = await toolkit.db.reader('redemptions').where({ key: raised }).first('id')
    await asAdmin.put('/api/redemption/', { id, quota: 1e12 })
    await asRoot.put('/api/redemption/', { id, name: 'other' })
    expect((await redeem(raised)).body.success).toBe(false)
    expect(await balance(admin)).toBe(0)

    expect((await redeem(await make(asRoot))).body).toMatchObject({ success: true, data: 1000 })
    const customer = await openApi(fixture).as(await fixture.user())
    expect((await redeem(ownCode, customer)).body).toMatchObject({ success: true, data: 1000 })
    expect((await redeem(await make(asRoot), asRoot)).body.success).toBe(true)

    await toolkit.options.set(root, 'AdminRedeemOwnCodes', 'true')
    const allowed = await make(asAdmin)
    expect((await redeem(allowed)).body).toMatchObject({ success: true, data: 1000 })
    expect(await balance(admin)).toBe(2000)
    const [row] = await toolkit.audit.list(root, { action: 'redemption.redeem' })
    expect(row).toMatchObject({ actor_id: admin.id, after: { quota: 1000 } })
  })

  test('lose nothing else by a rejected code', async () => {
    const { asAdmin, toolkit } = await open()
    const [key] = (await asAdmin.post('/api/redemption/', { name: 'gift', quota: 7, count: 1 })).body.data
    await asAdmin.post('/api/user/topup', { key })
    expect(await toolkit.db.reader('redemptions').where({ key }).first('status', 'used_user_id')).toEqual({
      status: 1,
      used_user_id: 0,
    })
  })
})
