import { expect, test } from 'vitest'
import { onBoth } from '../../support/toolkit.ts'

const HOUR_S = 3600
const START = Date.UTC(2026, 0, 10) / 1000

onBoth('what a range of the log cost', (open) => {
  test('is unchanged after its rows were removed: of all, of a user, of a model', async () => {
    const clock = { now: START }
    const { toolkit, root, user, charge } = await open({ now: () => clock.now })
    const [ann, bob] = [await user({ quota: 10_000 }), await user({ quota: 10_000 })]
    for (let hour = 0; hour < 4; hour++) {
      clock.now = START + hour * HOUR_S + 1800
      await charge(ann, { quota: 100 + hour, modelName: 'gpt-4o' })
      await charge(bob, { quota: 1000 + hour, modelName: 'gpt-4o-mini' })
    }
    const filters = [
      {},
      { start_timestamp: START },
      { start_timestamp: START + HOUR_S, end_timestamp: START + 3 * HOUR_S - 1 },
      { username: ann.username },
      { model_name: 'gpt-4o' },
      { model_name: 'gpt-4o%' },
      { username: bob.username, model_name: 'gpt-4o' },
      { end_timestamp: START - 1 },
    ]
    const spent = () => Promise.all(filters.map(async (filter) => (await toolkit.logs.stat(root, filter)).quota))
    const before = await spent()
    expect(before).toEqual([4412, 4412, 2206, 406, 406, 4412, 0, 0])

    await toolkit.logs.clear(root, START + 2 * HOUR_S)
    expect(await spent()).toEqual(before)
    await toolkit.logs.clear(root, START + 3 * HOUR_S + 1900)

    expect(await spent()).toEqual(before)
    expect((await toolkit.logs.stat(ann, {})).quota).toBe(406)
    expect(await toolkit.db.reader('logs').where({ type: 2 })).toEqual([])
  })

  test('of a key, a channel or a part of an hour is the sum of the remaining rows', async () => {
    const clock = { now: START }
    const { toolkit, root, user, charge } = await open({ now: () => clock.now })
    const ann = await user({ quota: 10_000 })
    for (const [second, quota] of [
      [10, 1],
      [20, 10],
      [HOUR_S, 100],
    ] as const) {
      clock.now = START + second
      await charge(ann, { quota, tokenName: 'key', channelId: 7 })
    }

    await toolkit.logs.clear(root, START + 15)

    const spent = async (filter: object) => (await toolkit.logs.stat(root, filter)).quota
    expect(await spent({ channel: 7 })).toBe(110)
    expect(await spent({ token_name: 'key' })).toBe(110)
    expect(await spent({ start_timestamp: START + 1, end_timestamp: START + HOUR_S - 1 })).toBe(10)
    expect(await spent({ end_timestamp: START + HOUR_S - 1 })).toBe(11)
  })

  test('of a team member excludes other members', async () => {
    const clock = { now: START }
    const { toolkit, root, user, token, charge } = await open({ now: () => clock.now })
    const [account, member] = [await user({ quota: 10_000 }), await user()]
    const { id: tokenId } = await token(account)
    await toolkit.db.transaction((trx) => trx('tokens').where({ id: tokenId }).update({ member_id: member.id }))
    await charge(account, { quota: 1, tokenId })
    await charge(account, { quota: 100 })
    clock.now = START + HOUR_S
    await charge(account, { quota: 10, tokenId })

    await toolkit.logs.clear(root, START + 15)

    expect((await toolkit.logs.stat(account, { memberId: member.id })).quota).toBe(10)
    expect((await toolkit.logs.stat(account, {})).quota).toBe(111)
  })

  test('excludes channel tests, before and after rows were removed', async () => {
    const clock = { now: START }
    const { toolkit, root, user, charge } = await open({ now: () => clock.now })
    const ann = await user({ quota: 10_000 })
    const tested = { channelId: 1, model: 'gpt-4o', promptTokens: 1, completionTokens: 1, useTimeSeconds: 1, other: '' }
    await charge(ann, { quota: 5 })
    await toolkit.logs.writeTest({ ...tested, quota: 1000 })
    clock.now += HOUR_S
    await toolkit.logs.writeTest({ ...tested, quota: 2000 })

    expect((await toolkit.logs.stat(root, {})).quota).toBe(5)
    await toolkit.logs.clear(root, START + 100)
    expect((await toolkit.logs.stat(root, {})).quota).toBe(5)
  })

  test('is the sum of counted hours and of the rows of hours that were not counted', async () => {
    const clock = { now: START }
    const { toolkit, root, user, charge } = await open({ now: () => clock.now })
    const ann = await user({ quota: 1_000_000 })
    const tested = { channelId: 1, model: 'gpt-4o', promptTokens: 1, completionTokens: 1, useTimeSeconds: 1, other: '' }
    for (let hour = 0; hour < 6; hour++) {
      await toolkit.options.set(root, 'DataExportEnabled', String(hour !== 2 && hour !== 4))
      for (const minute of [0, 30]) {
        clock.now = START + hour * HOUR_S + minute * 60
        await charge(ann, { quota: 10 ** hour, modelName: 'gpt-4o' })
        await toolkit.logs.writeTest({ ...tested, quota: 7 })
      }
    }

    const spent = async (filter: object) => (await toolkit.logs.stat(root, filter)).quota
    for (const filter of [{}, { username: ann.username }, { model_name: 'gpt-4o' }, { model_name: 'gpt-%' }]) {
      expect(await spent(filter)).toBe(222_222)
      expect(await spent({ ...filter, start_timestamp: START + HOUR_S })).toBe(222_220)
      expect(await spent({ ...filter, start_timestamp: START + HOUR_S + 1 })).toBe(222_210)
      expect(await spent({ ...filter, end_timestamp: START + 3 * HOUR_S })).toBe(1222)
      expect(await spent({ ...filter, end_timestamp: START + 4 * HOUR_S - 1 })).toBe(2222)
      const within = { start_timestamp: START + 2 * HOUR_S + 1, end_timestamp: START + 2 * HOUR_S + 1800 }
      expect(await spent({ ...filter, ...within })).toBe(100)
    }
    expect(await spent({ model_name: 'o1' })).toBe(0)
  })
})
