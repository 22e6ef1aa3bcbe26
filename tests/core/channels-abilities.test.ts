import { expect, test } from 'vitest'
import { commaList } from '../../core/input.ts'
import { seeded } from '../support/seeded.ts'
import { onBoth, type TestToolkit } from '../support/toolkit.ts'

interface Row {
  id: number
  group: string
  models: string
  status: number
  priority: number
  weight: number
  tag: string | null
}

/** What the channels say that the abilities should be, worked out apart from the program. */
async function wanted({ toolkit }: TestToolkit): Promise<string[]> {
  const channels: Row[] = await toolkit.db.reader('channels').select()
  const rows = channels.flatMap(({ id, group, models, status, priority, weight, tag }) =>
    commaList(group).flatMap((name) =>
      commaList(models).map((model) => JSON.stringify([name, model, id, status === 1, priority, weight, tag])),
    ),
  )
  return rows.sort()
}

async function stored({ toolkit }: TestToolkit): Promise<string[]> {
  const rows = await toolkit.db.reader('abilities').select()
  return rows
    .map((row) =>
      JSON.stringify([row.group, row.model, row.channel_id, Boolean(row.enabled), row.priority, row.weight, row.tag]),
    )
    .sort()
}

const ROUNDS = 60
const AT_ONCE = 5

onBoth('abilities', (open) => {
  test('match the channels after hundreds of edits of every kind, five at a time', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const { channels } = toolkit
    const random = seeded(7)
    const below = (n: number) => Math.floor(random() * n)
    const one = <T>(of: readonly T[]): T => of[below(of.length)] as T
    const some = <T>(of: readonly T[]) => of.filter(() => random() < 0.5).join(',')
    const id = () => 1 + below(80)
    const tag = () => one(['a', 'b', 'c'])
    const fields = () => ({
      ...(random() < 0.5 && { models: some(['m1', 'm2', 'm3', 'm4']) }),
      ...(random() < 0.3 && { group: some(['default', 'vip', 'x']) }),
      ...(random() < 0.3 && { priority: below(5) - 2 }),
      ...(random() < 0.3 && { weight: below(3) }),
      ...(random() < 0.3 && { tag: one(['a', 'b', 'c', '']) }),
      ...(random() < 0.3 && { status: one([1, 2]) }),
    })
    const acts: (() => Promise<unknown>)[] = [
      () => channels.createMany(root, { type: 1, key: 'k1\nk2\nk3', ...fields() }),
      () => channels.update(root, id(), fields()),
      () => channels.update(root, id(), fields()),
      () => channels.update(root, id(), fields()),
      () => channels.setTagStatus(root, tag(), one([1, 2])),
      () => channels.updateTag(root, tag(), { ...fields(), groups: some(['default', 'y']), new_tag: tag() }),
      () => channels.updateTag(root, tag(), { weight: below(3), priority: below(3) }),
      () => channels.tagChannels(root, [id(), id(), id()], one(['a', 'b', null])),
      () => channels.disableAutomatically(root, id(), 'slow'),
      () => channels.enableAutomatically(root, id()),
      () => channels.delete(root, id()),
      () => channels.deleteMany(root, [id(), id()]),
      () => (random() < 0.2 ? channels.deleteDisabled(root) : channels.repair(root)),
    ]

    for (let round = 0; round < ROUNDS; round++) {
      const outcomes = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => one(acts)()))
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ code: 'CHANNEL_NOT_FOUND' })
      }
      expect(await stored(fixture)).toEqual(await wanted(fixture))
    }

    expect((await stored(fixture)).length).toBeGreaterThan(10)
  })

  test('a tag edit and a concurrent update of one channel both persist', async () => {
    const fixture = await open()
    const { toolkit, root, channel } = fixture
    const { id } = await channel({ tag: 't' })

    for (let round = 1; round <= 10; round++) {
      await Promise.all([
        toolkit.channels.updateTag(root, 't', { models: `m${round}`, weight: round }),
        toolkit.channels.update(root, id, { priority: round, group: `g${round}` }),
      ])
      expect(await toolkit.channels.get(root, id)).toMatchObject({
        models: `m${round}`,
        weight: round,
        priority: round,
        group: `g${round}`,
      })
      expect(await stored(fixture)).toEqual(await wanted(fixture))
    }
  })

  test('are repaired in batches, however many channels there are', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = (count: number) => Array.from({ length: count }, (_, at) => `k${at}`).join('\n')
    await toolkit.channels.createMany(root, { type: 1, key: keys(700), models: 'a' })
    const right = await stored(fixture)
    await toolkit.db.transaction((trx) => trx('abilities').delete())

    expect(await toolkit.channels.repair(root)).toEqual({ channels: 700, repaired: 700 })
    expect(await stored(fixture)).toEqual(right)
    expect(await toolkit.channels.repair(root)).toEqual({ channels: 700, repaired: 0 })
  })

  test('of a tag beyond the maximum stay unchanged, and so do its channels', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = Array.from({ length: 21 }, (_, at) => `k${at}`).join('\n')
    await toolkit.channels.createMany(root, { type: 1, key: keys, models: 'a', tag: 't' })
    const right = await stored(fixture)
    const models = Array.from({ length: 10_000 }, (_, at) => `m${at}`).join(',')

    await expect(toolkit.channels.updateTag(root, 't', { models })).rejects.toMatchObject({ code: 'FIELD_TOO_MANY' })
    expect(await stored(fixture)).toEqual(right)
    expect(await stored(fixture)).toEqual(await wanted(fixture))
  })

  test("are repaired even if together they exceed one edit's maximum", async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const keys = Array.from({ length: 21 }, (_, at) => `k${at}`).join('\n')
    await toolkit.channels.createMany(root, { type: 1, key: keys, models: 'a' })
    const models = Array.from({ length: 10_000 }, (_, at) => `m${at}`).join(',')
    await toolkit.db.transaction((trx) => trx('channels').update({ models }))

    expect(await toolkit.channels.repair(root)).toEqual({ channels: 21, repaired: 21 })
    expect(await toolkit.db.reader('abilities').count({ count: '*' }).first()).toEqual({ count: 210_000 })
  }, 180_000)

  test('only toggle with the status, and no other column is written', async () => {
    const fixture = await open()
    const { toolkit, root, channel } = fixture
    const { id } = await channel({ tag: 't', models: 'a,b' })
    const off = [false, false, false]
    const elsewhere = { group: 'by-hand', model: 'x', channel_id: id, enabled: true, priority: 0, weight: 0, tag: 't' }
    await toolkit.db.transaction((trx) => trx('abilities').insert(elsewhere))
    const enabled = async () =>
      (await toolkit.db.reader('abilities').select('enabled')).map((row) => Boolean(row.enabled))

    await toolkit.channels.setTagStatus(root, 't', 2)
    expect(await enabled()).toEqual(off)
    await toolkit.channels.setStatus(root, id, 1)
    expect(await enabled()).toEqual([true, true, true])
    await toolkit.channels.disableAutomatically(root, id, 'slow')
    expect(await enabled()).toEqual(off)
  })

  test('of a batch that fails half-way are not created, and neither are its channels', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    // Two channels with the same model cannot both be stored: the second one fails.
    await toolkit.db.transaction((trx) => trx.raw('CREATE UNIQUE INDEX once ON abilities (model)'))

    await expect(toolkit.channels.createMany(root, { type: 1, key: 'k1\nk2', models: 'a' })).rejects.toThrow()
    expect(await toolkit.channels.list(root)).toMatchObject({ total: 0 })
  })
})
