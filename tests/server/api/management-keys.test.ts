import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NewManagementKey } from '../../../core/management-keys/management-keys.ts'
import { SCOPE_NOUNS } from '../../../core/management-keys/scopes.ts'
import { scopeNeeded } from '../../../server/api/scopes.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { readOperations } from '../../support/operations.ts'
import { reused } from '../../support/reused.ts'
import { openTestToolkit, PASSWORD, type Person, skipWithoutPostgres } from '../../support/toolkit.ts'

const openGateway = reused()

async function open() {
  const fixture = await openGateway()
  const admin = await fixture.user({ role: ROLE.admin })
  const api = openApi(fixture)
  /** Calls with a new key of the admin. */
  const withKey = async (key: Partial<NewManagementKey>, owner: Person = admin) => {
    const { key: secret, id } = await fixture.toolkit.managementKeys.create(owner, {
      name: `key ${Math.random()}`,
      scopes: ['codes:create'],
      ...key,
    })
    const headers = { authorization: `Bearer ${secret}`, 'tollgate-user': String(owner.id), 'accept-language': 'en' }
    const client = api.anonymous()
    const send = (method: string, path: string, json?: unknown) => client.send(method, path, json, headers)
    return { id, secret, send }
  }
  return { ...fixture, admin, api, withKey }
}

const CODES = { name: 'nightly', quota: 1000, count: 2 }
const errorOf = ({ headers }: { headers: Headers }) =>
  JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? '{}'))

describe('a management key', () => {
  test('has the rights of its scopes, and no others', async () => {
    const { withKey } = await open()
    const { send } = await withKey({ scopes: ['codes:create', 'channels:read'] })
    expect((await send('POST', '/api/redemption/', CODES)).body).toMatchObject({ success: true })
    expect((await send('GET', '/api/channel/')).body).toMatchObject({ success: true })
    for (const [method, path, body] of [
      ['GET', '/api/redemption/'],
      ['DELETE', '/api/redemption/1'],
      ['POST', '/api/channel/', { name: 'x' }],
      ['POST', '/api/channel/batch', { ids: [1] }],
      ['GET', '/api/user/'],
      ['GET', '/api/channel/test/1'],
    ] as const) {
      const refused = await send(method, path, body)
      expect({ path, body: refused.body, error: errorOf(refused) }).toMatchObject({
        path,
        body: { success: false },
        error: { code: 'SCOPE_MISSING', kind: 'forbidden' },
      })
    }
  })

  test("never reaches credentials, the owner's wallet, chats or other keys, with any scopes", async () => {
    const { withKey } = await open()
    const { send } = await withKey({ scopes: ['*:*'] })
    for (const [method, path, body] of [
      ['GET', '/api/user/token'],
      ['PUT', '/api/user/self', { display_name: 'x' }],
      ['DELETE', '/api/user/self'],
      ['POST', '/api/user/topup', { key: 'x' }],
      ['POST', '/api/api-key/', { name: 'more', scopes: ['*:*'] }],
      ['DELETE', '/api/api-key/1'],
    ] as const)
      expect(errorOf(await send(method, path, body))).toMatchObject({ code: 'SCOPE_NEVER' })
  })

  test('has no more rights than its owner', async () => {
    const { withKey, user } = await open()
    const { send } = await withKey({ scopes: ['*:*'] }, await user())
    expect(errorOf(await send('GET', '/api/channel/'))).toMatchObject({ code: 'PERMISSION_DENIED' })
  })

  test('makes no administrator and sets no password of one, with any scopes', async () => {
    const { withKey, toolkit, root, admin, user } = await open()
    const person = await user()
    const { send } = await withKey({ scopes: ['*:*'] }, root)
    const newUser = { username: 'second', password: 'a-new-password', role: ROLE.admin }
    for (const [method, path, body] of [
      ['POST', '/api/user/manage', { id: person.id, action: 'promote' }],
      ['POST', '/api/user/?answer=record', newUser],
      ['PUT', '/api/user/', { id: admin.id, password: 'a-new-password' }],
      ['PUT', '/api/user/', { id: root.id, password: 'a-new-password', current_password: PASSWORD }],
    ] as const)
      expect(errorOf(await send(method, path, body)), `${method} ${path}`).toMatchObject({ code: 'KEY_ADMINISTRATOR' })
    expect(await toolkit.accounts.get(root, person.id)).toMatchObject({ role: ROLE.common })
    for (const [method, path, body] of [
      ['POST', '/api/user/?answer=record', { ...newUser, role: ROLE.common }],
      ['PUT', '/api/user/', { id: person.id, password: 'a-new-password' }],
      ['PUT', '/api/user/', { id: admin.id, display_name: 'Ada' }],
      ['POST', '/api/user/manage', { id: admin.id, action: 'demote' }],
    ] as const)
      expect((await send(method, path, body)).body, `${method} ${path}`).toMatchObject({ success: true })
  })

  test("of root cannot send a channel's stored key to another address", async () => {
    const { withKey, toolkit, root, channel } = await open()
    const { id } = await channel({ key: 'sk-stored', base_url: 'https://api.example' })
    const { send } = await withKey({ scopes: ['channels:*'] }, root)
    const redirect = { id, base_url: 'https://evil.example' }
    expect(errorOf(await send('PUT', '/api/channel/', redirect))).toMatchObject({ code: 'CHANNEL_KEY_AGAIN' })
    expect((await toolkit.channels.get(root, id)).base_url).toBe('https://api.example')
    expect((await send('PUT', '/api/channel/', { ...redirect, key: 'sk-own' })).body.success).toBe(true)
  })

  test('is invalid after it is revoked or expired, or its owner is disabled or has a new password', async () => {
    const { withKey, toolkit, root, admin, user } = await open()
    const read = ['codes:read']
    const [revoked, expired] = [await withKey({ scopes: read }), await withKey({ scopes: read })]
    expect((await revoked.send('GET', '/api/redemption/')).body.success).toBe(true)
    await toolkit.managementKeys.revoke(admin, revoked.id)
    await toolkit.db.transaction((trx) => trx('management_keys').where({ id: expired.id }).update({ expires_at: 1 }))
    for (const { send } of [revoked, expired])
      expect(errorOf(await send('GET', '/api/redemption/'))).toMatchObject({ code: 'ACCESS_TOKEN_INVALID' })

    const other = await user({ role: ROLE.admin })
    const { send } = await withKey({ scopes: read }, other)
    await toolkit.accounts.update(root, { id: other.id, password: 'a-new-password' })
    expect(errorOf(await send('GET', '/api/redemption/'))).toMatchObject({ code: 'ACCESS_TOKEN_INVALID' })
  })

  test('is not a relay key, and a relay key is not a management key', async () => {
    const { withKey, url, token, admin } = await open()
    const { secret, send } = await withKey({ scopes: ['*:*'] })
    const relayed = await fetch(`${url}/v1/models`, { headers: { authorization: `Bearer ${secret}` } })
    expect(relayed.status).toBe(401)
    const { key } = await token(admin)
    const headers = { authorization: `Bearer sk-${key}`, 'tollgate-user': String(admin.id) }
    const answer = await fetch(`${url}/api/channel/`, { headers })
    expect(await answer.json()).toMatchObject({ success: false })
    expect((await send('GET', '/api/user/identity')).body.data).toMatchObject({ id: admin.id })
  })

  test('grants at most its amount, in codes and balances together; a repeated call counts once', async () => {
    const { withKey, user, api } = await open()
    const { send } = await withKey({ scopes: ['codes:*', 'users:*'], quota_max: 5000 })
    const person = await user()
    const once = { 'idempotency-key': `nightly-${Math.random()}` }
    const { secret } = await withKey({ scopes: ['codes:create'], quota_max: 2000 })
    void secret
    expect((await send('POST', '/api/redemption/', CODES)).body.success).toBe(true) // 2000
    expect((await send('POST', `/api/user/${person.id}/quota`, { by: 2500 })).body.success).toBe(true) // 4500
    const refused = await send('POST', '/api/redemption/', { ...CODES, count: 1 })
    expect(errorOf(refused)).toMatchObject({ code: 'KEY_AMOUNT_EXCEEDED', params: { left: 500, quota: 1000 } })
    expect((await send('POST', '/api/redemption/', { ...CODES, quota: 500, count: 1 })).body.success).toBe(true)

    const limited = await withKey({ scopes: ['codes:create'], quota_max: 2000 })
    const headers = { authorization: `Bearer ${limited.secret}`, ...once }
    const call = async (id: number) =>
      (await api.anonymous().post('/api/redemption/', CODES, { ...headers, 'tollgate-user': String(id) })).body
    const owner = (await limited.send('GET', '/api/user/identity')).body.data.id
    const first = await call(owner)
    expect(first.success).toBe(true)
    expect(await call(owner)).toEqual(first)
  })
})

test.each(['sqlite', 'postgres'] as const)(
  'concurrent calls cannot grant more than the amount together, on %s',
  async (database) => {
    const fixture = await openTestToolkit({ database })
    const { id } = await fixture.toolkit.managementKeys.create(fixture.root, {
      name: 'nightly',
      scopes: ['codes:create'],
      quota_max: 10_000,
    })
    const actor = { ...fixture.root, keyId: id }
    const calls = Array.from({ length: 20 }, () => fixture.toolkit.redemption.create(actor, { ...CODES, count: 1 }))
    const results = await Promise.allSettled(calls)
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    expect((await fixture.toolkit.managementKeys.list(fixture.root)).items[0]).toMatchObject({ quota_used: 10_000 })
  },
)

describe('GET /api/api-key/', () => {
  test('shows a key once, and its prefix afterward; lists of other users are empty', async () => {
    const { api, admin, user } = await open()
    const client = await api.as(admin)
    const made = (await client.post('/api/api-key/', { name: 'once', scopes: ['logs:read', 'codes:*'] })).body.data
    expect(made).toMatchObject({ key: expect.stringMatching(/^tgm_\w{40}$/), scopes: ['codes:*', 'logs:read'] })
    const listed = (await client.get('/api/api-key/')).body.data.items.find(({ id }: { id: number }) => id === made.id)
    expect(listed).not.toHaveProperty('key')
    expect(made.key.startsWith(listed.key_start)).toBe(true)
    const other = await api.as(await user({ role: ROLE.admin }))
    expect((await other.get('/api/api-key/?everybody=true')).body.data.items).toEqual([])
    expect(errorOf(await other.delete(`/api/api-key/${made.id}`))).toMatchObject({ code: 'MANAGEMENT_KEY_NOT_FOUND' })
  })
})

describe('POST /api/api-key/', () => {
  test.each([
    [{ scopes: [] }, 'FIELD_REQUIRED'],
    [{ scopes: ['codes'] }, 'SCOPE_UNKNOWN'],
    [{ scopes: ['codes:creat'] }, 'SCOPE_UNKNOWN'],
    [{ scopes: ['codes:create:x'] }, 'SCOPE_UNKNOWN'],
    [{ name: '' }, 'FIELD_REQUIRED'],
    [{ name: 'x'.repeat(65) }, 'FIELD_LENGTH'],
    [{ expires_at: 1 }, 'FIELD_EXPIRY'],
    [{ quota_max: -1 }, 'FIELD_RANGE'],
  ])('rejects %j', async (wrong, code) => {
    const { api, admin } = await open()
    const answer = await (await api.as(admin)).post('/api/api-key/', { name: 'x', scopes: ['codes:read'], ...wrong })
    expect(errorOf(answer)).toMatchObject({ code })
  })
})

describe('DELETE /api/api-key/:id', () => {
  test('requires unique names of valid keys, and records who created and revoked each', async () => {
    const { api, admin, toolkit, root } = await open()
    const client = await api.as(admin)
    const body = { name: 'nightly', scopes: ['codes:create'] }
    const { id } = (await client.post('/api/api-key/', body)).body.data
    expect(errorOf(await client.post('/api/api-key/', body))).toMatchObject({ code: 'KEY_NAME_TAKEN' })
    expect((await client.delete(`/api/api-key/${id}`)).body.success).toBe(true)
    expect((await client.post('/api/api-key/', body)).body.success).toBe(true)
    const rows = await toolkit.audit.list(root, { action: 'api-key', object: `api-key:${id}` })
    expect(rows.map(({ action }) => action)).toEqual(['api-key.revoke', 'api-key.create'])
  })
})

test('every call of the API has a scope, or rejects keys', async () => {
  const { url } = await openTestGateway()
  const operations = (await readOperations(url)).filter(({ path }) => path.startsWith('/api/'))
  expect(operations.length).toBeGreaterThan(100)
  const needed = operations.map(({ method, path, access }) => {
    const route = path.replace(/\{(\w+)\}/g, ':$1')
    return { call: `${method} ${route}`, access, scope: scopeNeeded({ method, path: route, acts: false }) }
  })
  const forAdmins = needed.filter(({ access }) => access === 'admin' || access === 'root')
  const NOT_FOR_KEYS = /topup|\/api\/verification|\/api\/team/
  expect(forAdmins.filter(({ call, scope }) => scope === 'never' && !NOT_FOR_KEYS.test(call))).toEqual([])
  const used = new Set(needed.map(({ scope }) => scope.split(':')[0]))
  for (const noun of SCOPE_NOUNS) expect(used).toContain(noun)
  for (const call of ['GET /api/user/token', 'PUT /api/user/self', 'POST /api/api-key/'])
    expect(needed.find((one) => one.call === call)).toMatchObject({ scope: 'never' })
})

test('the table of keys is created on PostgreSQL too', async ({ skip }) => {
  await skipWithoutPostgres({ skip })
  const { toolkit, root } = await openTestToolkit({ database: 'postgres' })
  const { id } = await toolkit.managementKeys.create(root, { name: 'x', scopes: ['*:*'], quota_max: 1 })
  expect((await toolkit.managementKeys.list(root)).items).toMatchObject([{ id, quota_max: 1, quota_used: 0 }])
})
