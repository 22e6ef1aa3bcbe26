import { expect, test } from 'vitest'
import type { Identity } from '../../core/accounts/identities.ts'
import { setOptions, softDelete, userOf } from '../support/sign-in/visit.ts'
import { onBoth, type TestToolkit } from '../support/toolkit.ts'

const ANN: Identity = { provider: 'github', id: 'ann', name: 'Ann', email: 'ann@example.org' }
const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.map((outcome) => (outcome.status === 'rejected' ? outcome.reason.code : 'done')).sort()
const users = async ({ toolkit, root }: TestToolkit) => (await toolkit.accounts.list(root, { pageSize: 100 })).items

/** Resolves once some transaction waits for another; on SQLite they queue. */
async function untilSomebodyWaits({ toolkit: { db } }: TestToolkit): Promise<void> {
  if (db.kind === 'sqlite') return
  for (;;) {
    const { rows } = await db.reader.raw(`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`)
    if (rows.length) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

onBoth('identities', (open) => {
  test('twenty concurrent first sign-ins with one identity in three processes create one user', async () => {
    const fixture = await open()
    await setOptions(fixture, { QuotaForNewUser: '100' })
    const toolkits = [fixture.toolkit, await fixture.another(), await fixture.another()]

    const signedIn = await Promise.all(
      Array.from({ length: 20 }, (_, n) => toolkits[n % 3]?.identities.signIn({ ...ANN })),
    )

    const [{ id } = { id: 0 }] = await users(fixture)
    expect(signedIn.map((user) => user?.id)).toEqual(Array(20).fill(id))
    expect(await users(fixture)).toMatchObject([{ username: `github_${id}`, quota: 100, email: ANN.email }, { id: 1 }])
  })

  test('twenty concurrent identities create twenty users with distinct names', async () => {
    const fixture = await open()
    const identities = Array.from({ length: 20 }, (_, n) => ({ ...ANN, id: `ann${n}` }))

    const signedIn = await Promise.all(identities.map((identity) => fixture.toolkit.identities.signIn(identity)))

    expect(new Set(signedIn.map(({ username }) => username)).size).toBe(20)
    const emails = (await users(fixture)).map(({ email }) => email)
    expect(emails.filter((email) => email !== '')).toEqual([ANN.email])
  })

  test.each(['github', 'linuxdo', 'wechat', 'oidc'] as const)('%s names new users after itself', async (provider) => {
    const fixture = await open()
    const last = await fixture.user()
    await softDelete(fixture, last.id)

    const { id, username } = await fixture.toolkit.identities.signIn({ provider, id: '7' })

    expect({ id, username }).toEqual({ id: last.id + 1, username: `${provider}_${last.id + 1}` })
  })

  test('a used user name is skipped', async () => {
    const fixture = await open()
    for (const username of ['github_4', 'github_5']) await fixture.user({ username })

    const { username } = await fixture.toolkit.identities.signIn(ANN)

    expect(username).toBe('github_6')
  })

  test.each([
    { username: 'github_2' },
    { username: 'x', email: 'Ann@example.org' },
    { username: 'x', github_id: 'ann' },
  ])('a concurrent insert of $username $email $github_id does not fail a first sign-in', async (row) => {
    const fixture = await open()
    const { db } = await fixture.another()
    let commit: () => void = () => {}
    const ready = new Promise<void>((inserted) => {
      void db.transaction(async (trx) => {
        await trx('users').insert({ aff_code: 'rival', ...row })
        inserted()
        await new Promise<void>((resolve) => {
          commit = resolve
        })
      })
    })
    await ready
    const signingIn = fixture.toolkit.identities.signIn(ANN)
    await untilSomebodyWaits(fixture)

    commit()

    const { github_id, username } = await signingIn
    expect(github_id).toBe('ann')
    expect(username).toBe(row.github_id ? 'x' : 'github_3')
  })

  test('if every next name is used, a random one is chosen', async () => {
    const fixture = await open()
    const { db } = fixture.toolkit
    const names = Array.from({ length: 60 }, (_, n) => ({ username: `github_${62 + n}`, aff_code: `x${n}` }))
    await db.transaction((trx) => trx('users').insert(names))

    const { username } = await fixture.toolkit.identities.signIn(ANN)

    expect(username).toMatch(/^github_[0-9A-Za-z]{12}$/)
  })

  test('an email address that equals a user name is not stored', async () => {
    const fixture = await open()
    const { id } = await fixture.user()
    // As in imported databases.
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id }).update({ username: 'a@b.example' }))

    const { email } = await fixture.toolkit.identities.signIn({ ...ANN, email: 'a@b.example' })

    expect(email).toBe('')
  })

  test('an unknown invite code is ignored', async () => {
    const fixture = await open()

    const { inviter_id } = await fixture.toolkit.identities.signIn(ANN, { inviteCode: 'none' })

    expect(inviter_id).toBe(0)
  })

  test('a provider does not find identities of another', async () => {
    const fixture = await open()
    const first = await fixture.toolkit.identities.signIn({ provider: 'linuxdo', id: '7' })

    const second = await fixture.toolkit.identities.signIn({ provider: 'oidc', id: '7' })

    expect(second.id).not.toBe(first.id)
  })

  test('of ten users who bind one identity concurrently, one succeeds', async () => {
    const fixture = await open()
    const people = await Promise.all(Array.from({ length: 10 }, () => fixture.user()))

    const outcomes = await Promise.allSettled(people.map((actor) => fixture.toolkit.identities.bind(actor, ANN)))

    expect(codes(outcomes)).toEqual([...Array(9).fill('IDENTITY_TAKEN'), 'done'])
    expect((await users(fixture)).filter(({ github_id }) => github_id === 'ann')).toHaveLength(1)
  })

  test('binding during a sign-in with the same identity: one user has it, and the other gets an error or is signed in as that user', async () => {
    const fixture = await open()
    const person = await fixture.user()

    const [bound, signedIn] = await Promise.allSettled([
      fixture.toolkit.identities.bind(person, ANN),
      fixture.toolkit.identities.signIn(ANN),
    ])

    const owners = (await users(fixture)).filter(({ github_id }) => github_id === 'ann')
    expect(owners).toHaveLength(1)
    expect(signedIn).toMatchObject({ status: 'fulfilled', value: { id: owners[0]?.id } })
    expect(bound.status === 'fulfilled').toBe(owners[0]?.id === person.id)
  })

  test('another account at a provider replaces the previous one', async () => {
    const fixture = await open()
    const person = await fixture.user()
    await fixture.toolkit.identities.bind(person, ANN)

    await fixture.toolkit.identities.bind(person, { ...ANN, id: 'ann-2' })

    expect((await userOf(fixture, person.id)).github_id).toBe('ann-2')
    expect((await fixture.toolkit.identities.signIn({ ...ANN, email: undefined })).id).not.toBe(person.id)
  })

  test('banned or deleted users can neither sign in nor bind', async () => {
    const fixture = await open()
    const [banned, deleted] = [await fixture.user(), await fixture.user()]
    await fixture.toolkit.identities.bind(banned, { ...ANN, id: 'banned' })
    await fixture.toolkit.identities.bind(deleted, { ...ANN, id: 'deleted' })
    await fixture.toolkit.identities.bind(deleted, { provider: 'telegram', id: '42' })
    await fixture.toolkit.accounts.manage(fixture.root, banned.id, 'disable')
    await softDelete(fixture, deleted.id)
    const { signIn, bind } = fixture.toolkit.identities

    await expect(signIn({ ...ANN, id: 'banned' })).rejects.toMatchObject({ code: 'USER_DISABLED' })
    await expect(signIn({ ...ANN, id: 'deleted' })).rejects.toMatchObject({ code: 'ACCOUNT_DELETED' })
    await expect(signIn({ provider: 'telegram', id: '42' })).rejects.toMatchObject({ code: 'IDENTITY_UNBOUND' })
    await expect(bind(banned, { ...ANN, id: 'new' })).rejects.toMatchObject({ code: 'USER_DISABLED' })
    await expect(bind(deleted, { ...ANN, id: 'new' })).rejects.toMatchObject({ code: 'ACCOUNT_DELETED' })
    await expect(bind({ id: 999, role: 1 }, { ...ANN, id: 'new' })).rejects.toMatchObject({ code: 'ACCOUNT_DELETED' })
  })

  test('Telegram creates no users, and no provider does while registration is disabled', async () => {
    const fixture = await open()
    const { signIn } = fixture.toolkit.identities

    await expect(signIn({ provider: 'telegram', id: '42' })).rejects.toMatchObject({ code: 'IDENTITY_UNBOUND' })
    await setOptions(fixture, { RegisterEnabled: 'false' })
    await expect(signIn(ANN)).rejects.toMatchObject({ code: 'REGISTER_DISABLED' })
    expect(await users(fixture)).toHaveLength(1)
  })

  test.each(['', ' ', 'a\u0000', 'a\nb', '\ud800', 'x'.repeat(256)])(
    '%j is not accepted as a provider id',
    async (id) => {
      const fixture = await open()
      const person = await fixture.user()

      await expect(fixture.toolkit.identities.signIn({ ...ANN, id })).rejects.toMatchObject({ code: 'PROVIDER_ANSWER' })
      await expect(fixture.toolkit.identities.bind(person, { ...ANN, id })).rejects.toMatchObject({
        code: 'PROVIDER_ANSWER',
      })
      expect(await users(fixture)).toHaveLength(2)
    },
  )

  test('the longest identity is accepted', async () => {
    const fixture = await open()
    const id = '名'.repeat(255)

    const { github_id } = await fixture.toolkit.identities.signIn({ ...ANN, id })

    expect(github_id).toBe(id)
  })
})
