import { describe, expect, test } from 'vitest'
import { GATEWAY } from '../../core/actor.ts'
import type { AuditEntry } from '../../core/audit/schema.ts'
import { nameOf } from '../server/api/calls.ts'
import { type ApiClient, openApi } from '../support/api.ts'
import { batchRow, fileRow } from '../support/batch-rows.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { readOperations } from '../support/operations.ts'
import { onBoth, PASSWORD } from '../support/toolkit.ts'

interface Made {
  channel: number
  user: number
  token: number
  code: number
  callback: number
  team: number
  batch: number
  file: number
}

const LIMIT = { subject: 'model', subject_id: 'm', measure: 'requests', period: 'minute', amount: 5 }
/** Nothing answers there. */
const TARGET = {
  kind: 'slack',
  name: 'ops',
  settings: { url: 'http://127.0.0.1:9/hook' },
  events: ['job.failed'],
  gateway: true,
}

/** Every call that changes what is not the caller's own: how to make it, and the action that it leaves. */
const CHANGES: Record<string, { send: (root: ApiClient, made: Made) => Promise<unknown>; action: string }> = {
  'POST /api/user': {
    send: (root) => root.post('/api/user/', { username: 'new_user', password: PASSWORD }),
    action: 'user.create',
  },
  'PUT /api/user': {
    send: (root, { user }) => root.put('/api/user/', { id: user, group: 'vip' }),
    action: 'user.update',
  },
  'POST /api/user/manage': {
    send: (root, { user }) => root.post('/api/user/manage', { id: user, action: 'disable' }),
    action: 'user.manage',
  },
  'POST /api/user/:id/quota': {
    send: (root, { user }) => root.post(`/api/user/${user}/quota`, { by: 5 }),
    action: 'user.quota',
  },
  'DELETE /api/user/:id': { send: (root, { user }) => root.delete(`/api/user/${user}`), action: 'user.delete' },
  'PUT /api/option': {
    send: (root) => root.put('/api/option/', { key: 'RetryTimes', value: '2' }),
    action: 'option.set',
  },
  'PUT /api/option/batch': {
    send: (root) => root.put('/api/option/batch', { changes: [{ key: 'RetryTimes', value: '3' }] }),
    action: 'option.set',
  },
  'POST /api/option/reset': {
    send: async (root) => {
      await root.put('/api/option/', { key: 'RetryTimes', value: '2' })
      await root.post('/api/option/reset', { keys: ['RetryTimes'] })
    },
    action: 'option.reset',
  },
  'POST /api/option/rest_model_ratio': {
    send: async (root) => {
      await root.put('/api/option/', { key: 'ModelRatio', value: '{"m":1}' })
      await root.post('/api/option/rest_model_ratio')
    },
    action: 'option.reset',
  },
  'POST /api/channel': {
    send: (root) => root.post('/api/channel/', { name: 'more', type: 1, key: 'a\nb', models: 'm' }),
    action: 'channel.create',
  },
  'POST /api/channel/several': {
    send: (root) =>
      root.post('/api/channel/several', {
        channels: [{ name: 'file', type: 1, key: 'a', models: 'm', group: 'default' }],
      }),
    action: 'channel.create',
  },
  'POST /api/channel/:id/copy': {
    send: (root, { channel }) => root.post(`/api/channel/${channel}/copy`, {}),
    action: 'channel.copy',
  },
  'PUT /api/channel': {
    send: (root, { channel }) => root.put('/api/channel/', { id: channel, weight: 3 }),
    action: 'channel.update',
  },
  'PUT /api/channel/tag': {
    send: (root) => root.put('/api/channel/tag', { tag: 't', weight: 4 }),
    action: 'channel.update',
  },
  'POST /api/channel/tag/enabled': {
    send: async (root) => {
      await root.post('/api/channel/tag/disabled', { tag: 't' })
      await root.post('/api/channel/tag/enabled', { tag: 't' })
    },
    action: 'channel.status',
  },
  'POST /api/channel/tag/disabled': {
    send: (root) => root.post('/api/channel/tag/disabled', { tag: 't' }),
    action: 'channel.status',
  },
  'POST /api/channel/batch/tag': {
    send: (root, { channel }) => root.post('/api/channel/batch/tag', { ids: [channel], tag: 'other' }),
    action: 'channel.tag',
  },
  'POST /api/channel/batch/status': {
    send: (root, { channel }) => root.post('/api/channel/batch/status', { ids: [channel], status: 2 }),
    action: 'channel.status',
  },
  'POST /api/channel/batch': {
    send: (root, { channel }) => root.post('/api/channel/batch', { ids: [channel] }),
    action: 'channel.delete',
  },
  'DELETE /api/channel/:id': {
    send: (root, { channel }) => root.delete(`/api/channel/${channel}`),
    action: 'channel.delete',
  },
  'DELETE /api/channel/disabled': {
    send: async (root, { channel }) => {
      await root.put('/api/channel/', { id: channel, status: 2 })
      await root.delete('/api/channel/disabled')
    },
    action: 'channel.delete',
  },
  'POST /api/channel/fix': { send: (root) => root.post('/api/channel/fix'), action: 'channel.repair' },
  'GET /api/channel/test/:id': {
    send: (root, { channel }) => root.get(`/api/channel/test/${channel}`),
    action: 'channel.test',
  },
  'GET /api/channel/update_balance/:id': {
    send: (root, { channel }) => root.get(`/api/channel/update_balance/${channel}`),
    action: 'channel.balance',
  },
  'GET /api/channel/fetch_models/:id': {
    send: (root, { channel }) => root.get(`/api/channel/fetch_models/${channel}`),
    action: 'channel.models',
  },
  'POST /api/configuration/apply': {
    send: async (root) => {
      const document = { version: 1, options: { TopUpLink: 'https://shop.example' } }
      const { body } = await root.post('/api/configuration/plan', { document })
      await root.post('/api/configuration/apply', { document, plan: body.data })
    },
    action: 'option.set',
  },
  'GET /api/channel/test': { send: (root) => root.get('/api/channel/test'), action: 'job.start' },
  'GET /api/channel/update_balance': {
    send: async (root, { channel }) => {
      await root.put('/api/channel/', { id: channel, status: 2 })
      await root.get('/api/channel/update_balance')
    },
    action: 'channel.balances',
  },
  'POST /api/token': {
    send: (root, { user }) =>
      root.post(`/api/token/?user_id=${user}`, {
        name: 'given',
        unlimited_quota: true,
        expired_time: -1,
        remain_quota: 0,
      }),
    action: 'token.create',
  },
  'PUT /api/token': {
    send: (root, { token }) => root.put('/api/token/?everybody=true', { id: token, name: 'renamed' }),
    action: 'token.update',
  },
  'DELETE /api/token/:id': {
    send: (root, { token }) => root.delete(`/api/token/${token}?everybody=true`),
    action: 'token.delete',
  },
  'POST /api/redemption': {
    send: (root) => root.post('/api/redemption/', { name: 'gift', quota: 5, count: 3 }),
    action: 'redemption.create',
  },
  'GET /api/redemption': { send: (root) => root.get('/api/redemption/?page_size=10'), action: 'redemption.read' },
  'GET /api/redemption/search': {
    send: (root) => root.get('/api/redemption/search?page_size=10&keyword=gift'),
    action: 'redemption.read',
  },
  'GET /api/redemption/:id': {
    send: (root, { code }) => root.get(`/api/redemption/${code}`),
    action: 'redemption.read',
  },
  'POST /api/redemption/made': {
    send: async (root) => {
      const batch = { name: 'gift', quota: 5, count: 1, total: 1 }
      await root.post('/api/redemption/', batch, { 'idempotency-key': 'k' })
      await root.post('/api/redemption/made', { name: 'gift', quota: 5, total: 1, idempotency_keys: ['k'] })
    },
    action: 'redemption.read',
  },
  'PUT /api/redemption': {
    send: (root, { code }) => root.put('/api/redemption/', { id: code, quota: 6 }),
    action: 'redemption.update',
  },
  'DELETE /api/redemption/:id': {
    send: (root, { code }) => root.delete(`/api/redemption/${code}`),
    action: 'redemption.delete',
  },
  'DELETE /api/redemption/named': {
    send: (root) => root.delete('/api/redemption/named?name=gift'),
    action: 'redemption.delete',
  },
  'PUT /api/limit': {
    send: (root) => root.put('/api/limit/', { limits: [LIMIT] }),
    action: 'limit.set',
  },
  'DELETE /api/limit/:id': {
    send: async (root) => {
      const { body } = await root.put('/api/limit/', { limits: [LIMIT] })
      await root.delete(`/api/limit/${body.data[0].id}`)
    },
    action: 'limit.remove',
  },
  'POST /api/notify': {
    send: (root) => root.post('/api/notify/', TARGET),
    action: 'notice.create',
  },
  'PUT /api/notify/:id': {
    send: async (root) => {
      const { body } = await root.post('/api/notify/', TARGET)
      await root.put(`/api/notify/${body.data.id}`, { enabled: false })
    },
    action: 'notice.update',
  },
  'DELETE /api/notify/:id': {
    send: async (root) => {
      const { body } = await root.post('/api/notify/', TARGET)
      await root.delete(`/api/notify/${body.data.id}`)
    },
    action: 'notice.delete',
  },
  'POST /api/notify/:id/test': {
    send: async (root) => {
      const { body } = await root.post('/api/notify/', TARGET)
      await root.post(`/api/notify/${body.data.id}/test`)
    },
    action: 'notice.test',
  },
  'PUT /api/notify/thresholds': {
    send: (root, { user }) => root.put('/api/notify/thresholds', { subject: 'user', subject_id: user, percents: [50] }),
    action: 'notice.threshold',
  },
  'POST /api/notify/deliveries/:id/retry': {
    send: async (root) => {
      const { body } = await root.post('/api/notify/', TARGET)
      const { body: tested } = await root.post(`/api/notify/${body.data.id}/test`)
      await root.post(`/api/notify/deliveries/${tested.data.id}/retry`)
    },
    action: 'notice.retry',
  },
  'PUT /api/team/:id/quota': {
    send: (root, { team }) => root.put(`/api/team/${team}/quota`, { quota: 5 }),
    action: 'team.quota',
  },
  'POST /api/batch/:id/cancel': {
    send: (root, { batch }) => root.post(`/api/batch/${batch}/cancel`),
    action: 'batch.cancel',
  },
  'DELETE /api/file/:id': { send: (root, { file }) => root.delete(`/api/file/${file}`), action: 'file.delete' },
  'DELETE /api/log': { send: (root) => root.delete('/api/log/?target_timestamp=99999999999'), action: 'log.clear' },
  'POST /api/topup/callbacks/:id/replay': {
    send: (root, { callback }) => root.post(`/api/topup/callbacks/${callback}/replay`),
    action: 'payment.replay',
  },
}
/** What changes nothing although it is no GET. */
const READS = new Set(['POST /api/channel/fetch_models', 'POST /api/configuration/plan'])

async function prepare(fixture: TestGateway): Promise<Made> {
  const { toolkit, user, token, channel, code } = fixture
  const person = await user()
  const { id: channelId } = await channel({ tag: 't', base_url: 'http://127.0.0.1:9' })
  const { id: tokenId } = await token(person)
  const key = await code(5)
  const { id: codeId } = await toolkit.db.reader('redemptions').where({ key }).first('id')
  const callback = await toolkit.wallet.notify({ out_trade_no: 'x' }, '127.0.0.1')
  const { id: team } = await toolkit.teams.create(person, { name: `team-${person.id}` })
  // Every call is given others, whose names at the upstream are unique.
  const owned = { userId: person.id, channelId }
  const batch = await batchRow(toolkit, { ...owned, batchId: `batch-${person.id}` })
  const file = await fileRow(toolkit, { ...owned, fileId: `file-${person.id}` })
  const ids = { channel: channelId, user: person.id, token: tokenId, code: codeId, callback: callback.id, team }
  return { ...ids, batch, file }
}

async function rowsOf({ toolkit, root }: TestGateway): Promise<AuditEntry[]> {
  return toolkit.audit.list(root, { pageSize: 1000 })
}

onBoth('the audit', (_, database) => {
  const open = () => openTestGateway({ database })

  test('has a row for every call that changes data of others', { timeout: 120_000 }, async () => {
    const fixture = await open()
    const root = await openApi(fixture).as(fixture.root)
    const missing: string[] = []
    for (const [call, { send, action }] of Object.entries(CHANGES)) {
      const made = await prepare(fixture)
      const before = (await rowsOf(fixture))[0]?.id ?? 0
      await send(root, made)
      const rows = (await rowsOf(fixture)).filter(({ id }) => id > before)
      const row = rows.find((each) => each.action === action)
      const actorFields = { actor_id: fixture.root.id, actor: 'root', address: '127.0.0.1' }
      if (!row) missing.push(`${call}: no ${action} among ${rows.map((each) => each.action)}`)
      else expect(row, call).toMatchObject(actorFields)
    }
    expect(missing).toEqual([])
  })

  test('rejects changes and deletes, by any statement', async () => {
    const { toolkit, root, channel } = await open()
    await channel()
    const { db } = toolkit
    const before = await toolkit.audit.list(root)
    const [{ id } = { id: 0 }] = before
    const statements = [
      `UPDATE audit SET actor = 'mallory' WHERE id = ${id}`,
      `UPDATE audit SET id = id + 1000`,
      `DELETE FROM audit WHERE id = ${id}`,
      'DELETE FROM audit',
      ...(database === 'sqlite'
        ? [
            `INSERT OR REPLACE INTO audit (id, created_at, actor_id, actor, address, action, object)
              VALUES (${id}, 1, 1, 'mallory', '', '', '')`,
            `INSERT INTO audit (id, created_at, actor_id, actor, address, action, object)
              VALUES (${id}, 1, 1, 'mallory', '', '', '') ON CONFLICT (id) DO UPDATE SET actor = 'mallory'`,
          ]
        : ['TRUNCATE audit']),
    ]
    for (const statement of statements) {
      await expect(
        db.transaction((trx) => trx.raw(statement)),
        statement,
      ).rejects.toThrow(/never changed or deleted/)
    }
    expect(await toolkit.audit.list(root)).toEqual(before)
    expect(before.length).toBeGreaterThan(0)
  })

  test('keeps its rows when the log is cleared and when users are removed', async () => {
    const fixture = await open()
    const { toolkit, root, user } = fixture
    const ann = await user({ role: 10 })
    await toolkit.channels.create(ann, { name: 'by ann', type: 1, key: 'sk-x', models: 'm' })
    const before = await rowsOf(fixture)
    await toolkit.logs.clear(root, 99_999_999_999)
    await toolkit.accounts.manage(root, ann.id, 'delete')
    await toolkit.accounts.manage(root, ann.id, 'disable')
    const after = await rowsOf(fixture)
    expect(after.slice(-before.length)).toEqual(before)
    expect(after.find(({ action }) => action === 'channel.create')).toMatchObject({ actor: ann.username })
  })

  test('has the old and new values, and no secret', async () => {
    const fixture = await open()
    const { toolkit, root, channel, code } = fixture
    const { id } = await channel({ key: 'sk-recognise-me' })
    const setting = {
      proxy: 'socks5://jack:recognise-me@127.0.0.1:9',
      header_override: { 'x-key': 'recognise-me' },
      param_override: { temperature: 0, user: 'recognise-me' },
      other_program: 'recognise-me',
    }
    await toolkit.channels.update(root, id, {
      key: 'sk-recognise-me-too',
      base_url: 'https://two.example',
      setting: JSON.stringify(setting),
    })
    await toolkit.options.set(root, 'SMTPToken', 'recognise-me')
    await toolkit.options.set(root, 'EpayKey', 'recognise-me')
    const key = await code(5)
    await toolkit.redemption.list(root)
    const person = await fixture.user({ password: 'recognise-me' })
    await toolkit.accounts.update(root, { id: person.id, password: 'recognise-me' })
    const { id: tokenId, key: tokenKey } = await fixture.token(person)
    await toolkit.tokens.update(root, tokenId, { name: 'x' })
    await toolkit.tokens.delete(root, tokenId)

    const rows = await rowsOf(fixture)
    const text = JSON.stringify(rows)
    for (const secret of ['recognise-me', key, tokenKey, 'argon2', 'v1:']) expect(text).not.toContain(secret)
    const update = rows.find(({ action }) => action === 'channel.update')
    expect(update).toMatchObject({
      object: `channel:${id}`,
      before: { base_url: '', key: [expect.stringMatching(/^fingerprint:[0-9a-f]{12}$/)] },
      after: {
        base_url: 'https://two.example',
        'setting.proxy': expect.stringMatching(/^socks5:\/\/fingerprint:[0-9a-f]{12}@127\.0\.0\.1:9$/),
        'setting.param_override': { temperature: 0, user: expect.stringMatching(/^fingerprint:/) },
      },
    })
    expect(update?.before?.key).not.toEqual(update?.after?.key)
    expect(Object.keys(update?.after ?? {})).not.toContain('models')
  })

  test('has one row for each time that a channel key is sent, and none otherwise', async () => {
    const fixture = await open()
    const { channel, user } = fixture
    const person = await user({ role: 10 })
    const admin = await openApi(fixture).as(person)
    const { id } = await channel({ base_url: 'http://127.0.0.1:9' })
    const { id: drawing } = await channel({ type: 2, base_url: 'http://127.0.0.1:9' })
    const before = (await rowsOf(fixture))[0]?.id ?? 0
    await Promise.all(['test', 'update_balance', 'fetch_models'].map((path) => admin.get(`/api/channel/${path}/${id}`)))
    for (const path of ['test', 'update_balance', 'fetch_models']) {
      for (const none of [drawing, 999]) {
        expect((await admin.get(`/api/channel/${path}/${none}`)).body.success, path).toBe(false)
      }
    }

    const rows = (await rowsOf(fixture)).filter((row) => row.id > before)
    expect(rows.map(({ action }) => action).sort()).toEqual(['channel.balance', 'channel.models', 'channel.test'])
    for (const row of rows) expect(row).toMatchObject({ actor_id: person.id, object: `channel:${id}` })
  })

  test('has no row of failed changes', async () => {
    const fixture = await open()
    const { toolkit, root, user } = fixture
    const admin = await user({ role: 10 })
    const before = await rowsOf(fixture)
    await expect(toolkit.accounts.manage(admin, root.id, 'disable')).rejects.toThrow()
    await expect(
      toolkit.options.change(root, [
        { key: 'RetryTimes', value: '1' },
        { key: 'NoSuchOption', value: '1' },
      ]),
    ).rejects.toThrow()
    await expect(toolkit.channels.setStatusOfMany(root, [999], 2)).rejects.toThrow()
    await toolkit.accounts.update(root, { id: admin.id, display_name: admin.username })
    expect(await rowsOf(fixture)).toEqual(before)
  })

  test("has no row of automatic changes, or of users' changes to their own data", async () => {
    const fixture = await open()
    const { toolkit, user, channel } = fixture
    const { id } = await channel()
    const ann = await user({ role: 10 })
    const before = await rowsOf(fixture)
    await toolkit.channels.disableAutomatically(GATEWAY, id, 'it failed')
    const token = await fixture.token(ann)
    await toolkit.tokens.update(ann, token.id, { name: 'own' })
    await toolkit.profile.update(ann, { display_name: 'Ann' })
    expect(await rowsOf(fixture)).toEqual(before)
  })

  test('assigns ids in commit order', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const people = await Promise.all(Array.from({ length: 8 }, () => fixture.user()))
    const seen: number[] = []
    let last = (await rowsOf(fixture))[0]?.id ?? 0
    let busy = true
    const following = (async () => {
      while (busy || seen.length < people.length) {
        for (const { id } of await toolkit.audit.list(root, { afterId: last, pageSize: 1000 })) {
          seen.push(id)
          last = id
        }
      }
    })()
    await Promise.all(people.map(({ id }) => toolkit.accounts.adjustQuota(root, id, 1)))
    busy = false
    await following
    expect(seen).toHaveLength(people.length)
  })
})

test('the table above has every call that changes data', async () => {
  const { url } = await openTestGateway()
  const operations = await readOperations(url)
  const changing = operations
    .filter(({ method, access }) => method !== 'GET' && (access === 'admin' || access === 'root'))
    .map(nameOf)
    .filter((name) => !READS.has(name))
  expect(changing.filter((name) => !Object.hasOwn(CHANGES, name))).toEqual([])
})

describe('GET /api/audit', () => {
  test('is for root, in consecutive pages, by actor, action, object and time', async () => {
    const fixture = await openTestGateway()
    const api = openApi(fixture)
    const [root, admin] = [await api.as(fixture.root), await fixture.user({ role: 10 })]
    const asAdmin = await api.as(admin)
    await asAdmin.post('/api/channel/', { name: 'a', type: 1, key: 'k', models: 'm' })
    await asAdmin.put('/api/channel/', { id: 1, weight: 2 })
    await root.put('/api/option/', { key: 'RetryTimes', value: '2' })
    const ask = async (query: string): Promise<AuditEntry[]> => (await root.get(`/api/audit?${query}`)).body.data
    const actions = async (query: string) => (await ask(query)).map(({ action }) => action)

    const all = await ask('page_size=100')
    const [first] = await ask('page_size=1')
    expect(await ask(`page_size=100&before_id=${first?.id}`)).toEqual(all.slice(1))
    expect(await ask(`after_id=${all.at(-1)?.id}&page_size=100`)).toEqual(all.slice(0, -1).reverse())
    expect(await actions(`actor=${admin.username}`)).toEqual(['channel.update', 'channel.create'])
    expect(await actions(`actor=${admin.id}`)).toEqual(['channel.update', 'channel.create'])
    expect(await actions('action=channel')).toEqual(['channel.update', 'channel.create'])
    expect(await actions('action=channel.update')).toEqual(['channel.update'])
    expect(await actions('action=chan')).toEqual([])
    expect(await actions('object=channel:1')).toEqual(['channel.update', 'channel.create'])
    expect(await actions('object=option:RetryTimes')).toEqual(['option.set'])
    expect(await actions('start_timestamp=99999999999')).toEqual([])
    expect(await actions('end_timestamp=1')).toEqual([])
    expect(await asAdmin.get('/api/audit')).toMatchObject({ body: { success: false } })
    expect((await asAdmin.get('/api/audit')).body.data).toBeUndefined()
  })
})
