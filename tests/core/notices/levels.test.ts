import { describe, expect, test } from 'vitest'
import type { NoticeEvent } from '../../../core/notices/notice.ts'
import { levelOf } from '../../../core/notices/thresholds.ts'
import { onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

const signal = new AbortController().signal
const EVENTS: NoticeEvent[] = ['balance.reached', 'budget.reached']

const watch = ({ toolkit }: TestToolkit, actor: Person, gateway = false) =>
  toolkit.notices.targets.create(actor, {
    kind: 'webhook',
    name: 'hook',
    settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
    events: EVENTS,
    gateway,
  })

/** What was written since the last look. */
async function look({ toolkit }: TestToolkit): Promise<{ event: string; subject: string; percent: number }[]> {
  const last = (await toolkit.db.reader('notices').max({ id: 'id' }).first())?.id ?? 0
  await toolkit.notices.levels.check(signal)
  const rows = await toolkit.db.reader('notices').where('id', '>', last).orderBy('id').select()
  return rows.map(({ event, subject, data }) => ({ event, subject, percent: JSON.parse(data).percent }))
}

describe('the level of usage', () => {
  test.each([
    [[80, 100], 79_999, 100_000, 0],
    [[80, 100], 80_000, 100_000, 80],
    [[80, 100], 100_000, 100_000, 100],
    [[80, 100], 120_000, 100_000, 100],
    [[80, 100], -5, 100_000, 0],
    [[100], 9_007_199_254_740_000, 9_007_199_254_740_001, 0],
    [[], 100, 100, 0],
    [[80], 0, 0, 0],
  ])('of %j with %i of %i used is %i', (percents, used, total, level) => {
    expect(levelOf(percents, { used, total })).toBe(level)
  })
})

onBoth('thresholds', (open) => {
  test('of a balance notify once each, and again after the next credit', async () => {
    const fixture = await open()
    const user = await fixture.user({ quota: 1000 })
    await watch(fixture, user)
    const subject = `user:${user.id}`
    expect(await look(fixture)).toEqual([])
    await fixture.charge(user, { quota: 799 })
    expect(await look(fixture)).toEqual([])
    await fixture.charge(user, { quota: 1 })
    expect(await look(fixture)).toEqual([{ event: 'balance.reached', subject, percent: 80 }])
    expect(await look(fixture)).toEqual([])
    await fixture.charge(user, { quota: 200 })
    expect(await look(fixture)).toEqual([{ event: 'balance.reached', subject, percent: 100 }])

    await fixture.toolkit.accounts.adjustQuota(fixture.root, user.id, 500)
    // Used up again before the next look.
    await fixture.charge(user, { quota: 450 })
    expect(await look(fixture)).toEqual([{ event: 'balance.reached', subject, percent: 80 }])
    expect(await look(fixture)).toEqual([])
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('of a key are those set by its owner, and reset with a larger budget', async () => {
    const fixture = await open()
    const { toolkit } = fixture
    const user = await fixture.user({ quota: 100_000 })
    const token = await fixture.token(user, { unlimited_quota: false, remain_quota: 1000 })
    await watch(fixture, user)
    const { thresholds } = toolkit.notices
    await thresholds.set(user, { subject: 'token', subject_id: token.id, percents: [100, 50, 50] })
    expect(await thresholds.list(user)).toEqual([{ subject: 'token', subject_id: token.id, percents: [50, 100] }])
    const spend = async (quota: number) => {
      const hold = await toolkit.ledger.hold({ userId: user.id, budgetTokenId: token.id, quota })
      const { requestId } = { requestId: `r${Math.random()}` }
      await toolkit.ledger.settle(hold, {
        requestId,
        userId: user.id,
        username: user.username,
        tokenId: token.id,
        tokenName: token.name,
        channelId: 0,
        modelName: 'gpt-4o',
        group: 'default',
        promptTokens: 0,
        completionTokens: 0,
        useTimeSeconds: 1,
        isStream: false,
        content: '',
        other: '',
        quota,
      })
    }
    const subject = `token:${token.id}`
    await spend(499)
    expect(await look(fixture)).toEqual([])
    await spend(1)
    expect(await look(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 50 }])
    await spend(500)
    expect(await look(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 100 }])
    await toolkit.tokens.update(user, token.id, { remain_quota: 4000 })
    expect(await look(fixture)).toEqual([])
    await spend(1500)
    expect(await look(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 50 }])
  })

  test('two concurrent processes write one notice', async () => {
    const fixture = await open()
    const user = await fixture.user({ quota: 1000 })
    await watch(fixture, user)
    await fixture.charge(user, { quota: 1000 })
    const processes = [fixture.toolkit, await fixture.another(), await fixture.another()]
    const counts = await Promise.all(processes.map(({ notices }) => notices.levels.check(signal)))
    expect(counts.reduce((sum, { notices }) => sum + notices, 0)).toBe(1)
    expect(await fixture.toolkit.db.reader('notices').select('id')).toHaveLength(1)
  })

  test("the gateway's own target starts with later levels, of all users", async () => {
    const fixture = await open()
    const [empty, full] = [await fixture.user({ quota: 1000 }), await fixture.user({ quota: 1000 })]
    await fixture.charge(empty, { quota: 1000 })
    await watch(fixture, fixture.root, true)
    expect(await look(fixture)).toEqual([])
    await fixture.charge(full, { quota: 900 })
    expect(await look(fixture)).toEqual([{ event: 'balance.reached', subject: `user:${full.id}`, percent: 80 }])
  })

  test('apply to a quota window too', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const user = await fixture.user({ quota: 1000 })
    await watch(fixture, user)
    const [limit] = await toolkit.limits.set(root, [
      { subject: 'user', subject_id: String(user.id), measure: 'quota', period: 'day', amount: 100, time_zone: 'UTC' },
    ])
    const taken = JSON.stringify([[Math.floor(Date.now() / 86_400_000) * 86_400_000, 85]])
    const row = { limit_id: limit?.id, subject_id: String(user.id), taken, updated_at: Math.floor(Date.now() / 1000) }
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(row))
    const subject = `limit:${limit?.id}/user:${user.id}`
    expect(await look(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 80 }])
    expect(await look(fixture)).toEqual([])
  })

  test('apply to the windows of the limits in effect: only a limit of an administrator replaces a default', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const user = await fixture.user({ quota: 1000 })
    const own = String((await fixture.token(user)).id)
    const replaced = String((await fixture.token(user)).id)
    await watch(fixture, user)
    const limit = async (actor: Person, subject_id: string, amount: number) => {
      const [set] = await toolkit.limits.set(actor, [
        { subject: 'token', subject_id, measure: 'quota', period: 'day', amount, time_zone: 'UTC' },
      ])
      return set?.id
    }
    const each = await limit(root, '*', 100)
    await limit(user, own, 500)
    await limit(root, replaced, 500)
    const taken = JSON.stringify([[Math.floor(Date.now() / 86_400_000) * 86_400_000, 85]])
    const rows = [own, replaced].map((subject_id) => ({ limit_id: each, subject_id, taken, updated_at: 1 }))
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(rows))

    const subject = `limit:${each}/token:${own}`
    expect(await look(fixture)).toEqual([{ event: 'budget.reached', subject, percent: 80 }])
  })

  test('of a minute window do not notify, because they would every minute', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const user = await fixture.user({ quota: 1000 })
    await watch(fixture, user)
    const [limit] = await toolkit.limits.set(root, [
      { subject: 'user', subject_id: String(user.id), measure: 'quota', period: 'minute', amount: 100 },
    ])
    const taken = JSON.stringify([[Date.now(), 100]])
    const row = { limit_id: limit?.id, subject_id: String(user.id), taken, updated_at: Math.floor(Date.now() / 1000) }
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(row))
    expect((await toolkit.limits.status(user))[0]).toMatchObject({ used: 100 })
    expect(await look(fixture)).toEqual([])
  })

  test('of users of a lower level are set by administrators, which the audit has', async () => {
    const fixture = await open()
    const { audit, notices } = fixture.toolkit
    const [admin, user] = [await fixture.user({ role: 10 }), await fixture.user()]
    const token = await fixture.token(user)
    const set = (subject: 'user' | 'token', subject_id: number) =>
      notices.thresholds.set(admin, { subject, subject_id, percents: [60] })
    await set('user', user.id)
    await set('token', token.id)
    expect(await notices.thresholds.list(admin, { user_id: user.id })).toHaveLength(2)
    expect(await audit.list(fixture.root, { object: `token:${token.id}` })).toMatchObject([
      { action: 'notice.threshold', actor_id: admin.id, before: { percents: [80, 100] }, after: { percents: [60] } },
    ])
    await expect(set('user', fixture.root.id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    await expect(notices.thresholds.list(user, { user_id: admin.id })).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })

  test('of another user are not found', async () => {
    const fixture = await open()
    const { thresholds } = fixture.toolkit.notices
    const [one, two] = [await fixture.user(), await fixture.user()]
    const token = await fixture.token(two)
    const percents = [50]
    await expect(thresholds.set(one, { subject: 'user', subject_id: two.id, percents })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    })
    for (const subject_id of [token.id, 3_000_000_000]) {
      await expect(thresholds.set(one, { subject: 'token', subject_id, percents })).rejects.toMatchObject({
        code: 'TOKEN_NOT_FOUND',
      })
    }
    await expect(thresholds.set(one, { subject: 'user', subject_id: one.id, percents: [101] })).rejects.toMatchObject({
      code: 'FIELD_RANGE',
    })
  })
})
