import bcrypt from 'bcryptjs'
import { describe, expect, test } from 'vitest'
import { ROLE } from '../../core/actor.ts'
import { onBoth, openTestToolkit, PASSWORD, type Person } from '../support/toolkit.ts'

const { common, admin, root } = ROLE

describe('rules of levels', () => {
  test.each([
    [common, common, 'PERMISSION_DENIED'],
    [common, root, 'PERMISSION_DENIED'],
    [admin, common, undefined],
    [admin, admin, 'LEVEL_TOO_LOW'],
    [admin, root, 'LEVEL_TOO_LOW'],
    [root, common, undefined],
    [root, admin, undefined],
    [root, root, 'LEVEL_TOO_LOW'],
  ])('role %d on another user of role %d: %s', async (actorRole, targetRole, refusal) => {
    const { toolkit, root: first, user } = await openTestToolkit()
    const person = async (role: number): Promise<Person> => {
      const made = await user({ role: Math.min(role, admin), quota: 5 })
      if (role === root) await toolkit.db.transaction((trx) => trx('users').where({ id: made.id }).update({ role }))
      return { ...made, role }
    }
    const actor = actorRole === root ? first : await person(actorRole)
    const target = await person(targetRole)

    const acts = [
      ['LEVEL_READ', () => toolkit.accounts.get(actor, target.id)],
      ['LEVEL_READ', () => toolkit.accounts.getByName(actor, target.username)],
      ['LEVEL_TOO_LOW', () => toolkit.accounts.setQuota(actor, target.id, 8)],
      ['LEVEL_UPDATE', () => toolkit.accounts.adjustQuota(actor, target.id, 1)],
      ['LEVEL_UPDATE', () => toolkit.accounts.manage(actor, target.id, 'disable')],
    ] as const
    for (const [level, act] of acts) {
      const code = refusal === 'LEVEL_TOO_LOW' ? level : refusal
      if (code) await expect(act()).rejects.toMatchObject({ code })
      else expect(await act()).toMatchObject({ id: target.id })
    }

    const row = await toolkit.db.reader('users').where({ id: target.id }).first('quota', 'status')
    expect(row).toEqual(refusal ? { quota: 5, status: 1 } : { quota: 9, status: 2 })
  })

  test.each([
    [common, common, 'PERMISSION_DENIED'],
    [admin, common, undefined],
    [admin, admin, 'LEVEL_CREATE'],
    [admin, root, 'LEVEL_CREATE'],
    [root, admin, undefined],
    [root, root, 'LEVEL_CREATE'],
  ])('role %d creates a user of role %d: %s', async (actorRole, role, refusal) => {
    const { toolkit, root: first, user } = await openTestToolkit()
    const actor = actorRole === root ? first : await user({ role: actorRole })

    const creating = toolkit.accounts.create(actor, { username: 'newcomer', password: PASSWORD, role })

    if (refusal) await expect(creating).rejects.toMatchObject({ code: refusal })
    else expect(await creating).toMatchObject({ username: 'newcomer', role })
  })

  test('users read themselves, root edits itself but cannot ban itself, and only administrators list', async () => {
    const { toolkit, root: first, user } = await openTestToolkit()
    const person = await user({ quota: 3 })

    expect(await toolkit.accounts.get(person, person.id)).toMatchObject({ id: person.id, quota: 3 })
    await expect(toolkit.accounts.setQuota(person, person.id, 9)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    await expect(toolkit.accounts.list(person)).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
    expect(await toolkit.accounts.setQuota(first, first.id, 9)).toMatchObject({ quota: 9 })
    await expect(toolkit.accounts.manage(first, first.id, 'disable')).rejects.toMatchObject({ code: 'ROOT_DISABLE' })
  })

  test('a common user cannot detect whether a name exists', async () => {
    const { toolkit, root: first, user } = await openTestToolkit()
    const person = await user()
    const codeOf = async (name: string) =>
      toolkit.accounts.getByName(person, name).catch((error: { code: string }) => error.code)

    expect(await codeOf(first.username)).toBe(await codeOf('no-such-user'))
  })
})

onBoth('accounts', (open) => {
  test('of one name are created once by concurrent calls', async () => {
    const { user } = await open()

    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => user({ username: 'twin' })))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'USERNAME_TAKEN' })
  })

  test('of a new gateway start with one root, created once by concurrent processes', async () => {
    const { toolkit, another } = await open()
    await toolkit.db.transaction(async (trx) => {
      await trx('ledger_entries').delete()
      await trx('users').delete()
    })
    const other = await another()

    const made = await Promise.all([
      toolkit.accounts.createRoot(PASSWORD),
      other.accounts.createRoot(PASSWORD),
      other.accounts.createRoot(PASSWORD, 'boss'),
    ])

    expect(made.filter((user) => user !== undefined)).toHaveLength(1)
    expect(await toolkit.db.reader('users')).toHaveLength(1)
  })

  test('without a root user get one with a free name, and keep their options', async () => {
    const { toolkit, root } = await open()
    await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ role: 1 }))

    expect(await toolkit.accounts.createRoot(PASSWORD)).toMatchObject({ username: 'root-2', role: 100 })

    expect(await toolkit.db.reader('options').where({ key: 'RetryTimes' })).toEqual([])
    expect(await toolkit.accounts.createRoot(PASSWORD)).toBeUndefined()
    expect((await toolkit.accounts.findRoot())?.username).toBe('root-2')
  })

  test('with concurrent balance changes keep every change, and never go below zero', async () => {
    const { toolkit, root: first, user, another, balance } = await open()
    const other = await another()
    const person = await user({ quota: 100 })
    const adjust = (by: number) =>
      Promise.allSettled([
        toolkit.accounts.adjustQuota(first, person.id, by),
        other.accounts.adjustQuota(first, person.id, by),
        toolkit.accounts.adjustQuota(first, person.id, by),
      ])

    expect((await adjust(-40)).filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(await balance(person)).toBe(20)
    await adjust(7)
    expect(await balance(person)).toBe(41)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })

  test('are in the ledger from their first quota on: grants and edits record the actor', async () => {
    const { toolkit, root: first, user } = await open()
    const person = await user({ quota: 100 })

    await toolkit.accounts.setQuota(first, person.id, 40)
    await toolkit.accounts.setQuota(first, person.id, 40)

    const entries = await toolkit.db.reader('ledger_entries').where({ user_id: person.id }).orderBy('id')
    expect(entries).toMatchObject([
      { kind: 'grant', quota: 100, balance_after: 100, actor_id: first.id },
      { kind: 'edit', quota: -60, balance_after: 40, actor_id: first.id },
    ])
    expect(await toolkit.logs.list(first, { type: 3 })).toMatchObject({ total: 1, items: [{ user_id: person.id }] })
  })

  test('are found by name, and a list shows neither password nor access token', async () => {
    const { toolkit, root: first, user } = await open()
    const person = await user({ username: 'findme', group: 'vip' })
    await toolkit.db.transaction((trx) => trx('users').update({ access_token: 'secret' }))

    const page = await toolkit.accounts.list(first, { keyword: 'indm' })

    expect(page).toMatchObject({ total: 1, items: [{ id: person.id, password: '', access_token: null }] })
    expect(JSON.stringify(page)).not.toMatch(/argon2|secret/)
    expect(await toolkit.accounts.list(first, { group: 'vip' })).toMatchObject({ total: 1 })
    expect(await toolkit.accounts.list(first)).toMatchObject({ total: 2 })
  })
})

test.each([
  ['username', { username: ' ' }, 'FIELD_REQUIRED'],
  ['username', { username: 'x'.repeat(13) }, 'FIELD_LENGTH'],
  ['password', { password: 'short' }, 'FIELD_LENGTH'],
  ['password', { password: 'x'.repeat(21) }, 'FIELD_LENGTH'],
  ['display_name', { display_name: 'x'.repeat(21) }, 'FIELD_LENGTH'],
  ['role', { role: 0 }, 'FIELD_RANGE'],
  ['quota', { quota: -1 }, 'FIELD_RANGE'],
  ['quota', { quota: 1.5 }, 'FIELD_WHOLE_NUMBER'],
  ['quota', { quota: 2 ** 53 }, 'FIELD_RANGE'],
  ['group', { group: '' }, 'FIELD_REQUIRED'],
])('a new user with a bad %s %o is rejected: %s', async (field, wrong, code) => {
  const { user } = await openTestToolkit()
  await expect(user(wrong)).rejects.toMatchObject({ code, params: { field } })
})

describe('signing in', () => {
  const hashOf = async ({ toolkit }: Awaited<ReturnType<typeof openTestToolkit>>, id: number): Promise<string> =>
    (await toolkit.db.reader('users').where({ id }).first('password')).password

  test('works with name or e-mail address; the password is stored as argon2id', async () => {
    const fixture = await openTestToolkit()
    const person = await fixture.user()
    await fixture.toolkit.db.transaction((trx) =>
      trx('users').where({ id: person.id }).update({ email: 'p@example.org' }),
    )

    for (const username of [person.username, ` ${person.username} `, 'p@example.org']) {
      expect(await fixture.toolkit.accounts.login({ username, password: PASSWORD })).toMatchObject({
        user: { id: person.id },
      })
    }
    expect(await hashOf(fixture, person.id)).toMatch(/^\$argon2id\$/)
  })

  test('is rejected alike for a wrong password, an unknown user and a banned user', async () => {
    const { toolkit, root: first, user } = await openTestToolkit()
    const [person, banned] = [await user(), await user()]
    await toolkit.accounts.manage(first, banned.id, 'disable')

    for (const [username, password] of [
      [person.username, 'wrong horse'],
      ['no-such-user', PASSWORD],
      [banned.username, PASSWORD],
    ] as const) {
      const refusal = await toolkit.accounts.login({ username, password }).catch((error: unknown) => error)
      expect(refusal).toMatchObject({ code: 'CREDENTIALS_WRONG', params: {} })
    }
  })

  test.each([
    ['', PASSWORD, { code: 'FIELD_REQUIRED', params: { field: 'username' } }],
    ['ann', '', { code: 'FIELD_REQUIRED', params: { field: 'password' } }],
    ['  ', PASSWORD, { code: 'CREDENTIALS_EMPTY' }],
  ])('with the name %j and the password %j reports the missing one', async (username, password, refusal) => {
    const { toolkit } = await openTestToolkit()
    await expect(toolkit.accounts.login({ username, password })).rejects.toMatchObject(refusal)
  })

  test('with an imported bcrypt hash works, and replaces it by argon2id', async () => {
    const fixture = await openTestToolkit()
    const person = await fixture.user()
    const old = bcrypt.hashSync('old password', 4)
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ password: old }))

    const login = (password: string) => fixture.toolkit.accounts.login({ username: person.username, password })
    await expect(login(PASSWORD)).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG' })
    expect(await hashOf(fixture, person.id)).toBe(old)
    await login('old password')

    expect(await hashOf(fixture, person.id)).toMatch(/^\$argon2id\$/)
    expect(await login('old password')).toMatchObject({ user: { id: person.id } })
  })

  test('with a password can be disabled', async () => {
    const { toolkit, root: first } = await openTestToolkit()
    await toolkit.options.set(first, 'PasswordLoginEnabled', 'false')
    await expect(toolkit.accounts.login({ username: 'root', password: PASSWORD })).rejects.toMatchObject({
      code: 'PASSWORD_LOGIN_DISABLED',
    })
  })
})
