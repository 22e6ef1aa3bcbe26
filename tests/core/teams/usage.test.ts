import { expect, test } from 'vitest'
import { bill, onBoth, type Person } from '../../support/toolkit.ts'

const QUERY = { lastHours: 24, by: 'member', metric: 'quota' } as const

onBoth('the dashboard of a team', (open) => {
  test('sums up members and keys for its managers, deleted keys included, and shows members their own', async () => {
    const world = await open()
    const { teams, ledger } = world.toolkit
    const [owner, ann] = [await world.user({ quota: 10_000 }), await world.user()]
    const team = await teams.create(owner, { name: `Team ${owner.username}` })
    const { code = '' } = await teams.invite(owner, team.id)
    await teams.join(ann, code)
    await teams.transfer(owner, team.id, 10_000)
    const spend = async (member: Person, quota: number) => {
      const { id: tokenId, name: tokenName } = await teams.keys.create(member, team.id, {
        name: `of-${quota}`,
        unlimited_quota: true,
      })
      const hold = await ledger.hold({ userId: team.id, budgetTokenId: 0, quota })
      await ledger.settle(hold, bill({ id: team.id, role: 1, username: '@team' }, { quota, tokenId, tokenName }))
      return tokenId
    }
    await spend(owner, 100)
    await spend(ann, 20)
    await teams.keys.delete(ann, team.id, await spend(ann, 30))
    const dashboard = async (actor: Person, query = {}) =>
      (await teams.usage.dashboard(actor, team.id, { ...QUERY, ...query })).data

    const shown = await dashboard(owner)
    const named = (list: readonly { label: string; quota: number }[] = []) =>
      list.map(({ label, quota }) => [label, quota])
    expect(named(shown?.groups)).toEqual([
      [owner.username, 100],
      [ann.username, 50],
    ])
    expect(named(shown?.members)).toEqual(named(shown?.groups))
    expect(shown?.series.map(({ group, quota }) => [group, quota])).toEqual([
      [0, 100],
      [1, 50],
    ])
    expect(shown).toMatchObject({ account: { quota: 9850 }, totals: { quota: 150, count: 3, ok: 3 } })
    expect(shown?.tokens.map(({ quota }) => quota)).toEqual([100, 30, 20])
    const own = await dashboard(ann, { memberId: owner.id })
    expect(own).toMatchObject({ members: [], totals: { quota: 50, count: 2 } })
    expect(await dashboard(owner, { memberId: ann.id, by: 'model' })).toMatchObject({ totals: { quota: 50 } })
  })

  test('of a user without a team has no members', async () => {
    const world = await open()
    const user = await world.user({ quota: 100 })
    await world.charge(user, { quota: 5 })
    const { data } = await world.toolkit.logs.dashboard(user, { ...QUERY, scope: 'own' })
    expect(data).toMatchObject({ by: 'model', members: [], groups: [{ name: 'gpt-4o', quota: 5 }] })
  })
})
