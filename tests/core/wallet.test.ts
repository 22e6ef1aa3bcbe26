import { describe, expect, test } from 'vitest'
import { hundredthsOf, quoteOf } from '../../core/wallet/amounts.ts'
import { epaySignatureOf } from '../../core/wallet/signature.ts'
import { MERCHANT, notificationOf, signed } from '../support/payment-page.ts'
import { onBoth, openTestToolkit, type TestToolkit } from '../support/toolkit.ts'

const paramsOf = (text: string) =>
  Object.fromEntries(text.split('&').map((pair) => pair.split('=') as [string, string]))

describe('the signature of the payment protocol', () => {
  test.each([
    [
      'device=pc&money=73.00&name=TUC10&notify_url=https://gw.example.com/api/user/epay/notify&out_trade_no=USR7NOa1B2c31739577600&pid=1001&return_url=https://gw.example.com/log&type=alipay',
      '4d17ce4cc5d0cdc7cc1b58cee032c3cb',
    ],
    [
      'money=73.00&name=TUC10&out_trade_no=USR7NOa1B2c31739577600&pid=1001&trade_no=2025021500001&trade_status=TRADE_SUCCESS&type=alipay',
      '0f0eefeaeb4e584bb1aeab6bb3fb78d5',
    ],
  ])('is that of the published vector %#', (text, sign) => {
    expect(epaySignatureOf(paramsOf(text), 'SECRETKEY')).toBe(sign)
  })

  test('excludes itself, its type and empty values, and is ordered by bytes', () => {
    const sign = epaySignatureOf({ b: '1', B: '2', a: '3' }, 'k')
    expect(epaySignatureOf({ a: '3', B: '2', b: '1', c: '', sign: 'x', sign_type: 'MD5' }, 'k')).toBe(sign)
    expect(epaySignatureOf({ b: '1', B: '2', a: '4' }, 'k')).not.toBe(sign)
  })
})

const TERMS = { inCurrency: true, quotaPerUnit: 500_000, price: 7.3, ratio: 1, minimum: 1 }

describe('the price of a top-up', () => {
  test.each([
    ['ten dollars at the default price', 10, {}, { money: '73.00', quota: 5_000_000, dollars: 10 }],
    ['a price of 0.1, three times', 3, { price: 0.1 }, { money: '0.30', quota: 1_500_000, dollars: 3 }],
    ['half a hundredth is rounded up: 1.005', 1, { price: 1.005 }, { money: '1.01' }],
    ['half a hundredth is rounded up: 2.675', 1, { price: 2.675 }, { money: '2.68' }],
    ['a group ratio of 0.07', 1, { price: 0.5, ratio: 0.07 }, { money: '0.04' }],
    ['a ratio that JavaScript writes with an exponent', 1_000_000, { price: 1, ratio: 1e-7 }, { money: '0.10' }],
    ['quota instead of dollars', 750_000, { inCurrency: false }, { money: '10.95', quota: 750_000, dollars: 1 }],
    ['a dollar of 3.5 quota', 3, { quotaPerUnit: 3.5 }, { quota: 11 }],
    ['the most dollars a balance holds', 2_000_000_000, {}, { money: '14600000000.00', quota: 1e15 }],
  ])('%s', (_, amount, terms, expected) => {
    expect(quoteOf(amount, { ...TERMS, ...terms })).toMatchObject(expected)
  })

  test.each([
    ['nothing', 0, {}, 'TOPUP_MINIMUM', { minimum: 1 }],
    ['less than nothing', -5, {}, 'TOPUP_MINIMUM', { minimum: 1 }],
    ['below the minimum', 4, { minimum: 5 }, 'TOPUP_MINIMUM', { minimum: 5 }],
    [
      'below the minimum in quota',
      499_999,
      { inCurrency: false, quotaPerUnit: 500_000.9 },
      'TOPUP_MINIMUM',
      { minimum: 500_000 },
    ],
    ['more than a balance holds', 2_000_000_001, {}, 'PARAMETERS_WRONG', {}],
    ['a sum above the limit', 1_000_000_000, { price: 1e9, quotaPerUnit: 1 }, 'PARAMETERS_WRONG', {}],
  ])('%s is rejected', (_, amount, terms, code, params) => {
    expect(() => quoteOf(amount, { ...TERMS, ...terms })).toThrow(expect.objectContaining({ code }))
    expect(() => quoteOf(amount, { ...TERMS, ...terms })).toThrow(
      expect.objectContaining({ params: expect.objectContaining(params) }),
    )
  })

  test.each([
    ['73.00', 7300],
    ['73', 7300],
    ['73.5', 7350],
    ['0.07', 7],
    ['73.0000', 7300],
    ['73.001', undefined],
    ['-73', undefined],
    ['7e1', undefined],
    ['', undefined],
    [' 73', undefined],
    ['NaN', undefined],
  ])('a notification with %j means %s hundredths', (text, hundredths) => {
    expect(hundredthsOf(text)).toBe(hundredths)
  })
})

async function setUp({ toolkit, root }: TestToolkit) {
  await toolkit.options.set(root, 'PayAddress', 'https://pay.example.com')
  await toolkit.options.set(root, 'EpayId', MERCHANT.id)
  await toolkit.options.set(root, 'EpayKey', MERCHANT.key)
}

const order = async ({ toolkit }: TestToolkit, person: { id: number; role: number }, amount = 10) =>
  (await toolkit.wallet.pay(person, { amount, payment_method: 'zfb' })).form

onBoth('a paid order', (open) => {
  test('is credited once for concurrent notifications', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)

    const verdicts = await Promise.all(
      Array.from({ length: 20 }, () => fixture.toolkit.wallet.notify(notificationOf(form), '127.0.0.1')),
    )

    expect(verdicts.filter(({ verdict }) => verdict === 'credited')).toHaveLength(1)
    expect(verdicts.filter(({ verdict }) => verdict === 'repeated')).toHaveLength(19)
    expect(await fixture.balance(person)).toBe(5_000_000)
    expect(await fixture.toolkit.ledger.verify()).toMatchObject({ equal: true })
    const entries = await fixture.toolkit.db.reader('ledger_entries').where({ user_id: person.id, kind: 'topup' })
    expect(entries).toMatchObject([{ quota: 5_000_000, reference: form.out_trade_no }])
    const logs = await fixture.toolkit.logs.list(person, { type: 1 })
    expect(logs.items.map(({ content }) => content)).toEqual([
      '使用在线充值成功，充值金额: ＄10.000000 额度，支付金额：73.000000',
    ])
    expect(await fixture.toolkit.wallet.callbacks(fixture.root)).toMatchObject({ total: 20 })
  })

  test('keeps its value if QuotaPerUnit and Price change before it is paid', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)
    await fixture.toolkit.options.set(fixture.root, 'QuotaPerUnit', '1000')
    await fixture.toolkit.options.set(fixture.root, 'Price', '100')

    expect(await fixture.toolkit.wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'credited' })

    expect(await fixture.balance(person)).toBe(5_000_000)
  })

  test('of a deleted account is not in the ledger, waits, and is credited when possible', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)
    const { db, wallet } = fixture.toolkit
    await db.transaction((trx) => trx('top_ups').update({ user_id: 999_999 }))

    const failed = await wallet.notify(notificationOf(form), '')
    expect(failed).toMatchObject({ verdict: 'failed', reason: 'account-gone' })
    expect(await wallet.orders(fixture.root)).toMatchObject({ items: [{ status: 'pending', username: '' }] })

    await db.transaction((trx) => trx('top_ups').update({ user_id: person.id }))
    const replayed = await wallet.replay(fixture.root, failed.id)
    expect(replayed).toMatchObject({ verdict: 'credited', replay_of: failed.id, actor_id: fixture.root.id })
    expect(await fixture.balance(person)).toBe(5_000_000)
  })

  test('rejected by the ledger is not marked as paid', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)
    const { db, wallet } = fixture.toolkit
    // That reference was booked before: the unique index stops the second entry.
    const booked = { userId: person.id, quota: 1, kind: 'topup', reference: form.out_trade_no } as const
    await db.transaction((trx) => fixture.toolkit.ledger.credit(trx, booked))

    expect(await wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'failed', reason: 'not-booked' })

    expect(await fixture.balance(person)).toBe(1)
    expect(await wallet.ownOrders(person)).toMatchObject({ items: [{ status: 'pending', complete_time: 0 }] })
    expect(fixture.failures).toHaveLength(1)
  })

  test('of a user banned or deleted meanwhile is credited, because the money was paid', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)
    await fixture.toolkit.db.transaction((trx) =>
      trx('users').where({ id: person.id }).update({ status: 2, deleted_at: '2026-01-01T00:00:00.000Z' }),
    )

    expect(await fixture.toolkit.wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'credited' })

    const { quota } = await fixture.toolkit.db.reader('users').where({ id: person.id }).first('quota')
    expect(quota).toBe(5_000_000)
  })

  test('imported without its value is credited by its dollars', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const imported = { user_id: person.id, amount: 2, money: 14.6, trade_no: 'OLD1', status: 'pending', create_time: 1 }
    await fixture.toolkit.db.transaction((trx) => trx('top_ups').insert(imported))
    const form = { pid: MERCHANT.id, type: 'alipay', out_trade_no: 'OLD1', money: '14.60' }

    expect(await fixture.toolkit.wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'credited' })

    expect(await fixture.balance(person)).toBe(1_000_000)
  })

  test.each([
    ["the payment gateway's name of the method", { payment_method: 'alipay', money: 14.6 }, { money: '14.60' }],
    ['a method that this gateway lacks', { payment_method: 'qqpay', money: 14.6 }, { money: '14.60', type: 'qqpay' }],
    ['a price that was rounded up', { payment_method: '', money: 31.025 }, { money: '31.03' }],
    ['a price that was rounded down', { payment_method: '', money: 31.025 }, { money: '31.02' }],
    ['a price with many decimals', { payment_method: '', money: 217.17499999999998 }, { money: '217.17' }],
  ])('imported with %s is credited', async (_, columns, notified) => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const imported = { user_id: person.id, amount: 2, trade_no: 'OLD1', status: 'pending', create_time: 1, ...columns }
    await fixture.toolkit.db.transaction((trx) => trx('top_ups').insert(imported))
    const form = { pid: MERCHANT.id, type: 'alipay', out_trade_no: 'OLD1', ...notified }

    expect(await fixture.toolkit.wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'credited' })

    expect(await fixture.balance(person)).toBe(1_000_000)
  })

  test.each([
    ['wrong-type', { payment_method: 'stripe', money: 31.024 }, { money: '31.02' }],
    ['wrong-type', { payment_method: 'wxpay', money: 31.024 }, { money: '31.02' }],
    ['wrong-money', { payment_method: 'alipay', money: 31.024 }, { money: '31.03' }],
    ['wrong-money', { payment_method: 'alipay', money: 31.026 }, { money: '31.02' }],
  ])('imported is not credited for a notification with %s', async (reason, columns, notified) => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const imported = { user_id: person.id, amount: 2, trade_no: 'OLD1', status: 'pending', create_time: 1, ...columns }
    await fixture.toolkit.db.transaction((trx) => trx('top_ups').insert(imported))
    const form = { pid: MERCHANT.id, type: 'alipay', out_trade_no: 'OLD1', ...notified }

    expect(await fixture.toolkit.wallet.notify(notificationOf(form), '')).toMatchObject({ verdict: 'refused', reason })

    expect(await fixture.balance(person)).toBe(0)
  })

  test('keeps the newest five hundred unsigned notifications, and every signed one', async () => {
    const fixture = await open()
    await setUp(fixture)
    const form = await order(fixture, await fixture.user())
    await fixture.toolkit.wallet.notify(notificationOf(form, { money: '0.01' }), '')
    const old = { params: '{}', verdict: 'refused', reason: 'bad-signature', created_at: 1 }
    await fixture.toolkit.db.transaction((trx) => trx.batchInsert('payment_callbacks', Array(600).fill(old), 100))

    const junk = {
      out_trade_no: 'x'.repeat(5000),
      ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`p${n}`, ''])),
    }
    await fixture.toolkit.wallet.notify(junk, '')

    const { total, items } = await fixture.toolkit.wallet.callbacks(fixture.root, {
      verdict: 'refused',
      pageSize: 1000,
    })
    expect(total).toBe(501)
    expect(items.at(-1)).toMatchObject({ reason: 'wrong-money' })
    expect(items[0]).toMatchObject({ reason: 'too-long', trade_no: 'x'.repeat(255) })
  })

  test('keeps the first and the newest twenty of endless repetitions, and all credits or failures', async () => {
    const fixture = await open()
    await setUp(fixture)
    const { wallet } = fixture.toolkit
    const [form, other] = [await order(fixture, await fixture.user()), await order(fixture, await fixture.user())]
    const wrong = notificationOf(other, { money: '0.01' })
    const credited = await wallet.notify(notificationOf(form), '')
    const early = [await wallet.notify(notificationOf(form), ''), await wallet.notify(wrong, '')]
    for (let again = 0; again < 25; again++) {
      await wallet.notify(notificationOf(form), '')
      await wallet.notify(wrong, '')
      await wallet.notify({ ...wrong, sign: 'x' }, '')
    }
    const newest = await wallet.notify(notificationOf(form), '')

    const { items } = await wallet.callbacks(fixture.root, { pageSize: 100 })
    const of = (verdict: string) => items.filter(({ reason }) => reason === verdict).map(({ id }) => id)
    expect(of('')).toEqual([credited.id])
    expect(of('already-credited')).toHaveLength(21)
    expect(of('wrong-money')).toHaveLength(21)
    expect(of('bad-signature')).toHaveLength(25)
    expect([of('already-credited').at(-1), of('wrong-money').at(-1)]).toEqual(early.map(({ id }) => id))
    expect(of('already-credited')[0]).toBe(newest.id)
  })

  test('is credited for any claimed sender of the notification; an invalid address is not stored', async () => {
    const fixture = await open()
    await setUp(fixture)
    const person = await fixture.user()
    const form = await order(fixture, person)

    const odd = await fixture.toolkit.wallet.notify(notificationOf(form), 'x'.repeat(3000))
    const zone = await fixture.toolkit.wallet.notify(notificationOf(form), `fe80::1%${'z'.repeat(3000)}`)

    expect(odd).toMatchObject({ verdict: 'credited', ip: '' })
    expect(zone).toMatchObject({ verdict: 'repeated', ip: `fe80::1%${'z'.repeat(56)}` })
    expect(fixture.failures).toEqual([])
  })
})

test.each([
  ['a wrong signature', { sign: '0'.repeat(32) }, 'refused', 'bad-signature'],
  ['no signature', { sign: '' }, 'refused', 'bad-signature'],
])('%s is rejected and credits nothing', async (_, change, verdict, reason) => {
  const fixture = await openTestToolkit()
  await setUp(fixture)
  const person = await fixture.user()
  const notification = { ...notificationOf(await order(fixture, person)), ...change }

  expect(await fixture.toolkit.wallet.notify(notification, '')).toMatchObject({ verdict, reason })

  expect(await fixture.balance(person)).toBe(0)
})

test.each([
  ['a parameter of more than 255 characters', { name: 'x'.repeat(256) }],
  ['a name of more than 255 characters', { ['x'.repeat(256)]: '1' }],
  ['more than 32 parameters', Object.fromEntries(Array.from({ length: 26 }, (_, at) => [`p${at}`, '1']))],
])('a notification with %s is rejected, even if well signed, and so is its replay', async (_, more) => {
  const fixture = await openTestToolkit()
  await setUp(fixture)
  const person = await fixture.user()
  const { wallet } = fixture.toolkit
  const form = await order(fixture, person)

  const refused = await wallet.notify(notificationOf(form, more), '')
  expect(refused).toMatchObject({ verdict: 'refused', reason: 'too-long', trade_no: form.out_trade_no })
  expect(await wallet.replay(fixture.root, refused.id)).toMatchObject({ verdict: 'refused', reason: 'too-long' })
  expect(await fixture.balance(person)).toBe(0)
})

test('a notification of exactly the maximum length is processed', async () => {
  const fixture = await openTestToolkit()
  await setUp(fixture)
  const person = await fixture.user()
  const filling = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`p${at}`, 'é'.repeat(255)]))
  const notification = notificationOf(await order(fixture, person), filling)

  expect(Object.keys(notification)).toHaveLength(32)
  expect(await fixture.toolkit.wallet.notify(notification, '')).toMatchObject({ verdict: 'credited' })
})

test.each([
  ['another merchant', { pid: '1002' }, 'refused', 'wrong-merchant'],
  ['another way to pay', { type: 'wxpay' }, 'refused', 'wrong-type'],
  ['less money', { money: '72.99' }, 'refused', 'wrong-money'],
  ['more money', { money: '73.01' }, 'refused', 'wrong-money'],
  ['money that is no number', { money: '73,00' }, 'refused', 'wrong-money'],
  ['no money', { money: '' }, 'refused', 'wrong-money'],
  ['a trade that is not done', { trade_status: 'WAIT_BUYER_PAY' }, 'ignored', 'not-paid'],
  ['no trade status', { trade_status: '' }, 'ignored', 'not-paid'],
  ['an order that does not exist', { out_trade_no: 'USR1NOxxxxxx1' }, 'ignored', 'unknown-order'],
])('a signed notification of %s credits nothing and is stored', async (_, change, verdict, reason) => {
  const fixture = await openTestToolkit()
  await setUp(fixture)
  const person = await fixture.user()
  const notification = notificationOf(await order(fixture, person), change)

  expect(await fixture.toolkit.wallet.notify(notification, '10.0.0.1')).toMatchObject({ verdict, reason })

  expect(await fixture.balance(person)).toBe(0)
  expect(await fixture.toolkit.wallet.callbacks(fixture.root)).toMatchObject({
    items: [{ verdict, reason, ip: '10.0.0.1', params: notification }],
  })
  expect(await fixture.toolkit.wallet.ownOrders(person)).toMatchObject({ items: [{ status: 'pending' }] })
})

test('without payment settings nothing is credited, even if signed with an empty key', async () => {
  const fixture = await openTestToolkit()

  const notification = signed({ pid: '', out_trade_no: 'x', trade_status: 'TRADE_SUCCESS' }, '')

  expect(await fixture.toolkit.wallet.notify(notification, '')).toMatchObject({
    verdict: 'refused',
    reason: 'not-configured',
  })
})

test('orders and notifications of all users are visible to administrators only', async () => {
  const { toolkit, user } = await openTestToolkit()
  const person = await user()

  for (const asking of [
    toolkit.wallet.orders(person),
    toolkit.wallet.callbacks(person),
    toolkit.wallet.replay(person, 1),
  ]) {
    await expect(asking).rejects.toMatchObject({ code: 'PERMISSION_DENIED' })
  }
})
