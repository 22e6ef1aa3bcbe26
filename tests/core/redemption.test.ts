import { expect, test } from 'vitest'
import { onBoth, openTestToolkit } from '../support/toolkit.ts'

onBoth('redemption', (open) => {
  test('a code that a hundred redemptions of twenty people want at once pays exactly one of them', async () => {
    const { toolkit, user, code, balance } = await open()
    const people = await Promise.all(Array.from({ length: 20 }, () => user()))
    const key = await code(500_000)
    const wanting = Array.from({ length: 5 }, () => people).flat()

    const outcomes = await Promise.allSettled(wanting.map((actor) => toolkit.redemption.redeem(actor, key)))

    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    expect(refused).toHaveLength(99)
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'REDEMPTION_USED' })
    const balances = await Promise.all(people.map(balance))
    expect(balances.reduce((a, b) => a + b)).toBe(500_000)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('one person who sends a code twenty times at once is paid once', async () => {
    const { toolkit, user, code, balance } = await open()
    const [person, key] = [await user(), await code(7)]

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => toolkit.redemption.redeem(person, key)))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balance(person)).toBe(7)
  })

  test('a code that exists no more, or never did, is invalid and pays nothing', async () => {
    const { toolkit, user, code, balance } = await open()
    const [person, key] = [await user(), await code(7)]
    await toolkit.db.transaction((trx) => trx('redemptions').where({ key }).update({ deleted_at: 'now' }))

    await expect(toolkit.redemption.redeem(person, key)).rejects.toMatchObject({ code: 'REDEMPTION_INVALID' })
    await expect(toolkit.redemption.redeem(person, 'f'.repeat(32))).rejects.toMatchObject({
      code: 'REDEMPTION_INVALID',
    })
    await expect(toolkit.redemption.redeem(person, ' ')).rejects.toMatchObject({ code: 'REDEMPTION_KEY_MISSING' })
    expect(await balance(person)).toBe(0)
  })

  test('a redeemer who does not exist leaves the code unused', async () => {
    const { toolkit, user, code, balance } = await open()
    const [person, key] = [await user(), await code(7)]

    await expect(toolkit.redemption.redeem({ id: 9999, role: 1 }, key)).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    })

    expect(await toolkit.redemption.redeem(person, ` ${key}\n`)).toBe(7)
    expect(await balance(person)).toBe(7)
  })

  test('a redeemed code tells who used it and when, and is in the log and in the books', async () => {
    const { toolkit, root, user, code } = await open({ now: () => 1_700_000_000 })
    const [person, key] = [await user(), await code(7)]

    await toolkit.redemption.redeem(person, key)

    const { items } = await toolkit.redemption.list(root)
    expect(items).toMatchObject([
      { key, status: 3, used_user_id: person.id, redeemed_time: 1_700_000_000, user_id: root.id },
    ])
    const entries = await toolkit.db.reader('ledger_entries').where({ user_id: person.id })
    expect(entries).toMatchObject([{ kind: 'redemption', quota: 7, balance_after: 7, actor_id: person.id }])
    const logs = await toolkit.logs.list(person, { type: 1 })
    expect(logs.items).toMatchObject([{ user_id: person.id, quota: 7 }])
  })
})

test('only administrators make, see and change codes', async () => {
  const { toolkit, user } = await openTestToolkit()
  const person = await user()

  const batch = { name: 'gift', quota: 1, count: 1 }
  await expect(toolkit.redemption.create(person, batch)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  for (const act of [
    () => toolkit.redemption.list(person),
    () => toolkit.redemption.get(person, 1),
    () => toolkit.redemption.update(person, 1, { quota: 2 }),
    () => toolkit.redemption.setStatus(person, 1, 2),
    () => toolkit.redemption.delete(person, 1),
  ]) {
    await expect(act()).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  }
})

test.each([
  ['an empty name', { name: ' ' }, 'REDEMPTION_NAME'],
  ['a name of 21 characters', { name: 'x'.repeat(21) }, 'REDEMPTION_NAME'],
  ['no codes', { count: 0 }, 'REDEMPTION_COUNT_POSITIVE'],
  ['101 codes', { count: 101 }, 'REDEMPTION_COUNT_MAX'],
  ['half a code', { count: 0.5 }, 'FIELD_WHOLE_NUMBER'],
  ['codes worth nothing', { quota: 0 }, 'FIELD_RANGE'],
  ['codes of negative worth', { quota: -1 }, 'FIELD_RANGE'],
  ['codes worth a fraction', { quota: 1.5 }, 'FIELD_WHOLE_NUMBER'],
])('%s is refused and makes no code', async (_, wrong, code) => {
  const { toolkit, root } = await openTestToolkit()

  const creating = toolkit.redemption.create(root, { name: 'gift', quota: 1, count: 1, ...wrong })

  await expect(creating).rejects.toMatchObject({ code })
  expect(await toolkit.redemption.list(root)).toMatchObject({ total: 0 })
})

test('a batch of 100 codes has 100 different ones, found by the start of their name and by status', async () => {
  const { toolkit, root, user } = await openTestToolkit()
  const keys = await toolkit.redemption.create(root, { name: 'spring', quota: 3, count: 100 })
  await toolkit.redemption.create(root, { name: 'autumn', quota: 3, count: 1 })
  await toolkit.redemption.redeem(await user(), String(keys[0]))

  expect(new Set(keys)).toHaveLength(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(await toolkit.redemption.list(root, { keyword: 'spr' })).toMatchObject({ total: 100, page_size: 10 })
  expect(await toolkit.redemption.list(root, { status: 3 })).toMatchObject({ total: 1 })
})
