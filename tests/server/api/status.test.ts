import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/version.ts'
import { openApi } from '../../support/api.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { importOptions } from '../../support/imported.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()

test('every reply below /api/ has the version, errors and unknown paths too; those of the relay do not', async () => {
  const { url } = await openGateway()
  const versionOf = async (path: string) => (await fetch(url + path)).headers.get('tollgate-version')
  expect(await Promise.all(['/api/status', '/api/user/self', '/api/no/such/path'].map(versionOf))).toEqual([
    VERSION,
    VERSION,
    VERSION,
  ])
  expect(await versionOf('/v1/models')).toBeNull()
})

describe('GET /api/status', () => {
  test('shows the current options for clients', async () => {
    const fixture = await openGateway()
    const client = openApi(fixture).anonymous()
    const options = {
      ServerAddress: 'https://gw.example.com/',
      TopUpLink: 'https://shop.example.com',
      MinTopUp: '5',
      Price: '6.5',
      SystemName: 'Gate',
      Footer: '<b>foot</b>',
      QuotaPerUnit: '1000.5',
      DisplayInCurrencyEnabled: 'false',
      DrawingEnabled: 'false',
      DataExportDefaultTime: 'week',
      DefaultCollapseSidebar: 'true',
      Chats: '[{"A":"b"}]',
      TelegramBotName: 'bot',
    }
    for (const [key, value] of Object.entries(options)) await fixture.toolkit.options.set(fixture.root, key, value)

    const { status, body } = await client.get('/api/status')

    expect(status).toBe(200)
    expect(body).toMatchObject({
      success: true,
      message: '',
      data: {
        server_address: 'https://gw.example.com',
        top_up_link: 'https://shop.example.com',
        min_topup: 5,
        price: 6.5,
        system_name: 'Gate',
        footer_html: '<b>foot</b>',
        quota_per_unit: 1000.5,
        display_in_currency: false,
        enable_drawing: false,
        data_export_default_time: 'week',
        default_collapse_sidebar: true,
        chats: [{ A: 'b' }],
        telegram_bot_name: 'bot',
      },
    })
  })

  test('returns the standard or configured start page of each external sign-in', async () => {
    const pages = async (settings = {}) => {
      const { body } = await openApi(await openGateway({ settings }))
        .anonymous()
        .get('/api/status')
      return [body.data.github_authorize_url, body.data.linuxdo_authorize_url, body.data.turnstile_script_url]
    }

    expect(await pages()).toEqual([
      'https://github.com/login/oauth/authorize',
      'https://connect.linux.do/oauth2/authorize',
      'https://challenges.cloudflare.com/turnstile/v0/api.js',
    ])
    const own = {
      GITHUB_URL: 'https://git.example.com',
      LINUXDO_URL: 'https://l.test',
      TURNSTILE_URL: 'https://t.test',
    }
    expect(await pages(own)).toEqual([
      'https://git.example.com/login/oauth/authorize',
      'https://l.test/oauth2/authorize',
      'https://t.test/turnstile/v0/api.js',
    ])
  })

  test('offers online payment only while it is configured, and never shows the key', async () => {
    const fixture = await openGateway()
    const client = openApi(fixture).anonymous()
    const offered = async () => (await client.get('/api/status')).body.data.enable_online_topup
    const set = (key: string, value: string) => fixture.toolkit.options.set(fixture.root, key, value)

    expect(await offered()).toBe(false)
    await set('PayAddress', 'https://pay.example.com')
    await set('EpayId', '1001')
    expect(await offered()).toBe(false)
    await set('EpayKey', 'hush-hush')
    expect(await offered()).toBe(true)
    expect((await client.get('/api/status')).text).not.toContain('hush-hush')
    await importOptions(fixture, { PayAddress: 'javascript:alert(1)' })
    expect(await offered()).toBe(false)
  })
})

describe('GET /api/status/test', () => {
  test('reports to administrators that the database responds', async () => {
    const fixture = await openGateway()
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))

    const { status, body } = await admin.get('/api/status/test')

    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: 'Server is running' } })
  })

  test('returns 503 if it does not', async () => {
    const fixture = await openTestGateway()
    const admin = await openApi(fixture).as(fixture.root)
    await fixture.toolkit.db.transaction((trx) => trx.schema.renameTable('sessions', 'elsewhere'))

    expect(await admin.get('/api/status/test')).toMatchObject({
      status: 503,
      body: { success: false, message: '数据库连接失败' },
    })
    expect(await admin.get('/api/option/')).toMatchObject({ status: 500 })
  })

  test('is for administrators', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.get('/api/status/test')).body).toEqual({ success: false, message: '无权进行此操作，权限不足' })
    expect((await openApi(fixture).anonymous().get('/api/status/test')).status).toBe(401)
  })
})
