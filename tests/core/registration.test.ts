import { expect, test } from 'vitest'
import { codeIn, configureMail, startMailServer } from '../support/mail.ts'
import { onBoth, PASSWORD, type TestToolkit } from '../support/toolkit.ts'

async function withMail(fixture: TestToolkit) {
  const server = await startMailServer()
  await configureMail(fixture, server)
  await fixture.toolkit.options.set(fixture.root, 'EmailVerificationEnabled', 'true')
  const codeFor = async (email: string) => {
    await fixture.toolkit.registration.sendCode(email, 'zh')
    return codeIn(server.newest(email))
  }
  return { ...fixture, server, codeFor }
}

const codes = (outcomes: PromiseSettledResult<unknown>[]) =>
  outcomes.filter((outcome) => outcome.status === 'rejected').map(({ reason }) => (reason as { code: string }).code)

onBoth('a registration', (open) => {
  test('of one name requested a hundred times concurrently creates one user', async () => {
    const { toolkit, root } = await open()
    await toolkit.options.set(root, 'QuotaForNewUser', '700')

    const outcomes = await Promise.allSettled(
      Array.from({ length: 100 }, () => toolkit.registration.register({ username: 'twin', password: PASSWORD })),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(new Set(codes(outcomes))).toEqual(new Set(['USERNAME_TAKEN']))
    const users = await toolkit.db.reader('users').where({ username: 'twin' }).select('quota', 'display_name', 'role')
    expect(users).toEqual([{ quota: 700, display_name: 'twin', role: 1 }])
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  }, 180_000)

  test('of one address by two users concurrently succeeds once, and the other gets "already used"', async () => {
    const fixture = await withMail(await open())
    const register = (username: string, email: string, verification_code: string) =>
      fixture.toolkit.registration.register({ username, password: PASSWORD, email, verification_code })
    const code = await fixture.codeFor('ann@example.org')

    const outcomes = await Promise.allSettled([
      register('one', 'ann@example.org', code),
      register('two', 'ANN@example.org', code),
    ])

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(codes(outcomes)).toEqual(['EMAIL_TAKEN'])
  })

  test('with an address bound meanwhile gets "already used", and keeps its code', async () => {
    const fixture = await withMail(await open())
    const holder = await fixture.user()
    const code = await fixture.codeFor('ann@example.org')
    const email = (value: string) =>
      fixture.toolkit.db.transaction((trx) => trx('users').where({ id: holder.id }).update({ email: value }))
    const register = () =>
      fixture.toolkit.registration.register({
        username: 'ann',
        password: PASSWORD,
        email: 'ann@example.org',
        verification_code: code,
      })

    await email('Ann@Example.org')
    await expect(register()).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
    await email('')
    await register()

    expect(await fixture.toolkit.accounts.getByName(fixture.root, 'ann')).toMatchObject({ email: 'ann@example.org' })
  })

  test('pays invitee and inviter, also concurrently', async () => {
    const { toolkit, root, user } = await open()
    const inviter = await user()
    await toolkit.options.set(root, 'QuotaForInvitee', '11')
    await toolkit.options.set(root, 'QuotaForInviter', '22')
    const aff_code = await toolkit.profile.inviteCode(inviter)

    await Promise.all(
      ['one', 'two', 'three'].map((username) =>
        toolkit.registration.register({ username, password: PASSWORD, aff_code }),
      ),
    )

    expect(await toolkit.accounts.getByName(root, 'two')).toMatchObject({ quota: 11, inviter_id: inviter.id })
    expect(await toolkit.accounts.get(root, inviter.id)).toMatchObject({
      quota: 0,
      aff_count: 3,
      aff_quota: 66,
      aff_history_quota: 66,
    })
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  })
  test('is rejected if the earnings of its inviter would become inexact, and creates no account', async () => {
    const { toolkit, root, user } = await open()
    const inviter = await user()
    await toolkit.options.set(root, 'QuotaForInviter', '22')
    const aff_code = await toolkit.profile.inviteCode(inviter)
    await toolkit.db.transaction((trx) =>
      trx('users')
        .where({ id: inviter.id })
        .update({ aff_history: 9e15 - 21 }),
    )

    const registering = toolkit.registration.register({ username: 'ann', password: PASSWORD, aff_code })

    await expect(registering).rejects.toMatchObject({ code: 'BALANCE_TOO_LARGE' })
    await expect(toolkit.accounts.getByName(root, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })

  test('whose first key cannot be stored creates no account', async () => {
    const { toolkit, root } = await open()
    await toolkit.db.transaction((trx) => trx.schema.renameTable('tokens', 'away'))

    const registering = toolkit.registration.register({ username: 'ann', password: PASSWORD }, { firstToken: true })

    await expect(registering).rejects.toThrow(/tokens/)
    await expect(toolkit.accounts.getByName(root, 'ann')).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})
