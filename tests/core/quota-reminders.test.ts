import { describe, expect, test } from 'vitest'
import { quotaLevel } from '../../core/accounts/quota-reminders.ts'
import type { LocalToolkit } from '../../core/toolkit.ts'
import { configureMail, startMailServer } from '../support/mail.ts'
import { onBoth, openTestToolkit, type Person, type TestToolkit } from '../support/toolkit.ts'

const NEVER = new AbortController().signal
const THRESHOLD = 1000
const LOW = '您的额度即将用尽'
const USED_UP = '您的额度已用尽'

interface Fixture extends TestToolkit {
  /** A user with that balance and a mail address. */
  reader(quota: number): Promise<Person & { email: string }>
  look(toolkit?: LocalToolkit): Promise<number>
}

test('a balance is exhausted at zero, and low below the threshold', () => {
  expect([1000, 999, 1, 0, -5].map((quota) => quotaLevel(quota, THRESHOLD))).toEqual([0, 1, 1, 2, 2])
  expect([1, 0].map((quota) => quotaLevel(quota, 0))).toEqual([0, 2])
})

async function fixture(open: () => Promise<TestToolkit>): Promise<Fixture> {
  const made = await open()
  const { toolkit, root, user } = made
  await toolkit.options.set(root, 'DisplayInCurrencyEnabled', 'false')
  await toolkit.options.set(root, 'ServerAddress', 'https://gate.example.org')
  return {
    ...made,
    async reader(quota) {
      const person = await user({ quota })
      const email = `${person.username}@example.org`
      await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ email }))
      return { ...person, email }
    },
    look: (by = toolkit) => by.quotaReminders.send(NEVER),
  }
}

const summaryOf = (mails: { to: string[]; body: string }[]) =>
  mails.map(({ to, body }) => `${to[0]?.slice(0, 9)} ${body.split('，').slice(0, 2).join(' ')}`)

onBoth('a reminder of a low balance', (open) => {
  test('is sent once per crossing, with the balance after it, by several processes and after repeated checks', async () => {
    const { reader, look, charge, another, toolkit, root } = await fixture(open)
    const server = await startMailServer()
    const ann = await reader(3000)
    const poor = await reader(0)
    await toolkit.db.transaction((trx) => trx('users').where({ id: poor.id }).update({ quota_notice: null }))

    // No reminder is sent without a mail server, nor at the first check.
    expect(await look()).toBe(0)
    await configureMail({ toolkit, root }, server)
    expect(await look()).toBe(0)

    await charge(ann, { quota: 2500 })
    const others = [await another(), await another()]
    const looks = await Promise.all([look(), ...others.map((other) => look(other))])
    expect(looks.reduce((sum, count) => sum + count)).toBe(1)
    await charge(ann, { quota: 100 })
    expect(await look()).toBe(0)
    expect(summaryOf(server.mails)).toEqual([`${ann.username} ${LOW} 当前剩余额度为 500 点额度`])
    expect(server.newest(ann.email).body).toContain(
      "充值链接：<a href='https://gate.example.org/topup'>https://gate.example.org/topup</a>",
    )

    await charge(ann, { quota: 400 })
    expect(await look(others[0])).toBe(1)
    expect(await look()).toBe(0)
    expect(summaryOf(server.mails)[1]).toBe(`${ann.username} ${USED_UP} 当前剩余额度为 0 点额度`)

    // Topped up, she may be told again; a look between the two is what notices it.
    await toolkit.accounts.setQuota(root, ann.id, 5000)
    expect(await look()).toBe(0)
    await charge(ann, { quota: 5000 })
    expect(await look()).toBe(1)
    expect(summaryOf(server.mails)[2]).toBe(`${ann.username} ${USED_UP} 当前剩余额度为 0 点额度`)
    expect(server.mails.filter(({ to }) => to.includes(poor.email))).toEqual([])
  })

  test("is in its reader's language, or Chinese if unknown", async () => {
    const { reader, look, charge, toolkit, root } = await fixture(open)
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const [unknown, chinese, english] = [await reader(3000), await reader(3000), await reader(3000)]
    for (const [{ id }, language] of [[chinese, 'zh'] as const, [english, 'en'] as const]) {
      await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ language }))
    }
    await look()

    for (const person of [unknown, chinese, english]) await charge(person, { quota: 2500 })
    expect(await look()).toBe(3)

    for (const { email } of [unknown, chinese]) {
      expect(server.newest(email).body).toContain(`${LOW}，当前剩余额度为 500 点额度，`)
    }
    expect(server.newest(english.email).body).toContain(
      "Your balance is almost used up. The remaining balance is 500 quota. To keep using the service, please top up in time.<br/>Top up: <a href='https://gate.example.org/topup'>",
    )
  })

  test('is retried if the mail was rejected, but not if it may have been accepted', async () => {
    const { reader, look, charge, toolkit, root } = await fixture(open)
    const ann = await reader(3000)
    const bob = await reader(3000)
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    await look()
    for (const person of [ann, bob]) await charge(person, { quota: 2500 })

    // No server listens on that port: the next check starts with the first user again.
    await toolkit.options.set(root, 'SMTPPort', '9')
    for (let at = 0; at < 8; at++) await expect(look()).rejects.toMatchObject({ code: 'MAIL_FAILED' })
    // This one says no, for now, to each of them.
    const busy = await startMailServer({ refuse: 451 })
    await toolkit.options.set(root, 'SMTPPort', String(busy.port))
    expect(await look()).toBe(0)
    await toolkit.options.set(root, 'SMTPPort', String(server.port))
    expect(await look()).toBe(2)
    expect(server.mails.flatMap(({ to }) => to).sort()).toEqual([ann.email, bob.email].sort())

    // This server may have accepted the mail: it is not sent twice.
    const vanishing = await startMailServer({ vanish: true })
    await toolkit.options.set(root, 'SMTPPort', String(vanishing.port))
    await charge(bob, { quota: 500 })
    await expect(look()).rejects.toMatchObject({ code: 'MAIL_FAILED' })
    expect(await look()).toBe(0)
    expect(vanishing.mails.map(({ to }) => to[0])).toEqual([bob.email])

    // And this one says no for good.
    const strict = await startMailServer({ refuse: 550 })
    await toolkit.options.set(root, 'SMTPPort', String(strict.port))
    await charge(ann, { quota: 500 })
    expect(await look()).toBe(0)
    await toolkit.options.set(root, 'SMTPPort', String(server.port))
    expect(await look()).toBe(0)
    expect(server.mails).toHaveLength(2)
  })
})

describe('a reminder', () => {
  test('that a mail server keeps rejecting temporarily is dropped after five attempts', async () => {
    const { reader, look, charge, toolkit, root } = await fixture(openTestToolkit)
    const ann = await reader(3000)
    const busy = await startMailServer({ refuse: 451 })
    await configureMail({ toolkit, root }, busy)
    await look()
    await charge(ann, { quota: 2500 })
    const notice = async () =>
      (await toolkit.db.reader('users').where({ id: ann.id }).first('quota_notice')).quota_notice
    for (let at = 1; at < 5; at++) {
      expect(await look()).toBe(0)
      expect(await notice()).toBe(0)
    }
    expect(await look()).toBe(0)
    expect(await notice()).toBe(1)
  })

  test('is sent to users who can still sign in, across more than one page of users', async () => {
    const { reader, look, charge, toolkit, root } = await fixture(openTestToolkit)
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const [ann, gone] = [await reader(3000), await reader(3000)]
    const crowd = Array.from({ length: 2100 }, (_, at) => ({
      username: `crowd${at}`,
      password: '',
      email: `crowd${at}@example.org`,
      quota: (at % 3) * 700,
      aff_code: `c${at}`,
    }))
    await toolkit.db.transaction((trx) => trx.batchInsert('users', crowd, 50))
    const last = await reader(3000)
    expect(await look()).toBe(0)
    for (const person of [ann, gone, last]) await charge(person, { quota: 2500 })
    await toolkit.accounts.manage(root, gone.id, 'disable')
    expect(await look()).toBe(2)
    expect(server.mails.map(({ to }) => to[0])).toEqual([ann.email, last.email])
  })

  test('is not sent to users below a raised threshold until they cross it', async () => {
    const { reader, look, charge, toolkit, root } = await fixture(openTestToolkit)
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const [ann, bob] = [await reader(3000), await reader(9000)]
    await look()
    await toolkit.options.set(root, 'QuotaRemindThreshold', '5000')
    expect(await look()).toBe(0)
    await charge(bob, { quota: 5000 })
    await charge(ann, { quota: 1000 })
    expect(await look()).toBe(1)
    expect(summaryOf(server.mails)).toEqual([`${bob.username} ${LOW} 当前剩余额度为 4000 点额度`])

    // Raised while the mail server is away: who falls meanwhile is told when it is back.
    const cat = await reader(9000)
    await look()
    await toolkit.options.set(root, 'SMTPPort', '9')
    await toolkit.options.set(root, 'QuotaRemindThreshold', '6000')
    await charge(ann, { quota: 2000 })
    await expect(look()).rejects.toMatchObject({ code: 'MAIL_FAILED' })
    await charge(cat, { quota: 5000 })
    await expect(look()).rejects.toMatchObject({ code: 'MAIL_FAILED' })
    await toolkit.options.set(root, 'SMTPPort', String(server.port))
    expect(await look()).toBe(2)
    expect(server.mails.slice(1).map(({ to }) => to[0])).toEqual([ann.email, cat.email])
  })
})
