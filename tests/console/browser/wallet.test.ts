import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { rowOf, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { MERCHANT, openPaymentPage } from '../../support/payment-page.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

async function setUpPayment(world: TestGateway, payAddress: string): Promise<void> {
  const settings = {
    ServerAddress: world.url,
    PayAddress: payAddress,
    EpayId: MERCHANT.id,
    EpayKey: MERCHANT.key,
    MinTopUp: '10',
  }
  for (const [name, value] of Object.entries(settings)) await world.toolkit.options.set(world.root, name, value)
}

const redeemButton = (page: Page) => page.getByRole('button', { name: '兑换', exact: true })

describe('a redemption code', () => {
  test('is added to the balance, and shows the amount', async () => {
    const world = await gateway()
    const person = await world.user({ quota: 250_000 })
    const code = await world.code(500_000)
    const { page } = await open(world, { as: person, at: '/topup' })
    await page.getByText('$0.50').first().waitFor()

    await page.getByLabel('兑换码').fill('0'.repeat(32))
    await page.keyboard.press('Enter')
    await toast(page, '兑换失败，无效的兑换码').waitFor()
    await page.getByLabel('兑换码').fill(` ${code} `)
    await redeemButton(page).click()

    const dialog = page.getByRole('dialog').filter({ hasText: '成功兑换额度：$1.00' })
    await dialog.getByRole('button', { name: '关闭' }).click()
    await page.getByText('$1.50').first().waitFor()
    expect(await page.getByLabel('兑换码').inputValue()).toBe('')
    expect(await world.balance(person)).toBe(750_000)

    await page.getByLabel('兑换码').fill(code)
    await redeemButton(page).click()
    await toast(page, '兑换失败，该兑换码已被使用').waitFor()
  })

  test('is required', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user(), at: '/topup' })
    await page.getByText('还没有充值记录').waitFor()

    await redeemButton(page).click()

    await toast(page, '请输入兑换码！').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('that could not be sent stays in the field', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: await world.user(), at: '/topup' })
    expects(/502/)
    await page.route('**/api/user/topup', (route) => route.fulfill({ status: 502 }))

    await page.getByLabel('兑换码').fill('abc')
    await redeemButton(page).click()

    await toast(page, '请求失败').waitFor()
    expect(await page.getByLabel('兑换码').inputValue()).toBe('abc')
  })

  test('can be bought at the link set by root', async () => {
    const world = await gateway()
    const { page, context } = await open(world, { as: await world.user(), at: '/topup' })
    await page.getByRole('button', { name: '获取兑换码' }).click()
    await toast(page, '超级管理员未设置充值链接！').waitFor()

    await world.toolkit.options.set(world.root, 'TopUpLink', 'https://shop.test/codes')
    await context.route('https://shop.test/**', (route) => route.fulfill({ body: 'shop' }))
    await page.reload()
    await page.waitForLoadState('networkidle')
    const [shop] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('button', { name: '获取兑换码' }).click(),
    ])

    await shop.waitForURL('https://shop.test/codes')
  })
})

describe('online payment', () => {
  test('shows that the administrator has not enabled it', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user(), at: '/topup', width: 390 })

    await page.getByText('管理员未开启在线充值！').waitFor()
    expect(await page.getByRole('button', { name: '支付宝' }).count()).toBe(0)
  })

  test('shows the price of an amount, and rejects one below the minimum', async () => {
    const world = await gateway()
    await setUpPayment(world, 'https://pay.test/')
    const { page } = await open(world, { as: await world.user(), at: '/topup' })
    const amount = page.getByLabel('充值数量')

    await page.getByText('实付金额: 73.00 元').waitFor()
    expect(await amount.inputValue()).toBe('10')
    await amount.fill('0')
    await amount.blur()
    expect(await amount.inputValue()).toBe('1')
    await page.getByRole('alert').filter({ hasText: '充值数量不能小于10' }).waitFor()
    await page.getByRole('button', { name: '支付宝' }).click()
    await toast(page, '充值数量不能小于10').waitFor()
    await expectAccessible(page, { include: '.wallet-panels', themes: BOTH_THEMES })

    await page.route('**/api/user/amount', (route) =>
      route.fulfill({ json: { message: 'error', data: '充值金额过低' } }),
    )
    await amount.fill('30')
    await page.getByRole('alert').filter({ hasText: '错误：充值金额过低' }).waitFor()
  })

  test.each([
    ['支付宝', 'zfb'],
    ['微信', 'wx'],
  ])('by %s is confirmed, paid in its own tab, and seen in the balance', async (name, method) => {
    const world = await gateway()
    const shop = await openPaymentPage()
    await setUpPayment(world, shop.url)
    const person = await world.user()
    const { page, context, expects } = await open(world, { as: person, at: '/topup' })
    expects(/from elsewhere: POST .*submit\.php/, /favicon/)

    await page.getByLabel('充值数量').fill('20')
    await page.getByText('实付金额: 146.00 元').waitFor()
    await page.getByRole('button', { name }).click()
    const question = page.getByRole('dialog').filter({ hasText: '确定要充值吗？' })
    await expect.poll(() => question.getByRole('definition').allInnerTexts()).toEqual(['20', '146.00 元', name])
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      question.getByRole('button', { name: '去支付' }).click(),
    ])
    await tab.waitForURL(`${shop.url}/submit.php`)
    await expect.poll(() => tab.locator('body').innerText()).toBe('success')
    await tab.close()

    await page.reload()
    await page.getByText('$20.00').first().waitFor()
    const row = rowOf(page, '146.00 元')
    await row.getByText('已支付').waitFor()
    await row.getByText(name).waitFor()
    expect(await world.balance(person)).toBe(10_000_000)
    const [order] = (await world.toolkit.wallet.ownOrders(person, { page: 1, pageSize: 10 })).items
    expect(order).toMatchObject({ payment_method: method, amount: 20, status: 'success' })
  })

  test('leaves no empty tab behind if the order is rejected, and uses the current tab if popups are blocked', async () => {
    const world = await gateway()
    const shop = await openPaymentPage()
    await setUpPayment(world, shop.url)
    const { page, context, expects } = await open(world, { as: await world.user(), at: '/topup' })
    expects(/from elsewhere: POST .*submit\.php/, /favicon/)
    const pay = async () => {
      await page.getByText('实付金额: 73.00 元').waitFor()
      await page.getByRole('button', { name: '支付宝' }).click()
      await page.getByRole('button', { name: '去支付' }).click()
    }
    await page.route('**/api/user/pay', (route) => route.fulfill({ json: { message: 'error', data: '拉起支付失败' } }))

    const [tab] = await Promise.all([context.waitForEvent('page'), pay()])
    await toast(page, '拉起支付失败').waitFor()
    await expect.poll(() => tab.isClosed()).toBe(true)

    await page.unroute('**/api/user/pay')
    await page.evaluate(() => Object.assign(window, { open: () => null }))
    await pay()
    await page.waitForURL(`${shop.url}/submit.php`)
  })
})
