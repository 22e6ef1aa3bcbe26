import { expect, test } from 'vitest'
import { delayAfter } from '../../../core/accounts/guesses.ts'
import { type ApiClient, openApi } from '../../support/api.ts'
import { openTestGateway, type Settings } from '../../support/gateway.ts'
import { codeIn, configureMail, startMailServer } from '../../support/mail.ts'
import { GITHUB_APP, startGitHub } from '../../support/sign-in/github.ts'
import { LINUXDO_APP, startLinuxDo } from '../../support/sign-in/linuxdo.ts'
import { OIDC_CLIENT, startOidc } from '../../support/sign-in/oidc.ts'
import { signed, TELEGRAM_BOT } from '../../support/sign-in/telegram.ts'
import { beginSignIn, comeBack, setOptions } from '../../support/sign-in/visit.ts'
import { startWeChat, WECHAT_TOKEN } from '../../support/sign-in/wechat.ts'
import { type DatabaseKind, onBoth, PASSWORD } from '../../support/toolkit.ts'

/** Wrong passwords within an hour, before the owner gets a letter. */
const NOTICE_FAILURES = 5
const ANN = 'ann@example.org'
const speaking = (language: string) => ({ 'accept-language': language })

async function open(database: DatabaseKind = 'sqlite', settings: Settings = {}, now?: () => number) {
  const fixture = await openTestGateway({ database, settings, ...(now && { now }) })
  const api = openApi(fixture)
  const users = () => fixture.toolkit.db.reader('users')
  return {
    ...fixture,
    api,
    visitor: api.anonymous(),
    async languageOf(username: string): Promise<string> {
      return (await users().where({ username }).first('language')).language
    },
    async email(username: string): Promise<void> {
      await fixture.toolkit.db.transaction((trx) => trx('users').where({ username }).update({ email: ANN }))
    },
    async mailServer() {
      const server = await startMailServer()
      await configureMail(fixture, server)
      return server
    },
  }
}

onBoth('the language of mails to a user', (_, database) => {
  test('is that of the registration, and then of each sign-in with a language', async () => {
    const { visitor, languageOf, user } = await open(database)
    const applicant = { username: 'ann', password: PASSWORD }

    await visitor.post('/api/user/register', applicant, speaking('en-US,en;q=0.9'))
    expect(await languageOf('ann')).toBe('en')
    for (const [language, stored] of [
      ['zh-CN', 'zh'],
      ['*', 'zh'],
      ['fr', 'zh'],
      ['zh;q=0.1,en;q=0.5', 'en'],
      ['de,zh;q=0', 'en'],
    ] as const) {
      await visitor.post('/api/user/login', applicant, speaking(language))
      expect(await languageOf('ann'), language).toBe(stored)
    }

    // A program that names no language, and an administrator who makes an account, know none.
    await visitor.post('/api/user/register', { ...applicant, username: 'bob' })
    expect(await languageOf('bob')).toBe('')
    expect(await languageOf((await user()).username)).toBe('')
  })

  test('is not changed by a failed sign-in, nor by other requests in another language', async () => {
    const { api, visitor, languageOf, user } = await open(database)
    const person = await user({ password: PASSWORD })
    const { username } = person

    await visitor.post('/api/user/login', { username, password: 'wrong password' }, speaking('en'))
    const browser = await api.as(person)
    for (const path of ['/api/user/self', '/api/user/models', '/api/token/']) await browser.get(path, speaking('en'))
    await browser.put('/api/user/self', { display_name: 'Ann' }, speaking('en'))

    expect(await languageOf(username)).toBe('')
  })

  test("follows the user's choice, and is in no reply", async () => {
    const { api, languageOf, user } = await open(database)
    const person = await user()
    const other = await user()
    const browser = await api.as(person)
    const choose = async (language: unknown) => {
      const { body } = await browser.put('/api/user/self', { language }, speaking('zh'))
      return { success: body.success, stored: await languageOf(person.username) }
    }

    expect(await choose('en')).toEqual({ success: true, stored: 'en' })
    for (const none of ['', 'fr', null]) expect(await choose(none)).toEqual({ success: true, stored: 'en' })
    expect(await choose(7)).toEqual({ success: false, stored: 'en' })
    expect(await choose('zh-CN')).toEqual({ success: true, stored: 'zh' })
    expect(await languageOf(other.username)).toBe('')
    expect((await browser.get('/api/user/self')).body.data).not.toHaveProperty('language')
  })

  test('is not written again while it is unchanged', async () => {
    const { api, toolkit, user } = await open(database)
    const person = await user()
    const browser = await api.as(person)
    const newest = async () => (await toolkit.db.reader('changes').max('id as id'))[0]?.id

    await browser.put('/api/user/self', { language: 'en' })
    const before = await newest()
    await browser.put('/api/user/self', { language: 'en' })
    expect(await newest()).toBe(before)
  })

  test('applies to the mail about wrong passwords, not that of the request', async () => {
    let time = 1_800_000_000
    const fixture = await open(database, {}, () => time)
    const server = await fixture.mailServer()

    for (const [language, text] of [
      ['en', 'failed within an hour because of wrong passwords'],
      ['zh', '在一小时内多次因密码错误登录失败'],
      ['', '在一小时内多次因密码错误登录失败'],
    ] as const) {
      const { username, id } = await fixture.user()
      const email = `${username}@example.org`
      await fixture.toolkit.db.transaction((trx) => trx('users').where({ id }).update({ language, email }))
      const stranger = speaking(language === 'en' ? 'zh' : 'en')
      for (let failure = 1; failure <= NOTICE_FAILURES; failure++) {
        await fixture.visitor.post('/api/user/login', { username, password: 'wrong password' }, stranger)
        time += delayAfter(failure)
      }
      await expect.poll(() => server.mails.filter(({ to }) => to.includes(email))).toHaveLength(1)
      expect(server.newest(email).body).toContain(text)
    }
  })
})

test('a code and a reset link use the language of their request, not that of the account', async () => {
  const { visitor, user, email, toolkit, mailServer } = await open()
  const server = await mailServer()
  const { username, id } = await user()

  for (const [language, text] of [
    ['en-GB', 'Your verification code'],
    ['zh', '您的验证码为'],
    ['*', '您的验证码为'],
  ] as const) {
    const address = `${text.length}-${language.length}@example.org`
    await visitor.get(`/api/verification?email=${address}`, speaking(language))
    expect(codeIn(server.newest(address))).not.toBe('')
    expect(server.newest(address).body).toContain(text)
  }

  await email(username)
  await toolkit.db.transaction((trx) => trx('users').where({ id }).update({ language: 'zh' }))
  await visitor.get(`/api/reset_password?email=${ANN}`, speaking('en'))
  expect(server.newest(ANN).body).toContain('to reset the password')
  expect(await toolkit.db.reader('users').where({ id }).first('language')).toEqual({ language: 'zh' })
})

/** Each way to sign in at another service, as a new user or as the one who is bound there. */
const WAYS: Record<string, () => Promise<{ settings?: Settings; options: Record<string, string>; signIn: SignIn }>> = {
  async github() {
    const github = await startGitHub()
    return {
      settings: { GITHUB_URL: github.url, GITHUB_API_URL: `${github.url}/api/v3` },
      options: {
        GitHubClientId: GITHUB_APP.client_id,
        GitHubClientSecret: GITHUB_APP.client_secret,
        GitHubOAuthEnabled: 'true',
      },
      signIn: async ({ browser, headers }) => {
        const code = github.allow({ login: 'ann', id: 583_231, name: 'Ann', email: ANN })
        return comeBack(browser, 'github', { code, state: await beginSignIn(browser) }, headers)
      },
    }
  },
  async linuxdo() {
    const linuxDo = await startLinuxDo()
    return {
      settings: { LINUXDO_URL: linuxDo.url },
      options: {
        LinuxDOClientId: LINUXDO_APP.id,
        LinuxDOClientSecret: LINUXDO_APP.secret,
        LinuxDOOAuthEnabled: 'true',
      },
      signIn: async ({ browser, headers, url }) => {
        linuxDo.callback = `${url}/api/oauth/linuxdo`
        const code = linuxDo.allow({ id: 4711, username: 'ann', name: 'Ann', trust_level: 0 })
        return comeBack(browser, 'linuxdo', { code, state: await beginSignIn(browser) }, headers)
      },
    }
  },
  async oidc() {
    const oidc = await startOidc()
    return {
      options: {
        OIDCIssuer: oidc.url,
        OIDCClientId: OIDC_CLIENT.id,
        OIDCClientSecret: OIDC_CLIENT.secret,
        OIDCEnabled: 'true',
      },
      signIn: async ({ browser, headers }) => {
        const { body } = await browser.get('/api/oauth/oidc/start')
        const arrival = oidc.allow(body.data, { sub: 'sub-4711', name: 'Ann' })
        return comeBack(browser, 'oidc', arrival, headers)
      },
    }
  },
  async wechat() {
    const weChat = await startWeChat()
    return {
      options: {
        WeChatServerAddress: `${weChat.url}/`,
        WeChatServerToken: WECHAT_TOKEN,
        WeChatAuthEnabled: 'true',
      },
      signIn: ({ browser, headers }) => comeBack(browser, 'wechat', { code: weChat.sendCode('oAnn') }, headers),
    }
  },
  async telegram() {
    return {
      options: { TelegramBotToken: TELEGRAM_BOT, TelegramOAuthEnabled: 'true' },
      signIn: ({ browser, headers }) => {
        const fields = { id: '42', first_name: 'Ann', auth_date: String(Math.floor(Date.now() / 1000) - 5) }
        return comeBack(browser, 'telegram/login', signed(fields), headers)
      },
    }
  },
}
type SignIn = (visit: {
  browser: ApiClient
  headers: Record<string, string>
  url: string
}) => ReturnType<typeof comeBack>

test.each(Object.keys(WAYS))('a sign-in by %s sets the language of mails', async (provider) => {
  const way = WAYS[provider]
  if (!way) throw new Error(provider)
  const { settings, options, signIn } = await way()
  const fixture = await open('sqlite', settings)
  await setOptions(fixture, options)
  // Telegram makes no users.
  if (provider === 'telegram') await fixture.toolkit.identities.bind(await fixture.user(), { provider, id: '42' })

  const languages: string[] = []
  for (const language of ['en', '*', 'zh-CN']) {
    const visit = { browser: fixture.api.anonymous(), headers: speaking(language), url: fixture.url }
    const { body } = await signIn(visit)
    expect(body).toMatchObject({ success: true, data: { id: 2 } })
    expect(body.data).not.toHaveProperty('language')
    languages.push(await fixture.languageOf(body.data.username))
  }

  expect(languages).toEqual(['en', 'en', 'zh'])
})
