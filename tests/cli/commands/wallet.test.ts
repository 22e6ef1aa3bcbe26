import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shared } from '../../support/lifetime.ts'
import { MERCHANT, notificationOf, signed } from '../../support/payment-page.ts'
import { BACKINGS, openBacking } from '../backings.ts'

describe.each(BACKINGS)('wallet, on a %s', (kind) => {
  const world = shared(() => openBacking(kind))
  const balance = async (): Promise<number> => (await world().json('wallet', 'balance')).quota

  test('redeem turns a code into quota once, from an argument or stdin', async () => {
    const [one = '', two = ''] = await world().inside((toolkit, root) =>
      toolkit.redemption.create(root, { name: 'gift', quota: 500_000, count: 2 }),
    )
    const before = await balance()
    const { stderr } = await world().run(['wallet', 'redeem', '--stdin'], { input: `${one}\n` })
    expect(stderr).toBe(`Added 500000 ($1.00); your balance is ${before + 500_000} ($201.00).`)
    expect(await world().json('wallet', 'redeem', two)).toEqual({ added: 500_000, quota: before + 1_000_000 })
    expect((await world().run(['wallet', 'redeem', one])).exitCode).toBe(5)
    expect((await world().run(['wallet', 'redeem', 'no-such-code'])).exitCode).toBe(3)
    for (const words of [[], ['x', '--stdin']]) {
      expect((await world().run(['wallet', 'redeem', ...words])).exitCode).toBe(2)
    }
    expect(await balance()).toBe(before + 1_000_000)
  })

  test('transfer moves invite earnings, at most the available amount', async () => {
    const before = await balance()
    await world().inside((toolkit) =>
      toolkit.db.transaction((trx) => trx('users').where({ id: 1 }).update({ aff_quota: 1_200_000 })),
    )
    expect(await world().json('wallet', 'transfer', '1000000')).toEqual({
      moved: 1_000_000,
      quota: before + 1_000_000,
      invite_quota: 200_000,
    })
    expect((await world().run(['wallet', 'transfer', '500000'])).exitCode).toBe(1)
    await world().inside((toolkit) =>
      toolkit.db.transaction((trx) => trx('users').where({ id: 1 }).increment('aff_quota', 1_000_000)),
    )
    const once = ['wallet', 'transfer', '500000', '--idempotency-key', 'november']
    for (let time = 0; time < 2; time++) {
      expect(await world().json(...once)).toMatchObject({ quota: before + 1_500_000, invite_quota: 700_000 })
    }
    await world().run(['user', 'set-quota', '1', '-500000'])
    expect(await world().run(['wallet', 'transfer', '10'])).toMatchObject({
      exitCode: 2,
      stderr: 'error: transfer failed: the smallest amount is $1.000000',
    })
    expect((await world().run(['wallet', 'transfer', '10', '--language', 'zh'])).stderr).toContain('＄1.000000 额度')
    expect(await balance()).toBe(before + 1_000_000)
  })

  test('top-up shows methods and prices; an order that cannot be paid is rejected', async () => {
    await world().run(['option', 'set', 'TopUpLink', 'https://shop.example'])
    expect(await world().json('wallet', 'top-up')).toEqual({
      link: 'https://shop.example',
      price: 7.3,
      minimum: 1,
      online: false,
      quota_per_dollar: 500_000,
    })
    expect((await world().run(['wallet', 'top-up'])).stdout).toMatch(/^online payment +no$/m)
    expect((await world().run(['wallet', 'top-up', '10'])).stdout).toBe('73.00')
    const output = join(world().folder, 'unpaid.html')
    const refused = await world().run(['wallet', 'top-up', '10', '--method', 'alipay', '--output', output])
    expect(refused.exitCode).toBe(4)
    expect(existsSync(output)).toBe(false)
    for (const words of [
      ['0'],
      ['-3'],
      ['1.5'],
      ['--method', 'alipay'],
      ['10', '--method', 'cash'],
      ['10', '--output', 'x'],
    ]) {
      expect((await world().run(['wallet', 'top-up', ...words])).exitCode).toBe(2)
    }
    expect(await world().json('wallet', 'orders')).toMatchObject({ total: 0 })
  })

  test('an order is a signed form, as a link or a page; callbacks of the payment gateway can be checked again', async () => {
    const settings = { PayAddress: 'https://pay.example.com', EpayId: MERCHANT.id, EpayKey: MERCHANT.key }
    await world().inside(async (toolkit, root) => {
      for (const [key, value] of Object.entries(settings)) await toolkit.options.set(root, key, value)
    })
    const order = await world().json('wallet', 'top-up', '10', '--method', 'alipay')
    expect(order).toMatchObject({ money: '73.00', url: 'https://pay.example.com/submit.php' })
    expect(signed(order.form).sign).toBe(order.form.sign)
    expect(Object.fromEntries(new URL(order.link).searchParams)).toEqual(order.form)
    const output = join(world().folder, 'pay.html')
    const page = await world().run(['wallet', 'top-up', '10', '--method', 'wechat', '--output', output])
    expect(page.stderr).toMatch(/^Created order USR1NO\w+: pay 73\.00\..*\nOpen .*pay\.html in a browser to pay\.$/)
    expect(readFileSync(output, 'utf8')).toMatch(
      /action="https:\/\/pay\.example\.com\/submit\.php"[\s\S]*value="wxpay"/,
    )
    expect((await world().run(['wallet', 'top-up', '10', '--method', 'wx', '--output', output])).exitCode).toBe(5)

    const { items, total } = await world().json('wallet', 'orders')
    expect({ total, status: items[1].status, id: items[1].trade_no }).toEqual({
      total: 2,
      status: 'pending',
      id: order.trade_no,
    })
    const before = await balance()
    await world().inside(async (toolkit, root) => {
      await toolkit.options.set(root, 'EpayKey', 'another-key')
      await toolkit.wallet.notify(notificationOf(order.form), '203.0.113.9')
      await toolkit.options.set(root, 'EpayKey', MERCHANT.key)
    })
    const [callback] = (await world().json('wallet', 'callbacks', '--verdict', 'refused')).items
    expect(callback).toMatchObject({ trade_no: order.trade_no, reason: 'bad-signature', ip: '203.0.113.9' })
    expect(await world().run(['wallet', 'replay', String(callback.id)])).toEqual({
      stdout: '',
      stderr: `Notification ${callback.id} of order ${order.trade_no}: credited.`,
      exitCode: 0,
    })
    expect(await world().json('wallet', 'replay', String(callback.id))).toMatchObject({
      verdict: 'repeated',
      actor_id: 1,
    })
    expect(await balance()).toBe(before + 5_000_000)

    const paid = await world().json('wallet', 'orders', '--everybody', '--status', 'success', '--user', 'root')
    expect(paid.items).toMatchObject([{ trade_no: order.trade_no, quota: 5_000_000 }])
    expect((await world().run(['wallet', 'callbacks', '--order', order.trade_no])).stdout.split('\n')).toHaveLength(4)
    expect((await world().run(['wallet', 'replay', '999'])).exitCode).toBe(3)
    for (const words of [
      ['orders', '--user', 'root'],
      ['orders', '--everybody', '--status', 'x'],
      ['callbacks', '--verdict', 'x'],
    ]) {
      expect((await world().run(['wallet', ...words])).exitCode).toBe(2)
    }
  })
})
