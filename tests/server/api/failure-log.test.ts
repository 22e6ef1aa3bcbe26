import { createServer } from 'node:http'
import { Writable } from 'node:stream'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig, resolveSettings } from '../../../core/config.ts'
import { startGateway } from '../../../server/gateway.ts'
import { openApi } from '../../support/api.ts'
import { configureMail, startMailServer } from '../../support/mail.ts'
import { setOptions } from '../../support/sign-in/visit.ts'
import { openTestToolkit, PASSWORD } from '../../support/toolkit.ts'

interface Line {
  level: number
  requestId?: string
  msg: string
  faults?: string[]
  err?: { code: string; message: string; stack: string }
}

async function open(settings: { TURNSTILE_URL?: string } = {}) {
  const fixture = await openTestToolkit()
  const text: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      text.push(String(chunk))
      done()
    },
  })
  const flags = { PORT: '0', HOST: '127.0.0.1', DATABASE_URL: fixture.config.databaseUrl, ...settings }
  const config = parseConfig(resolveSettings({ flags, environment: {}, file: {} }), 1)
  const gateway = await startGateway({ config, toolkit: fixture.toolkit, logger: pino({ level: 'trace' }, stream) })
  onTestFinished(() => gateway.close())
  const { url } = gateway
  return {
    ...fixture,
    visitor: openApi({ url, toolkit: fixture.toolkit }).anonymous(),
    text: () => text.join(''),
    logged: (): Line[] => text.map((line) => JSON.parse(line) as Line).filter(({ level }) => level >= 40),
  }
}

const TURNSTILE = { TurnstileSiteKey: 'site', TurnstileSecretKey: 'the-secret', TurnstileCheckEnabled: 'true' }

describe('the log of the gateway', () => {
  test('has the reason of a failed mail, without the password', async () => {
    const fixture = await open()
    await configureMail(fixture, await startMailServer(), { SMTPToken: 'wrong-password' })

    await fixture.visitor.get('/api/verification?email=ann@example.org')

    const [line] = fixture.logged()
    expect(line).toMatchObject({ level: 40, requestId: expect.any(String), err: { code: 'MAIL_FAILED' } })
    expect(line?.err?.stack).toMatch(/caused by: .*535/)
    expect(fixture.logged()).toHaveLength(1)
    const encoded = Buffer.from('\0gateway@example.org\0wrong-password').toString('base64')
    expect(fixture.text()).not.toMatch(/wrong-password/)
    expect(fixture.text()).not.toContain(encoded)
  })

  test('names the option missing for mails', async () => {
    const fixture = await open()
    await fixture.visitor.get('/api/verification?email=ann@example.org')
    expect(fixture.logged()).toMatchObject([{ level: 50, err: { message: 'MAIL_UNCONFIGURED (missing=SMTPServer)' } }])
  })

  test('has the reason of an unsaved session, without its content', async () => {
    const fixture = await open()
    await fixture.toolkit.db.transaction((trx) => trx.schema.renameTable('sessions', 'away'))

    const { body } = await fixture.visitor.post('/api/user/login', { username: 'root', password: PASSWORD })

    expect(body.success).toBe(false)
    const [line] = fixture.logged()
    expect(line).toMatchObject({ level: 50, err: { code: 'SESSION_UNSAVED' } })
    expect(line?.err?.message).toMatch(/no such table: sessions/)
    expect(line?.err?.message).not.toMatch(/[0-9a-f]{32}/)
  })

  test('has no entries of caller errors', async () => {
    const fixture = await open()
    await fixture.visitor.post('/api/user/login', { username: 'root', password: 'wrong one' })
    await fixture.visitor.post('/api/user/login', '{')
    await fixture.visitor.get('/api/user/self')
    expect(fixture.logged()).toEqual([])
  })

  test('reports that the bot check is unreachable', async () => {
    const fixture = await open({ TURNSTILE_URL: 'http://127.0.0.1:9' })
    await setOptions(fixture, TURNSTILE)
    await fixture.visitor.get('/api/verification?turnstile=human')
    expect(fixture.logged()).toMatchObject([{ level: 40, err: { code: 'PROVIDER_UNREACHABLE' } }])
    expect(fixture.text()).toMatch(/ECONNREFUSED|bad port/)
    expect(fixture.text()).not.toContain('the-secret')
  })

  test.each([
    ['invalid-input-secret', 1],
    ['invalid-input-response', 0],
  ])('after the reply %s of the bot check has %d lines', async (code, lines) => {
    const cloudflare = createServer((_, response) =>
      response.end(JSON.stringify({ success: false, 'error-codes': [code] })),
    )
    await new Promise<void>((resolve) => cloudflare.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void cloudflare.close())
    const { port } = cloudflare.address() as { port: number }
    const fixture = await open({ TURNSTILE_URL: `http://127.0.0.1:${port}` })
    await setOptions(fixture, TURNSTILE)

    await fixture.visitor.get('/api/verification?turnstile=human')

    expect(fixture.logged()).toHaveLength(lines)
    for (const { faults, msg } of fixture.logged()) {
      expect(faults).toEqual([code])
      expect(msg).toContain('TurnstileSecretKey')
    }
    expect(fixture.text()).not.toContain('the-secret')
  })
})
