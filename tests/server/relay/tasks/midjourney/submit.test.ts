import { describe, expect, test } from 'vitest'
import { expectExactBooks, expectNothingHeld } from '../../../../support/books.ts'
import {
  call,
  dollars,
  drawingChannel,
  expectDrawingRefusal,
  MJ_KEY,
  openDrawingGateway,
  rowsOf,
  spent,
} from '../../../../support/drawing-gateway.ts'
import { BALANCE, type Customer, customer } from '../../../../support/gateway.ts'
import { shared } from '../../../../support/lifetime.ts'
import { accepted, answering } from '../../../../support/midjourney-proxy.ts'

const fixture = shared(openDrawingGateway)

const submit = (buyer: Customer, path: string, body: unknown) =>
  call(fixture(), 'POST', `/mj/${path}`, { key: buyer.key, body })
const imagine = (buyer: Customer, body: Record<string, unknown> = { prompt: 'a cat' }) =>
  submit(buyer, 'submit/imagine', body)
const lastSent = () => fixture().proxy.seen.at(-1)
const costs = (buyer: Customer) => spent(fixture(), buyer, { balance: BALANCE })
const NOTHING = { balance: 0, user: 0, token: 0, logs: [] }
const paid = (quota: number) => ({ balance: quota, user: quota, token: quota, logs: [quota] })

async function withOption<T>(name: string, value: string, work: () => Promise<T>): Promise<T> {
  const { toolkit, root } = fixture()
  const before = toolkit.options.list(root)
  const old = (await before).find(({ key }) => key === name)?.value ?? ''
  await toolkit.options.set(root, name, value)
  try {
    return await work()
  } finally {
    await toolkit.options.set(root, name, old)
  }
}

describe('a submission', () => {
  test('is sent with the channel’s key, charged, stored and returned byte for byte', async () => {
    const buyer = await customer(fixture())
    const odd = '{"code": 1,  "description":"ok", "result":"odd-1", "properties":{}, "extra": 1e2}'
    fixture().proxy.script.push(answering(odd))

    const answer = await imagine(buyer, { prompt: 'a cat', botType: 'MID_JOURNEY', state: 's', more: [1] })

    expect(answer).toMatchObject({ status: 200, text: odd })
    expect(lastSent()).toMatchObject({
      path: '/mj/submit/imagine',
      headers: { 'mj-api-secret': MJ_KEY, 'content-type': 'application/json' },
      body: { prompt: 'a cat', botType: 'MID_JOURNEY', state: 's', more: [1] },
    })
    expect(lastSent()?.headers.authorization).toBeUndefined()
    expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
    const [row] = await rowsOf(fixture(), buyer)
    expect(row).toMatchObject({
      code: 1,
      action: 'IMAGINE',
      mj_id: 'odd-1',
      prompt: 'a cat',
      state: 's',
      bot_type: 'MID_JOURNEY',
      description: 'ok',
      status: '',
      progress: '0%',
      quota: dollars(0.1),
      channel_id: fixture().servedBy.id,
      token_id: buyer.bought.id,
    })
    expect(row.submit_time).toBeGreaterThan(Date.now() - 60_000)
    const [log] = (await fixture().toolkit.logs.list(fixture().root, { username: buyer.person.username, type: 2 }))
      .items
    expect(log).toMatchObject({
      model_name: 'mj_imagine',
      content: '模型固定价格 0.10，分组倍率 1.00，操作 IMAGINE，ID odd-1',
      channel: fixture().servedBy.id,
    })
  })

  test.each([
    ['submit/describe', { base64: 'x' }, 'DESCRIBE', 0.05],
    ['submit/blend', { base64Array: ['x', 'y'] }, 'BLEND', 0.1],
    ['submit/shorten', { prompt: 'long' }, 'SHORTEN', 0.1],
    ['submit/modal', { prompt: 'x' }, 'MODAL', 0.1],
    ['submit/edits', { prompt: 'x' }, 'EDITS', 0.1],
    ['submit/video', { prompt: 'x' }, 'VIDEO', 0.8],
    ['insight-face/swap', { sourceBase64: 'x', targetBase64: 'y' }, 'SWAP_FACE', 0.05],
  ])('to %s of %j is %s at %d dollars', async (path, body, action, price) => {
    const buyer = await customer(fixture())

    expect(await submit(buyer, path, body)).toMatchObject({ status: 200, json: { code: 1 } })

    expect(await costs(buyer)).toEqual(paid(dollars(price)))
    expect(await rowsOf(fixture(), buyer)).toMatchObject([
      {
        action,
        quota: dollars(price),
        prompt: path === 'insight-face/swap' ? 'InsightFace' : 'prompt' in body ? body.prompt : '',
      },
    ])
    expect(lastSent()?.path).toBe(`/mj/${path}`)
  })

  test('stores a bounded part of a text', async () => {
    const buyer = await customer(fixture())
    await imagine(buyer, { prompt: 'x'.repeat(10_001), state: 'y'.repeat(10_001) })
    expect(lastSent()?.body.prompt).toHaveLength(10_001)
    const [row] = await rowsOf(fixture(), buyer)
    expect([row.prompt, row.state].map(({ length }) => length)).toEqual([10_000, 10_000])
  })

  test.each([1, 21, 22])('of an upload that returns %i without an id is done immediately', async (code) => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(accepted(['https://cdn.example/a.png'], { code })))

    expect((await submit(buyer, 'submit/upload-discord-images', { base64Array: ['x'] })).status).toBe(200)

    expect(await rowsOf(fixture(), buyer)).toMatchObject([
      { action: 'UPLOAD', status: 'SUCCESS', progress: '100%', image_url: 'https://cdn.example/a.png', mj_id: '' },
    ])
    expect(await costs(buyer)).toEqual(paid(dollars(0.05)))
  })

  test("costs the operator's price, and a free one is stored without a charge", async () => {
    await withOption('ModelPrice', '{"mj_imagine":0}', async () => {
      const buyer = await customer(fixture())

      expect((await imagine(buyer)).status).toBe(200)
      expect((await submit(buyer, 'submit/blend', { base64Array: [] })).status).toBe(200)

      expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
      expect(await rowsOf(fixture(), buyer)).toMatchObject([{ quota: 0 }, { quota: dollars(0.1) }])
    })
  })

  test('needs the whole price: of fifty concurrent on a balance for three, three succeed', async () => {
    const buyer = await customer(fixture(), { user: { quota: dollars(0.3) } })

    const answers = await Promise.all(Array.from({ length: 50 }, () => imagine(buyer)))

    const refused = answers.filter(({ status }) => status !== 200)
    expect(refused).toHaveLength(47)
    for (const answer of refused) expectDrawingRefusal(answer, { reason: 'quota_not_enough' })
    expect((await spent(fixture(), buyer, { balance: dollars(0.3) })).balance).toBe(dollars(0.3))
    expect(await rowsOf(fixture(), buyer)).toHaveLength(3)
  })

  test('with too small a token budget is rejected, without an upstream call', async () => {
    const buyer = await customer(fixture(), { token: { unlimited_quota: false, remain_quota: dollars(0.09) } })
    const before = fixture().proxy.seen.length

    expectDrawingRefusal(await imagine(buyer), { reason: 'quota_not_enough' })

    expect(fixture().proxy.seen).toHaveLength(before)
    expect(await costs(buyer)).toEqual(NOTHING)
  })

  test('whose client disconnects is stored and charged all the same', async () => {
    const buyer = await customer(fixture())
    const client = new AbortController()
    let answerNow: () => void = () => {}
    const requested = new Promise<void>((resolve) => {
      fixture().proxy.script.push(async (exchange) => {
        resolve()
        await new Promise<void>((go) => {
          answerNow = go
        })
        answering(accepted('left-1'))(exchange)
      })
    })
    const request = fetch(`${fixture().url}/mj/submit/imagine`, {
      method: 'POST',
      headers: { authorization: `Bearer ${buyer.key}` },
      body: JSON.stringify({ prompt: 'x' }),
      signal: client.signal,
    })
    await requested
    client.abort()
    await expect(request).rejects.toThrow()
    answerNow()

    await expect.poll(() => rowsOf(fixture(), buyer)).toMatchObject([{ mj_id: 'left-1' }])
    expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
  })
})

describe('options', () => {
  const given = {
    prompt: 'a cat --fast --v 6 --turbo',
    accountFilter: { modes: ['FAST'] },
    notifyHook: 'http://x.example',
  }

  test('remove the account filter and the hook, in any letter case, and keep modes', async () => {
    await imagine(await customer(fixture()), { ...given, NotifyHook: 'http://y.example', deep: { notifyHook: 1 } })
    expect(lastSent()?.body).toEqual({ prompt: given.prompt, deep: { notifyHook: 1 } })
  })

  test('can keep them, and remove modes from prompts, each by its switch', async () => {
    const buyer = await customer(fixture())
    await withOption('MjAccountFilterEnabled', 'true', () => imagine(buyer, given))
    expect(lastSent()?.body).toEqual({ prompt: given.prompt, accountFilter: given.accountFilter })
    await withOption('MjNotifyEnabled', 'true', () => imagine(buyer, given))
    expect(lastSent()?.body).toEqual({ prompt: given.prompt, notifyHook: given.notifyHook })
    await withOption('MjModeClearEnabled', 'true', () => imagine(buyer, given))
    expect(lastSent()?.body).toEqual({ prompt: 'a cat  --v 6 ' })
  })
})

describe('a mode', () => {
  test.each([
    ['/mj-fast/mj/submit/imagine', '/mj/submit/imagine'],
    ['/fast/mj/submit/imagine?a=b&key=sk-1', '/fast/mj/submit/imagine?a=b'],
    ['/mj/submit/imagine?a=b', '/mj/submit/imagine?a=b'],
  ])('%s is called at %s, at the same price', async (path, asked) => {
    const buyer = await customer(fixture())

    const answer = await call(fixture(), 'POST', path, { key: buyer.key, body: { prompt: 'x' } })

    expect(answer.status).toBe(200)
    expect(lastSent()?.path).toBe(asked)
    expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
  })

  test.each(['/api/mj/submit/imagine', '/v1/mj/submit/imagine', '/a.b/mj/submit/imagine'])(
    '%s is unknown',
    async (path) => {
      const buyer = await customer(fixture())
      const answer = await call(fixture(), 'POST', path, { key: buyer.key, body: { prompt: 'x' } })
      expect(answer.status).toBe(404)
      expect(await costs(buyer)).toEqual(NOTHING)
    },
  )
})

describe('an upstream that replies', () => {
  test.each([
    [22, accepted('q-1', { code: 22, note: '"code":22' }), { code: 22, status: '', progress: '0%', mj_id: 'q-1' }],
    [
      21,
      accepted('e-1', { code: 21, properties: { status: 'IN_PROGRESS', imageUrl: '' } }),
      { code: 21, status: 'IN_PROGRESS', progress: '0%', mj_id: 'e-1' },
    ],
  ])('with code %i has accepted the task, and clients get code 1', async (_, content, row) => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(content))

    expect(await imagine(buyer)).toMatchObject({ status: 200, json: { ...content, code: 1 } })

    expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
    expect(await rowsOf(fixture(), buyer)).toMatchObject([row])
  })

  test('with code 21 and a finished task finishes it here, with its picture under our address', async () => {
    const buyer = await customer(fixture())
    const properties = { status: 'SUCCESS', imageUrl: 'http://cdn.example/1.png', more: 1 }
    fixture().proxy.script.push(answering(accepted('done-1', { code: 21, properties })))

    const { json } = await imagine(buyer)

    expect(json).toMatchObject({
      code: 1,
      properties: {
        ...properties,
        imageUrl: expect.stringMatching(/^http:\/\/localhost:3000\/mj\/image\/done-1\?signature=[0-9a-f]{32}$/),
      },
    })
    const [row] = await rowsOf(fixture(), buyer)
    expect(row).toMatchObject({ code: 1, status: 'SUCCESS', progress: '100%', image_url: properties.imageUrl })
    expect(row.start_time).toBe(row.finish_time)
    expect(row.finish_time).toBeGreaterThan(0)
  })

  test('with code 21 and a failed task is a failure, and is not charged', async () => {
    const buyer = await customer(fixture())
    const properties = { status: 'FAILURE', failReason: `banned at http://10.0.0.7 by ${MJ_KEY}` }
    fixture().proxy.script.push(answering(accepted('failed-1', { code: 21, properties })))

    const { json } = await imagine(buyer)

    expect(json).toMatchObject({ code: 1, result: 'failed-1', properties: { status: 'FAILURE' } })
    expect(await costs(buyer)).toEqual(NOTHING)
    expect(await rowsOf(fixture(), buyer)).toMatchObject([
      { mj_id: 'failed-1', status: 'FAILURE', progress: '100%', fail_reason: 'banned at *** by ***', quota: 0 },
    ])
  })

  test('successfully reveals no secrets either; ids, picture addresses and the client’s own texts stay', async () => {
    const buyer = await customer(fixture())
    const { host } = new URL(fixture().proxy.url)
    const properties = { finalPrompt: `https://s.mj.run/1 ${MJ_KEY}`, imageUrl: '', server: host }
    const answer = accepted('told-1', { properties, description: `queued at http://10.0.0.7 by ${MJ_KEY}` })
    fixture().proxy.script.push(answering(answer))

    expect((await imagine(buyer)).json).toEqual({
      ...answer,
      description: 'queued at *** by ***',
      properties: { finalPrompt: 'https://s.mj.run/1 ***', imageUrl: '', server: '***' },
    })
  })

  test.each([
    [23, '队列已满'],
    [24, '可能包含敏感词'],
    [4, '参数错误'],
    [9, 'failure'],
  ])('with code %i has not: it is stored with its reason, and is not charged', async (code, description) => {
    const buyer = await customer(fixture())
    const answer = { code, description, result: null, properties: { bannedWord: 'x' } }
    fixture().proxy.script.push(answering(answer))

    expect(await imagine(buyer)).toMatchObject({ status: 200, json: answer })

    expect(await costs(buyer)).toEqual(NOTHING)
    const [row] = await rowsOf(fixture(), buyer)
    expect(row).toMatchObject({ code, status: 'FAILURE', progress: '100%', fail_reason: description, quota: 0 })
    expect(row.finish_time).toBeGreaterThan(0)
  })

  test('with an error that contains its key or an address is shown without them', async () => {
    const buyer = await customer(fixture())
    const description = `account ${MJ_KEY} at http://10.0.0.7:8080/x is banned`
    fixture().proxy.script.push(answering({ code: 4, description }))

    const { text } = await imagine(buyer)

    const [row] = await rowsOf(fixture(), buyer)
    for (const message of [text, row.fail_reason, row.description]) {
      expect(message).toContain('is banned')
      expect(message).not.toMatch(/mj-secret|10\.0\.0\.7/)
    }
  })

  test('with a status other than 200 is forwarded with its body, and is not charged', async () => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(accepted('s-1'), 500))

    expect(await imagine(buyer)).toMatchObject({ status: 500, json: { code: 1, result: 's-1' } })

    expect(await costs(buyer)).toEqual(NOTHING)
    expect(await rowsOf(fixture(), buyer)).toMatchObject([{ mj_id: 's-1', quota: 0 }])
  })

  test('to a face swap with code 22 is stored and not charged; its reply has all fields', async () => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering({ code: 22, result: 'swap-1', more: 1 }))

    const { json } = await submit(buyer, 'insight-face/swap', { sourceBase64: 'x', targetBase64: 'y' })

    expect(json).toEqual({ code: 22, description: '', properties: null, result: 'swap-1', more: 1 })
    expect(await costs(buyer)).toEqual(NOTHING)
  })

  test('with a known id creates a separate task', async () => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(accepted('twice-1')), answering(accepted('twice-1')))

    await imagine(buyer)
    await imagine(buyer)

    expect((await costs(buyer)).balance).toBe(dollars(0.2))
    expect(await rowsOf(fixture(), buyer)).toMatchObject([{ mj_id: 'twice-1' }, { mj_id: 'twice-1' }])
  })

  test('with a numeric id is accepted', async () => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(accepted(1320098173412546)))
    await imagine(buyer)
    expect(await rowsOf(fixture(), buyer)).toMatchObject([{ mj_id: '1320098173412546' }])
  })

  const unreadable = 'unmarshal_response_body_failed'
  test.each([
    ['HTML', '<html>502</html>', 502, unreadable],
    ['nothing', '', 200, 'empty_response_body'],
    ['a list', '[]', 200, unreadable],
    ['no code', '{"description":"x"}', 200, unreadable],
    ['a code that is no number', '{"code":"1","result":"x"}', 200, unreadable],
    ['no result', '{"code":1,"description":"x"}', 200, unreadable],
    ['an id that no column has', JSON.stringify(accepted('x'.repeat(256))), 200, unreadable],
    ['a redirect', JSON.stringify(accepted('x')), 302, unreadable],
    [
      'more than anybody reads',
      JSON.stringify(accepted('x', { more: 'x'.repeat(17 * 1024 * 1024) })),
      200,
      'read_response_body_failed',
    ],
  ])('with %s is an upstream error, and is not charged', async (_, content, status, reason) => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(answering(content, status))

    expectDrawingRefusal(await imagine(buyer), { reason, code: 5 })

    expect(await costs(buyer)).toEqual(NOTHING)
    expect(await rowsOf(fixture(), buyer)).toEqual([])
  })

  test('incompletely is an upstream error, and is not charged', async () => {
    const buyer = await customer(fixture())
    fixture().proxy.script.push(({ response }) => void response.destroy())
    const answer = await imagine(buyer)
    expectDrawingRefusal(answer, { reason: 'read_response_body_failed', code: 5 })
    expect(answer.text).not.toContain('127.0.0.1')
    expect(await costs(buyer)).toEqual(NOTHING)
  })
})

describe('a request', () => {
  const refusals: [string, string, unknown, string][] = [
    ['that is no JSON', 'submit/imagine', '{', 'bind_request_body_failed'],
    ['that is empty', 'submit/imagine', undefined, 'bind_request_body_failed'],
    ['without a prompt', 'submit/imagine', {}, 'prompt_is_required'],
    ['with a prompt that is no text', 'submit/imagine', { prompt: 7 }, 'prompt_is_required'],
    [
      'with one picture of two',
      'insight-face/swap',
      { sourceBase64: 'x' },
      'sour_base64_and_target_base64_is_required',
    ],
    ['without a button', 'submit/action', { taskId: '1' }, 'custom_id_is_required'],
    ['of an unknown button', 'submit/action', { customId: 'MJ::x' }, 'unknown_action:MJ::x'],
    ['of a button without a number', 'submit/action', { customId: 'MJ::JOB::upsample' }, 'index_parse_failed'],
    ['without an action', 'submit/change', { taskId: '1' }, 'action_is_required'],
    ['without the picture', 'submit/change', { taskId: '1', action: 'UPSCALE' }, 'index_is_required'],
    ['without content', 'submit/simple-change', {}, 'content_is_required'],
    ['with odd content', 'submit/simple-change', { content: '1 x9' }, 'content_parse_failed'],
  ]
  test.each(refusals)('%s to %s is rejected: %j', async (_, path, body, reason) => {
    const buyer = await customer(fixture())
    const before = fixture().proxy.seen.length

    expectDrawingRefusal(await submit(buyer, path, body), { reason })

    expect(fixture().proxy.seen).toHaveLength(before)
  })

  test('as a form is rejected in the same format', async () => {
    const buyer = await customer(fixture())
    const headers = { 'content-type': 'multipart/form-data; boundary=x' }
    const answer = await call(fixture(), 'POST', '/mj/submit/imagine', { key: buyer.key, body: '--x--', headers })
    expectDrawingRefusal(answer, { reason: 'bind_request_body_failed' })
  })

  test('without a key, with a wrong one or for an unserved model is rejected in the same format', async () => {
    const buyer = await customer(fixture(), { token: { model_limits_enabled: true, model_limits: 'mj_blend' } })
    const body = { prompt: 'x' }
    const submitAs = (key?: string) => call(fixture(), 'POST', '/mj/submit/imagine', { ...(key && { key }), body })

    expectDrawingRefusal(await submitAs(), { reason: 'token_missing', status: 401 })
    expectDrawingRefusal(await submitAs('sk-unknown'), { reason: 'invalid_api_key', status: 401 })
    expectDrawingRefusal(await submitAs(buyer.key), { reason: 'token_model', status: 403 })
  })
})

test('a prompt with a sensitive word is rejected, and neither the word nor the prompt is forwarded', async () => {
  const buyer = await customer(fixture())
  const before = fixture().proxy.seen.length

  for (const [path, body] of [
    ['submit/imagine', { prompt: 'a TEST_sensitive cat' }],
    ['submit/modal', { prompt: 'x', more: { text: 'test_sensitive' } }],
  ] as const) {
    const answer = await submit(buyer, path, body)
    expectDrawingRefusal(answer, { reason: 'sensitive_words_detected' })
    expect(answer.text).not.toContain('test_sensitive')
  }

  expect(fixture().proxy.seen).toHaveLength(before)
  expect(await costs(buyer)).toEqual(NOTHING)
})

/** Returns a customer whose key selects that channel in any state. */
async function insisting(channelId: number): Promise<Customer> {
  const admin = await customer(fixture(), { user: { role: 10 } })
  return { ...admin, key: `${admin.key}-${channelId}` }
}

const NO_ACCOUNT = { code: 3, description: '无可用的账号实例', result: null }

test('a channel without accounts, five times in a row, is disabled if both switches are on, and nothing is charged', async () => {
  const { toolkit, root, proxy } = fixture()
  const channel = await drawingChannel(fixture(), { priority: -9 })
  const status = async () => (await toolkit.channels.get(root, channel.id)).status
  const buyer = await insisting(channel.id)
  const ask = (body = {}, path = '/mj/submit/imagine') => {
    proxy.script.push(answering(NO_ACCOUNT))
    return call(fixture(), 'POST', path, { key: buyer.key, body: { prompt: 'a cat', ...body } })
  }

  expect(await ask()).toMatchObject({ status: 200, json: NO_ACCOUNT })
  await withOption('AutomaticDisableChannelEnabled', 'true', async () => {
    await withOption('MjAccountFilterEnabled', 'true', async () => {
      for (let times = 0; times < 2; times++) {
        // What the client has asked for, not every account has.
        await ask({ botType: 'NIJI_JOURNEY' })
        await ask({ accountFilter: { modes: ['TURBO'] } })
        await ask({ prompt: 'a cat --turbo' })
        await ask({}, '/turbo/mj/submit/imagine')
        await ask({ base64Array: [] }, '/mj/submit/blend')
      }
    })
    await toolkit.channels.update(root, channel.id, { auto_ban: 0 })
    for (let times = 0; times < 4; times++) await ask()
    expect(await status()).toBe(1)
    await toolkit.channels.update(root, channel.id, { auto_ban: 1 })
    await ask()
    await expect.poll(status).toBe(3)
  })
  const { other_info } = await toolkit.channels.get(root, channel.id)
  expect(JSON.parse(other_info).status_reason).toContain('No available account instance')
  expect(await costs(buyer)).toEqual(NOTHING)
})

test.each([
  [4, 500],
  [4, 404],
  [24, 503],
])(
  'a proxy that returns %i with its own message and status %i is healthy: the next request uses it',
  async (code, status) => {
    const { toolkit, root, proxy } = fixture()
    const channel = await drawingChannel(fixture(), { priority: 9 })
    const buyer = await customer(fixture())
    for (let times = 0; times < 11; times++) {
      proxy.script.push(answering({ code, description: '参数错误' }, status))
      expect((await imagine(buyer)).status).toBe(status)
    }

    expect((await imagine(buyer)).status).toBe(200)

    expect((await rowsOf(fixture(), buyer)).at(-1)).toMatchObject({ channel_id: channel.id, status: '' })
    await toolkit.channels.delete(root, channel.id)
  },
)

test.each([
  ['has no accounts', NO_ACCOUNT, 200],
  ['has a full queue', { code: 23, description: '队列已满', result: null }, 200],
  ['is refused by a firewall', '<html>', 403],
])('if a channel %s, another accepts the drawing if retries allow it', async (_, content, status) => {
  const { toolkit, root, proxy } = fixture()
  const buyer = await customer(fixture())
  const first = await drawingChannel(fixture(), { priority: 9 })
  await withOption('RetryTimes', '1', async () => {
    proxy.script.push(answering(content, status))
    const answer = await imagine(buyer)
    // A page is no answer of a proxy: behind it there may be anything.
    if (status === 403) return expectDrawingRefusal(answer, { reason: 'unmarshal_response_body_failed', code: 5 })
    expect(answer).toMatchObject({ status: 200, json: { code: 1 } })
    expect(await rowsOf(fixture(), buyer)).toMatchObject([{ channel_id: fixture().servedBy.id, status: '' }])
    expect(await costs(buyer)).toEqual(paid(dollars(0.1)))
  })
  await toolkit.channels.delete(root, first.id)
})

test('while no channel is available, a drawing is rejected with the time to wait', async () => {
  const buyer = await customer(fixture())
  const { proxy } = fixture()
  let answer = await submit(buyer, 'submit/shorten', { prompt: 'x' })
  for (let tries = 0; answer.json.code !== 30 && tries < 20; tries++) {
    proxy.script.splice(0, 1, answering('{}', 429))
    answer = await submit(buyer, 'submit/shorten', { prompt: 'x' })
  }
  expectDrawingRefusal(answer, { reason: 'rate_limited', code: 30, status: 429 })
  expect(answer.json.description).toContain('当前分组负载已饱和')
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  proxy.script.length = 0
})

test('after all of these tests the ledger is exact and nothing is held', async () => {
  expect((await expectExactBooks(fixture())).length).toBeGreaterThan(20)
  await expectNothingHeld(fixture())
})
