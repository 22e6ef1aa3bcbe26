import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import { type ApiAnswer, openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

/** A team of an owner, an admin and a member, made by calls alone. */
async function open() {
  const fixture = await openGateway()
  const api = openApi(fixture)
  const [owner, admin, member, stranger, gatewayAdmin] = [
    await fixture.user({ quota: 1000 }),
    await fixture.user(),
    await fixture.user(),
    await fixture.user(),
    await fixture.user({ role: ROLE.admin }),
  ]
  const as = {
    owner: await api.as(owner),
    admin: await api.as(admin),
    member: await api.as(member),
    stranger: await api.as(stranger),
    gatewayAdmin: await api.as(gatewayAdmin),
  }
  const team = (await as.owner.post('/api/team/', { name: `Team ${owner.id}` })).body.data
  for (const [role, client] of [['admin', as.admin] as const, ['member', as.member] as const]) {
    const { code } = (await as.owner.post(`/api/team/${team.id}/invites`, { role })).body.data
    expect((await client.post('/api/team/join', { code })).body.data).toMatchObject({ id: team.id, role })
  }
  const path = `/api/team/${team.id}`
  return { ...fixture, as, team, path, people: { owner, admin, member, stranger, gatewayAdmin } }
}

const errorOf = ({ headers }: ApiAnswer) => JSON.parse(decodeURIComponent(headers.get('tollgate-error') ?? '{}')).code

/** What calls that need one have as their body. */
const BODIES: Readonly<Record<string, unknown>> = {
  'PUT /api/team/:id': { name: 'Mine now' },
  'POST /api/team/:id/transfer': { quota: 1 },
  'POST /api/team/:id/topup': { key: 'x' },
  'PUT /api/team/:id/members/:user_id': { role: 'owner' },
  'POST /api/team/:id/invites': {},
  'POST /api/team/:id/keys': { name: 'x' },
  'PUT /api/team/:id/keys/:token_id': { name: 'x' },
}

describe.each([
  'GET /api/team/:id',
  'PUT /api/team/:id',
  'DELETE /api/team/:id',
  'POST /api/team/:id/leave',
  'POST /api/team/:id/transfer',
  'POST /api/team/:id/topup',
  'GET /api/team/:id/members',
  'PUT /api/team/:id/members/:user_id',
  'DELETE /api/team/:id/members/:user_id',
  'GET /api/team/:id/invites',
  'POST /api/team/:id/invites',
  'DELETE /api/team/:id/invites/:invite_id',
  'GET /api/team/:id/keys',
  'POST /api/team/:id/keys',
  'GET /api/team/:id/keys/:token_id',
  'PUT /api/team/:id/keys/:token_id',
  'DELETE /api/team/:id/keys/:token_id',
  'GET /api/team/:id/logs',
  'GET /api/team/:id/logs/stat',
  'GET /api/team/:id/logs/request/:request_id',
  'GET /api/team/:id/dashboard',
])('%s', (call) => {
  test('is not found by users who are not members', async () => {
    const { as, path, people, team } = await open()
    const key = (await as.member.post(`${path}/keys`, { name: 'app', unlimited_quota: true })).body.data
    const [method = '', route = ''] = call.split(' ')
    const called = route
      .replace(':id', String(team.id))
      .replace(':user_id', String(people.member.id))
      .replace(':token_id', String(key.id))
      .replace(/:(invite|request)_id/, '1')

    expect(errorOf(await as.stranger.send(method, called, BODIES[call]))).toBe('TEAM_NOT_FOUND')
  })
})

describe('GET /api/team/:id/dashboard', () => {
  test('is grouped by member, and rejects groupings of administrators', async () => {
    const { as, path } = await open()
    const { body, headers } = await as.owner.get(`${path}/dashboard?by=member`)
    expect(body.data).toMatchObject({ by: 'member', groups: [], members: [], totals: { count: 0 } })
    expect(headers.get('etag')).toMatch(/^W\//)
    expect((await as.member.get(`${path}/dashboard?by=member`)).body.data).toMatchObject({ members: [] })
    expect((await as.owner.get(`${path}/dashboard?by=user`)).body).toMatchObject({ success: false })
  })
})

describe('GET /api/team/', () => {
  test("lists the user's teams, and all of them to administrators", async () => {
    const { as, team } = await open()

    expect((await as.stranger.get('/api/team/')).body.data).toMatchObject({ items: [], total: 0 })
    expect((await as.member.get('/api/team/')).body.data.items).toMatchObject([{ id: team.id, role: 'member' }])
    expect((await as.gatewayAdmin.get(`/api/team/?keyword=${team.id}`)).body.data.items).toMatchObject([{ role: '' }])
    expect((await as.gatewayAdmin.get('/api/team/?own=true')).body.data.items).toEqual([])
  })
})

describe('POST /api/team/', () => {
  test.each([
    ['', 'FIELD_REQUIRED'],
    ['17', 'TEAM_NAME'],
    ['@all', 'TEAM_NAME'],
    ['x'.repeat(31), 'FIELD_LENGTH'],
  ])('rejects the name %j', async (name, code) => {
    const { as } = await open()
    expect(errorOf(await as.stranger.post('/api/team/', { name }))).toBe(code)
  })

  test('rejects a used name', async () => {
    const { as, team } = await open()
    expect(errorOf(await as.stranger.post('/api/team/', { name: team.name }))).toBe('TEAM_NAME_TAKEN')
  })
})

describe('GET /api/team/by-name', () => {
  test('finds a team by its name for its members, and is not found for others', async () => {
    const { as, team } = await open()
    const query = `name=${encodeURIComponent(team.name)}`
    expect((await as.member.get(`/api/team/by-name?${query}`)).body.data).toMatchObject({ id: team.id })
    expect(errorOf(await as.stranger.get(`/api/team/by-name?${query}`))).toBe('TEAM_NOT_FOUND')
  })
})

describe('POST /api/team/join', () => {
  test('accepts a code once, and no revoked one', async () => {
    const { as, path } = await open()
    const { code, id } = (await as.owner.post(`${path}/invites`, {})).body.data
    await as.owner.delete(`${path}/invites/${id}`)
    expect(errorOf(await as.stranger.post('/api/team/join', { code }))).toBe('TEAM_INVITE_INVALID')
    const again = (await as.owner.post(`${path}/invites`, {})).body.data
    await as.stranger.post('/api/team/join', { code: again.code })
    expect(errorOf(await as.gatewayAdmin.post('/api/team/join', { code: again.code }))).toBe('TEAM_INVITE_INVALID')
  })
})

describe('PUT /api/team/:id/quota', () => {
  test('is for administrators of the gateway', async () => {
    const { as, path } = await open()
    expect(errorOf(await as.owner.put(`${path}/quota`, { quota: 5 }))).toBe('PERMISSION_DENIED')
    expect((await as.gatewayAdmin.put(`${path}/quota`, { quota: 5 })).body.success).toBe(true)
    expect((await as.member.get(path)).body.data.quota).toBe(5)
  })
})

describe('calls of a team', () => {
  test('are allowed by the role', async () => {
    const { as, path, people } = await open()
    const raised = await as.member.put(`${path}/members/${people.member.id}`, { role: 'admin' })
    const invited = await as.member.post(`${path}/invites`, {})
    const renamed = await as.member.put(path, { name: 'Other' })
    const removed = await as.admin.delete(`${path}/members/${people.owner.id}`)
    const deleted = await as.admin.delete(path)
    const regrouped = await as.owner.put(path, { group: 'vip' })
    const priced = await as.owner.put(`${path}/quota`, { quota: 10 ** 9 })

    expect([raised, invited, renamed, removed, deleted, regrouped, priced].map(errorOf)).toEqual([
      'TEAM_ROLE',
      'TEAM_ROLE',
      'TEAM_ROLE',
      'TEAM_OWNER_ROLE',
      'TEAM_ROLE',
      'PERMISSION_DENIED',
      'PERMISSION_DENIED',
    ])
    expect((await as.member.get(`${path}/members`)).body.data).toMatchObject([{ user_id: people.member.id }])
    expect((await as.admin.get(`${path}/members`)).body.data).toHaveLength(3)
  })

  test('change the balance: given by the owner, set by an administrator, returned by deletion', async () => {
    const { as, path, people, balance, toolkit } = await open()
    const headers = { 'idempotency-key': 'once' }

    await as.owner.post(`${path}/transfer`, { quota: 400 }, headers)
    const again = await as.owner.post(`${path}/transfer`, { quota: 400 }, headers)
    expect(again.body.data).toMatchObject({ quota: 400 })
    expect(errorOf(await as.owner.post(`${path}/transfer`, { quota: 601 }))).toBe('TEAM_FUNDS')
    expect(errorOf(await as.owner.post(`${path}/transfer`, { quota: -1 }))).toBe('FIELD_RANGE')
    await as.gatewayAdmin.put(`${path}/quota`, { quota: 500 })
    expect((await as.member.get(path)).body.data).toMatchObject({ quota: 500, role: 'member', members: 3 })
    expect((await as.owner.delete(path)).body.success).toBe(true)

    expect(await balance(people.owner)).toBe(1100)
    expect(errorOf(await as.owner.get(path))).toBe('TEAM_NOT_FOUND')
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
  })

  test('manage keys, which the routes of user tokens do not find', async () => {
    const { as, path, people } = await open()
    const made = (await as.member.post(`${path}/keys`, { name: 'app', unlimited_quota: true })).body.data
    expect(made).toMatchObject({ user_id: Number(path.split('/').at(-1)), member_id: people.member.id })
    expect(made.key).toHaveLength(48)

    const disabled = await as.admin.put(`${path}/keys/${made.id}`, { status: 2 })
    expect(disabled.body.data).toMatchObject({ status: 2, key: '' })
    expect(errorOf(await as.member.get(`/api/token/${made.id}`))).toBe('TOKEN_NOT_FOUND')
    expect((await as.member.get('/api/token/')).body.data).toEqual([])
    expect((await as.member.delete(`${path}/keys/${made.id}`)).body.success).toBe(true)
    expect((await as.owner.get(`${path}/keys`)).body.data.items).toEqual([])
  })

  test("show the team's usage: rows, receipts and sums", async () => {
    const { as, path, team, people, charge, toolkit } = await open()
    const key = await toolkit.teams.keys.create(people.member, team.id, { name: 'app', unlimited_quota: true })
    await toolkit.teams.setQuota(people.gatewayAdmin, team.id, 100)
    const account = { id: team.id, role: ROLE.common, username: `@${team.name}` }
    const { requestId } = await charge(account, { quota: 30, tokenId: key.id, tokenName: 'app' })

    const { items } = (await as.member.get(`${path}/logs?type=${LOG_TYPE.consumption}`)).body.data
    expect(items).toMatchObject([{ quota: 30, request_id: requestId }])
    expect((await as.admin.get(`${path}/logs?type=2&member_id=${people.admin.id}`)).body.data.total).toBe(0)
    expect((await as.owner.get(`${path}/logs/stat`)).body.data.quota).toBe(30)
    const request = (await as.member.get(`${path}/logs/request/${requestId}`)).body.data
    expect(request).toMatchObject({ charged: 30, username: `@${team.name}` })
    expect((await as.owner.get(`${path}/dashboard`)).body.data.totals).toMatchObject({ count: 1, quota: 30 })
    expect((await as.owner.get(`${path}/dashboard`)).body.data.account.quota).toBe(70)
  })
})
