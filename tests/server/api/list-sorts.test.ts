import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { ChannelActivity } from '../../../core/channels/schema.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()

describe('lists in the requested order', () => {
  test('by each sortable column, in both directions, and by no other', async () => {
    const fixture = await gateway()
    for (const [name, quota] of [
      ['anna', 5],
      ['bert', 9],
      ['cora', 1],
    ] as const) {
      await fixture.user({ username: name, quota })
      await fixture.channel({ name, weight: quota })
      await fixture.token(fixture.root, { name, remain_quota: quota })
      await fixture.toolkit.redemption.create(fixture.root, { name, quota, count: 1 })
    }
    const root = await openApi(fixture).as(fixture.root)
    const names = async (path: string, field: string) => {
      const { success, data } = (await root.get(path)).body
      return (
        success && data.items.map((row: Record<string, string>) => row[field]).filter((name: string) => name !== 'root')
      )
    }

    for (const [path, field, column] of [
      ['/api/user/', 'username', 'quota'],
      ['/api/channel/page', 'name', 'weight'],
      ['/api/token/page', 'name', 'remain_quota'],
      ['/api/redemption/', 'name', 'quota'],
    ] as const) {
      expect(await names(`${path}?sort=${column}`, field), path).toEqual(['bert', 'anna', 'cora'])
      expect(await names(`${path}?sort=${column}&order=asc`, field), path).toEqual(['cora', 'anna', 'bert'])
      expect(await names(`${path}?sort=key`, field), path).toBe(false)
    }
  })

  test('and users with their last activity', async () => {
    const fixture = await gateway()
    const busy = await fixture.user({ quota: 1000 })
    const idle = await fixture.user()
    const { id } = await fixture.token(busy)
    await fixture.toolkit.db.transaction((trx) => trx('tokens').where({ id }).update({ accessed_time: 1_767_225_600 }))

    const { items } = await fixture.toolkit.accounts.list(fixture.root)

    const active = new Map(items.map((user) => [user.id, user.last_active]))
    expect(active.get(busy.id)).toBe(1_767_225_600)
    expect(active.get(idle.id)).toBe(0)
  })
})

describe('GET /api/channel/activity', () => {
  test('shows its success rate, its share of the traffic, and models that only it serves', async () => {
    const fixture = await openTestGateway() // its job begins to count with the first row
    const user = await fixture.user({ quota: 1_000_000 })
    const one = await fixture.channel({ name: 'one', models: 'shared,only-here', group: 'default,vip' })
    const two = await fixture.channel({ name: 'two', models: 'shared', group: 'default,vip' })
    for (const [channelId, times] of [
      [one.id, 3],
      [two.id, 1],
    ] as const) {
      for (let n = 0; n < times; n++)
        await fixture.charge(user, { quota: 10, channelId, useTimeSeconds: 2, modelName: 'shared' })
    }

    const activity: ChannelActivity[] = (await (await openApi(fixture).as(fixture.root)).get('/api/channel/activity'))
      .body.data

    const of = (id: number) => activity.find(({ channel_id }) => channel_id === id)
    expect(of(one.id)).toMatchObject({ ok: 3, failed: 0, share: 0.75, sole_count: 1, sole_models: ['only-here'] })
    expect(of(one.id)?.hours.at(-1)).toBe(3)
    expect(of(one.id)?.latency_p50).toBeGreaterThan(1800)
    expect(of(two.id)).toMatchObject({ ok: 1, share: 0.25, sole_count: 0 })
    const admin = await fixture.user({ role: ROLE.admin })
    expect(await fixture.toolkit.channels.activity(admin)).toHaveLength(activity.length)
    await expect(fixture.toolkit.channels.activity(user)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  })
})
