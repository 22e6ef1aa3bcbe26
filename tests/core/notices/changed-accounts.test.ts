import { expect, test } from 'vitest'
import { onBoth, type Person, type TestToolkit } from '../../support/toolkit.ts'

const signal = new AbortController().signal

const watch = ({ toolkit }: TestToolkit, actor: Person, gateway = false) =>
  toolkit.notices.targets.create(actor, {
    kind: 'webhook',
    name: 'hook',
    settings: { url: 'https://hooks.example.com/in', secret: 'a secret of sixteen or more' },
    events: ['balance.reached', 'budget.reached'],
    gateway,
  })

const check = ({ toolkit }: TestToolkit) => toolkit.notices.levels.check(signal)

onBoth('checks of thresholds', (openAny, database) => {
  /** Opens a Toolkit with a gateway target whose first checks are done, and a clock that `wait` advances. */
  async function open() {
    let shiftS = 0
    const world = await openAny({ now: () => Math.floor(Date.now() / 1000) + shiftS })
    const wait = (seconds: number) => {
      shiftS += seconds
    }
    // PostgreSQL: an open transaction of any database on the server makes checks read recent changes again.
    const settle = (users = 0) =>
      expect
        .poll(
          () => {
            wait(60)
            return check(world)
          },
          { interval: 5 },
        )
        .toEqual({ notices: 0, users })
    await watch(world, world.root, true)
    return { ...world, wait, settle }
  }

  test('read only accounts that changed', async () => {
    const world = await open()
    const users = [await world.user({ quota: 1000 }), await world.user({ quota: 1000 }), await world.user()]
    expect(await check(world)).toMatchObject({ users: users.length + 1 })
    await world.settle()
    expect(await check(world)).toEqual({ notices: 0, users: 0 })

    await world.charge(users[1] as Person, { quota: 800 })
    expect(await check(world)).toEqual({ notices: 1, users: 1 })
    await world.settle()
    expect(await check(world)).toEqual({ notices: 0, users: 0 })
    const token = await world.token(users[0] as Person, { unlimited_quota: false, remain_quota: 100 })
    expect(await check(world)).toEqual({ notices: 0, users: 1 })
    await world.settle()
    await world.toolkit.tokens.update(users[0] as Person, token.id, { remain_quota: 50 })
    await world.toolkit.accounts.adjustQuota(world.root, (users[2] as Person).id, 5)
    expect(await check(world)).toMatchObject({ users: 2 })
  })

  test('see charges without log rows', async () => {
    const world = await open()
    const user = await world.user({ quota: 1000 })
    await world.settle()
    await world.toolkit.options.set(world.root, 'LogConsumeEnabled', 'false')
    await world.charge(user, { quota: 900 })
    expect(await check(world)).toMatchObject({ notices: 1 })
  })

  test('compare again after one that was interrupted', async () => {
    const world = await open()
    const user = await world.user({ quota: 1000 })
    await world.settle()
    await world.charge(user, { quota: 900 })
    expect(await world.toolkit.notices.levels.check(AbortSignal.abort())).toEqual({ notices: 0, users: 0 })
    const next = await world.another()
    expect(await next.notices.levels.check(signal)).toEqual({ notices: 1, users: 1 })
  })

  test('see new thresholds, new targets and edited limits without a charge', async () => {
    const world = await open()
    const { toolkit, root } = world
    const user = await world.user({ quota: 1000 })
    const [limit] = await toolkit.limits.set(root, [
      { subject: 'user', subject_id: '*', measure: 'quota', period: 'day', amount: 100, time_zone: 'UTC' },
    ])
    const taken = JSON.stringify([[Math.floor(Date.now() / 86_400_000) * 86_400_000, 50]])
    const row = { limit_id: limit?.id, subject_id: String(user.id), taken, updated_at: Math.floor(Date.now() / 1000) }
    await toolkit.db.transaction((trx) => trx('limit_windows').insert(row))
    await world.charge(user, { quota: 500 })
    await world.settle(1)

    const own = { subject: 'user', subject_id: user.id } as const
    await toolkit.notices.thresholds.set(user, { ...own, percents: [50] })
    // The balance and the window.
    expect(await check(world)).toEqual({ notices: 2, users: 1 })
    await toolkit.notices.thresholds.set(user, { ...own, percents: [50, 90] })
    await world.settle(1)
    await toolkit.limits.set(root, [
      { subject: 'user', subject_id: '*', measure: 'quota', period: 'day', amount: 55, time_zone: 'UTC' },
    ])
    expect(await check(world)).toMatchObject({ notices: 1 })

    await toolkit.notices.targets.update(root, 1, { enabled: false })
    const other = await world.user({ quota: 1000 })
    await world.charge(other, { quota: 900 })
    await watch(world, user)
    await world.settle(1)
    await watch(world, other)
    expect(await check(world)).toMatchObject({ notices: 1 })
  })

  test('see a window that fills again after its end', async () => {
    const world = await open()
    const { toolkit, root } = world
    const user = await world.user({ quota: 1000 })
    const now = Math.floor(Date.now() / 1000)
    const [limit] = await toolkit.limits.set(root, [
      { subject: 'user', subject_id: String(user.id), measure: 'quota', period: 'hour', amount: 100 },
    ])
    await world.settle()
    const fill = (ms: number) =>
      toolkit.db.transaction((trx) =>
        trx('limit_windows')
          .insert({
            limit_id: limit?.id,
            subject_id: String(user.id),
            taken: JSON.stringify([[ms, 85]]),
            updated_at: Math.floor(ms / 1000),
          })
          .onConflict(['limit_id', 'subject_id'])
          .merge(),
      )
    await fill((now + 600) * 1000)
    world.wait(600)
    expect(await check(world)).toMatchObject({ notices: 1 })
    world.wait(2 * 3600)
    expect(await check(world)).toMatchObject({ notices: 0, users: 1 })
    await fill((now + 600 + 2 * 3600) * 1000)
    expect(await check(world)).toMatchObject({ notices: 1 })
  })

  test.runIf(database === 'postgres')('see a transaction that commits after later ones', async () => {
    const world = await open()
    const { db } = world.toolkit
    const [late, later] = [await world.user({ quota: 1000 }), await world.user({ quota: 1000 })]
    await world.settle()
    let commit = () => {}
    let isWritten = false
    const slow = db.transaction(async (trx) => {
      await trx('changes').insert({ entity: 'user', entity_id: String(late.id), created_at: 0 })
      await trx('users').where({ id: late.id }).update({ quota: 100 })
      isWritten = true
      await new Promise<void>((resolve) => {
        commit = resolve
      })
    })
    await expect.poll(() => isWritten).toBe(true)
    await world.charge(later, { quota: 900 })
    expect(await check(world)).toMatchObject({ notices: 1 })
    for (let count = 0; count < 6; count++) {
      await check(world)
      world.wait(60)
    }
    commit()
    await slow
    expect(await check(world)).toMatchObject({ notices: 1 })
  })
})
