import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { NoticeEvent } from '../../../core/notices/notice.ts'
import { recordNotice } from '../../../core/notices/outbox.ts'
import { bill, onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

const EVENTS: NoticeEvent[] = ['balance.reached', 'budget.reached']

/** A team with a balance of 1000, of an owner, an admin and two members. */
async function openTeam(fixture: TestToolkit) {
  const { toolkit, root } = fixture
  const { teams } = toolkit
  const owner = await fixture.user()
  const team = await teams.create(owner, { name: `Team ${owner.username}` })
  const join = async (role: 'admin' | 'member') => {
    const person = await fixture.user()
    const { code = '' } = await teams.invite(owner, team.id, { role })
    await teams.join(person, code)
    return person
  }
  const [admin, ann, bob] = [await join('admin'), await join('member'), await join('member')]
  await teams.setQuota(root, team.id, 1000)
  return { owner, admin, ann, bob, team, teams, account: { id: team.id, role: ROLE.common, username: '@team' } }
}

const watch = ({ toolkit }: TestToolkit, actor: Person, { events = EVENTS, gateway = false } = {}) =>
  toolkit.notices.targets.create(actor, {
    kind: 'webhook',
    name: 'hook',
    settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
    events,
    gateway,
  })

interface SentNotice {
  event: string
  subject: string
  percent: number
  /** Owners of the targets; null: the gateway. */
  to: (number | null)[]
}

/** Checks the thresholds. Returns the new notices. */
async function check({ toolkit }: TestToolkit) {
  const last = (await toolkit.db.reader('notices').max({ id: 'id' }).first())?.id ?? 0
  await toolkit.notices.levels.check(new AbortController().signal)
  return noticesAfter(toolkit, last)
}

async function noticesAfter({ db }: TestToolkit['toolkit'], last = 0) {
  const rows = await db
    .reader('notices')
    .join('notice_deliveries', 'notice_id', 'notices.id')
    .join('notice_targets', 'notice_targets.id', 'target_id')
    .where('notices.id', '>', last)
    .orderBy(['notices.id', 'target_id'])
    .select('notices.id', 'event', 'subject', 'data', 'notice_targets.user_id')
  const notices = new Map<number, SentNotice>()
  for (const { id, event, subject, data, user_id } of rows) {
    const notice: SentNotice = notices.get(id) ?? { event, subject, percent: JSON.parse(data).percent, to: [] }
    notice.to.push(user_id)
    notices.set(id, notice)
  }
  return [...notices.values()]
}

/** Creates a team key with a budget of 100, and charges it. */
async function spendKey({ toolkit }: TestToolkit, { team, member }: { team: { id: number }; member: Person }) {
  const name = `app-${randomUUID().slice(0, 8)}`
  const key = await toolkit.teams.keys.create(member, team.id, { name, remain_quota: 100 })
  const payer = { id: team.id, role: ROLE.common, username: '@team' }
  const hold = await toolkit.ledger.hold({ userId: team.id, budgetTokenId: key.id, quota: 80 })
  await toolkit.ledger.settle(hold, bill(payer, { quota: 80, tokenId: key.id, tokenName: key.name }))
  return key
}

onBoth('notices of a team', (open) => {
  test('of its balance go once to each target of the owner and the admins', async () => {
    const fixture = await open()
    const { owner, admin, ann, account } = await openTeam(fixture)
    for (const person of [fixture.root, owner, admin, admin, ann, await fixture.user()]) await watch(fixture, person)
    await watch(fixture, owner, { events: ['sign-in.new'] })
    await watch(fixture, fixture.root, { gateway: true })
    expect(await check(fixture)).toEqual([])

    await fixture.charge(account, { quota: 850 })

    const to = [owner.id, admin.id, admin.id, null]
    const notice = { event: 'balance.reached', subject: `user:${account.id}`, to }
    expect(await check(fixture)).toEqual([{ ...notice, percent: 80 }])
    expect(await check(fixture)).toEqual([])
    await fixture.charge(account, { quota: 150 })
    expect(await check(fixture)).toEqual([{ ...notice, percent: 100 }])
  })

  test("of a key's budget also go to the member who owns it, also without a target of the owner", async () => {
    const fixture = await open()
    const { owner, ann, bob, team } = await openTeam(fixture)
    await watch(fixture, ann)
    await watch(fixture, bob)
    expect(await check(fixture)).toEqual([])
    const first = await spendKey(fixture, { team, member: ann })
    const notice = { event: 'budget.reached', percent: 80 }
    expect(await check(fixture)).toEqual([{ ...notice, subject: `token:${first.id}`, to: [ann.id] }])

    await watch(fixture, owner)
    const second = await spendKey(fixture, { team, member: ann })
    expect(await check(fixture)).toEqual([{ ...notice, subject: `token:${second.id}`, to: [ann.id, owner.id] }])
    const own = await spendKey(fixture, { team, member: owner })
    expect(await check(fixture)).toEqual([{ ...notice, subject: `token:${own.id}`, to: [owner.id] }])
  })

  test("of a key's quota window go to the same targets", async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const { admin, ann, bob, team, teams } = await openTeam(fixture)
    for (const person of [admin, ann, bob]) await watch(fixture, person)
    const key = await teams.keys.create(ann, team.id, { name: 'app', unlimited_quota: true })
    const [limit] = await toolkit.limits.set(root, [
      { subject: 'token', subject_id: String(key.id), measure: 'quota', period: 'day', amount: 100, time_zone: 'UTC' },
    ])
    const taken = JSON.stringify([[Math.floor(Date.now() / 86_400_000) * 86_400_000, 85]])
    const row = { limit_id: limit?.id, subject_id: String(key.id), taken, updated_at: Math.floor(Date.now() / 1000) }
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(row))
    const subject = `limit:${limit?.id}/token:${key.id}`
    expect(await check(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 80, to: [admin.id, ann.id] }])
  })

  test('that had no recipient go to the target that the owner adds later', async () => {
    const fixture = await open()
    const { owner, ann, team, account } = await openTeam(fixture)
    await watch(fixture, ann)
    await fixture.charge(account, { quota: 850 })
    expect(await check(fixture)).toEqual([])
    await fixture.charge(account, { quota: 10 })
    expect(await check(fixture)).toEqual([])

    await watch(fixture, owner)

    const notice = { event: 'balance.reached', subject: `user:${team.id}`, percent: 80, to: [owner.id] }
    expect(await check(fixture)).toEqual([notice])
    expect(await check(fixture)).toEqual([])
  })

  test('end with the role, with the membership and while the user is disabled', async () => {
    const fixture = await open()
    const { owner, admin, ann, team, teams, account } = await openTeam(fixture)
    const { code = '' } = await teams.invite(owner, team.id, { role: 'admin' })
    const banned = await fixture.user()
    await teams.join(banned, code)
    for (const person of [owner, admin, ann, banned]) await watch(fixture, person)
    await fixture.toolkit.accounts.manage(fixture.root, banned.id, 'disable')
    await teams.setRole(owner, team.id, { userId: admin.id, role: 'member' })
    await fixture.charge(account, { quota: 850 })
    expect(await check(fixture)).toMatchObject([{ percent: 80, to: [owner.id] }])

    await teams.setOwner(owner, team.id, ann.id)
    await teams.leave(owner, team.id)
    await fixture.charge(account, { quota: 150 })
    expect(await check(fixture)).toMatchObject([{ percent: 100, to: [ann.id] }])
  })

  test('of its payments go to the owner and the admins', async () => {
    const fixture = await open()
    const { owner, admin, ann, team } = await openTeam(fixture)
    for (const person of [owner, admin, ann]) await watch(fixture, person, { events: ['payment.completed'] })
    await fixture.toolkit.db.transaction((trx) =>
      recordNotice(trx, { event: 'payment.completed', subject: 'x', userId: team.id, dedupe: 'x', data: {}, now: 1 }),
    )
    expect(await noticesAfter(fixture.toolkit)).toMatchObject([{ to: [owner.id, admin.id] }])
  })
})

onBoth('thresholds of a team', (open) => {
  async function openThresholds() {
    const fixture = await open()
    const world = await openTeam(fixture)
    const { thresholds } = fixture.toolkit.notices
    const key = await world.teams.keys.create(world.ann, world.team.id, { name: 'app', remain_quota: 100 })
    const set = (actor: Person, subject: 'user' | 'token', percents = [50]) =>
      thresholds.set(actor, { subject, subject_id: subject === 'user' ? world.team.id : key.id, percents })
    const ofTeam = (actor: Person) => thresholds.list(actor, { user_id: world.team.id })
    return { ...fixture, ...world, thresholds, key, set, ofTeam }
  }

  test('are set and read by its owner and admins, of its account and all keys', async () => {
    const { owner, admin, team, key, set, ofTeam, thresholds, toolkit, root } = await openThresholds()
    await set(owner, 'user')
    await set(admin, 'token', [90])
    const rows = [
      { subject: 'token', subject_id: key.id, percents: [90] },
      { subject: 'user', subject_id: team.id, percents: [50] },
    ]
    for (const person of [owner, admin]) {
      expect(await ofTeam(person)).toEqual(rows)
      expect(await thresholds.list(person)).toEqual(rows)
    }
    expect(await toolkit.audit.list(root, { object: `token:${key.id}` })).not.toContainEqual(
      expect.objectContaining({ action: 'notice.threshold' }),
    )
  })

  test('of own keys are set and read by members', async () => {
    const { ann, bob, key, set, ofTeam, thresholds, owner } = await openThresholds()
    await set(ann, 'token', [60])
    await set(owner, 'user')
    const rows = [{ subject: 'token', subject_id: key.id, percents: [60] }]
    expect(await ofTeam(ann)).toEqual(rows)
    expect(await thresholds.list(ann)).toEqual(rows)
    await expect(set(ann, 'user')).rejects.toMatchObject({ code: 'TEAM_ROLE', params: { role: 'admin' } })

    await expect(set(bob, 'token')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    expect(await ofTeam(bob)).toEqual([])
    expect(await thresholds.list(bob)).toEqual([])
  })

  test('are not found by users outside, and end with the role', async () => {
    const { user, owner, admin, ann, team, teams, set, ofTeam, thresholds } = await openThresholds()
    const rejectsAll = async (person: Person) => {
      await expect(set(person, 'user')).rejects.toMatchObject({ code: 'USER_NOT_FOUND', params: { id: team.id } })
      await expect(set(person, 'token')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
      await expect(ofTeam(person)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
      expect(await thresholds.list(person)).toEqual([])
    }
    await set(owner, 'user')
    await set(ann, 'token')
    await rejectsAll(await user())

    await teams.setRole(owner, team.id, { userId: admin.id, role: 'member' })
    await expect(set(admin, 'user')).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(set(admin, 'token')).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    await teams.removeMember(owner, team.id, admin.id)
    await rejectsAll(admin)
    await teams.removeMember(owner, team.id, ann.id)
    await rejectsAll(ann)
  })

  test('are set by administrators of the gateway above the owner, which the audit has', async () => {
    const { user, root, toolkit, team, set } = await openThresholds()
    const gatewayAdmin = await user({ role: ROLE.admin })
    await set(gatewayAdmin, 'user')
    const [entry] = await toolkit.audit.list(root, { object: `user:${team.id}` })
    expect(entry).toMatchObject({ action: 'notice.threshold', actor_id: gatewayAdmin.id, after: { percents: [50] } })
    const own = await toolkit.teams.create(root, { name: 'Own' })
    await expect(
      toolkit.notices.thresholds.set(gatewayAdmin, { subject: 'user', subject_id: own.id, percents: [50] }),
    ).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})
