import { expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { LOG_TYPE } from '../../../core/logs/log.ts'
import type { Team } from '../../../core/teams/team.ts'
import { bill, onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

/** A team of an owner, an admin and a member. */
async function openTeam(fixture: TestToolkit, { quota = 0 } = {}) {
  const { toolkit } = fixture
  const owner = await fixture.user({ quota })
  const team = await toolkit.teams.create(owner, { name: `Team ${owner.username}` })
  const admin = await joined(fixture, { owner, team, role: 'admin' })
  const member = await joined(fixture, { owner, team })
  return { owner, admin, member, team, teams: toolkit.teams }
}

async function joined(
  { toolkit, user }: TestToolkit,
  { owner, team, role = 'member' }: { owner: Person; team: Team; role?: 'admin' | 'member' },
): Promise<Person> {
  const person = await user()
  const { code = '' } = await toolkit.teams.invite(owner, team.id, { role })
  await toolkit.teams.join(person, code)
  return person
}

const fulfilled = (outcomes: readonly PromiseSettledResult<unknown>[]) =>
  outcomes.filter(({ status }) => status === 'fulfilled').length

const teamBalance = async ({ toolkit, root }: TestToolkit, { id }: Team) => (await toolkit.teams.get(root, id)).quota

onBoth('the balance of a team', (open) => {
  test('gets the transferred quota, as two entries in one transaction', async () => {
    const fixture = await open()
    const { owner, admin, team, teams } = await openTeam(fixture, { quota: 1000 })

    await teams.transfer(owner, team.id, 400)

    expect([await fixture.balance(owner), await teamBalance(fixture, team)]).toEqual([600, 400])
    await expect(teams.transfer(admin, team.id, 1)).rejects.toMatchObject({ code: 'TEAM_FUNDS' })
    const { items } = await fixture.toolkit.logs.list(owner, { type: LOG_TYPE.system })
    expect(items.some(({ other }) => other.includes('team-given'))).toBe(true)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [], differences: [] })
    await fixture.toolkit.db.transaction((trx) => trx('ledger_entries').where({ user_id: team.id }).delete())
    expect((await fixture.toolkit.ledger.verify()).rows).toContainEqual(
      expect.objectContaining({ what: 'other half of a transfer of a team', user_id: owner.id }),
    )
  })

  test("never gets more than the giver's balance, in concurrent transfers", async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture, { quota: 100 })

    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => teams.transfer(owner, team.id, 10)))

    expect(fulfilled(outcomes)).toBe(10)
    expect([await fixture.balance(owner), await teamBalance(fixture, team)]).toEqual([0, 100])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('does not get quota held by requests of the giver', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture, { quota: 100 })
    const hold = await fixture.toolkit.ledger.hold({ userId: owner.id, budgetTokenId: 0, quota: 80 })

    await expect(teams.transfer(owner, team.id, 50)).rejects.toMatchObject({ code: 'TEAM_FUNDS' })
    await fixture.toolkit.ledger.settle(hold, bill(owner, { quota: 80 }))
    await teams.transfer(owner, team.id, 20)

    expect([await fixture.balance(owner), await teamBalance(fixture, team)]).toEqual([0, 20])
  })

  test('gets one transfer for one idempotency key', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture, { quota: 100 })
    const once = () => teams.transfer(owner, team.id, 30, { idempotencyKey: 'first' })

    await Promise.all([once(), once(), once()])

    expect(await teamBalance(fixture, team)).toBe(30)
  })

  test('gets the quota of a code redeemed by an admin', async () => {
    const fixture = await open()
    const { admin, member, team, teams } = await openTeam(fixture)
    const code = await fixture.code(500)

    await expect(teams.redeem(member, team.id, code)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    expect(await teams.redeem(admin, team.id, code)).toBe(500)

    expect([await fixture.balance(admin), await teamBalance(fixture, team)]).toEqual([0, 500])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [] })
  })

  test('is set by administrators of the gateway only, with an entry', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture)
    const gatewayAdmin = await fixture.user({ role: ROLE.admin })

    await expect(teams.setQuota(owner, team.id, 1)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await teams.setQuota(gatewayAdmin, team.id, 700)

    expect(await teamBalance(fixture, team)).toBe(700)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    const [entry] = await fixture.toolkit.audit.list(fixture.root, { object: `team:${team.id}` })
    expect(entry).toMatchObject({ action: 'team.quota', actor_id: gatewayAdmin.id, after: { quota: 700, before: 0 } })
  })
})

onBoth('the audit of a team', (open) => {
  test('has the group set by root for its own team, and invitations that administrators of the gateway revoke', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture)
    const { audit } = fixture.toolkit
    const gatewayAdmin = await fixture.user({ role: ROLE.admin })
    const invite = await teams.invite(owner, team.id)
    await teams.revokeInvite(gatewayAdmin, team.id, invite.id)
    const own = await teams.create(fixture.root, { name: `Own ${owner.username}` })

    await teams.update(fixture.root, own.id, { name: `Mine ${owner.username}` })
    await teams.update(fixture.root, own.id, { group: 'vip' })

    expect(await audit.list(fixture.root, { object: `team:${own.id}` })).toMatchObject([
      { action: 'team.update', after: { group: 'vip' } },
    ])
    expect(await audit.list(fixture.root, { object: `team:${team.id}` })).toMatchObject([
      { action: 'team.member', after: { revoked: invite.id } },
    ])
  })
})

onBoth('administrators of the gateway', (open) => {
  test('neither see nor change teams of root and of each other', async () => {
    const fixture = await open()
    const { teams } = fixture.toolkit
    const [one, other] = [await fixture.user({ role: ROLE.admin }), await fixture.user({ role: ROLE.admin })]
    const owners = [fixture.root, other]
    for (const owner of owners) {
      const team = await teams.create(owner, { name: `Of ${owner.username}` })
      for (const call of [
        () => teams.get(one, team.id),
        () => teams.members(one, team.id),
        () => teams.usage.logs(one, team.id),
        () => teams.update(one, team.id, { group: 'vip' }),
        () => teams.setQuota(one, team.id, 1),
        () => teams.delete(one, team.id),
      ]) {
        await expect(call()).rejects.toMatchObject({ code: 'TEAM_NOT_FOUND' })
      }
    }

    expect((await teams.list(one)).items).toEqual([])
    expect((await teams.list(other)).items).toMatchObject([{ name: `Of ${other.username}` }])
    expect((await teams.list(fixture.root)).total).toBe(2)
  })

  test('have their given role in such a team, and decide nothing about the own ones', async () => {
    const fixture = await open()
    const { teams } = fixture.toolkit
    const admin = await fixture.user({ role: ROLE.admin })
    const theirs = await teams.create(fixture.root, { name: `Of root with ${admin.username}` })
    await teams.join(admin, (await teams.invite(fixture.root, theirs.id)).code ?? '')
    const own = await teams.create(admin, { name: `Of ${admin.username}` })

    expect(await teams.get(admin, theirs.id)).toMatchObject({ role: 'member' })
    expect((await teams.list(admin)).total).toBe(2)
    for (const [id, code] of [
      [theirs.id, 'TEAM_ROLE'],
      [own.id, 'PERMISSION_DENIED'],
    ] as const) {
      await expect(teams.update(admin, id, { group: 'vip' })).rejects.toMatchObject({ code })
      await expect(teams.setQuota(admin, id, 1000)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    }
    expect(await teamBalance(fixture, own)).toBe(0)
    await teams.setQuota(fixture.root, own.id, 1000)
    expect(await teamBalance(fixture, own)).toBe(1000)
  })

  test('do not set the balance of a team of which they are members', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture)
    const admin = await fixture.user({ role: ROLE.admin })
    await teams.join(admin, (await teams.invite(owner, team.id)).code ?? '')

    await expect(teams.setQuota(admin, team.id, 1000)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(await teamBalance(fixture, team)).toBe(0)
  })
})

onBoth('a team that is deleted', (open) => {
  test('returns its balance to the owner, and leaves a verifiable ledger', async () => {
    const fixture = await open()
    const { owner, admin, member, team, teams } = await openTeam(fixture, { quota: 1000 })
    await teams.transfer(owner, team.id, 400)
    const key = await teams.keys.create(member, team.id, { name: 'app', unlimited_quota: true })
    await fixture.charge({ ...member, id: team.id }, { quota: 150, tokenId: key.id })

    await expect(teams.delete(admin, team.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await teams.delete(owner, team.id)

    expect(await fixture.balance(owner)).toBe(850)
    await expect(teams.get(owner, team.id)).rejects.toMatchObject({ code: 'TEAM_NOT_FOUND' })
    expect(await fixture.toolkit.callers.findToken(key.key)).toBeUndefined()
    const { items } = await fixture.toolkit.logs.list(fixture.root, { userId: team.id, type: LOG_TYPE.consumption })
    expect(items).toMatchObject([{ quota: 150 }])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, rows: [], differences: [] })
    expect((await teams.create(owner, { name: team.name })).id).not.toBe(team.id)
  })

  test('cannot be deleted while a request holds a part of its balance', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture, { quota: 100 })
    await teams.transfer(owner, team.id, 100)
    const hold = await fixture.toolkit.ledger.hold({ userId: team.id, budgetTokenId: 0, quota: 60 })

    await expect(teams.delete(owner, team.id)).rejects.toMatchObject({ code: 'TEAM_BUSY' })
    await fixture.toolkit.ledger.settle(hold, bill({ ...owner, id: team.id }, { quota: 60 }))
    await teams.delete(owner, team.id)

    expect(await fixture.balance(owner)).toBe(40)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true, charges: 60 })
  })
})

onBoth('a team with a batch', (open) => {
  test('cannot be deleted until the batch has ended, whose refund it gets', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture, { quota: 100 })
    const { batches, db, ledger } = fixture.toolkit
    await teams.transfer(owner, team.id, 100)
    const { requestId } = await fixture.charge({ ...owner, id: team.id }, { quota: 60 })
    const batch = {
      batch_id: 'batch_1',
      api: 'openai',
      user_id: team.id,
      member_id: owner.id,
      token_id: 0,
      channel_id: 1,
      model: 'gpt-4o',
    }
    const running = { status: 'in_progress', body: '{}', request_count: 1, prices: '{"models":[]}', quota: 60 }
    const times = { created_at: 1, expires_at: 2, poll_at: 2 }
    await db.transaction((trx) => trx('batches').insert({ ...batch, ...running, ...times, request_id: requestId }))

    await expect(teams.delete(owner, team.id)).rejects.toMatchObject({ code: 'TEAM_BUSY' })
    const stored = await batches.find({ userId: team.id, memberId: owner.id }, { api: 'openai', batchId: 'batch_1' })
    const use = { promptTokens: 1, completionTokens: 1, quota: 20 }
    await batches.settle(stored as NonNullable<typeof stored>, {
      use,
      outcome: 'results',
      status: 'completed',
      body: '{}',
    })
    await teams.delete(owner, team.id)

    expect(await fixture.balance(owner)).toBe(80)
    expect(await ledger.verify()).toMatchObject({ equal: true })
  })
})

onBoth('members of a team', (open) => {
  test('join by an invitation that one user can use, once', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture)
    const { code = '' } = await teams.invite(owner, team.id)
    const people = await Promise.all(Array.from({ length: 8 }, () => fixture.user()))

    const outcomes = await Promise.allSettled(people.map((person) => teams.join(person, code)))

    expect(fulfilled(outcomes)).toBe(1)
    expect(await teams.members(owner, team.id)).toHaveLength(4)
    expect(await teams.invites(owner, team.id)).toEqual([])
  })

  test('who join twice concurrently are members once, and the second invitation stays', async () => {
    const fixture = await open()
    const { owner, team, teams } = await openTeam(fixture)
    const invites = await Promise.all([teams.invite(owner, team.id), teams.invite(owner, team.id)])
    const person = await fixture.user()

    const outcomes = await Promise.allSettled(invites.map(({ code = '' }) => teams.join(person, code)))

    expect(fulfilled(outcomes)).toBe(1)
    expect(outcomes.find((outcome) => outcome.status === 'rejected')).toMatchObject({
      reason: { code: 'TEAM_MEMBER_ALREADY' },
    })
    expect(await teams.invites(owner, team.id)).toHaveLength(1)
  })

  test('who are removed or demoted to member leave no usable invitation behind', async () => {
    const fixture = await open()
    const { owner, admin, team, teams } = await openTeam(fixture)
    const second = await joined(fixture, { owner, team, role: 'admin' })
    const [ofAdmin, ofSecond] = [await teams.invite(admin, team.id), await teams.invite(second, team.id)]
    const ofOwner = await teams.invite(owner, team.id)

    await teams.removeMember(owner, team.id, admin.id)
    await teams.setRole(owner, team.id, { userId: second.id, role: 'member' })

    const invalid = { code: 'TEAM_INVITE_INVALID' }
    await expect(teams.join(admin, ofAdmin.code ?? '')).rejects.toMatchObject(invalid)
    await expect(teams.join(admin, ofSecond.code ?? '')).rejects.toMatchObject(invalid)
    expect((await teams.invites(owner, team.id)).map(({ id }) => id)).toEqual([ofOwner.id])
  })

  test('lose their team keys when they leave or are removed, and no key is created meanwhile', async () => {
    const fixture = await open()
    const { owner, admin, member, team, teams } = await openTeam(fixture)
    const key = await teams.keys.create(member, team.id, { name: 'one', unlimited_quota: true })

    const outcomes = await Promise.allSettled([
      teams.removeMember(owner, team.id, member.id),
      ...Array.from({ length: 10 }, (_, at) =>
        teams.keys.create(member, team.id, { name: `more ${at}`, unlimited_quota: true }),
      ),
    ])
    await teams.leave(admin, team.id)

    expect(outcomes[0]?.status).toBe('fulfilled')
    const alive = await fixture.toolkit.db.reader('tokens').where({ user_id: team.id }).whereNull('deleted_at')
    expect(alive).toEqual([])
    expect(await fixture.toolkit.callers.findToken(key.key)).toBeUndefined()
    expect(await teams.members(owner, team.id)).toMatchObject([{ user_id: owner.id, role: 'owner' }])
  })
})

onBoth('roles of a team', (open) => {
  test('cannot promote themselves, and an owner cannot leave', async () => {
    const fixture = await open()
    const { owner, admin, member, team, teams } = await openTeam(fixture)
    const raise = (actor: Person, userId: number) => teams.setRole(actor, team.id, { userId, role: 'admin' })

    await expect(raise(member, member.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(raise(admin, member.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(teams.setOwner(admin, team.id, admin.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(teams.invite(admin, team.id, { role: 'admin' })).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(teams.invite(member, team.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(teams.removeMember(admin, team.id, owner.id)).rejects.toMatchObject({ code: 'TEAM_OWNER_ROLE' })
    await expect(teams.removeMember(admin, team.id, admin.id)).rejects.toMatchObject({ code: 'TEAM_ROLE' })
    await expect(teams.leave(owner, team.id)).rejects.toMatchObject({ code: 'TEAM_OWNER_LEAVES' })
    await expect(fixture.toolkit.profile.delete(owner)).rejects.toMatchObject({ code: 'TEAM_OWNED' })

    await teams.setOwner(owner, team.id, member.id)
    await teams.leave(owner, team.id)
    expect((await teams.get(member, team.id)).role).toBe('owner')
  })

  test('and administrators of the gateway are the only ones who see a team', async () => {
    const fixture = await open()
    const { team, teams } = await openTeam(fixture)
    const stranger = await fixture.user()

    for (const call of [
      () => teams.get(stranger, team.id),
      () => teams.getByName(stranger, team.name),
      () => teams.members(stranger, team.id),
      () => teams.keys.list(stranger, team.id),
      () => teams.usage.logs(stranger, team.id),
      () => teams.transfer(stranger, team.id, 1),
      () => teams.delete(stranger, team.id),
    ]) {
      await expect(call()).rejects.toMatchObject({ code: 'TEAM_NOT_FOUND' })
    }
    expect((await teams.list(stranger)).items).toEqual([])
    expect((await teams.list(fixture.root)).items).toMatchObject([{ id: team.id, role: '' }])
  })

  test('see and change only their own keys, and read no key of another', async () => {
    const fixture = await open()
    const { owner, admin, member, team, teams } = await openTeam(fixture)
    const own = await teams.keys.create(member, team.id, { name: 'own', unlimited_quota: true })
    const other = await teams.keys.create(admin, team.id, { name: 'other', unlimited_quota: true })

    expect((await teams.keys.list(member, team.id)).items).toMatchObject([{ id: own.id, key: own.key }])
    await expect(teams.keys.delete(member, team.id, other.id)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    const all = (await teams.keys.list(owner, team.id)).items
    expect(all.map(({ id, key }) => [id, key])).toEqual([
      [other.id, ''],
      [own.id, ''],
    ])
    await expect(fixture.toolkit.tokens.get(member, own.id)).rejects.toMatchObject({ code: 'TOKEN_NOT_FOUND' })
    await expect(
      teams.keys.create(fixture.root, team.id, { name: 'root', unlimited_quota: true }),
    ).rejects.toMatchObject({ code: 'TEAM_MEMBERS_ONLY' })
  })
})

onBoth('limits in a team', (open) => {
  const windowOf = (subject: 'token' | 'member', subject_id: string, amount: number) =>
    [{ subject, subject_id, measure: 'requests', period: 'day', amount }] as const

  test('set by a member for their own key are lowered by admins, and not raised again', async () => {
    const fixture = await open()
    const { admin, member, team, teams } = await openTeam(fixture)
    const { limits } = fixture.toolkit
    const key = await teams.keys.create(member, team.id, { name: 'own', unlimited_quota: true })
    const ofKey = (amount: number) => windowOf('token', String(key.id), amount)
    await limits.set(member, ofKey(1000))

    expect(await limits.set(admin, ofKey(5))).toMatchObject([{ amount: 5 }])

    await expect(limits.set(member, ofKey(1000))).rejects.toMatchObject({ code: 'LIMIT_NOT_OWN' })
  })

  test('persist after the admin who set them leaves, and are changed by the owner; those of the gateway are not', async () => {
    const fixture = await open()
    const { owner, admin, member, team, teams } = await openTeam(fixture)
    const { limits } = fixture.toolkit
    const ofMember = (amount: number) => windowOf('member', `${team.id}/${member.id}`, amount)
    const [limit] = await limits.set(admin, ofMember(5))
    await teams.removeMember(owner, team.id, admin.id)

    await expect(limits.remove(member, limit?.id ?? 0)).rejects.toMatchObject({ code: 'LIMIT_NOT_OWN' })
    expect(await limits.set(owner, ofMember(50))).toMatchObject([{ amount: 50 }])

    await limits.set(fixture.root, ofMember(7))
    await expect(limits.set(owner, ofMember(50))).rejects.toMatchObject({ code: 'LIMIT_NOT_OWN' })
  })
})

onBoth('the account of a team', (open) => {
  test('is not a user: it is in no list, and no user operation finds it', async () => {
    const fixture = await open()
    const { team } = await openTeam(fixture)
    const { accounts, tokens, limits } = fixture.toolkit

    const { items } = await accounts.list(fixture.root, { pageSize: 1000 })
    expect(items.map(({ id }) => id)).not.toContain(team.id)
    const missing = { code: 'USER_NOT_FOUND' }
    await expect(accounts.get(fixture.root, team.id)).rejects.toMatchObject(missing)
    await expect(accounts.getByName(fixture.root, `@${team.name}`)).rejects.toMatchObject(missing)
    await expect(accounts.manage(fixture.root, team.id, 'promote')).rejects.toMatchObject(missing)
    await expect(accounts.setQuota(fixture.root, team.id, 5)).rejects.toMatchObject(missing)
    await expect(accounts.delete(fixture.root, team.id)).rejects.toMatchObject(missing)
    await expect(accounts.update(fixture.root, { id: team.id, password: 'secret-enough' })).rejects.toMatchObject(
      missing,
    )
    await expect(tokens.create(fixture.root, { name: 'x' }, { ownerId: team.id })).rejects.toMatchObject(missing)
    const limit = {
      subject: 'user',
      subject_id: String(team.id),
      measure: 'requests',
      period: 'day',
      amount: 1,
    } as const
    await expect(limits.set(fixture.root, [limit])).rejects.toMatchObject(missing)
    await expect(accounts.login({ username: `@${team.name}`, password: 'x' })).rejects.toMatchObject({
      code: 'CREDENTIALS_WRONG',
    })
  })
})
