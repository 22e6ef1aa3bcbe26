import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../../core/options/registry.ts'
import { MODEL_RATIO } from '../../../core/pricing/defaults.ts'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

const EN = { 'accept-language': 'en' }
const SECRETS = [
  'SMTPToken',
  'MetricsToken',
  'TelegramBotToken',
  'WeChatServerToken',
  'GitHubClientSecret',
  'LinuxDOClientSecret',
  'OIDCClientSecret',
  'TurnstileSiteKey',
  'TurnstileSecretKey',
  'EpayKey',
  'WorkerValidKey',
]

async function openOptions() {
  const fixture = await openGateway()
  const root = await openApi(fixture).as(fixture.root)
  const put = (key: unknown, value?: unknown, headers?: Record<string, string>) =>
    root.put('/api/option/', { key, value }, headers)
  return { fixture, root, put }
}

describe('GET /api/option/', () => {
  test('lists every option except secrets, with text values', async () => {
    const { fixture, root, put } = await openOptions()
    for (const key of SECRETS) await put(key, 'hush-hush')

    const { status, body, text } = await root.get('/api/option/')

    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, message: '' })
    const values = new Map<string, string>(
      body.data.map(({ key, value }: { key: string; value: string }) => [key, value]),
    )
    expect([...values.keys()].sort()).toEqual(
      Object.keys(OPTIONS)
        .filter((key) => !SECRETS.includes(key))
        .sort(),
    )
    for (const value of values.values()) expect(typeof value).toBe('string')
    for (const key of [
      'ModelRatio',
      'ModelPrice',
      'CompletionRatio',
      'GroupRatio',
      'UserUsableGroups',
      'TopupGroupRatio',
      'Chats',
    ]) {
      expect(JSON.parse(values.get(key) ?? '')).toBeTypeOf('object')
    }
    expect(values.get('EmailDomainWhitelist')?.split(',')).toContain('gmail.com')
    expect(values.get('Price')).toBe('7.3')
    expect(values.get('DisplayInCurrencyEnabled')).toBe('true')
    expect(text).not.toContain('hush-hush')
    expect((await openApi(fixture).anonymous().get('/api/status')).body.data.turnstile_site_key).toBe('hush-hush')
  })

  test('returns the effective value if none is stored, and keeps a concurrently changed value', async () => {
    const { root } = await openOptions()
    const save = (value: string, was?: string) => root.put('/api/option/', { key: 'TopUpLink', value, was })
    const row = async () =>
      (await root.get('/api/option/')).body.data.find(({ key }: { key: string }) => key === 'TopUpLink')

    expect((await save('https://one.example', '')).body.success).toBe(true)
    expect((await save('https://two.example', '')).body.success).toBe(false)

    expect(await row()).toEqual({ key: 'TopUpLink', value: 'https://one.example', default: '' })
    expect((await save('https://two.example', 'https://one.example')).body.success).toBe(true)
    expect((await row()).value).toBe('https://two.example')
  })

  test('shows the default of an option with an unreadable stored text, because it applies', async () => {
    const { fixture, root, put } = await openOptions()
    const imported = [
      { key: 'Chats', value: 'nonsense' },
      { key: 'GroupRatio', value: '{"vip":-1}' },
      { key: 'WorkerUrl', value: 'no address' },
    ]
    await fixture.toolkit.db.transaction((trx) => trx('options').insert(imported))
    await put('Notice', 'loads the others too')

    const { body } = await root.get('/api/option/')

    for (const { key, default: value } of [OPTIONS.Chats, OPTIONS.GroupRatio]) {
      expect(body.data).toContainEqual(expect.objectContaining({ key, value }))
    }
    expect(body.data).toContainEqual(expect.objectContaining({ key: 'WorkerUrl', value: 'no address' }))
  })

  test('is for root only', async () => {
    const { fixture } = await openOptions()
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))

    expect((await admin.get('/api/option/')).body).toEqual({ success: false, message: '无权进行此操作，权限不足' })
    expect((await admin.put('/api/option/', { key: 'Notice', value: 'x' })).body).toMatchObject({ success: false })
    expect((await admin.post('/api/option/rest_model_ratio')).body).toMatchObject({ success: false })
  })
})

describe('GET /api/option/secrets', () => {
  test('names the secrets with a value, and shows none', async () => {
    const { root, put } = await openOptions()
    const secrets = async () => await root.get('/api/option/secrets')
    expect((await secrets()).body).toEqual({ success: true, message: '', data: [] })
    await put('SMTPToken', 'hush-hush')
    await put('EpayKey', 'hush-hush')
    await put('SystemName', 'no secret')

    const { body, text } = await secrets()
    expect(body.data).toEqual(['SMTPToken', 'EpayKey'])
    expect(text).not.toContain('hush')
    await put('EpayKey', '')
    expect((await secrets()).body.data).toEqual(['SMTPToken'])
  })

  test('is for root only', async () => {
    const { fixture } = await openOptions()
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))

    expect((await admin.get('/api/option/secrets')).body).toEqual({
      success: false,
      message: '无权进行此操作，权限不足',
    })
  })
})

describe('PUT /api/option/', () => {
  test('stores a value unchanged, without data in the reply', async () => {
    const { root, put } = await openOptions()
    const value = '  Größe 额度 "<b>" \\n\n '

    expect(await put('Footer', value)).toMatchObject({ status: 200, body: { success: true, message: '' } })

    const { body } = await root.get('/api/option/')
    expect(body.data).toContainEqual(expect.objectContaining({ key: 'Footer', value }))
    expect((await put('Footer', '')).body).not.toHaveProperty('data')
  })

  test('concurrent calls are all stored', async () => {
    const { root, put } = await openOptions()
    const keys = ['Notice', 'About', 'HomePageContent', 'Footer', 'Logo', 'SystemName', 'TopUpLink', 'ChatLink']

    const answers = await Promise.all(keys.map((key) => put(key, `${key} is set`)))

    for (const { body } of answers) expect(body.success).toBe(true)
    const { body } = await root.get('/api/option/')
    for (const key of keys) expect(body.data).toContainEqual(expect.objectContaining({ key, value: `${key} is set` }))
  })

  test('a secret without a value stays unchanged, and an empty text clears it', async () => {
    const { fixture, put } = await openOptions()
    await put('TelegramBotToken', 'hush')

    expect((await put('TelegramBotToken')).body).toEqual({ success: true, message: '' })
    expect((await put('TelegramBotToken', null)).body).toEqual({ success: true, message: '' })
    expect(fixture.toolkit.options.get(OPTIONS.TelegramBotToken)).toBe('hush')

    expect((await put('TelegramBotToken', '')).body.success).toBe(true)
    expect(fixture.toolkit.options.get(OPTIONS.TelegramBotToken)).toBe('')
  })

  test('another option without a value is cleared', async () => {
    const { fixture, put } = await openOptions()
    await put('Notice', 'hello')

    expect((await put('Notice')).body.success).toBe(true)

    expect(fixture.toolkit.options.get(OPTIONS.Notice)).toBe('')
  })

  test.each([
    ['no JSON', '{', /^无效的参数/, /^Invalid input/],
    ['nothing', undefined, /^无效的参数/, /^Invalid input/],
    ['a list', '[]', /^无效的参数/, /^Invalid input/],
    [
      'a number as value',
      { key: 'RetryTimes', value: 3 },
      '无效的参数：value 必须是字符串',
      'Invalid input: value must be text',
    ],
    [
      'an object as value',
      { key: 'GroupRatio', value: {} },
      '无效的参数：value 必须是字符串',
      'Invalid input: value must be text',
    ],
    [
      'a truth value',
      { key: 'DrawingEnabled', value: true },
      '无效的参数：value 必须是字符串',
      'Invalid input: value must be text',
    ],
    ['a number as key', { key: 5, value: 'x' }, '无效的参数：key 必须是字符串', 'Invalid input: key must be text'],
    ['no key', { value: 'x' }, '无效的参数：key 不能为空', 'Invalid input: key is required'],
  ])('%s returns 400', async (_, json, zh, en) => {
    const { root } = await openOptions()
    const message = (text: string | RegExp) => (text instanceof RegExp ? expect.stringMatching(text) : text)

    const answer = await root.put('/api/option/', json)
    const english = await root.put('/api/option/', json, EN)

    expect(answer).toMatchObject({ status: 400, body: { success: false, message: message(zh) } })
    expect(english).toMatchObject({ status: 400, body: { success: false, message: message(en) } })
  })

  test.each([
    [
      'GitHubOAuthEnabled',
      { GitHubClientId: 'id', GitHubClientSecret: 'secret' },
      '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！',
      'GitHub OAuth cannot be enabled yet: fill in GitHubClientId, GitHubClientSecret first',
    ],
    [
      'LinuxDOOAuthEnabled',
      { LinuxDOClientId: 'id', LinuxDOClientSecret: 'secret' },
      '无法启用 LinuxDO OAuth，请先填入 LinuxDO Client Id 以及 LinuxDO Client Secret！',
      'LinuxDO OAuth cannot be enabled yet: fill in LinuxDOClientId, LinuxDOClientSecret first',
    ],
    [
      'EmailDomainRestrictionEnabled',
      { EmailDomainWhitelist: 'example.com' },
      '无法启用邮箱域名限制，请先填入限制的邮箱域名！',
      'The restriction of mail domains cannot be enabled yet: fill in EmailDomainWhitelist first',
    ],
    [
      'WeChatAuthEnabled',
      { WeChatServerAddress: 'https://wechat.example.com' },
      '无法启用微信登录，请先填入微信登录相关配置信息！',
      'WeChat sign-in cannot be enabled yet: fill in WeChatServerAddress first',
    ],
    [
      'TurnstileCheckEnabled',
      { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret' },
      '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！',
      'The Turnstile check cannot be enabled yet: fill in TurnstileSiteKey, TurnstileSecretKey first',
    ],
  ])('%s requires its prerequisites', async (key, needed, zh, en) => {
    const { fixture, put } = await openOptions()
    await put('EmailDomainWhitelist', '')

    expect(await put(key, 'true')).toMatchObject({ status: 200, body: { success: false, message: zh } })
    expect((await put(key, 'true', EN)).body).toEqual({ success: false, message: en })
    expect((await put(key, 'false')).body.success).toBe(true)

    // By another process: what it stored a moment ago counts.
    const other = await fixture.another()
    for (const [name, value] of Object.entries(needed)) await other.options.set(fixture.root, name, value)
    expect((await put(key, 'true')).body).toEqual({ success: true, message: '' })
  })

  test.each([
    ['an unknown key', 'NoSuchOption', 'x', /NoSuchOption/],
    ['a name of JavaScript', '__proto__', 'x', /__proto__/],
    ['a ratio that is no JSON', 'GroupRatio', '{', '选项 GroupRatio 不是合法的 JSON 字符串'],
    ['a ratio that is no number', 'ModelRatio', '{"a":"1"}', '选项 ModelRatio 中 a 的值必须是数字'],
    ['a negative group ratio', 'GroupRatio', '{"vip":-1}', 'group ratio must be not less than 0: vip'],
    ['chats that are no list', 'Chats', '{}', '选项 Chats 必须是 JSON 数组'],
    ['a chat that is no object', 'Chats', '[1]', '选项 Chats 必须是 JSON 数组，其中每个对象只有一个键'],
    ['a count that is none', 'RetryTimes', 'many', '选项 RetryTimes 必须是整数'],
    ['a truth value that is none', 'DrawingEnabled', 'yes', '选项 DrawingEnabled 必须是 true 或 false'],
    ['a NUL character', 'Notice', 'a\0b', /value 不能包含空字符/],
    ['more than a megabyte', 'Notice', 'x'.repeat(1_100_000), '选项 Notice 不能超过 1 MB'],
    ['an address that is none', 'ServerAddress', 'gate', '选项 ServerAddress 必须为空，或是 http 或 https 地址'],
  ])('%s is rejected and changes nothing', async (_, key, value, message) => {
    const { fixture, put } = await openOptions()

    const { status, body } = await put(key, value)

    const text = typeof message === 'string' ? message : expect.stringMatching(message)
    expect({ status, body }).toEqual({ status: 200, body: { success: false, message: text } })
    expect(await fixture.toolkit.db.reader('options')).toEqual([])
  })

  test('password sign-in can be disabled', async () => {
    const { put } = await openOptions()

    expect((await put('PasswordLoginEnabled', 'false')).body).toEqual({ success: true, message: '' })
  })
})

describe('POST /api/option/rest_model_ratio', () => {
  test('restores the built-in ratios and keeps the other tables', async () => {
    const { fixture, root, put } = await openOptions()
    await put('ModelRatio', '{"mine":1}')
    await put('CompletionRatio', '{"mine":2}')

    const { status, body } = await root.post('/api/option/rest_model_ratio')

    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: '重置模型倍率成功' } })
    expect(fixture.toolkit.options.get(OPTIONS.ModelRatio)).toEqual(MODEL_RATIO)
    expect(fixture.toolkit.options.get(OPTIONS.CompletionRatio)).toEqual({ mine: 2 })
  })

  test('replies in English on request', async () => {
    const { root } = await openOptions()

    const { body } = await root.post('/api/option/rest_model_ratio', undefined, EN)

    expect(body).toEqual({ success: true, message: 'The model ratios are the built-in ones again' })
  })
})

describe('PUT /api/option/batch', () => {
  test('stores all of them, in any order of their dependencies, or none', async () => {
    const { fixture, root } = await openOptions()
    const put = (...changes: object[]) => root.put('/api/option/batch', { changes })
    const enabled = { key: 'GitHubOAuthEnabled', value: 'true' }
    const secret = { key: 'GitHubClientSecret', value: 'hush-hush' }

    expect((await put({ key: 'RetryTimes', value: '4' }, enabled, secret)).body.success).toBe(false)
    expect(fixture.toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)
    expect((await put(enabled, secret, { key: 'GitHubClientId', value: 'id' })).body.success).toBe(true)
    expect(fixture.toolkit.options.get(OPTIONS.GitHubOAuthEnabled)).toBe(true)
  })

  test('rejects values changed since the caller read them, and of two concurrent calls one', async () => {
    const { fixture, root } = await openOptions()
    const put = (value: string, was: string) =>
      root.put('/api/option/batch', { changes: [{ key: 'RetryTimes', value, was }] })

    const answers = await Promise.all([put('1', '0'), put('2', '0')])

    const refused = answers.filter(({ body }) => !body.success)
    expect(refused).toHaveLength(1)
    expect(refused[0]?.body.message).toContain('RetryTimes')
    const winner = answers.findIndex(({ body }) => body.success) + 1
    expect(fixture.toolkit.options.get(OPTIONS.RetryTimes)).toBe(winner)
  })
})

describe('POST /api/option/reset', () => {
  test('restores the defaults of all listed options, secrets included, or of none', async () => {
    const { fixture, root, put } = await openOptions()
    await put('RetryTimes', '4')
    await put('SMTPToken', 'hush-hush')

    expect((await root.post('/api/option/reset', { keys: ['RetryTimes', 'Nonsense'] })).body.success).toBe(false)
    expect(fixture.toolkit.options.get(OPTIONS.RetryTimes)).toBe(4)
    expect((await root.post('/api/option/reset', { keys: ['RetryTimes', 'SMTPToken'] })).body).toMatchObject({
      success: true,
    })
    expect(fixture.toolkit.options.get(OPTIONS.RetryTimes)).toBe(0)
    expect(fixture.toolkit.options.get(OPTIONS.SMTPToken)).toBe('')
  })

  test('removes no prerequisite of an enabled option, and neither does a batch', async () => {
    const { fixture, root, put } = await openOptions()
    const reset = async (...keys: string[]) => (await root.post('/api/option/reset', { keys }, EN)).body
    const batch = async (...changes: object[]) => (await root.put('/api/option/batch', { changes }, EN)).body
    for (const key of ['GitHubClientId', 'GitHubClientSecret']) await put(key, 'x')
    await put('GitHubOAuthEnabled', 'true')
    const kept = {
      success: false,
      message: 'GitHubClientId cannot be empty while GitHubOAuthEnabled is true: set GitHubOAuthEnabled to false first',
    }
    const emptied = { key: 'GitHubClientId', value: '' }

    expect(await reset('RetryTimes', 'GitHubClientId')).toEqual(kept)
    expect(await batch(emptied)).toEqual(kept)
    expect(fixture.toolkit.options.get(OPTIONS.GitHubClientId)).toBe('x')
    expect((await batch(emptied, { key: 'GitHubOAuthEnabled', value: 'false' })).success).toBe(true)
    await put('GitHubClientId', 'x')
    await put('GitHubOAuthEnabled', 'true')
    expect((await reset('GitHubClientId', 'GitHubOAuthEnabled')).success).toBe(true)
    expect(fixture.toolkit.options.get(OPTIONS.GitHubOAuthEnabled)).toBe(false)
  })
})
