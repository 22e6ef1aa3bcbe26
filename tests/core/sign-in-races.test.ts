import bcrypt from 'bcryptjs'
import { expect, test } from 'vitest'
import { configureMail, startMailServer } from '../support/mail.ts'
import { onBoth, PASSWORD, type Person, type TestToolkit } from '../support/toolkit.ts'

const ANN = 'ann@example.org'

/** As the management API signs in: the password is checked, and then a session begins. */
async function signIn({ toolkit }: TestToolkit, person: Person, password = PASSWORD): Promise<string> {
  // As after a bot check: how many may be wrong is not what these tests are about.
  const context = { isHuman: async () => true }
  const { user, passwordHash } = await toolkit.accounts.login({ username: person.username, password }, context)
  return toolkit.sessions.rotate(undefined, user.id, { passwordHash })
}

/** Signs in again and again while `work` is under way, and for a while after. Answers the sessions that began. */
async function signingInDuring(fixture: TestToolkit, person: Person, work: () => Promise<unknown>): Promise<string[]> {
  const refusals: unknown[] = []
  const logins: Promise<string | undefined>[] = []
  const begin = () => {
    for (let login = 0; login < 8; login++) {
      logins.push(
        signIn(fixture, person).catch((reason: unknown) => void refusals.push(reason)) as Promise<string | undefined>,
      )
    }
  }
  begin()
  const working = new Promise((resolve) => setTimeout(resolve, 40)).then(work)
  for (let round = 0; round < 4; round++) {
    await new Promise((resolve) => setTimeout(resolve, 15))
    begin()
  }
  await working
  const sessions = await Promise.all(logins)
  for (const reason of refusals) expect(reason).toMatchObject({ code: 'CREDENTIALS_WRONG' })
  return sessions.filter((id) => id !== undefined)
}

const alive = async ({ toolkit }: TestToolkit, sessions: string[]) =>
  (await Promise.all(sessions.map((id) => toolkit.sessions.find(id)))).filter(Boolean)

onBoth('a login with the old password', (open) => {
  test('does not survive a password change', async () => {
    const fixture = await open()
    const person = await fixture.user()

    const sessions = await signingInDuring(fixture, person, () =>
      fixture.toolkit.profile.update(person, { password: 'a new secret' }),
    )

    expect(await alive(fixture, sessions)).toEqual([])
    expect(await alive(fixture, [await signIn(fixture, person, 'a new secret')])).toHaveLength(1)
  }, 180_000)

  test('does not survive a reset by mail', async () => {
    const fixture = await open()
    const server = await startMailServer()
    await configureMail(fixture, server)
    const person = await fixture.user()
    const bind = (email: string) =>
      fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ email }))
    await bind(ANN)
    await fixture.toolkit.passwordReset.sendLink(ANN, { language: 'zh' })
    const [, token = ''] = /token=([0-9a-f]{32})/.exec(server.newest(ANN).body) ?? []

    const sessions = await signingInDuring(fixture, person, () =>
      fixture.toolkit.passwordReset.reset({ email: ANN, token }),
    )

    expect(await alive(fixture, sessions)).toEqual([])
  }, 180_000)

  test.each([
    [
      'the password is changed',
      ({ profile }: TestToolkit['toolkit'], person: Person) => profile.update(person, { password: 'a new secret' }),
    ],
    ['the user is deleted', ({ profile }: TestToolkit['toolkit'], person: Person) => profile.delete(person)],
  ])('starts no session after %s', async (_, happens) => {
    const { toolkit, user } = await open()
    const person = await user()
    const { passwordHash } = await toolkit.accounts.login({ username: person.username, password: PASSWORD })

    await happens(toolkit, person)

    const rotating = toolkit.sessions.rotate(undefined, person.id, { passwordHash })
    await expect(rotating).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG' })
    expect(await toolkit.db.reader('sessions').where({ user_id: person.id })).toEqual([])
  })

  test('starts no session for a banned user, with a password or without', async () => {
    const { toolkit, root, user } = await open()
    const person = await user()
    const { passwordHash } = await toolkit.accounts.login({ username: person.username, password: PASSWORD })
    await toolkit.accounts.manage(root, person.id, 'disable')

    for (const proof of [{ passwordHash }, {}]) {
      const rotating = toolkit.sessions.rotate(undefined, person.id, proof)
      await expect(rotating).rejects.toMatchObject({ code: 'CREDENTIALS_WRONG' })
    }
  })

  test('of an imported user works for all concurrent sign-ins', async () => {
    const fixture = await open()
    const person = await fixture.user()
    const password = bcrypt.hashSync(PASSWORD, 4)
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ password }))

    const sessions = await Promise.all(Array.from({ length: 8 }, () => signIn(fixture, person)))

    expect(await alive(fixture, sessions)).toHaveLength(8)
  }, 180_000)
})
