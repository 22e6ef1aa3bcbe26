import { createHash, createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { type ApiAnswer, type ApiClient, openApi } from '../support/api.ts'
import { post } from '../support/chat.ts'
import { keyOf, openTestGateway } from '../support/gateway.ts'
import { codeIn, configureMail, startMailServer } from '../support/mail.ts'
import { type DatabaseKind, onBoth, PASSWORD, type Person } from '../support/toolkit.ts'

/** The attack: a person who has a session, an access token or a key of a user keeps the account after the user has acted. */

const NEW = 'a new secret'
const ANN = 'ann@example.org'
const ELEVEN_MINUTES = 11 * 60

async function open(database: DatabaseKind) {
  let time = 1_800_000_000
  const fixture = await openTestGateway({ database, now: () => time })
  const api = openApi(fixture)
  const person = await fixture.user()
  const login = async (password: string, who: Pick<Person, 'id' | 'username'> = person) => {
    const visitor = api.anonymous()
    const answer = await visitor.post('/api/user/login', { username: who.username, password })
    const headers = { 'tollgate-user': String(who.id), cookie: visitor.cookie() }
    return { answer, get: (path: string) => api.anonymous().get(path, headers), headers }
  }
  return { ...fixture, api, person, login, wait: (seconds: number) => (time += seconds) }
}

function codeOf({ headers }: ApiAnswer): string | undefined {
  const named = headers.get('tollgate-error')
  return named === null ? undefined : (JSON.parse(decodeURIComponent(named)) as { code: string }).code
}

async function usable(client: ApiClient): Promise<boolean> {
  return (await client.get('/api/user/self')).body.success === true
}

onBoth('credentials of a user', (_, database) => {
  /** A victim, with every credential in a thief's hands. */
  async function openStolen() {
    const fixture = await open(database)
    const mails = await startMailServer()
    await configureMail(fixture, mails)
    await fixture.toolkit.db.transaction((trx) => trx('users').where({ id: fixture.person.id }).update({ email: ANN }))
    const key = keyOf(await fixture.token(fixture.person))
    const stolenToken = await fixture.api.byAccessToken(fixture.person)
    const stolenSession = await fixture.api.as(fixture.person)
    const client = await fixture.api.as(fixture.person)
    const keyStatus = async () => (await post({ url: fixture.url, key, body: { model: 'none', messages: [] } })).status
    expect([await usable(stolenToken), await usable(stolenSession), await keyStatus()]).toEqual([true, true, 404])
    return { ...fixture, mails, stolenToken, stolenSession, ownClient: client, keyStatus }
  }
  type Stolen = Awaited<ReturnType<typeof openStolen>>

  const WAYS: [string, (fixture: Stolen, extra: object) => Promise<ApiAnswer>][] = [
    [
      'its user changes the password',
      ({ ownClient }, extra) =>
        ownClient.put('/api/user/self', { password: NEW, current_password: PASSWORD, ...extra }),
    ],
    [
      'its user resets the password by mail',
      async ({ api, mails, toolkit }, extra) => {
        await toolkit.passwordReset.sendLink(ANN, { language: 'zh' })
        const [, token = ''] = /token=([0-9a-f]{32})/.exec(mails.newest(ANN).body) ?? []
        return api.anonymous().post('/api/user/reset', { email: ANN, token, ...extra })
      },
    ],
    [
      'an administrator sets the password',
      async ({ api, root, person }, extra) =>
        (await api.as(root)).put('/api/user/', { id: person.id, password: NEW, ...extra }),
    ],
  ]

  test.each(WAYS)('are revoked after %s: sessions and the access token, the keys on request', async (_name, act) => {
    const fixture = await openStolen()

    expect((await act(fixture, {})).body.success).toBe(true)

    expect([await usable(fixture.stolenToken), await usable(fixture.stolenSession)]).toEqual([false, false])
    expect(await fixture.toolkit.accessTokens.own(fixture.person)).toBeNull()
    expect(await fixture.keyStatus()).toBe(404)
  })

  test.each(WAYS)('are revoked after %s, keys included', async (_name, act) => {
    const fixture = await openStolen()
    const { callers, teams } = fixture.toolkit
    const team = await teams.create(fixture.person, { name: 'Stolen too' })
    const ofTeam = await teams.keys.create(fixture.person, team.id, { name: 'app', unlimited_quota: true })

    expect((await act(fixture, { revoke_keys: true })).body.success).toBe(true)

    expect([await usable(fixture.stolenToken), await usable(fixture.stolenSession)]).toEqual([false, false])
    expect(await fixture.keyStatus()).toBe(401)
    expect((await fixture.toolkit.tokens.list(fixture.person)).items).toEqual([])
    expect(await callers.findToken(ofTeam.key)).toBeUndefined()
  })

  test.each(['disable', 'delete'])('are revoked after an administrator uses %s, and stay so', async (action) => {
    const fixture = await openStolen()
    const admin = await fixture.api.as(fixture.root)

    await admin.post('/api/user/manage', { id: fixture.person.id, action })
    await admin.post('/api/user/manage', { id: fixture.person.id, action: 'enable' })

    expect([await usable(fixture.stolenToken), await usable(fixture.stolenSession)]).toEqual([false, false])
  })

  test('are revoked after an administrator promotes or demotes: none gains or keeps rights', async () => {
    const fixture = await openStolen()
    const admin = await fixture.api.as(fixture.root)
    const { id } = fixture.person

    expect((await admin.post('/api/user/manage', { id, action: 'promote' })).body.success).toBe(true)
    expect([await usable(fixture.stolenToken), await usable(fixture.stolenSession)]).toEqual([false, false])

    const ofAdmin = [await fixture.api.byAccessToken(fixture.person), await fixture.api.as(fixture.person)]
    expect(await Promise.all(ofAdmin.map(usable))).toEqual([true, true])
    expect((await admin.post('/api/user/manage', { id, action: 'demote' })).body.success).toBe(true)
    expect(await Promise.all(ofAdmin.map(usable))).toEqual([false, false])
    expect(await fixture.keyStatus()).toBe(404)
  })

  test('keep the keys listed by the user', async () => {
    const { api, person, token } = await open(database)
    const { key } = await token(person)
    const { body } = await (await api.as(person)).get('/api/token/?p=0&size=10')
    expect(body.data[0].key).toBe(key)
  })

  const CHANGES: [string, (client: ApiClient, proof: object) => Promise<ApiAnswer>][] = [
    ['the password', (client, proof) => client.put('/api/user/self', { password: NEW, ...proof })],
    [
      'the mail address',
      (client, proof) => client.put('/api/user/self/email', { email: 'eve@example.org', code: 'abcdef', ...proof }),
    ],
  ]
  const NAVIGATED: [string, (client: ApiClient) => Promise<ApiAnswer>][] = [
    ['the access token', (client) => client.get('/api/user/token')],
    ['the mail address', (client) => client.get('/api/oauth/email/bind?email=eve@example.org&code=abcdef')],
  ]

  test.each(CHANGES)('do not let an old session change %s without the current password', async (_name, change) => {
    const { api, person, wait } = await open(database)
    const session = await api.as(person)
    wait(ELEVEN_MINUTES)

    expect(codeOf(await change(session, {}))).toBe('CURRENT_PASSWORD_NEEDED')
    expect(codeOf(await change(session, { current_password: 'wrong password' }))).toBe('CURRENT_PASSWORD_WRONG')
    expect(codeOf(await change(session, { current_password: PASSWORD }))).toBeOneOf([undefined, 'CODE_WRONG'])
  })

  test.each(NAVIGATED)('do not let an old session change %s until the password is entered', async (_name, change) => {
    const { api, person, wait } = await open(database)
    const session = await api.as(person)
    wait(ELEVEN_MINUTES)

    expect(codeOf(await change(session))).toBe('CURRENT_PASSWORD_NEEDED')
    const wrong = await session.post('/api/user/self/confirm', { password: 'wrong password' })
    expect([codeOf(wrong), codeOf(await change(session))]).toEqual([
      'CURRENT_PASSWORD_WRONG',
      'CURRENT_PASSWORD_NEEDED',
    ])
    expect((await session.post('/api/user/self/confirm', { password: PASSWORD })).body.success).toBe(true)
    expect(codeOf(await change(session))).toBeOneOf([undefined, 'CODE_WRONG'])
    wait(ELEVEN_MINUTES)
    expect(codeOf(await change(session))).toBe('CURRENT_PASSWORD_NEEDED')
  })

  test('let a fresh session change them, also of a user without a password', async () => {
    const { api, person, toolkit, wait } = await open(database)
    await toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ password: '' }))
    const session = await api.as(person)
    wait(9 * 60)

    expect((await session.get('/api/user/token')).body.success).toBe(true)
    expect((await session.put('/api/user/self', { password: NEW })).body.success).toBe(true)
    wait(2 * 60)
    // The browser that set it stays signed in, and has proven who it is.
    expect((await session.get('/api/user/token')).body.success).toBe(true)
  })

  test('do not let an old session bind an external account, which could start a fresh session', async () => {
    const { api, person, toolkit, root, wait } = await open(database)
    await toolkit.options.set(root, 'TelegramBotToken', 'bot')
    await toolkit.options.set(root, 'TelegramOAuthEnabled', 'true')
    const auth_date = String(Math.floor(Date.now() / 1000))
    const signed = { auth_date, id: '77' }
    const text = Object.entries(signed).map(([name, value]) => `${name}=${value}`)
    const hash = createHmac('sha256', createHash('sha256').update('bot').digest()).update(text.join('\n')).digest('hex')
    const path = `/api/oauth/telegram/bind?${new URLSearchParams({ ...signed, hash })}`
    const session = await api.as(person)
    wait(ELEVEN_MINUTES)

    expect(codeOf(await session.get(path))).toBe('CURRENT_PASSWORD_NEEDED')
    expect((await toolkit.accounts.get(root, person.id)).telegram_id).toBe('')
    await session.post('/api/user/self/confirm', { password: PASSWORD })
    expect((await session.get(path)).status).toBe(302)
  })

  test('do not let an access token change the password, nor the address for password mails', async () => {
    const { api, person, root, login } = await open(database)
    const script = await api.byAccessToken(person)
    const rootScript = await api.byAccessToken(root)

    for (const current_password of ['', PASSWORD]) {
      const change = { password: NEW, current_password }
      expect(codeOf(await script.put('/api/user/self', change))).toBe('ACCESS_TOKEN_PASSWORD')
      expect(codeOf(await rootScript.put('/api/user/', { id: root.id, ...change }))).toBe('ACCESS_TOKEN_PASSWORD')
    }
    const email = { email: 'eve@example.org', code: 'abcdef' }
    expect(codeOf(await script.put('/api/user/self/email', email))).toBe('CURRENT_PASSWORD_NEEDED')
    expect((await script.get('/api/oauth/email/bind?email=eve@example.org&code=abcdef')).status).toBe(401)
    expect((await login(PASSWORD)).answer.body.success).toBe(true)
  })

  test("of root are protected on the administrators' route, too", async () => {
    const { api, root, wait } = await open(database)
    const session = await api.as(root)
    wait(ELEVEN_MINUTES)

    const change = (proof: object) => session.put('/api/user/', { id: root.id, password: NEW, ...proof })
    expect(codeOf(await change({}))).toBe('CURRENT_PASSWORD_NEEDED')
    expect((await change({ current_password: PASSWORD })).body.success).toBe(true)
  })

  test('limit how often a stolen session may guess the password', async () => {
    const { api, person, wait } = await open(database)
    const session = await api.as(person)
    const confirm = (password: string) => session.post('/api/user/self/confirm', { password })
    const codes: (string | undefined)[] = []
    for (let guess = 0; guess < 10; guess++) {
      codes.push(codeOf(await confirm('wrong password')))
      wait(300)
    }
    expect(new Set(codes)).toEqual(new Set(['CURRENT_PASSWORD_WRONG']))
    expect(codeOf(await confirm(PASSWORD))).toBe('GUESSES_LIMITED')
    const change = await session.put('/api/user/self', { password: NEW, current_password: PASSWORD })
    expect(codeOf(change)).toBe('GUESSES_LIMITED')
    // Sign-ins are counted apart.
    wait(3600)
    expect((await confirm(PASSWORD)).body.success).toBe(true)
  })

  test('two changes with one proof: the second is rejected', async () => {
    const { toolkit, person } = await open(database)
    const passwordHash = await toolkit.accounts.confirmPassword(person, PASSWORD)
    await toolkit.profile.update(person, { password: NEW }, { passwordHash })
    const late = toolkit.profile.update(person, { password: 'chosen by a thief' }, { passwordHash })
    await expect(late).rejects.toMatchObject({ code: 'CURRENT_PASSWORD_WRONG' })
  })

  test('the mailed code stays valid if the proof is missing', async () => {
    const { api, person, toolkit, root, wait } = await open(database)
    const mails = await startMailServer()
    await configureMail({ toolkit, root }, mails)
    await toolkit.registration.sendCode(ANN, 'zh')
    const bind = { email: ANN, code: codeIn(mails.newest(ANN)) }
    const script = await api.byAccessToken(person)
    wait(60)

    expect(codeOf(await script.put('/api/user/self/email', bind))).toBe('CURRENT_PASSWORD_NEEDED')
    const proven = await script.put('/api/user/self/email', { ...bind, current_password: PASSWORD })
    expect(proven.body.success).toBe(true)
  })
})
