import { createServer } from 'node:http'
import bcrypt from 'bcryptjs'
import { describe, expect, onTestFinished, test } from 'vitest'
import { delayAfter } from '../../core/accounts/guesses.ts'
import { DEVICE_COOKIE } from '../../server/api/device-cookie.ts'
import { type ApiAnswer, type ApiClient, openApi } from '../support/api.ts'
import { openTestGateway, type Settings, serve } from '../support/gateway.ts'
import { configureMail, startMailServer } from '../support/mail.ts'
import { type DatabaseKind, onBoth, PASSWORD, skipWithoutPostgres } from '../support/toolkit.ts'

/** The attack: a person without a credential guesses one, from as many addresses as it takes, or asks which accounts exist. */

const WRONG = 'wrong password'
const ANN = 'ann@example.org'
const HOUR = 3600

async function open(database: DatabaseKind, settings: Settings = {}) {
  let time = 1_800_000_000
  const fixture = await openTestGateway({ database, settings, now: () => time })
  const api = openApi(fixture)
  const person = await fixture.user()
  const visitor = api.anonymous()
  const set = async (options: Record<string, string>) => {
    for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)
  }
  /** A sign-in with a wrong password, unless told otherwise. */
  const login = (username: string, password = WRONG, client: ApiClient = visitor, query = '') =>
    client.post(`/api/user/login${query}`, { username, password })
  const wait = (seconds: number) => {
    time += seconds
  }
  /** Failures up to that number, each as soon as it is allowed. */
  async function fail(username: string, last: number, first = 1): Promise<void> {
    for (let failure = first; failure <= last; failure++) {
      expect(codeOf(await login(username))).toBe('CREDENTIALS_WRONG')
      wait(delayAfter(failure))
    }
  }
  const email = (address: string) =>
    fixture.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ email: address }))
  return { ...fixture, api, person, visitor, set, login, wait, fail, email }
}

function refusal({ headers }: ApiAnswer): { code: string; params: Record<string, unknown> } | undefined {
  const named = headers.get('tollgate-error')
  return named === null ? undefined : JSON.parse(decodeURIComponent(named))
}
const codeOf = (answer: ApiAnswer) => refusal(answer)?.code

onBoth('guessing a password', (_, database) => {
  test('must wait longer after each failure, from any address', async () => {
    const { login, person, wait } = await open(database, { TRUST_PROXY: 'on' })

    const waits: unknown[] = []
    for (let failure = 1; failure <= 6; failure++) {
      expect(codeOf(await login(person.username))).toBe('CREDENTIALS_WRONG')
      const next = await login(person.username, PASSWORD)
      waits.push(refusal(next)?.params.seconds)
      expect(next.headers.get('retry-after')).toBe(next.body.success ? null : String(waits.at(-1)))
      wait(delayAfter(failure))
    }

    expect(waits).toEqual([undefined, undefined, 1, 2, 4, 8])
    expect((await login(person.username, PASSWORD)).body.success).toBe(true)
  })

  test('ends after ten failures within any hour, by the name or by the email address', async () => {
    const { login, person, wait, fail, email } = await open(database)
    await email(ANN)
    await fail(person.username, 6)
    for (let failure = 7; failure <= 10; failure++) {
      expect(codeOf(await login(ANN.toUpperCase()))).toBe('CREDENTIALS_WRONG')
      if (failure < 10) wait(delayAfter(failure))
    }

    for (const name of [person.username, ANN]) expect(codeOf(await login(name, PASSWORD))).toBe('GUESSES_LIMITED')
    wait(HOUR / 2)
    expect(codeOf(await login(person.username, PASSWORD))).toBe('GUESSES_LIMITED')
    wait(HOUR / 2)
    expect((await login(person.username, PASSWORD)).body.success).toBe(true)
  })

  test('cannot exceed the limit by concurrent tries, in two processes', async () => {
    const fixture = await open(database)
    const second = await serve({ ...fixture, toolkit: await fixture.another() })
    const clients = [fixture.visitor, openApi({ ...fixture, url: second.url }).anonymous()]

    const tries = Array.from({ length: 40 }, (_, index) =>
      fixture.login(fixture.person.username, WRONG, clients[index % 2]),
    )
    const codes = (await Promise.all(tries)).map(codeOf)

    expect(codes.filter((code) => code === 'CREDENTIALS_WRONG').length).toBeLessThanOrEqual(10)
    expect(codes.filter((code) => code === 'GUESSES_LIMITED').length).toBeGreaterThanOrEqual(30)
  })

  test('does not count sign-ins with the right password, also concurrent ones', async () => {
    const { login, person } = await open(database)
    for (let round = 0; round < 2; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => login(person.username, PASSWORD)))
      expect(answers.map(({ body }) => body.success)).toEqual(Array(8).fill(true))
    }
  })

  test('is limited in the same way for an unknown name, without a stored row', async () => {
    const { login, wait, fail, toolkit } = await open(database)
    await fail('no-such-user', 9)
    expect(codeOf(await login('no-such-user'))).toBe('CREDENTIALS_WRONG')
    expect(codeOf(await login('no-such-user'))).toBe('GUESSES_LIMITED')
    expect(JSON.stringify(await toolkit.db.reader('guesses'))).not.toContain('no-such-user')
    wait(HOUR + 1)
    await login('root', PASSWORD)
    expect(await toolkit.db.reader('guesses')).toEqual([])
  })

  test('is reported to the owner by mail, once an hour', async () => {
    const { fail, person, email, wait, toolkit, root } = await open(database)
    const mails = await startMailServer()
    await configureMail({ toolkit, root }, mails)
    await email(ANN)

    await fail(person.username, 4)
    expect(mails.mails).toEqual([])
    await fail(person.username, 7, 5)
    await expect.poll(() => mails.mails.length).toBe(1)
    expect(mails.newest(ANN).body).toContain(person.username)
    expect(mails.mails).toHaveLength(1)

    wait(HOUR)
    await fail(person.username, 5)
    await expect.poll(() => mails.mails.length).toBe(2)
  })

  test('does not lock out a session, nor a browser that signed in before', async () => {
    const { api, login, person, fail, visitor } = await open(database)
    const first = await login(person.username, PASSWORD)
    const [device = ''] = first.headers.getSetCookie().filter((line) => line.startsWith(`${DEVICE_COOKIE}=`))
    const session = await api.as(person)
    await fail(person.username, 10)
    const from = (cookie: string, password = PASSWORD, username = person.username) =>
      api.anonymous().post('/api/user/login', { username, password }, { cookie })
    const [cookie = ''] = device.split(';')

    expect(device).toMatch(/HttpOnly/i)
    expect(device).toMatch(/SameSite=Strict/i)
    expect(codeOf(await login(person.username, PASSWORD, visitor))).toBe('GUESSES_LIMITED')
    expect((await session.get('/api/user/self')).body.success).toBe(true)
    expect((await from(cookie)).body.success).toBe(true)
    // It is signed, for one account, and its failures are limited, too.
    expect(codeOf(await from(`${cookie}0`))).toBe('GUESSES_LIMITED')
    expect(codeOf(await from(`${DEVICE_COOKIE}=${'0'.repeat(32)}.`))).toBe('GUESSES_LIMITED')
    for (let failure = 0; failure < 3; failure++) expect(codeOf(await from(cookie, WRONG))).toBe('CREDENTIALS_WRONG')
    expect(codeOf(await from(cookie))).toBe('GUESSES_LIMITED')
  })

  test('does not lock out an owner who resets the password by mail', async () => {
    const { api, email, fail, login, person, toolkit, root } = await open(database)
    const mails = await startMailServer()
    await configureMail({ toolkit, root }, mails)
    await email(ANN)
    await fail(person.username, 10)
    await toolkit.passwordReset.sendLink(ANN, { language: 'zh' })
    const [, token = ''] = /token=([0-9a-f]{32})/.exec(mails.newest(ANN).body) ?? []

    const reset = await api.anonymous().post('/api/user/reset', { email: ANN, token })
    const [cookie = ''] = reset.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')

    expect(codeOf(await login(person.username, reset.body.data))).toBe('GUESSES_LIMITED')
    const known = { username: person.username, password: reset.body.data }
    expect((await api.anonymous().post('/api/user/login', known, { cookie })).body.success).toBe(true)
  })

  test('is possible again with a bot check solved for the try, but not with an earlier one', async () => {
    const cloudflare = createServer(async (request, response) => {
      let form = ''
      for await (const part of request) form += part
      response.end(JSON.stringify({ success: new URLSearchParams(form).get('response') === 'human' }))
    })
    await new Promise<void>((resolve) => cloudflare.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => new Promise<void>((resolve) => cloudflare.close(() => resolve())))
    const { port } = cloudflare.address() as { port: number }
    const fixture = await open(database, { TURNSTILE_URL: `http://127.0.0.1:${port}` })
    await fixture.set({ TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
    const { login, person, visitor, wait } = fixture
    const solved = '?turnstile=human'
    for (let failure = 1; failure <= 10; failure++) {
      expect(codeOf(await login(person.username, WRONG, visitor, failure === 1 ? solved : ''))).toBe(
        'CREDENTIALS_WRONG',
      )
      wait(delayAfter(failure))
    }

    expect(codeOf(await login(person.username, PASSWORD, visitor))).toBe('GUESSES_LIMITED')
    expect(codeOf(await login(person.username, PASSWORD, visitor, '?turnstile=robot'))).toBe('GUESSES_LIMITED')
    expect(codeOf(await login(person.username, WRONG, visitor, solved))).toBe('CREDENTIALS_WRONG')
    expect(codeOf(await login(person.username, PASSWORD, visitor))).toBe('GUESSES_LIMITED')
    expect((await login(person.username, PASSWORD, visitor, solved)).body.success).toBe(true)
  })

  test('takes as long for an unknown name as for one with any kind of hash', async () => {
    const { login, toolkit, user } = await open(database)
    const [modern, imported, elsewhere] = [await user(), await user(), await user()]
    const store = (id: number, password: string) =>
      toolkit.db.transaction((trx) => trx('users').where({ id }).update({ password }))
    await store(imported.id, bcrypt.hashSync(PASSWORD, 10))
    await store(elsewhere.id, '')
    const times: number[] = []
    for (const name of [modern.username, imported.username, elsewhere.username, 'no-such-user']) {
      const began = performance.now()
      expect(codeOf(await login(name))).toBe('CREDENTIALS_WRONG')
      times.push(performance.now() - began)
    }
    for (const time of times) expect(time).toBeGreaterThanOrEqual(249)
  })
})

onBoth('a password that is chosen', (_, database) => {
  const COMMON = ['password', 'Password1', '12345678', 'qwertyuiop', 'iloveyou1', 'PASSWORD123']

  test('rejects the most common ones, on every route', async () => {
    const { api, person, root, visitor } = await open(database)
    const [own, admin] = [await api.as(person), await api.as(root)]
    for (const password of COMMON) {
      const answers = [
        await visitor.post('/api/user/register', { username: 'bob', password }),
        await own.put('/api/user/self', { password }),
        await admin.post('/api/user/', { username: 'bob', password }),
        await admin.put('/api/user/', { id: person.id, password }),
      ]
      expect(answers.map(codeOf), password).toEqual(Array(4).fill('PASSWORD_COMMON'))
    }
  })

  test('accepts more than 20 characters only if an option says so, and never more than 128', async () => {
    const { visitor, set } = await open(database)
    const register = async (length: number, username: string) =>
      codeOf(await visitor.post('/api/user/register', { username, password: 'xy7'.repeat(50).slice(0, length) }))

    expect([await register(7, 'a7'), await register(21, 'a21')]).toEqual(['FIELD_LENGTH', 'FIELD_LENGTH'])
    await set({ PasswordLengthMax: '128' })
    expect([await register(128, 'a128'), await register(129, 'a129')]).toEqual([undefined, 'FIELD_LENGTH'])
    for (const value of ['19', '129', 'x']) await expect(set({ PasswordLengthMax: value })).rejects.toThrow()
  })
})

onBoth('a name that looks like another', (_, database) => {
  const LOOKALIKES = [
    ['Admin', 'case'],
    ['аdmin', 'Cyrillic a'],
    ['аⅾⅿіn', 'Cyrillic and Roman numerals'],
    ['ａｄｍｉｎ', 'full width'],
    ['АDMIN', 'Cyrillic A, capitals'],
    ['αdmin', 'Greek alpha'],
  ] as const

  test('is not registered, nor set later', async () => {
    const { visitor, user, api, person } = await open(database)
    await user({ username: 'admin' })
    for (const [username, why] of LOOKALIKES) {
      const answer = await visitor.post('/api/user/register', { username, password: PASSWORD })
      expect(codeOf(answer), why).toBe('USERNAME_LOOKALIKE')
      const renamed = await (await api.as(person)).put('/api/user/self', { username })
      expect(codeOf(renamed), why).toBe('USERNAME_LOOKALIKE')
    }
    const same = await visitor.post('/api/user/register', { username: 'admin', password: PASSWORD })
    expect(codeOf(same)).toBe('USERNAME_TAKEN')
  })

  test('is registered once by concurrent requests', async () => {
    const { api } = await open(database)
    const names = ['Carol', 'carol', 'саrol', 'CAROL', 'cаrol', 'ｃarol']
    const answers = await Promise.all(
      names.map((username) => api.anonymous().post('/api/user/register', { username, password: PASSWORD })),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
  })

  test('in one script, or another word, is allowed', async () => {
    const { visitor, user, api, person } = await open(database)
    await user({ username: 'admin' })
    for (const username of ['admins', 'Олег', '李雷', 'Ali', 'all', 'ann-2']) {
      const answer = await visitor.post('/api/user/register', { username, password: PASSWORD })
      expect(codeOf(answer), username).toBeUndefined()
    }
    // One's own name in another case.
    const client = await api.as(person)
    expect((await client.put('/api/user/self', { username: person.username.toUpperCase() })).body.success).toBe(true)
  })
})

onBoth('requests for reset links', (_, database) => {
  const ask = (client: ApiClient, email: string, headers: Record<string, string> = {}) =>
    client.get(`/api/reset_password?email=${encodeURIComponent(email)}`, headers)

  test('are limited for each email address and for each client, in all processes', async () => {
    const fixture = await open(database, { TRUST_PROXY: 'on' })
    const mails = await startMailServer()
    await configureMail(fixture, mails)
    await fixture.email(ANN)
    const second = await serve({ ...fixture, toolkit: await fixture.another() }, { settings: { TRUST_PROXY: 'on' } })
    const clients = [fixture.visitor, openApi({ ...fixture, url: second.url }).anonymous()]
    const from = (address: string) => ({ 'x-forwarded-for': address })

    for (let request = 0; request < 5; request++) {
      const answer = await ask(clients[request % 2] as ApiClient, ANN, from(`203.0.113.${request}`))
      expect(answer.body.success).toBe(true)
      fixture.wait(60)
    }
    expect(codeOf(await ask(fixture.visitor, ANN.toUpperCase(), from('203.0.113.99')))).toBe('RESET_LIMITED')
    expect(mails.mails).toHaveLength(5)

    for (let request = 0; request < 10; request++) {
      const answer = await ask(clients[request % 2] as ApiClient, `n${request}@example.org`, from('203.0.113.77'))
      expect(codeOf(answer)).toBe('EMAIL_UNREGISTERED')
    }
    for (const client of clients) {
      expect(codeOf(await ask(client, 'other@example.org', from('203.0.113.77')))).toBe('RESET_LIMITED')
    }
    fixture.wait(HOUR)
    expect((await ask(fixture.visitor, ANN, from('203.0.113.77'))).body.success).toBe(true)
  })

  test('have the same reply for known and unknown addresses if an option says so', async () => {
    const fixture = await open(database)
    const mails = await startMailServer()
    await configureMail(fixture, mails)
    await fixture.email(ANN)
    expect(codeOf(await ask(fixture.visitor, 'eve@example.org'))).toBe('EMAIL_UNREGISTERED')
    await fixture.set({ PasswordResetUniformReply: 'true' })
    fixture.wait(60)

    const replies = async (email: string) => {
      const answers = [await ask(fixture.visitor, email), await ask(fixture.visitor, email)]
      return answers.map(({ status, text, headers }) => [status, text, headers.get('tollgate-error')])
    }
    const known = await replies(ANN)
    expect(await replies('eve@example.org')).toEqual(known)
    expect(known[0]).toEqual([200, '{"success":true,"message":""}', null])
    await expect.poll(() => mails.mails.length).toBe(1)

    // Nor does a mail server that is down tell.
    await fixture.set({ SMTPPort: '1' })
    fixture.wait(60)
    expect((await replies(ANN))[0]).toEqual((await replies('eve@example.org'))[0])
  })
})

describe('calls from one IPv6 site', () => {
  test('are counted by /64 and by /48', async () => {
    const fixture = await openTestGateway({
      settings: { TRUST_PROXY: 'on', CRITICAL_RATE_LIMIT_ENABLE: 'true', CRITICAL_RATE_LIMIT: '3' },
    })
    const status = async (address: string) =>
      (await fetch(`${fixture.url}/api/user/reset`, { method: 'POST', headers: { 'x-forwarded-for': address } })).status
    const statuses: number[] = []
    for (let network = 0; network < 14; network++) statuses.push(await status(`2001:db8:1:${network.toString(16)}::1`))

    expect(statuses.slice(0, 12).every((each) => each !== 429)).toBe(true)
    expect(statuses.slice(12)).toEqual([429, 429])
    expect(await status('2001:db8:2::1')).not.toBe(429)
    for (let host = 1; host < 3; host++) await status(`2001:db8:2::${host + 1}`)
    expect(await status('2001:db8:2::9')).toBe(429)
    expect(await status('198.51.100.1')).not.toBe(429)
  })
})

test('two gateways on PostgreSQL share their counts', async ({ skip }) => {
  await skipWithoutPostgres({ skip })
  const fixture = await open('postgres')
  await fixture.fail(fixture.person.username, 10)
  const second = await serve({ ...fixture, toolkit: await fixture.another() })
  const elsewhere = openApi({ ...fixture, url: second.url }).anonymous()
  expect(codeOf(await fixture.login(fixture.person.username, PASSWORD, elsewhere))).toBe('GUESSES_LIMITED')
})
