import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseAllowedHost } from '../../../core/allowed-hosts.ts'
import type { NoticeKind } from '../../../core/notices/notice.ts'
import type { Outgoing } from '../../../core/notices/outgoing.ts'
import type { NoticeSettings } from '../../../core/notices/schema.ts'
import { createDeliverNotice } from '../../../server/notices/deliver.ts'
import { type Exchange, startUpstream } from '../../support/hand-made-upstream.ts'

const NOW = 1_800_000_000
const SECRET = 'a secret of sixteen or more'
const LOOPBACK = [parseAllowedHost('127.0.0.0/8')].filter((host) => host !== undefined)
const NOTICE = {
  id: 5,
  event: 'channel.disabled',
  subject: 'channel:7',
  data: { count: 1, channels: [{ id: 7, name: 'a <b> & c', reason: 'status code 401' }] },
  created_at: NOW - 3,
}
const signal = new AbortController().signal

const outgoing = (kind: NoticeKind, settings: NoticeSettings, target: Partial<Outgoing['target']> = {}): Outgoing => ({
  id: 9,
  attempts: 1,
  notice: NOTICE,
  target: { id: 1, user_id: null, kind, settings, language: 'en', email: '', ...target },
})

function deliverer(options: Partial<Parameters<typeof createDeliverNotice>[0]> = {}) {
  return createDeliverNotice({
    mail: { send: async () => {} },
    display: () => ({ inCurrency: true, quotaPerUnit: 500_000 }),
    allowHosts: LOOPBACK,
    now: () => NOW,
    ...options,
  })
}

const answering =
  (body: string, status = 200) =>
  ({ response }: Exchange) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(body)

const text = 'Channel a <b> & c (#7) was disabled\nstatus code 401'

describe('a notice is sent', () => {
  test('to a webhook, signed with its time, so that a receiver can verify it', async () => {
    const { url, seen } = await startUpstream(answering(''))
    const settings = { url: `${url}/in?x=1`, secret: SECRET }
    expect(await deliverer()(outgoing('webhook', settings), signal)).toEqual({
      delivered: true,
      status: 200,
      error: '',
    })
    const [request] = seen
    expect(request).toMatchObject({ path: '/in?x=1', headers: { 'tollgate-delivery': '9' } })
    expect(request?.body).toEqual({
      ...NOTICE,
      title: 'Channel a <b> & c (#7) was disabled',
      text: 'status code 401',
    })
    // As a receiver does it.
    const [, t = '', v1 = ''] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(request?.headers['tollgate-signature'])) ?? []
    expect(v1).toBe(createHmac('sha256', SECRET).update(`${t}.${request?.raw.toString()}`).digest('hex'))
    expect(Number(t)).toBe(NOW)
  })

  test.each<[NoticeKind, (url: string) => NoticeSettings, string, string, object]>([
    [
      'telegram',
      (base_url) => ({ bot_token: '12:AB_c-d', chat_id: '-100', base_url: `${base_url}/` }),
      '{"ok":true,"result":{}}',
      '/bot12:AB_c-d/sendMessage',
      { chat_id: '-100', text, link_preview_options: { is_disabled: true } },
    ],
    [
      'feishu',
      (url) => ({ url: `${url}/open-apis/bot/v2/hook/x` }),
      '{"code":0,"msg":"success"}',
      '/open-apis/bot/v2/hook/x',
      { msg_type: 'text', content: { text } },
    ],
    [
      'feishu',
      (url) => ({ url: `${url}/hook`, secret: 'demo' }),
      '{"StatusCode":0,"StatusMessage":"success"}',
      '/hook',
      {
        timestamp: String(NOW),
        sign: createHmac('sha256', `${NOW}\ndemo`).digest('base64'),
        msg_type: 'text',
        content: { text },
      },
    ],
    [
      'bark',
      (base_url) => ({ device_key: 'ynJ5', base_url }),
      '{"code":200,"message":"success"}',
      '/push',
      {
        device_key: 'ynJ5',
        title: 'Channel a <b> & c (#7) was disabled',
        body: 'status code 401',
        group: 'tollgate',
      },
    ],
    [
      'slack',
      (url) => ({ url: `${url}/services/T/B/x` }),
      'ok',
      '/services/T/B/x',
      { text: 'Channel a &lt;b&gt; &amp; c (#7) was disabled\nstatus code 401' },
    ],
  ])('to %s in its documented format', async (kind, settings, reply, path, body) => {
    const { url, seen } = await startUpstream(answering(reply))
    expect(await deliverer()(outgoing(kind, settings(url)), signal)).toMatchObject({ delivered: true, status: 200 })
    expect(seen).toMatchObject([{ path, headers: { 'content-type': expect.stringContaining('application/json') } }])
    expect(seen[0]?.body).toEqual(body)
  })

  test('to Bark up to the length limit of its push service', async () => {
    const { url, seen } = await startUpstream(answering('{"code":200}'))
    const channels = Array.from({ length: 20 }, (_, id) => ({ id, name: '东', reason: '错'.repeat(500) }))
    const long = {
      ...outgoing('bark', { device_key: 'k', base_url: url }),
      notice: { ...NOTICE, data: { count: 20, channels } },
    }
    expect(await deliverer()(long, signal)).toMatchObject({ delivered: true })
    expect(seen[0]?.raw.length).toBeLessThan(4096)
  })

  test("by mail to the account's address, in the language of the target", async () => {
    const sent: unknown[] = []
    const deliver = deliverer({ mail: { send: async (message) => void sent.push(message) } })
    const own = { user_id: 3, email: 'me@example.org', language: 'zh' } as const
    expect(await deliver(outgoing('mail', {}, own), signal)).toMatchObject({ delivered: true })
    expect(sent).toEqual([
      {
        to: 'me@example.org',
        subject: '渠道「a <b> & c」（#7）已被禁用',
        html: '<p>渠道「a &lt;b&gt; &amp; c」（#7）已被禁用</p><p>status code 401</p>',
      },
    ])
    expect(await deliver(outgoing('mail', {}, { ...own, email: '' }), signal)).toMatchObject({
      delivered: false,
      error: 'the account has no mail address',
    })
  })
})

describe('a delivery attempt fails', () => {
  const to = (url: string) => outgoing('webhook', { url, secret: SECRET })

  test.each<[string, NoticeKind, string, number, string]>([
    ['an error', 'webhook', 'broken', 500, 'broken'],
    ['a code of Feishu', 'feishu', '{"code":19021,"msg":"sign match fail"}', 200, 'code 19021: sign match fail'],
    [
      'a code of Bark',
      'bark',
      '{"code":400,"message":"device key is not set"}',
      200,
      'code 400: device key is not set',
    ],
    ['an error of Telegram', 'telegram', '{"ok":false,"description":"chat not found"}', 400, 'chat not found'],
  ])('with %s', async (_, kind, reply, status, error) => {
    const { url } = await startUpstream(answering(reply, status))
    const settings = { url, secret: SECRET, base_url: url, bot_token: '1:a', chat_id: '1', device_key: 'k' }
    const outcome = await deliverer()(outgoing(kind, settings), signal)
    expect(outcome).toMatchObject({ delivered: false, status, error: expect.stringContaining(error) })
  })

  test('without secrets repeated by the receiver', async () => {
    const { url } = await startUpstream(({ path, response }) => {
      const content = `no ${path} of ynJ5secret, signed by ${SECRET}`
      response.writeHead(400).end(content.padEnd(500, ' '))
    })
    const bark = await deliverer()(outgoing('bark', { device_key: 'ynJ5secret', base_url: url }), signal)
    expect(bark.error).not.toContain('ynJ5')
    const hook = await deliverer()(outgoing('webhook', { url: `${url}/in/private?x=private`, secret: SECRET }), signal)
    expect(hook.error).toContain('no ')
    for (const secret of ['private', SECRET]) expect(hook.error).not.toContain(secret)
  })

  test('with a redirect, which is not followed', async () => {
    const { url: inside, seen } = await startUpstream(answering(''))
    const { url } = await startUpstream(({ response }) => response.writeHead(307, { location: inside }).end())
    expect(await deliverer()(to(url), signal)).toEqual({
      delivered: false,
      status: 307,
      error: 'redirects are not followed',
    })
    expect(seen).toEqual([])
  })

  test.each([
    ['that never begins', () => {}],
    ['that never ends', ({ response }: Exchange) => response.writeHead(200).write('x')],
  ])('with a reply %s, in time', async (_, answer) => {
    const { url } = await startUpstream(answer)
    const began = performance.now()
    const outcome = await deliverer({ timeoutMs: 200 })(to(url), signal)
    expect(outcome).toEqual({ delivered: false, status: 0, error: 'no reply in time' })
    expect(performance.now() - began).toBeLessThan(3000)
  })

  test.each<[string, (path: string) => string]>([
    ['parts', (path) => path.split(/[/?&=]/).join(' ')],
    ['escapes', encodeURIComponent],
    ['capitals', (path) => path.toUpperCase()],
    ['hex', (path) => Buffer.from(path).toString('hex')],
    ['base64', (path) => Buffer.from(path).toString('base64')],
  ])('without address parts repeated by the receiver in %s', async (_, repeat) => {
    const { url } = await startUpstream(({ path, response }) => response.writeHead(404).end(`no ${repeat(path)}`))
    const secrets = ['T0privatePath99', 'Q0privateQuery77', '12345:bot-Token_x-y']
    const [path, query, bot_token] = secrets
    const shown = (error: string) =>
      secrets.filter((secret) =>
        [secret, secret.toUpperCase(), encodeURIComponent(secret), repeat(secret ?? '')].some((each) =>
          error.includes(each),
        ),
      )

    const hook = await deliverer()(outgoing('webhook', { url: `${url}/in/${path}?t=${query}`, secret: SECRET }), signal)
    const bot = outgoing('telegram', { bot_token: bot_token ?? '', chat_id: '1', base_url: `${url}/${path}` })

    expect(shown(hook.error)).toEqual([])
    expect(shown((await deliverer()(bot, signal)).error)).toEqual([])
    expect(hook.error).toContain('***')
  })

  test('without a connection, and names neither address nor secret', async () => {
    const { error } = await deliverer()(
      outgoing('telegram', { bot_token: '12:secret', chat_id: '1', base_url: 'http://127.0.0.1:9' }),
      signal,
    )
    expect(error).toBe('no connection (ECONNREFUSED)')
  })

  test.each([
    ['http://127.0.0.1:8080/'],
    ['http://[::1]:8080/'],
    ['http://169.254.169.254/latest/meta-data'],
    ['http://10.0.0.1/'],
    ['http://0x7f.1:8080/'],
    ['http://localhost:8080/'],
  ])('at %s, which is not a public address', async (url) => {
    const outcome = await deliverer({ allowHosts: [] })(to(url), signal)
    expect(outcome).toEqual({ delivered: false, status: 0, error: 'its host is not a public one' })
  })

  test("at an address allowed for the gateway, for a user's target", async () => {
    const { url, seen } = await startUpstream(answering(''))
    const own = outgoing('webhook', { url, secret: SECRET }, { user_id: 3 })
    expect(await deliverer()(own, signal)).toMatchObject({ delivered: false, error: 'its host is not a public one' })
    expect(seen).toEqual([])
  })
})

test('only the start of a long reply is read', async () => {
  let sent = 0
  const { url } = await startUpstream(({ response }) => {
    response.writeHead(200)
    const more = () => {
      while (!response.destroyed && sent < 64 * 1024 * 1024) {
        sent += 16_384
        if (!response.write(Buffer.alloc(16_384))) return response.once('drain', more)
      }
      return response.end()
    }
    more()
  })
  expect(await deliverer()(outgoing('webhook', { url, secret: SECRET }), signal)).toMatchObject({ delivered: true })
  expect(sent).toBeLessThan(32 * 1024 * 1024)
})
