import { expect, test } from 'vitest'
import { onBoth, openTestToolkit } from '../support/toolkit.ts'

onBoth('redemption', (open) => {
  test('a code redeemed concurrently a hundred times by twenty users pays exactly one of them', async () => {
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

  test('the same request with one key creates its codes once, also with ten concurrent calls on two processes', async () => {
    const { toolkit, root, another } = await open()
    const others = await another()
    const batch = { name: 'launch', quota: 5, count: 3, total: 9 }
    const once = { idempotencyKey: 'launch:1' }
    const request = { ...batch, idempotencyKeys: ['launch:1', 'launch:2', 'launch:3'] }
    expect((await toolkit.redemption.findCreated(root, request)).codes).toEqual([])

    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 ? others : toolkit).redemption.create(root, batch, once)),
    )

    const [codes = []] = answers
    expect(new Set(codes).size).toBe(3)
    for (const answer of answers) expect(answer).toEqual(codes)
    expect((await toolkit.redemption.list(root, { name: 'launch' })).total).toBe(3)
    await toolkit.redemption.deleteNamed(root, 'launch')
    expect(await toolkit.redemption.create(root, { ...batch, name: ' launch ' }, once)).toEqual(codes)
    expect(await toolkit.redemption.findCreated(root, request)).toEqual({ codes, used: 0, disabled: 0, deleted: 3 })
    expect((await toolkit.redemption.list(root)).total).toBe(0)
    await toolkit.redemption.create(root, batch, { idempotencyKey: 'launch:3' })
    expect((await toolkit.redemption.findCreated(root, request)).codes).toEqual(codes)
    const second = await toolkit.redemption.create(root, batch, { idempotencyKey: 'launch:2' })
    expect((await toolkit.redemption.findCreated(root, request)).codes.slice(0, 6)).toEqual([...codes, ...second])
    expect((await toolkit.redemption.findCreated(root, request)).codes).toHaveLength(9)
  })

  test('a key rejects every other request, belongs to its creator only, and is not kept for a failed request', async () => {
    const { toolkit, root, user } = await open()
    const batch = { name: 'launch', quota: 5, count: 3 }
    const once = { idempotencyKey: 'launch' }
    await expect(toolkit.redemption.create(root, { ...batch, count: 0 }, once)).rejects.toThrow()
    const codes = await toolkit.redemption.create(root, batch, once)

    for (const other of [{ name: 'x' }, { quota: 6 }, { count: 2 }, { total: 4 }]) {
      const creation = toolkit.redemption.create(root, { ...batch, ...other }, once)
      await expect(creation).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', kind: 'conflict' })
      if ('count' in other) continue
      const made = toolkit.redemption.findCreated(root, { ...batch, total: 3, ...other, idempotencyKeys: ['launch'] })
      await expect(made).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
    }
    for (const idempotencyKey of ['', ' ', 'ключ', 'x'.repeat(256), 'a\nb']) {
      const creation = toolkit.redemption.create(root, batch, { idempotencyKey })
      await expect(creation).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_INVALID' })
    }
    await expect(toolkit.redemption.create(await user(), batch, once)).rejects.toMatchObject({ kind: 'forbidden' })
    const query = { ...batch, total: 3, idempotencyKeys: ['launch'] }
    await expect(toolkit.redemption.findCreated(await user(), query)).rejects.toMatchObject({ kind: 'forbidden' })
    const colleague = await user({ role: 10 })
    expect((await toolkit.redemption.findCreated(colleague, query)).codes).toEqual([])
    expect(await toolkit.redemption.create(colleague, batch, once)).not.toEqual(codes)
    expect((await toolkit.redemption.list(root)).total).toBe(6)
  })

  test('pages after the last seen row miss no row while others are deleted', async () => {
    const { toolkit, root, user } = await open()
    const codes = await toolkit.redemption.create(root, { name: 'launch', quota: 5, count: 6 })
    const unused = { name: 'launch', status: 1, pageSize: 2 }
    const first = await toolkit.redemption.list(root, unused)
    await toolkit.redemption.redeem(await user(), first.items[0]?.key ?? '')

    const next = await toolkit.redemption.list(root, { ...unused, beforeId: first.items[1]?.id ?? 0 })

    expect(next.items.map(({ key }) => key)).toEqual([codes[3], codes[2]])
  })

  test('one user who sends a code twenty times concurrently is paid once', async () => {
    const { toolkit, user, code, balance } = await open()
    const [person, key] = [await user(), await code(7)]

    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => toolkit.redemption.redeem(person, key)))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await balance(person)).toBe(7)
  })

  test('a deleted or unknown code is invalid and pays nothing', async () => {
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

  test('a redeemed code has its user and time, and is in the log and the ledger', async () => {
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

test('only administrators create, read and change codes', async () => {
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
])('%s is rejected and creates no code', async (_, wrong, code) => {
  const { toolkit, root } = await openTestToolkit()

  const creating = toolkit.redemption.create(root, { name: 'gift', quota: 1, count: 1, ...wrong })

  await expect(creating).rejects.toMatchObject({ code })
  expect(await toolkit.redemption.list(root)).toMatchObject({ total: 0 })
})

test('a batch of 100 codes has 100 different ones, found by name prefix and by status', async () => {
  const { toolkit, root, user } = await openTestToolkit()
  const keys = await toolkit.redemption.create(root, { name: 'spring', quota: 3, count: 100 })
  await toolkit.redemption.create(root, { name: 'autumn', quota: 3, count: 1 })
  await toolkit.redemption.redeem(await user(), String(keys[0]))

  expect(new Set(keys)).toHaveLength(100)
  for (const key of keys) expect(key).toMatch(/^[0-9a-f]{32}$/)
  expect(await toolkit.redemption.list(root, { keyword: 'spr' })).toMatchObject({ total: 100, page_size: 10 })
  expect(await toolkit.redemption.list(root, { status: 3 })).toMatchObject({ total: 1 })
})
