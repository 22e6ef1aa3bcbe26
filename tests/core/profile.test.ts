import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claimKey } from '../../core/idempotency.ts'
import { codeIn, configureMail, startMailServer } from '../support/mail.ts'
import { onBoth, type Person } from '../support/toolkit.ts'

const UNIT = 500_000

onBoth('the own account', (open) => {
  test('transfers at most the available invite earnings, also concurrently', async () => {
    const { toolkit, user, balance } = await open()
    const person = await user({ quota: 7 })
    await toolkit.db.transaction((trx) =>
      trx('users')
        .where({ id: person.id })
        .update({ aff_quota: 10 * UNIT + 1, aff_history: 10 * UNIT + 1 }),
    )

    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => toolkit.profile.transferInvites(person, UNIT)),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'INVITE_INSUFFICIENT' })
    expect(await balance(person)).toBe(10 * UNIT + 7)
    expect(await toolkit.profile.get(person)).toMatchObject({ aff_quota: 1, aff_history_quota: 10 * UNIT + 1 })
    const entries = await toolkit.db.reader('ledger_entries').where({ user_id: person.id, kind: 'transfer' })
    expect(entries).toHaveLength(10)
    expect(await toolkit.ledger.verify()).toMatchObject({ equal: true })
  }, 180_000)

  test('that repeats a transfer with its key gets the same result, though the minimum has grown meanwhile', async () => {
    const { toolkit, root, user, balance } = await open()
    const person = await user()
    await toolkit.db.transaction((trx) =>
      trx('users')
        .where({ id: person.id })
        .update({ aff_quota: 4 * UNIT }),
    )
    const transfer = (idempotencyKey: string) => toolkit.profile.transferInvites(person, UNIT, { idempotencyKey })
    await transfer('november')
    await toolkit.options.set(root, 'QuotaPerUnit', String(2 * UNIT))

    await transfer('november')
    await expect(transfer('december')).rejects.toMatchObject({ code: 'INVITE_MINIMUM' })
    expect(await balance(person)).toBe(UNIT)
  })

  test('does not deadlock if other fields change under the same key', async () => {
    const { toolkit, root } = await open()
    await toolkit.db.transaction((trx) => trx('users').where({ id: root.id }).update({ aff_quota: UNIT }))
    const idempotency = { idempotencyKey: 'november' }
    let transfer: Promise<unknown> = Promise.resolve()
    await toolkit.db.transaction(async (trx) => {
      await trx('users').where({ id: root.id }).forUpdate().first('id')
      transfer = toolkit.profile.transferInvites(root, UNIT, idempotency).catch((error) => error.code)
      await sleep(200) // It waits for the row by now.
      if (toolkit.db.kind === 'postgres') await trx.raw(`SET LOCAL lock_timeout = '500ms'`)
      await claimKey(trx, 'balance_requests', { actor: root, request: { change: 'adjust' }, now: 0 }, idempotency)
    })
    expect(await transfer).toBe('IDEMPOTENCY_KEY_REUSED')
  })

  test('binds an address verified by two users concurrently to one of them', async () => {
    const fixture = await open()
    const server = await startMailServer()
    await configureMail(fixture, server)
    const people = await Promise.all([fixture.user(), fixture.user(), fixture.user()])
    await fixture.toolkit.registration.sendCode('ann@example.org', 'zh')
    const code = codeIn(server.newest('ann@example.org'))

    const outcomes = await Promise.allSettled(
      people.map((person) => fixture.toolkit.profile.bindEmail(person, { email: 'Ann@example.org', code })),
    )

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'EMAIL_TAKEN' })
    const emails = await Promise.all(people.map(async (person) => (await fixture.toolkit.profile.get(person)).email))
    expect(emails.sort()).toEqual(['', '', 'Ann@example.org'])
  })

  test('cannot bind an address of another user, and the code stays valid for its owner', async () => {
    const fixture = await open()
    const server = await startMailServer()
    await configureMail(fixture, server)
    const [person, holder] = [await fixture.user(), await fixture.user()]
    await fixture.toolkit.registration.sendCode('ann@example.org', 'zh')
    const proof = { email: 'ann@example.org', code: codeIn(server.newest('ann@example.org')) }
    await fixture.toolkit.db.transaction((trx) =>
      trx('users').where({ id: holder.id }).update({ email: 'ANN@example.org' }),
    )

    const bind = (who: Person) => fixture.toolkit.profile.bindEmail(who, proof)
    await expect(bind(person)).rejects.toMatchObject({ code: 'EMAIL_TAKEN' })
    await bind(holder)

    expect(await fixture.toolkit.profile.get(holder)).toMatchObject({ email: 'ann@example.org' })
  })

  test('takes a name requested by two users concurrently for one of them', async () => {
    const { toolkit, user } = await open()
    const people = await Promise.all([user(), user()])

    const outcomes = await Promise.allSettled(
      people.map((person) => toolkit.profile.update(person, { username: 'wanted' })),
    )

    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(outcomes.find((outcome) => outcome.status === 'rejected')?.reason).toMatchObject({ code: 'USERNAME_TAKEN' })
  })

  test('gets one invite code from concurrent first requests', async () => {
    const { toolkit, user } = await open()
    const person = await user()
    await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ aff_code: null }))

    const codes = await Promise.all(Array.from({ length: 5 }, () => toolkit.profile.inviteCode(person)))

    expect(new Set(codes).size).toBe(1)
    expect(codes[0]).toMatch(/^[0-9a-zA-Z]{4}$/)
  })

  test('is gone for its keys and sessions immediately after deletion', async () => {
    const { toolkit, user, token } = await open()
    const person = await user()
    const { key } = await token(person)
    const session = await toolkit.sessions.create(person.id)
    const accessToken = await toolkit.accessTokens.create(person)
    const owner = (await toolkit.callers.findToken(key))?.userId ?? 0
    expect(await toolkit.callers.findUser(owner)).toBeDefined()

    await toolkit.profile.delete(person)

    expect(await toolkit.callers.findUser(owner)).toBeUndefined()
    expect(await toolkit.sessions.find(session)).toBeUndefined()
    expect(await toolkit.accessTokens.find(accessToken)).toBeUndefined()
    await expect(toolkit.profile.get(person)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
    await expect(toolkit.profile.delete(person)).rejects.toMatchObject({ code: 'USER_NOT_FOUND' })
  })
})
