import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { reused } from '../../support/reused.ts'

const openGateway = reused()
const EN = { 'accept-language': 'en' }
const DOCUMENT = {
  version: 1,
  options: { SystemName: 'House', GitHubClientSecret: 'a secret' },
  groups: { default: { ratio: 1, description: 'all' } },
  channels: { openai: { type: 'openai', key: 'sk-upstream', models: ['gpt-4o'] } },
}

async function openRoot() {
  const fixture = await openGateway()
  return { fixture, root: await openApi(fixture).as(fixture.root) }
}

describe('GET /api/configuration', () => {
  test('returns the gateway as a document, with references instead of secrets', async () => {
    const { fixture, root } = await openRoot()
    await fixture.channel({ name: 'one', key: 'sk-hidden' })
    await fixture.toolkit.options.set(fixture.root, 'SMTPToken', 'a hidden token')

    const { body, text } = await root
      .get('/api/configuration')
      .then((answer) => ({ ...answer, text: JSON.stringify(answer.body) }))

    expect(body.data).toMatchObject({
      version: 1,
      options: { SMTPToken: 'env:TOLLGATE_OPTION_SMTPTOKEN' },
      channels: { one: { type: 'openai', key: 'env:TOLLGATE_CHANNEL_ONE', models: ['gpt-4o'] } },
    })
    expect(text).not.toMatch(/sk-hidden|a hidden token/)
  })
})

describe('POST /api/configuration/plan', () => {
  test('returns the planned changes, without secrets, and changes nothing', async () => {
    const { fixture, root } = await openRoot()
    const { body } = await root.post('/api/configuration/plan', { document: DOCUMENT })
    const { changes } = body.data as { changes: { section: string; name: string; action: string; version: string }[] }
    expect(changes).toContainEqual(
      expect.objectContaining({ section: 'channels', name: 'openai', action: 'create', version: 'none' }),
    )
    expect(JSON.stringify(body)).not.toMatch(/sk-upstream|a secret/)
    expect((await fixture.toolkit.channels.list(fixture.root)).total).toBe(0)
  })

  test.each([
    [{ version: 1, chanels: {} }, 'document must NOT have additional properties'],
    [{ version: 1, options: { RetryTime: 1 } }, 'RetryTime'],
    [
      { version: 1, channels: { a: { type: 'openai', modles: [] } } },
      'document.channels.a must NOT have additional properties',
    ],
    [{ version: 1, options: { RetryTimes: 'many' } }, 'RetryTimes'],
    [
      { version: 1, limits: [{ subject: 'user', name: 'nobody', measure: 'requests', period: 'day', amount: 1 }] },
      'limits.0: there is no user nobody',
    ],
    [{ version: 1, limits: [{ subject: 'user', name: '*', measure: 'requests', amount: 1 }] }, 'limits.0'],
    [{ version: 1, teams: { lab: { owner: 'nobody' } } }, 'teams.lab: there is no user nobody'],
    [
      { version: 1, management_keys: [{ user: 'nobody', name: 'a', scopes: ['x:y'] }] },
      'management_keys.0: there is no user nobody',
    ],
    [
      { version: 1, management_keys: [{ user: 'root', name: 'a', key: 'tgm_short', scopes: ['logs:read'] }] },
      'management_keys.0.key',
    ],
    [{ version: 7 }, 'version'],
    ['text', ''],
    [null, ''],
  ])('rejects %j and names the error', async (document, named) => {
    const { root } = await openRoot()
    const { body } = await root.post('/api/configuration/plan', { document }, EN)
    expect(body.success).toBe(false)
    expect(body.message).toContain(named)
  })
})

describe('POST /api/configuration/apply', () => {
  test('makes the planned changes once: the same plan again is rejected', async () => {
    const { fixture, root } = await openRoot()
    const plan = (await root.post('/api/configuration/plan', { document: DOCUMENT })).body.data
    expect((await root.post('/api/configuration/apply', { document: DOCUMENT, plan })).body.success).toBe(true)
    expect((await fixture.toolkit.channels.list(fixture.root)).items).toMatchObject([{ name: 'openai' }])
    expect(fixture.toolkit.options.read(fixture.root, 'SystemName')).toBe('House')
    const audit = await fixture.toolkit.audit.list(fixture.root, { action: 'channel.create' })
    expect(audit).toMatchObject([{ actor: 'root', object: expect.stringMatching(/^channel:/) }])

    const again = await root.post('/api/configuration/apply', { document: DOCUMENT, plan }, EN)
    expect(again.body).toMatchObject({ success: false, message: expect.stringContaining('plan again') })
    expect((await root.post('/api/configuration/plan', { document: DOCUMENT })).body.data).toMatchObject({
      changes: [],
    })
  })

  test('applied concurrently, one plan succeeds once', async () => {
    const { fixture, root } = await openRoot()
    const plan = (await root.post('/api/configuration/plan', { document: DOCUMENT })).body.data
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => root.post('/api/configuration/apply', { document: DOCUMENT, plan })),
    )
    expect(answers.filter(({ body }) => body.success)).toHaveLength(1)
    expect((await fixture.toolkit.channels.list(fixture.root)).total).toBe(1)
  })

  test('works with a management key of root with the named scope', async () => {
    const { fixture } = await openRoot()
    const call = async (scopes: string[], method: string, path: string, body?: unknown, owner = fixture.root) => {
      const name = `key ${Math.random()}`
      const { key } = await fixture.toolkit.managementKeys.create(owner, { name, scopes })
      const headers = { authorization: `Bearer ${key}`, 'tollgate-user': String(owner.id) }
      const { body: reply, headers: sent } = await openApi(fixture).anonymous().send(method, path, body, headers)
      const { code } = JSON.parse(decodeURIComponent(sent.get('tollgate-error') ?? '{}'))
      return { data: reply.data, result: reply.success ? 'ok' : code }
    }
    const [read, write] = [['configuration:read'], ['configuration:update']]
    const { data: plan } = await call(read, 'POST', '/api/configuration/plan', { document: DOCUMENT })
    const request = { document: DOCUMENT, plan }
    expect(await call(read, 'GET', '/api/configuration')).toMatchObject({ result: 'ok' })
    for (const scopes of [read, ['*:*'], ['*:update'], ['options:*', 'channels:*']]) {
      expect(await call(scopes, 'POST', '/api/configuration/apply', request)).toMatchObject({ result: 'SCOPE_MISSING' })
    }
    const admin = await fixture.user({ role: 10 })
    expect(await call(write, 'POST', '/api/configuration/apply', request, admin)).toMatchObject({
      result: 'PERMISSION_DENIED',
    })
    expect(await call(write, 'POST', '/api/configuration/apply', request)).toMatchObject({ result: 'ok' })
    expect((await fixture.toolkit.channels.list(fixture.root)).total).toBe(1)
  })

  test('is for root only', async () => {
    const { fixture } = await openRoot()
    const admin = await openApi(fixture).as(await fixture.user({ role: 10 }))
    expect(
      (await admin.post('/api/configuration/apply', { document: DOCUMENT, plan: { changes: [] } })).body.success,
    ).toBe(false)
    expect((await admin.get('/api/configuration')).body.success).toBe(false)
  })
})
