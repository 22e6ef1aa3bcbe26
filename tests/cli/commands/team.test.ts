import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import { shared } from '../../support/lifetime.ts'
import { bill } from '../../support/toolkit.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('team, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))

  test('create, transfer, get, list and update respect the balance and the name', async () => {
    const { json, run } = world()
    const team = await json('team', 'create', 'lab')
    expect(team).toMatchObject({ name: 'lab', role: 'owner', quota: 0, members: 1 })
    expect((await run(['team', 'create', 'lab'])).exitCode).toBe(5)
    expect(await run(['team', 'create', '17'])).toMatchObject({ stderr: expect.stringMatching(/team name/) })

    expect(await json('team', 'transfer', 'lab', '1000', '--idempotency-key', 'a')).toEqual({
      moved: 1000,
      quota: 1000,
    })
    expect(await json('team', 'transfer', 'lab', '1000', '--idempotency-key', 'a')).toMatchObject({ quota: 1000 })
    await json('team', 'set-quota', 'lab', '2000')
    expect(await json('team', 'get', String(team.id))).toMatchObject({ name: 'lab', quota: 2000 })
    expect((await json('team', 'list', '--search', 'la')).items).toMatchObject([{ id: team.id }])
    expect(await json('team', 'update', 'lab', '--name', 'lab two', '--status', 'disabled')).toMatchObject({
      name: 'lab two',
      status: 2,
    })
    expect((await run(['team', 'update', 'lab two'])).exitCode).toBe(2)
    expect((await run(['team', 'get', 'nowhere'])).exitCode).toBe(3)
    expect((await run(['team', 'transfer', 'lab two', '999999999999'])).exitCode).toBe(1)

    expect((await run(['team', 'delete', 'lab two'])).exitCode).toBe(2)
    expect(await json('team', 'delete', 'lab two', '--yes')).toMatchObject({ id: team.id })
    expect((await run(['team', 'get', 'lab two'])).exitCode).toBe(3)
    expect(await json('ledger', 'verify')).toMatchObject({ equal: true })
  })

  test('members join by an invitation, get a role and can be removed', async () => {
    const { json, run, inside } = world()
    await json('team', 'create', 'crew')
    const invite = await json('team', 'invite', 'crew', '--hours', '1')
    expect(invite.code).toMatch(/^team-[0-9a-zA-Z]{32}$/)
    const spare = (await run(['team', 'invite', 'crew', '--role', 'admin'])).stdout.trim()
    expect(spare).toMatch(/^team-/)
    const open = await json('team', 'invites', 'crew')
    expect(open).toMatchObject([{ role: 'admin' }, { id: invite.id, role: 'member' }])
    await json('team', 'revoke-invite', 'crew', String(open[0].id))
    expect((await run(['team', 'join', spare])).exitCode).toBe(3)
    const name = `mia-${kind}`.slice(0, 12)
    await inside(async (toolkit, root) => {
      const { id } = await toolkit.accounts.create(root, { username: name, password: 'a-long-password' })
      await toolkit.teams.join({ id, role: ROLE.common }, invite.code)
    })

    expect(await json('team', 'members', 'crew')).toMatchObject([{ role: 'owner' }, { username: name, role: 'member' }])
    await json('team', 'role', 'crew', name, 'admin')
    expect((await json('team', 'members', 'crew'))[1]).toMatchObject({ username: name, role: 'admin' })
    expect((await run(['team', 'leave', 'crew', '--yes'])).exitCode).toBe(5)
    await json('team', 'remove', 'crew', name, '--yes')
    expect(await json('team', 'members', 'crew')).toHaveLength(1)
    expect((await run(['team', 'remove', 'crew', name, '--yes'])).exitCode).toBe(3)
  })

  test('token create --team creates a team key, which team keys lists and updates', async () => {
    const { json, run } = world()
    const team = await json('team', 'create', 'keys')
    const key = await json('token', 'create', 'app', '--team', 'keys', '--rpm', '60')
    expect(key).toMatchObject({ user_id: team.id, key: expect.stringMatching(/^sk-/) })

    expect((await json('team', 'keys', 'keys')).items).toMatchObject([{ id: key.id, username: 'root' }])
    expect(await json('limit', 'list', '--subject', 'token', '--of', String(key.id))).toMatchObject([{ amount: 60 }])
    expect((await json('token', 'list')).items.map(({ id }: { id: number }) => id)).not.toContain(key.id)
    expect(await json('team', 'update-key', 'keys', String(key.id), '--status', 'disabled')).toMatchObject({
      status: 2,
    })
    const member = `${team.id}/1`
    expect(await json('limit', 'set', 'member', member, '--quota', '500', '--per', 'day')).toMatchObject([
      { subject: 'member', subject_id: member, name: 'keys/root' },
    ])
    await json('team', 'delete-key', 'keys', String(key.id), '--yes')
    expect((await json('team', 'keys', 'keys')).items).toEqual([])
    expect((await run(['token', 'create', 'x', '--team', 'keys', '--user', 'root'])).exitCode).toBe(2)
  })

  test('stat sums up what the team used, by model, member, key and time', async () => {
    const { json, run, inside } = world()
    const team = await json('team', 'create', 'sums')
    await json('team', 'transfer', 'sums', '5000')
    const key = await json('token', 'create', 'app', '--team', 'sums')
    await inside(async ({ ledger }) => {
      const hold = await ledger.hold({ userId: team.id, budgetTokenId: 0, quota: 700 })
      const payer = { id: team.id, role: ROLE.common, username: '@sums' }
      await ledger.settle(hold, bill(payer, { quota: 700, tokenId: key.id, tokenName: 'app', promptTokens: 30 }))
    })

    const used = { count: 1, token_used: 30, quota: 700 }
    for (const [by, name] of [
      ['model', 'gpt-4o'],
      ['member', 'root'],
      ['key', 'app'],
    ]) {
      const sums = await json('team', 'stat', 'sums', '--by', String(by))
      expect(sums).toMatchObject({ total: used, rows: [{ ...used, name, ok: 1, failed: 0 }] })
    }
    expect(await json('team', 'stat', 'sums', '--by', 'day', '--since', '24h')).toMatchObject({ rows: [used] })
    expect(await json('team', 'stat', 'sums', '--member', 'root')).toMatchObject({ total: used })
    expect((await run(['team', 'stat', 'sums', '--since', '100d'])).exitCode).not.toBe(0)
    expect((await run(['team', 'stat', 'sums', '--by', 'member'])).stdout).toMatch(/root.*700|root.*100%/)
  })

  test('logs and receipt show what the team used', async () => {
    const { json, run, inside } = world()
    const team = await json('team', 'create', 'usage')
    await json('team', 'transfer', 'usage', '5000')
    const key = await json('token', 'create', 'app', '--team', 'usage')

    expect((await json('team', 'logs', 'usage')).items).toMatchObject([{ user_id: team.id, type: 4 }])
    const remark = async (language: string) =>
      (await json('--language', language, 'team', 'logs', 'usage')).items[0].content
    expect(await remark('en')).toMatch(/^[ -~]+$/)
    expect(await remark('zh')).toMatch(/\p{Script=Han}/u)
    expect((await json('team', 'logs', 'usage', '--requests', '--member', 'root')).items).toEqual([])
    expect((await run(['team', 'receipt', 'usage', 'unknown'])).exitCode).toBe(3)
    expect((await run(['team', 'logs', 'usage', '--member', 'nobody'])).exitCode).toBe(3)
    await inside(async (toolkit) => {
      expect(await toolkit.db.reader('tokens').where({ id: key.id }).first('member_id')).toEqual({ member_id: 1 })
    })
  })
})
