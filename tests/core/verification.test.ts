import { expect, test } from 'vitest'
import { createSecrets } from '../../core/secrets.ts'
import { createVerification, type VerificationCodes } from '../../core/verification.ts'
import { onBoth, type TestToolkit } from '../support/toolkit.ts'

const ANN = 'ann@example.org'

onBoth('a code', (openFixture) => {
  async function open() {
    const clock = { now: 1_700_000_000 }
    const { toolkit } = await openFixture()
    // Connections are opened now, so that what happens at once does.
    await Promise.all(Array.from({ length: 20 }, () => toolkit.db.transaction((trx) => trx('users').select('id'))))
    const codes = createVerification({ db: toolkit.db, secrets: createSecrets('a master key'), now: () => clock.now })
    return { toolkit, codes, clock, try: trying(toolkit, codes) }
  }

  test('is lower-case hex and works once, in any spelling of the address', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', 'Ann@Example.org', 6)

    expect(code).toMatch(/^[0-9a-f]{6}$/)
    expect(await fixture.try(code, 'aNN@example.ORG')).toBe(true)
    expect(await fixture.try(code)).toBe(false)
  })

  test('works only for its purpose and address', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('reset', ANN, 32)

    expect(await fixture.try(code, ANN, 'email')).toBe(false)
    expect(await fixture.try(code, 'bob@example.org', 'reset')).toBe(false)
    expect(await fixture.try(code, ANN, 'reset')).toBe(true)
  })

  test('expires after ten minutes', async () => {
    const fixture = await open()
    const [one, two] = [
      await fixture.codes.issue('email', ANN, 6),
      await fixture.codes.issue('email', 'b@example.org', 6),
    ]

    fixture.clock.now += 599
    expect(await fixture.try(one)).toBe(true)
    fixture.clock.now += 1
    expect(await fixture.try(two, 'b@example.org')).toBe(false)
  })

  test('can be replaced after thirty seconds, which invalidates it', async () => {
    const fixture = await open()
    const first = await fixture.codes.issue('email', ANN, 6)

    fixture.clock.now += 29
    const refusal = { code: 'MAIL_COOLDOWN', params: { seconds: 1 } }
    await expect(fixture.codes.issue('email', 'ANN@example.org', 6)).rejects.toMatchObject(refusal)
    await fixture.codes.issue('reset', ANN, 6)
    fixture.clock.now += 1
    const second = await fixture.codes.issue('email', ANN, 6)

    expect(await fixture.try(first)).toBe(false)
    expect(await fixture.try(second)).toBe(true)
  })

  test('requested twice concurrently is created once', async () => {
    const fixture = await open()

    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => fixture.codes.issue('email', ANN, 6)))

    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
    for (const { reason } of refused) expect(reason).toMatchObject({ code: 'MAIL_COOLDOWN' })
  })

  test('used twenty times concurrently works once', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', ANN, 6)

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => fixture.try(code)))

    expect(outcomes.filter(Boolean)).toHaveLength(1)
  })

  test.each([
    [4, true],
    [5, false],
  ])('after %d wrong tries still works: %s', async (tries, works) => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', ANN, 6)

    const wrong = await Promise.all(Array.from({ length: tries }, () => fixture.try('wrong!')))

    expect(wrong).not.toContain(true)
    expect(await fixture.try(code)).toBe(works)
  })

  test('of a link still works after any number of wrong tries', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('reset', ANN, 32)

    for (let guess = 0; guess < 9; guess++) expect(await fixture.try('wrong!', ANN, 'reset')).toBe(false)

    expect(await fixture.try(code, ANN, 'reset')).toBe(true)
  })

  test('is not consumed by a failed operation', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', ANN, 6)

    const failing = fixture.toolkit.db.transaction(async (trx) => {
      expect(await fixture.codes.take(trx, 'email', ANN, code)).toBe(true)
      throw new Error('no')
    })

    await expect(failing).rejects.toThrow('no')
    expect(await fixture.try(code)).toBe(true)
  })

  test('that could not be sent is deleted, and the next need not wait', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', ANN, 6)

    await fixture.codes.withdraw('email', ANN, 'another')
    await expect(fixture.codes.issue('email', ANN, 6)).rejects.toMatchObject({ code: 'MAIL_COOLDOWN' })
    await fixture.codes.withdraw('email', ANN, code)

    expect(await fixture.try(code)).toBe(false)
    await fixture.codes.issue('email', ANN, 6)
  })

  test('and its address are not readable in the database, and old ones are deleted', async () => {
    const fixture = await open()
    const code = await fixture.codes.issue('email', ANN, 32)

    expect(JSON.stringify(await fixture.toolkit.db.reader('verifications'))).not.toMatch(new RegExp(`${code}|ann`, 'i'))
    fixture.clock.now += 601
    await fixture.codes.issue('email', 'b@example.org', 6)
    expect(await fixture.toolkit.db.reader('verifications')).toHaveLength(1)
  })
})

function trying({ db }: TestToolkit['toolkit'], codes: VerificationCodes) {
  return (code: string, address = ANN, purpose: 'email' | 'reset' = 'email') =>
    db.transaction((trx) => codes.take(trx, purpose, address, code))
}
