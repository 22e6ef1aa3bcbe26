import { describe, expect, test } from 'vitest'
import { mailOutcomeOf } from '../../core/mail/failure.ts'
import { channelLetter, testRoundLetter } from '../../core/mail/letters.ts'
import type { Mail } from '../../core/mail/mail.ts'
import type { Language } from '../../core/messages/language.ts'
import { createRootMails } from '../../server/root-mails.ts'
import { configureMail, startMailServer } from '../support/mail.ts'
import { openTestToolkit, type TestToolkit } from '../support/toolkit.ts'

const ROOT_MAIL = 'root@example.org'
const died = { channelId: 7, name: 'eu', event: 'disabled', reason: 'status code 401: no such key' } as const

async function open() {
  const fixture = await openTestToolkit()
  await fixture.toolkit.db.transaction((trx) =>
    trx('users').where({ id: fixture.root.id }).update({ email: ROOT_MAIL }),
  )
  return fixture
}

function mailsOf({ toolkit }: TestToolkit, changes: Partial<Parameters<typeof createRootMails>[0]> = {}) {
  const failures: unknown[] = []
  const mails = createRootMails({
    mail: toolkit.mail,
    rootReceivers: toolkit.accounts.rootReceivers,
    onFailure: (error) => void failures.push(error),
    gatherMs: 5,
    betweenMs: 60_000,
    ...changes,
  })
  return { ...mails, failures }
}

const subjectOf = (raw: string): string => {
  const words = /^Subject: ([\s\S]*?)\r\n\S/m.exec(raw)?.[1] ?? ''
  return words.replace(/=\?UTF-8\?B\?(.*?)\?=\s*/gi, (_, text: string) => Buffer.from(text, 'base64').toString())
}

describe('mails to root', () => {
  test('report 500 changes in two mails at most, each once, to every root with an address', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const second = await fixture.user()
    const [email, role] = ['second@example.org', 100]
    await toolkit.db.transaction((trx) => trx('users').where({ id: second.id }).update({ email, role }))
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const mails = mailsOf(fixture, { betweenMs: 300 })

    mails.reportChange(died)
    await expect.poll(() => server.mails).toHaveLength(2)
    for (let id = 1; id <= 499; id++) mails.reportChange({ ...died, channelId: 1000 + id })
    await expect.poll(() => server.mails).toHaveLength(4)
    await mails.close()

    expect(server.mails.map(({ to }) => to[0]).sort()).toEqual([ROOT_MAIL, ROOT_MAIL, email, email])
    const mentioned = server.mails
      .filter(({ to }) => to.includes(email))
      .flatMap(({ body }) => [...body.matchAll(/#(\d+)/g)].map(([, id]) => Number(id)))
    expect(mentioned).toEqual([7, ...Array.from({ length: 499 }, (_, at) => 1001 + at)])
    expect(subjectOf(server.mails[0]?.raw ?? '')).toBe('渠道「eu」（#7）已被禁用')
    expect(mails.failures).toEqual([])
  })

  test('use the language of each root user, or Chinese if unknown', async () => {
    const fixture = await open()
    const { toolkit, root, user } = fixture
    const languages = { 'en@example.org': 'en', 'zh@example.org': 'zh' }
    for (const [email, language] of Object.entries(languages)) {
      const { id } = await user()
      await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ email, language, role: 100 }))
    }
    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const mails = mailsOf(fixture)
    const round = { tested: 3, failed: 1, disabled: 0, enabled: 2 }

    mails.reportChange(died)
    mails.send((language) => testRoundLetter(round, language))
    await expect.poll(() => server.mails).toHaveLength(6)
    await mails.close()

    const bodies = (email: string) => server.mails.filter(({ to }) => to.includes(email)).map(({ body }) => body.trim())
    for (const [email, language] of Object.entries({ ...languages, [ROOT_MAIL]: 'zh' }) as [string, Language][]) {
      expect(bodies(email)).toEqual([testRoundLetter(round, language).html, channelLetter([died], language).html])
    }
  })

  test('are tried at most five times', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const busy = await startMailServer({ refuse: 451 })
    await configureMail({ toolkit, root }, busy)
    const mails = mailsOf(fixture, { betweenMs: 20 })
    mails.reportChange(died)
    await expect.poll(() => mails.failures).toHaveLength(1)
    expect(mails.failures).toMatchObject([{ code: 'MAIL_FAILED' }])

    const server = await startMailServer()
    await toolkit.options.set(root, 'SMTPPort', '9')
    mails.reportChange({ ...died, channelId: 8 })
    await toolkit.options.set(root, 'SMTPPort', String(server.port))
    await expect.poll(() => server.mails).toHaveLength(1)
    expect(server.newest(ROOT_MAIL).body).toContain('#8')
    await mails.close()
    expect(mails.failures).toHaveLength(1)
  })

  test('are sent when the gateway closes; without a mail server there are none', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const unset = mailsOf(fixture)
    unset.reportChange(died)
    await unset.close()
    expect(unset.failures).toEqual([])

    const server = await startMailServer()
    await configureMail({ toolkit, root }, server)
    const mails = mailsOf(fixture, { gatherMs: 60_000 })
    mails.reportChange(died)
    mails.send(() => ({ subject: 'done', html: 'done' }))
    await mails.close()
    expect(server.mails).toHaveLength(2)

    // At first the recipient is unknown.
    let looks = 0
    const away = new Error('the database is away')
    const rootReceivers = () => (looks++ ? toolkit.accounts.rootReceivers() : Promise.reject(away))
    const late = mailsOf(fixture, { betweenMs: 20, rootReceivers })
    late.reportChange({ ...died, channelId: 9 })
    late.send(() => ({ subject: 'late', html: 'late' }))
    await expect.poll(() => server.mails).toHaveLength(4)
    await late.close()
    expect(server.mails.slice(2).map(({ body }) => body.trim())).toEqual([
      'late',
      channelLetter([{ ...died, channelId: 9 }], 'zh').html,
    ])
    expect(late.failures).toEqual([away])
  })

  test('that wait for a retry are tried once more when the gateway closes, and reported if they fail', async () => {
    const fixture = await open()
    const { toolkit, root } = fixture
    const busy = await startMailServer({ refuse: 451 })
    await configureMail({ toolkit, root }, busy)
    let attempts = 0
    const mail: Mail = { ...toolkit.mail, send: (message) => toolkit.mail.send(message).finally(() => attempts++) }
    const mails = mailsOf(fixture, { mail })
    const hopeless = mailsOf(fixture, { mail })
    for (const each of [mails, hopeless]) each.reportChange(died)
    await expect.poll(() => attempts).toBe(2)

    await hopeless.close()
    const server = await startMailServer()
    await toolkit.options.set(root, 'SMTPPort', String(server.port))
    await mails.close()

    expect(server.mails).toHaveLength(1)
    expect(mails.failures).toEqual([])
    expect(hopeless.failures).toMatchObject([{ code: 'MAIL_FAILED' }])
  })
})

test.each([
  ['a refused connection', { code: 'ESOCKET', syscall: 'connect' }, 'not-sent'],
  ['no greeting', { code: 'ETIMEDOUT', timeoutType: 'GREETING_TIMEOUT' }, 'not-sent'],
  ['a refused account', { code: 'EAUTH', responseCode: 535 }, 'not-sent'],
  ['a receiver that is refused for now', { code: 'EENVELOPE', responseCode: 450 }, 'not-sent'],
  ['a message that is refused for now', { code: 'EMESSAGE', responseCode: 451 }, 'not-sent'],
  ['a receiver that there is not', { code: 'EENVELOPE', responseCode: 550 }, 'refused'],
  ['a refused message', { code: 'EMESSAGE', responseCode: 554 }, 'refused'],
  ['silence after the message', { code: 'ETIMEDOUT', timeoutType: 'SOCKET_TIMEOUT' }, 'unknown'],
  ['a connection that breaks', { code: 'ECONNECTION' }, 'unknown'],
  ['anything else', undefined, 'unknown'],
])('after %s the error says whether the mail may have arrived', (_, error, fate) => {
  expect(mailOutcomeOf(error)).toBe(fate)
})
