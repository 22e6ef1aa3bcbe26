import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { openTestGateway, type TestGateway } from '../../support/gateway.ts'
import { MERCHANT, notificationOf, openPaymentPage, signed } from '../../support/payment-page.ts'
import { reused } from '../../support/reused.ts'
import { type DatabaseKind, skipWithoutPostgres } from '../../support/toolkit.ts'

const openGateway = reused()

const EN = { 'accept-language': 'en' }

async function setUp(fixture: TestGateway, options: Record<string, string> = {}) {
  const payment = {
    ServerAddress: fixture.url,
    PayAddress: 'https://pay.example.com/',
    EpayId: MERCHANT.id,
    EpayKey: MERCHANT.key,
    ...options,
  }
  for (const [key, value] of Object.entries(payment)) await fixture.toolkit.options.set(fixture.root, key, value)
}

const notify = async ({ url }: TestGateway, params: Record<string, string>) => {
  const response = await fetch(`${url}/api/user/epay/notify?${new URLSearchParams(params)}`)
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe('POST /api/user/topup', () => {
  test('adds the quota of a code once, and returns the amount', async () => {
    const fixture = await openGateway()
    const [person, key] = [await fixture.user(), await fixture.code(500_000)]
    const client = await openApi(fixture).as(person)

    const { status, body } = await client.post('/api/user/topup', { key })
    const again = await client.post('/api/user/topup', { key })

    expect({ status, body }).toEqual({ status: 200, body: { success: true, message: '', data: 500_000 } })
    expect(again.body).toEqual({ success: false, message: '兑换失败，该兑换码已被使用' })
    expect(await fixture.balance(person)).toBe(500_000)
  })

  test.for(['sqlite', 'postgres'] as DatabaseKind[])(
    'a hundred concurrent calls with one code credit once, on %s',
    async (database, context) => {
      if (database === 'postgres') await skipWithoutPostgres(context)
      const fixture = await openGateway({ database })
      const key = await fixture.code(7)
      const people = await Promise.all(Array.from({ length: 5 }, () => fixture.user()))
      const clients = await Promise.all(people.map((person) => openApi(fixture).as(person)))

      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, n) => clients[n % clients.length]?.post('/api/user/topup', { key })),
      )

      expect(answers.filter((answer) => answer?.body.success)).toHaveLength(1)
      for (const answer of answers.filter((each) => !each?.body.success)) {
        expect(answer).toMatchObject({ status: 200, body: { message: '兑换失败，该兑换码已被使用' } })
      }
      const balances = await Promise.all(people.map(fixture.balance))
      expect(balances.reduce((a, b) => a + b)).toBe(7)
    },
  )

  test.each([
    ['an empty key', { key: '' }, '未提供兑换码', 'No redemption code provided'],
    ['no key', {}, '未提供兑换码', 'No redemption code provided'],
    ['null', { key: null }, '未提供兑换码', 'No redemption code provided'],
    ['an unknown code', { key: 'f'.repeat(32) }, '兑换失败，无效的兑换码', 'Invalid redemption code'],
    ['a number', { key: 5 }, 'key 必须是字符串', 'key must be text'],
    ['a NUL character', { key: 'a\0' }, 'key 不能包含空字符 (NUL)', 'key must not contain a NUL character'],
    ['a long text', { key: 'x'.repeat(256) }, '兑换失败，无效的兑换码', 'Invalid redemption code'],
  ])('%s is rejected, in both languages', async (_, json, zh, en) => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect(await client.post('/api/user/topup', json)).toMatchObject({
      status: 200,
      body: { success: false, message: zh },
    })
    expect((await client.post('/api/user/topup', json, EN)).body).toEqual({ success: false, message: en })
  })

  test('an invalid JSON body is rejected', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect(await client.post('/api/user/topup', '{')).toMatchObject({ status: 200, body: { success: false } })
  })
})

describe('POST /api/user/amount', () => {
  test('returns the price of a top-up as text with two decimals, without a success field', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    const { status, body } = await client.post('/api/user/amount', { amount: 10, top_up_code: '' })

    expect({ status, body }).toEqual({ status: 200, body: { message: 'success', data: '73.00' } })
  })

  test('multiplies by the group ratio, where 0 and none mean 1', async () => {
    const fixture = await openGateway()
    await fixture.toolkit.options.set(fixture.root, 'TopupGroupRatio', '{"default":0,"vip":0.07}')
    const costOf = async (group: string) => {
      const client = await openApi(fixture).as(await fixture.user({ group }))
      return (await client.post('/api/user/amount', { amount: 10 })).body.data
    }

    expect(await costOf('vip')).toBe('5.11')
    expect(await costOf('default')).toBe('73.00')
    expect(await costOf('toString')).toBe('73.00')
  })

  test('counts in quota if quota is not shown in dollars', async () => {
    const fixture = await openGateway()
    await fixture.toolkit.options.set(fixture.root, 'DisplayInCurrencyEnabled', 'false')
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.post('/api/user/amount', { amount: 750_000 })).body).toEqual({
      message: 'success',
      data: '10.95',
    })
    expect((await client.post('/api/user/amount', { amount: 499_999 })).body).toEqual({
      message: 'error',
      data: '充值数量不能小于 500000',
    })
  })

  test.each([
    ['a fraction', { amount: 1.5 }, '参数错误：amount 必须是整数'],
    ['a text', { amount: '10' }, '参数错误：amount 必须是整数'],
    ['nothing', {}, '参数错误：amount 不能为空'],
    ['more than a number holds', { amount: 1e300 }, /^参数错误：amount 必须在/],
    ['more than a balance holds', { amount: 1e12 }, '参数错误：amount 1000000000000'],
    ['no JSON', '{"amount":', /^参数错误：/],
    ['a list', [], /^参数错误：/],
    ['zero', { amount: 0 }, '充值数量不能小于 1'],
    ['less than nothing', { amount: -1 }, '充值数量不能小于 1'],
    ['a code that is no text', { amount: 1, top_up_code: {} }, '参数错误：top_up_code 必须是字符串'],
  ])("%s is rejected in the route's format", async (_, json, data) => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    const { status, body } = await client.post('/api/user/amount', json)

    expect({ status, body }).toEqual({
      status: 200,
      body: { message: 'error', data: data instanceof RegExp ? expect.stringMatching(data) : data },
    })
  })

  test('an amount of a hundredth or less is too low', async () => {
    const fixture = await openGateway()
    await fixture.toolkit.options.set(fixture.root, 'Price', '0.01')
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.post('/api/user/amount', { amount: 1 })).body).toEqual({
      message: 'error',
      data: '充值金额过低',
    })
    expect((await client.post('/api/user/amount', { amount: 2 })).body).toEqual({ message: 'success', data: '0.02' })
  })

  test('a visitor gets the envelope and 401', async () => {
    const fixture = await openGateway()

    expect(await openApi(fixture).anonymous().post('/api/user/amount', { amount: 1 })).toMatchObject({
      status: 401,
      body: { success: false },
    })
  })
})

describe('POST /api/user/pay', () => {
  test('creates an order and returns the ten fields of the form, signed', async () => {
    const fixture = await openGateway()
    await setUp(fixture)
    const person = await fixture.user()
    const client = await openApi(fixture).as(person)

    const { status, body } = await client.post('/api/user/pay', { amount: 10, payment_method: 'zfb', top_up_code: '' })

    expect(status).toBe(200)
    expect(body).toEqual({
      message: 'success',
      url: 'https://pay.example.com/submit.php',
      data: {
        pid: '1001',
        type: 'alipay',
        out_trade_no: expect.stringMatching(new RegExp(`^USR${person.id}NO[0-9a-zA-Z]{6}\\d{10}$`)),
        notify_url: `${fixture.url}/api/user/epay/notify`,
        return_url: `${fixture.url}/log`,
        name: 'TUC10',
        money: '73.00',
        device: 'pc',
        sign_type: 'MD5',
        sign: signed(body.data).sign,
      },
    })
  })

  test('wx is wxpay, and notifications go to CustomCallbackAddress', async () => {
    const fixture = await openGateway()
    await setUp(fixture, { CustomCallbackAddress: 'https://hook.example.com/' })
    const client = await openApi(fixture).as(await fixture.user())

    const { body } = await client.post('/api/user/pay', { amount: 1, payment_method: 'wx' })

    expect(body.data).toMatchObject({
      type: 'wxpay',
      notify_url: 'https://hook.example.com/api/user/epay/notify',
      return_url: `${fixture.url}/log`,
    })
  })

  test('from order to credit: the payment page accepts the form, notifies, and the balance has grown', async () => {
    const fixture = await openGateway()
    const page = await openPaymentPage()
    await setUp(fixture, { PayAddress: page.url })
    const person = await fixture.user()
    const client = await openApi(fixture).as(person)

    const { body } = await client.post('/api/user/pay', { amount: 10, payment_method: 'wx' })
    const receipt = await page.submit(String(body.url), body.data)

    expect(receipt).toBe('success')
    expect(await fixture.balance(person)).toBe(5_000_000)
  })

  test('if quota is not shown in dollars, exactly the requested quota is bought', async () => {
    const fixture = await openGateway()
    await setUp(fixture, { DisplayInCurrencyEnabled: 'false' })
    const person = await fixture.user()
    const client = await openApi(fixture).as(person)

    const { body } = await client.post('/api/user/pay', { amount: 750_000, payment_method: 'zfb' })
    expect(body.data).toMatchObject({ name: 'TUC750000', money: '10.95' })
    await fixture.toolkit.options.set(fixture.root, 'DisplayInCurrencyEnabled', 'true')
    expect((await notify(fixture, notificationOf(body.data))).text).toBe('success')

    expect(await fixture.balance(person)).toBe(750_000)
  })

  test.each([
    ['payment is not set up', {}, '当前管理员未配置支付信息', { EpayKey: '' }],
    ['the payment address is none', {}, '当前管理员未配置支付信息', { PayAddress: '' }],
    ['the sum is below a hundredth', {}, '充值金额过低', { Price: '0.001' }],
    ['the amount is below the minimum', { amount: 4 }, '充值数量不能小于 5', { MinTopUp: '5' }],
    ['there is no way to pay', { payment_method: undefined }, '参数错误：payment_method 不能为空', {}],
    ['the way to pay is unknown', { payment_method: 'cash' }, /^payment_method 只能是/, {}],
    ['the way to pay is a name of JavaScript', { payment_method: 'toString' }, /^payment_method 只能是/, {}],
    ['the amount is no number', { amount: true }, '参数错误：amount 必须是整数', {}],
  ] as [string, object, string | RegExp, Record<string, string>][])(
    'is rejected if %s, and creates no order',
    async (_, change, data, options) => {
      const fixture = await openGateway()
      await setUp(fixture, options)
      const person = await fixture.user()
      const client = await openApi(fixture).as(person)

      const { status, body } = await client.post('/api/user/pay', { amount: 5, payment_method: 'zfb', ...change })

      expect({ status, body }).toEqual({
        status: 200,
        body: { message: 'error', data: data instanceof RegExp ? expect.stringMatching(data) : data },
      })
      expect(await fixture.toolkit.wallet.ownOrders(person)).toMatchObject({ total: 0 })
    },
  )

  test('an order that cannot be stored is rejected with the documented text', async () => {
    const fixture = await openTestGateway()
    await setUp(fixture)
    const client = await openApi(fixture).as(await fixture.user())
    await fixture.toolkit.db.transaction((trx) => trx.schema.renameTable('top_ups', 'elsewhere'))

    const { body } = await client.post('/api/user/pay', { amount: 5, payment_method: 'zfb' })

    expect(body).toEqual({ message: 'error', data: '创建订单失败' })
  })
})

describe('GET /api/user/epay/notify', () => {
  async function ordered(fixture: TestGateway) {
    await setUp(fixture)
    const person = await fixture.user()
    const { form } = await fixture.toolkit.wallet.pay(person, { amount: 10, payment_method: 'zfb' })
    return { person, form }
  }

  test('returns success in plain text, credits once, and returns success again for a repetition', async () => {
    const fixture = await openGateway()
    const { person, form } = await ordered(fixture)

    const answers = await Promise.all(Array.from({ length: 10 }, () => notify(fixture, notificationOf(form))))

    for (const { status, type, text } of answers) {
      expect({ status, type, text }).toEqual({
        status: 200,
        type: expect.stringMatching(/^text\/plain/),
        text: 'success',
      })
    }
    expect(await fixture.balance(person)).toBe(5_000_000)
  })

  test.each([
    ['not signed', { sign: 'x' }, 'fail'],
    ['of another sum', { money: '0.01' }, 'fail'],
    ['not paid', { trade_status: 'TRADE_CLOSED' }, 'success'],
    ['of an unknown order', { out_trade_no: 'USR1NOzzzzzz1' }, 'success'],
  ])('that is %s gets a reply and changes nothing', async (_, change, text) => {
    const fixture = await openGateway()
    const { person, form } = await ordered(fixture)
    const notification = 'sign' in change ? { ...notificationOf(form), ...change } : notificationOf(form, change)

    expect(await notify(fixture, notification)).toMatchObject({ status: 200, text })

    expect(await fixture.balance(person)).toBe(0)
  })

  test('uses the first of repeated parameters, and unknown parameters are part of the signature', async () => {
    const fixture = await openGateway()
    const { person, form } = await ordered(fixture)
    const query = new URLSearchParams(notificationOf(form, { param: 'a b+c&d=é' }))
    query.append('money', '0.01')
    query.append('sign', 'x')

    const response = await fetch(`${fixture.url}/api/user/epay/notify?${query}`)

    expect(await response.text()).toBe('success')
    expect(await fixture.balance(person)).toBe(5_000_000)
  })

  test('without any parameter, or with a NUL character, returns fail', async () => {
    const fixture = await openGateway()
    await setUp(fixture)

    expect(await notify(fixture, {})).toMatchObject({ status: 200, text: 'fail' })
    expect(await notify(fixture, { out_trade_no: 'a\0' })).toMatchObject({ status: 200, text: 'fail' })
  })

  test('that cannot be stored returns fail, so that it is sent again', async () => {
    const fixture = await openGateway()
    const { person, form } = await ordered(fixture)
    await fixture.toolkit.db.transaction((trx) => trx.schema.renameTable('payment_callbacks', 'elsewhere'))

    expect(await notify(fixture, notificationOf(form))).toMatchObject({ status: 200, text: 'fail' })
    expect(await fixture.balance(person)).toBe(0)

    await fixture.toolkit.db.transaction((trx) => trx.schema.renameTable('elsewhere', 'payment_callbacks'))
    expect(await notify(fixture, notificationOf(form))).toMatchObject({ text: 'success' })
    expect(await fixture.balance(person)).toBe(5_000_000)
  })
})

describe('GET /api/topup/', () => {
  test("lists all users' orders with their owners, by status, name and number", async () => {
    const fixture = await openGateway()
    await setUp(fixture)
    const [ann, bob] = [await fixture.user(), await fixture.user()]
    const { form } = await fixture.toolkit.wallet.pay(ann, { amount: 10, payment_method: 'zfb' })
    await fixture.toolkit.wallet.pay(bob, { amount: 2, payment_method: 'wx' })
    await notify(fixture, notificationOf(form))
    const client = await openApi(fixture).as(await fixture.user({ role: 10 }))

    const { body } = await client.get('/api/topup/?p=1&page_size=10')
    const paid = await client.get('/api/topup/?status=success')
    const named = await client.get(`/api/topup/?username=${bob.username}`)
    const numbered = await client.get(`/api/topup/?trade_no=${form.out_trade_no}`)
    const none = await client.get('/api/topup/?status=nonsense&p=NaN&page_size=')

    expect(body.data).toMatchObject({ total: 2, page: 1, page_size: 10 })
    expect(body.data.items[1]).toEqual({
      id: expect.any(Number),
      user_id: ann.id,
      username: ann.username,
      amount: 10,
      money: 73,
      quota: 5_000_000,
      trade_no: form.out_trade_no,
      payment_method: 'zfb',
      status: 'success',
      create_time: expect.any(Number),
      complete_time: expect.any(Number),
    })
    expect(paid.body.data.items).toMatchObject([{ user_id: ann.id }])
    expect(named.body.data.items).toMatchObject([{ user_id: bob.id, status: 'pending', complete_time: 0 }])
    expect(numbered.body.data.items).toMatchObject([{ user_id: ann.id }])
    expect(none.body.data).toMatchObject({ items: [], total: 0 })
  })

  test('is for administrators', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.get('/api/topup/')).body).toEqual({ success: false, message: '无权进行此操作，权限不足' })
  })
})

describe('GET /api/topup/self', () => {
  test("lists only the user's orders, for administrators too", async () => {
    const fixture = await openGateway()
    await setUp(fixture)
    const [ann, boss] = [await fixture.user(), await fixture.user({ role: 10 })]
    await fixture.toolkit.wallet.pay(ann, { amount: 1, payment_method: 'zfb' })
    const api = openApi(fixture)

    expect((await (await api.as(ann)).get('/api/topup/self')).body.data).toMatchObject({
      total: 1,
      items: [{ user_id: ann.id, status: 'pending' }],
    })
    expect((await (await api.as(boss)).get('/api/topup/self?username=x')).body.data).toMatchObject({ total: 0 })
  })
})

describe('GET /api/topup/callbacks', () => {
  test('lists every notification with its verdict, by verdict and order', async () => {
    const fixture = await openGateway()
    await setUp(fixture)
    const { form } = await fixture.toolkit.wallet.pay(await fixture.user(), { amount: 1, payment_method: 'zfb' })
    await notify(fixture, { out_trade_no: 'junk' })
    await notify(fixture, notificationOf(form))
    const client = await openApi(fixture).as(await fixture.user({ role: 10 }))

    const all = await client.get('/api/topup/callbacks')
    const refused = await client.get('/api/topup/callbacks?verdict=refused')
    const ofOrder = await client.get(`/api/topup/callbacks?trade_no=${form.out_trade_no}`)

    expect(all.body.data).toMatchObject({ total: 2, page: 1 })
    expect(refused.body.data.items).toEqual([
      {
        id: expect.any(Number),
        trade_no: 'junk',
        params: { out_trade_no: 'junk' },
        ip: '127.0.0.1',
        verdict: 'refused',
        reason: 'bad-signature',
        replay_of: 0,
        actor_id: 0,
        created_at: expect.any(Number),
      },
    ])
    expect(ofOrder.body.data.items).toMatchObject([{ verdict: 'credited', reason: '', params: notificationOf(form) }])
  })

  test('is for administrators', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.get('/api/topup/callbacks')).body).toMatchObject({ success: false })
  })
})

describe('POST /api/topup/callbacks/:id/replay', () => {
  test('processes a rejected notification again with the current settings, and credits once', async () => {
    const fixture = await openGateway()
    await setUp(fixture)
    const person = await fixture.user()
    const { form } = await fixture.toolkit.wallet.pay(person, { amount: 10, payment_method: 'zfb' })
    await fixture.toolkit.options.set(fixture.root, 'EpayKey', 'mistyped')
    expect((await notify(fixture, notificationOf(form))).text).toBe('fail')
    await fixture.toolkit.options.set(fixture.root, 'EpayKey', MERCHANT.key)
    const boss = await fixture.user({ role: 10 })
    const client = await openApi(fixture).as(boss)
    const [refused] = (await client.get('/api/topup/callbacks')).body.data.items

    const answers = await Promise.all([1, 2].map(() => client.post(`/api/topup/callbacks/${refused.id}/replay`)))

    const verdicts = answers.map(({ body }) => body.data)
    expect(verdicts.map(({ verdict }) => verdict).sort()).toEqual(['credited', 'repeated'])
    for (const each of verdicts) expect(each).toMatchObject({ replay_of: refused.id, actor_id: boss.id, ip: '' })
    expect(await fixture.balance(person)).toBe(5_000_000)
    expect((await client.get('/api/topup/callbacks')).body.data).toMatchObject({ total: 3 })
  })

  test.each([
    ['999', '支付回调 999 不存在'],
    ['0', '支付回调 0 不存在'],
    ['x', 'id 必须是整数'],
    ['99999999999', /^id 必须在/],
  ])('callback %s is not found or not an id', async (id, message) => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(fixture.root)

    const { status, body } = await client.post(`/api/topup/callbacks/${id}/replay`)

    expect(status).toBe(200)
    expect(body).toEqual({
      success: false,
      message: message instanceof RegExp ? expect.stringMatching(message) : message,
    })
  })

  test('is for administrators', async () => {
    const fixture = await openGateway()
    const client = await openApi(fixture).as(await fixture.user())

    expect((await client.post('/api/topup/callbacks/1/replay')).body).toMatchObject({ success: false })
  })
})
