import { describe, expect, test } from 'vitest'
import { ACTIONS, actionOutcomeOf } from '../../core/accounts/actions.ts'
import { ROLE } from '../../core/actor.ts'
import { bill, onBoth, openTestToolkit, PASSWORD } from '../support/toolkit.ts'

const actor = (role: number) => ({ id: 1, role })
const other = (role: number) => ({ id: 2, role })
const { common, admin, root } = ROLE

describe('an administrative action', () => {
  const UPDATE = 'LEVEL_UPDATE'
  test.each([
    [
      admin,
      common,
      {
        enable: 'status',
        disable: 'status',
        delete: 'deleted',
        promote: 'PROMOTE_FORBIDDEN',
        demote: 'ALREADY_COMMON',
      },
    ],
    [admin, admin, { enable: UPDATE, disable: UPDATE, delete: UPDATE, promote: UPDATE, demote: UPDATE }],
    [admin, root, { enable: UPDATE, disable: UPDATE, delete: UPDATE, promote: UPDATE, demote: UPDATE }],
    [
      root,
      common,
      { enable: 'status', disable: 'status', delete: 'deleted', promote: 'role', demote: 'ALREADY_COMMON' },
    ],
    [root, admin, { enable: 'status', disable: 'status', delete: 'deleted', promote: 'ALREADY_ADMIN', demote: 'role' }],
    [root, root, { enable: UPDATE, disable: UPDATE, delete: UPDATE, promote: UPDATE, demote: UPDATE }],
  ])('of role %d on another of role %d', (mine, theirs, expected) => {
    const results = ACTIONS.map((action) => {
      try {
        return [action, Object.keys(actionOutcomeOf(actor(mine), other(theirs), action))[0]]
      } catch (error) {
        return [action, (error as { code: string }).code]
      }
    })
    expect(Object.fromEntries(results)).toEqual(expected)
  })

  test.each([
    ['disable', 'ROOT_DISABLE'],
    ['delete', 'ROOT_DELETE'],
    ['promote', 'ALREADY_ADMIN'],
    ['demote', 'ROOT_DEMOTE'],
  ] as const)('%s, by root on itself, is rejected: %s', (action, code) => {
    expect(() => actionOutcomeOf(actor(root), actor(root), action)).toThrow(expect.objectContaining({ code }))
  })
})

onBoth('administrators', (open) => {
  test('who promote one user concurrently do it once', async () => {
    const { toolkit, root: first, user } = await open()
    const person = await user()

    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, () => toolkit.accounts.manage(first, person.id, 'promote')),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(await toolkit.accounts.get(first, person.id)).toMatchObject({ role: admin })
  })

  test('who edit one user concurrently keep the ledger complete, and the last edit counts', async () => {
    const { toolkit, root: first, user } = await open()
    const person = await user({ quota: 1000 })

    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        toolkit.accounts.update(first, { id: person.id, quota: 100 * index, display_name: `name ${index}` }),
      ),
    )

    const { quota, display_name } = await toolkit.accounts.get(first, person.id)
    expect(display_name).toBe(`name ${quota / 100}`)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('may set a balance during relays: ledger and holds stay equal', async () => {
    const fixture = await open()
    const { toolkit, root: first } = fixture
    const person = await fixture.user({ quota: 1_000_000 })

    await Promise.all([
      ...Array.from({ length: 20 }, () => fixture.charge(person, { quota: 100 })),
      ...[500_000, 900_000, 700_000].map((quota) => toolkit.accounts.update(first, { id: person.id, quota })),
    ])
    await toolkit.ledger.giveBackReserves('user')

    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
  })

  test('who delete a user permanently keep the ledger equal, also during a relay of that user', async () => {
    const fixture = await open()
    const { toolkit, root: first } = fixture
    const [person, stays] = [await fixture.user({ quota: 10_000 }), await fixture.user({ quota: 10_000 })]
    const { key } = await fixture.token(person)
    expect(await toolkit.callers.findToken(key)).toBeDefined()
    await fixture.charge(person, { quota: 30 })
    const [released, charged] = await Promise.all(
      [50, 70].map((quota) => toolkit.ledger.hold({ userId: person.id, budgetTokenId: 0, quota })),
    )
    const session = await toolkit.sessions.create(person.id)

    await toolkit.accounts.delete(first, person.id)

    expect(await toolkit.callers.findToken(key)).toBeUndefined()
    expect(await toolkit.callers.findUser(person.id)).toBeUndefined()
    expect(await toolkit.sessions.find(session)).toBeUndefined()
    await expect(toolkit.accounts.get(first, person.id)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    if (released) toolkit.ledger.release(released)
    if (charged) await toolkit.ledger.settle(charged, bill(person, { quota: 60 }))
    await toolkit.ledger.giveBackReserves('user')
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true, differences: [] })
    // The rest of a reserve goes back in the background.
    const reserved = () =>
      toolkit.db.reader('holds').where({ account_id: person.id, account: 'user' }).where('quota', '>', 0)
    await expect.poll(reserved).toEqual([])
    expect(await toolkit.logs.list(first, { type: 2 })).toMatchObject({ total: 2 })
    await fixture.charge(stays, { quota: 5 })
    expect(await fixture.balance(stays)).toBe(9_995)
  })

  test('who delete a user permanently free the name and the address', async () => {
    const { toolkit, root: first, user } = await open()
    const person = await user({ username: 'again' })
    await toolkit.accounts.manage(first, person.id, 'delete')
    await expect(user({ username: 'again' })).rejects.toMatchObject({ code: 'USERNAME_TAKEN' })

    await toolkit.accounts.delete(first, person.id)

    expect((await user({ username: 'again' })).id).toBeGreaterThan(person.id)
  })

  test('search literally and case-insensitively', async () => {
    const { toolkit, root: first, user } = await open()
    await user({ username: 'a_b', display_name: '100% Ann!' })
    await user({ username: 'axb', display_name: '1000 Bob' })
    const names = async (keyword: string) =>
      (await toolkit.accounts.list(first, { keyword })).items.map(({ username }) => username)

    expect(await names('a_b')).toEqual(['a_b'])
    expect(await names('0%')).toEqual(['a_b'])
    expect(await names('ann!')).toEqual(['a_b'])
    expect(await names('%')).toEqual(['a_b'])
    expect(await names('A')).toEqual(['axb', 'a_b'])
    expect(await names("'; --")).toEqual([])
    expect(await names('2147483648')).toEqual([])
  })
})

test('a name longer than the input limit stays while it is not changed', async () => {
  const { toolkit, root: first, user } = await openTestToolkit()
  const person = await user()
  const long = { username: 'linuxdo_123456', display_name: 'x'.repeat(40) }
  await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update(long))

  await toolkit.accounts.update(first, { id: person.id, ...long, group: 'vip', password: PASSWORD })
  await toolkit.profile.update(person, { ...long, password: PASSWORD })

  expect(await toolkit.accounts.get(first, person.id)).toMatchObject({ ...long, group: 'vip' })
  const longer = { username: 'linuxdo_1234567' }
  await expect(toolkit.accounts.update(first, { id: person.id, ...longer })).rejects.toMatchObject({
    code: 'FIELD_LENGTH',
    params: { field: 'username' },
  })
  await expect(toolkit.profile.update(person, longer)).rejects.toMatchObject({ code: 'FIELD_LENGTH' })
})
