import { once } from 'node:events'
import { createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isMailAddress } from '../../core/mail/address.ts'
import { codeLetter } from '../../core/mail/letters.ts'
import { createMail } from '../../core/mail/mail.ts'
import { transportOf } from '../../core/mail/transport.ts'
import { configureMail, MAIL_ACCOUNT, MAIL_PASSWORD, selfSigned, startMailServer } from '../support/mail.ts'
import { openTestToolkit } from '../support/toolkit.ts'

const LETTER = { to: 'ann@example.org', subject: 'Hello', html: '<p>你好</p>' }

async function open(parts: { trusted?: string[]; timeoutMs?: number } = {}) {
  const fixture = await openTestToolkit()
  return { ...fixture, mail: createMail({ options: fixture.toolkit.options, ...parts }) }
}

describe('a mail', () => {
  test('arrives with sender, receiver and text, authenticated by PLAIN', async () => {
    const server = await startMailServer({ authMethods: ['PLAIN', 'LOGIN'] })
    const fixture = await open()
    await configureMail(fixture, server, { SystemName: '网关', SMTPFrom: 'noreply@example.org' })

    await fixture.mail.send(LETTER)

    expect(server.mails).toMatchObject([
      { from: 'noreply@example.org', to: ['ann@example.org'], body: expect.stringContaining('<p>你好</p>') },
    ])
    expect(server.mails[0]).toMatchObject({ auth: 'PLAIN', encrypted: false })
    expect(server.mails[0]?.raw).toMatch(/^From: =\?UTF-8\?[^\r\n]+ <noreply@example\.org>\r$/m)
    expect(server.mails[0]?.raw).toMatch(/^To: ann@example\.org\r$/m)
    expect(server.mails[0]?.raw).toMatch(/^Content-Type: text\/html; charset=utf-8\r$/m)
  })

  test('uses the account as sender if none is set, and no authentication without a password', async () => {
    const server = await startMailServer()
    const fixture = await open()
    await configureMail(fixture, server, { SMTPToken: '' })

    await fixture.mail.send(LETTER)

    expect(server.mails).toMatchObject([{ from: MAIL_ACCOUNT, auth: undefined }])
  })

  test('accepts a long address', async () => {
    const server = await startMailServer()
    const fixture = await open()
    const from = `${'gateway-'.repeat(7)}@mail.example.org`
    await configureMail(fixture, server, { SMTPFrom: from })

    await fixture.mail.send(LETTER)

    expect(server.mails).toMatchObject([{ from }])
  })

  test('uses STARTTLS if offered', async () => {
    const certificate = await selfSigned()
    const server = await startMailServer({ tls: 'starttls', certificate })
    const fixture = await open({ trusted: [certificate.cert] })
    await configureMail(fixture, server)

    await fixture.mail.send(LETTER)

    expect(server.mails).toMatchObject([{ auth: 'PLAIN', encrypted: true }])
  })

  test('uses TLS from the first byte if configured', async () => {
    const certificate = await selfSigned()
    const server = await startMailServer({ tls: 'implicit', certificate })
    const fixture = await open({ trusted: [certificate.cert] })
    await configureMail(fixture, server, { SMTPSSLEnabled: 'true' })

    await fixture.mail.send(LETTER)

    expect(server.mails).toMatchObject([{ auth: 'PLAIN', encrypted: true }])
  })

  test.each(['ann@outlook.com', 'ann@firm.onmicrosoft.com'])(
    'of the account %s authenticates by LOGIN',
    async (account) => {
      const server = await startMailServer({ account })
      const fixture = await open()
      await configureMail(fixture, server, { SMTPAccount: account })

      await fixture.mail.send(LETTER)

      expect(server.mails).toMatchObject([{ from: account, auth: 'LOGIN' }])
    },
  )

  test('has one subject and one sender, even if the name of the gateway has line breaks', async () => {
    const server = await startMailServer()
    const fixture = await open()
    await configureMail(fixture, server, { SystemName: 'Gate\r\nBcc: eve@example.org\r\n\r\n<b>' })

    const systemName = 'Gate\r\nBcc: eve@example.org'
    await fixture.mail.send({ to: 'ann@example.org', ...codeLetter({ systemName, code: 'abc123', language: 'zh' }) })

    const [mail] = server.mails
    expect(mail?.to).toEqual(['ann@example.org'])
    expect(mail?.raw).not.toMatch(/^Bcc:/im)
    expect(mail?.raw.match(/^(Subject|From):/gm)).toHaveLength(2)
  })
})

describe('a mail that cannot be sent', () => {
  const FAILED = 'MAIL_FAILED'

  test.each([
    ['SMTPServer', { SMTPServer: '' }],
    ['SMTPAccount', { SMTPAccount: '' }],
    ['SMTPFrom', { SMTPFrom: 'not an address' }],
  ])('names the missing option %s', async (missing, options) => {
    const fixture = await open()
    await configureMail(fixture, { port: 25 }, options)

    await expect(fixture.mail.send(LETTER)).rejects.toMatchObject({ code: 'MAIL_UNCONFIGURED', params: { missing } })
  })

  test('because of a wrong password reports that, without the password', async () => {
    const server = await startMailServer()
    const fixture = await open()
    await configureMail(fixture, server, { SMTPToken: 'wrong-password' })

    const refusal = await fixture.mail.send(LETTER).catch((error: unknown) => error)

    expect(refusal).toMatchObject({
      code: FAILED,
      params: { reason: expect.stringMatching(/account or its password \(535\)/) },
    })
    expect(JSON.stringify(refusal)).not.toMatch(/wrong-password|gateway@|127\.0/)
    expect(server.mails).toEqual([])
  })

  test('because the server is down reports that', async () => {
    const gone = createServer().listen(0, '127.0.0.1')
    await once(gone, 'listening')
    const { port } = gone.address() as { port: number }
    await new Promise((resolve) => gone.close(resolve))
    const fixture = await open()
    await configureMail(fixture, { port })

    await expect(fixture.mail.send(LETTER)).rejects.toMatchObject({
      code: FAILED,
      params: { reason: expect.stringMatching(/cannot be reached/) },
    })
  })

  test('because the server does not respond times out', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    onTestFinished(() => void silent.close())
    const fixture = await open({ timeoutMs: 200 })
    await configureMail(fixture, silent.address() as { port: number })

    await expect(fixture.mail.send(LETTER)).rejects.toMatchObject({
      code: FAILED,
      params: { reason: expect.stringMatching(/respond in time/) },
    })
  })

  test('because the server rejects it has its reply code', async () => {
    const server = await startMailServer({ refuse: 552 })
    const fixture = await open()
    await configureMail(fixture, server)

    await expect(fixture.mail.send(LETTER)).rejects.toMatchObject({
      code: FAILED,
      params: { reason: expect.stringMatching(/\(552\)/) },
    })
  })

  test.each(['starttls', 'implicit'] as const)('over an untrusted certificate (%s) is not sent', async (tls) => {
    const server = await startMailServer({ tls, certificate: await selfSigned() })
    const fixture = await open()
    await configureMail(fixture, server, { SMTPSSLEnabled: String(tls === 'implicit') })

    await expect(fixture.mail.send(LETTER)).rejects.toMatchObject({
      code: FAILED,
      params: { reason: expect.stringMatching(/not trusted/) },
    })
    expect(server.mails).toEqual([])
  })
})

describe('the mode of a mail connection', () => {
  const mail = { server: 'mail.example.org', port: 587, implicitTls: false, account: 'a@b.org', password: 'x' }
  const rest = { timeoutMs: 1000, trusted: [] }

  test.each([
    [{ port: 465 }, { secure: true }],
    [{ port: 2525, implicitTls: true }, { secure: true }],
    [{}, { secure: false, requireTLS: true, authMethod: 'PLAIN' }],
    [{ server: '127.0.0.1' }, { secure: false, requireTLS: false }],
    [{ server: '127.example.org' }, { requireTLS: true }],
    [{ password: '' }, { secure: false, requireTLS: false }],
    [{ server: 'smtp.azurecomm.net' }, { authMethod: 'LOGIN' }],
  ])('for %o is %o', (changes, expected) => {
    expect(transportOf({ ...mail, ...rest, ...changes })).toMatchObject(expected)
  })

  test('a password is never sent unencrypted to another machine, and certificates are checked', () => {
    const options = transportOf({ ...mail, ...rest, password: MAIL_PASSWORD })
    expect(options).toMatchObject({ requireTLS: true })
    expect(JSON.stringify(options)).not.toContain('rejectUnauthorized')
  })
})

test.each([
  ['ann@example.org', true],
  ['Ann.B+c_d-e@mail.example.co.uk', true],
  [`${'a'.repeat(38)}@example.org`, true],
  ['', false],
  ['ann', false],
  ['ann@', false],
  ['@example.org', false],
  ['ann@b@example.org', false],
  ['ann@localhost', false],
  ['ann@exam ple.org', false],
  ['ann@example.org\r\nBcc: eve@example.org', false],
  ['ann@example.org,eve@example.org', false],
  ['"ann"@example.org', false],
  ['änn@example.org', false],
  ['.ann@example.org', false],
  ['ann@-example.org', false],
])('%j as a mail address: %s', (text, expected) => {
  expect(isMailAddress(text)).toBe(expected)
})
