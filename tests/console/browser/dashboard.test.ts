import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const figure = (page: Page, label: string) =>
  page
    .locator('.figure')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

/** Two users who have used three models, each in this hour. */
async function used() {
  const world = await gateway()
  const [alice, bob] = [await world.user({ quota: 10_000_000 }), await world.user({ quota: 10_000_000 })]
  await world.charge(alice, { quota: 500_000, modelName: 'gpt-4o', promptTokens: 9000, completionTokens: 1000 })
  await world.charge(alice, { quota: 250_000, modelName: 'o3', promptTokens: 100, completionTokens: 100 })
  await world.charge(bob, { quota: 1_000_000, modelName: 'claude', promptTokens: 50, completionTokens: 50 })
  return { world, alice, bob }
}

describe('the dashboard of a common user', () => {
  test('shows the own figures, charts, and the same in tables', async () => {
    const { world, alice } = await used()
    const { page } = await open(world, { as: alice, at: '/detail' })

    await page
      .getByRole('img', { name: '模型消费分布：合计 $1.50, gpt-4o $1.00, o3 $0.50' })
      .locator('canvas')
      .waitFor()
    await page.getByRole('img', { name: '模型调用次数占比：合计 2, gpt-4o 1, o3 1' }).locator('canvas').waitFor()
    await page.getByRole('img', { name: '模型趋势：合计 2, gpt-4o 1, o3 1' }).waitFor()
    for (const [label, value] of [
      ['余额', '$18.50'],
      ['已用额度', '$1.50'],
      ['请求次数', '2'],
      ['今日消费', '$1.50'],
      ['每分钟请求 (RPM)', '2'],
      ['每分钟 Token (TPM)', '10.2k'],
      ['所选时间 Token 数', '10.2k'],
      ['所选时间消费', '$1.50'],
    ] as const) {
      await expect.poll(() => figure(page, label).innerText(), { message: label }).toBe(value)
    }
    expect(await page.locator('.usage tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/gpt-4o\s+1\s+10k\s+\$1\.00/),
      expect.stringMatching(/o3\s+1\s+200\s+\$0\.50/),
    ])
    const times = page.getByRole('region', { name: '按时间汇总表格，可横向滚动' })
    expect(await times.locator('tbody tr').allInnerTexts()).toEqual([
      expect.stringMatching(/:00\s+2\s+10\.2k\s+\$1\.50/),
    ])
    expect(await page.getByLabel('用户名称').count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByText('Token 数', { exact: true }).first().click()
    await page.getByRole('img', { name: '模型趋势：合计 10.2k, gpt-4o 10k, o3 200' }).waitFor()
    expect(page.url()).toContain('trend=tokens')
    await page.getByRole('button', { name: '切换到深色主题' }).click()
    await page
      .getByRole('img', { name: /模型消费分布/ })
      .locator('canvas')
      .waitFor()
    await page.getByRole('link', { name: '查看全部日志' }).click()
    await page.waitForURL('/log')
  })

  test('is by the hour, the day or the week, as the platform says until one chooses', async () => {
    const { world, alice } = await used()
    await world.toolkit.options.set(world.root, 'DataExportDefaultTime', 'week')
    const { page } = await open(world, { as: alice, at: '/detail' })
    const time = page.getByRole('region', { name: '按时间汇总表格，可横向滚动' }).locator('tbody td').first()

    await expect.poll(() => time.innerText()).toMatch(/^\d\d-\d\d ~ \d\d-\d\d$/)
    await page.getByText('天', { exact: true }).click()
    await expect.poll(() => time.innerText()).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(page.url()).toContain('by=day')
    await page.getByText('小时', { exact: true }).click()
    await expect.poll(() => time.innerText()).toMatch(/^\d\d-\d\d \d\d:00$/)

    await page.getByLabel('开始时间').click()
    await page.getByText('最近 30 天', { exact: true }).click()
    await page.waitForURL(/from=\d+&to=\d+/)
    await page.getByRole('img', { name: /模型消费分布：合计 \$1\.50/ }).waitFor()
    await page.goto('/detail?from=1000000&to=1086400')
    await page.getByText('这段时间没有用量').waitFor()
    await page.goto('/detail?from=1086400&to=1000000') // none: it ends before it begins
    await page.getByRole('img', { name: /模型消费分布/ }).waitFor()
    expect(await page.getByLabel('开始时间').inputValue()).toBe('')
  })

  test('tells an unused account what to do', async () => {
    const world = await gateway()
    const user = await world.user()
    await world.toolkit.db.transaction((trx) => trx('logs').where({ user_id: user.id }).delete())
    const { page } = await open(world, { as: user, at: '/detail' })

    await page.getByRole('heading', { name: '发出第一个请求' }).waitFor()
    await page.getByText(`${world.url}/v1`).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('link', { name: '前往令牌页面' }).click()
    await page.waitForURL('/token')
  })

  test('follows what is used while it is open', async () => {
    const { world, alice } = await used()
    const { page } = await open(world, { as: alice })
    await page.clock.install()
    await page.goto('/detail')
    await expect.poll(() => figure(page, '请求次数').innerText()).toBe('2')
    await page.getByRole('img', { name: /模型消费分布：合计 \$1\.50/ }).waitFor() // what is still asked for has no next time

    await world.charge(alice, { quota: 500_000, modelName: 'o3' })
    await page.clock.fastForward(11_000)

    await expect.poll(() => figure(page, '请求次数').innerText()).toBe('3')
    await expect
      .poll(() => page.getByRole('img', { name: /^模型消费分布/ }).getAttribute('aria-label'))
      .toContain('合计 $2.50, o3 $1.50')
  })

  test('says what could not be loaded, and asks again', async () => {
    const { world, alice } = await used()
    const { page, expects } = await open(world, { as: alice })
    expects(/500/)
    await page.route('**/api/data/self?*', (route) => route.fulfill({ status: 500 }))
    await page.goto('/detail')
    await page.getByText('错误：服务器内部错误，请联系管理员！').waitFor()
    expect(await figure(page, '所选时间消费').innerText()).toBe('–')

    await page.unroute('**/api/data/self?*')
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByRole('img', { name: /模型消费分布：合计 \$1\.50/ }).waitFor()
  })
})

describe('the dashboard of an administrator', () => {
  test('shows everybody, or one user', async () => {
    const { world, bob } = await used()
    const { page } = await open(world, { as: world.root, at: '/detail', width: 390 })
    await page.getByRole('img', { name: '模型消费分布：合计 $3.50, claude $2.00, gpt-4o $1.00, o3 $0.50' }).waitFor()
    expect(await figure(page, '全站今日消费').innerText()).toBe('$3.50')
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByLabel('用户名称').fill(bob.username)
    await page.getByRole('search').getByRole('button', { name: '搜索' }).click()

    await page.getByRole('img', { name: '模型消费分布：合计 $2.00, claude $2.00' }).waitFor()
    await expect.poll(() => figure(page, '今日消费').innerText()).toBe('$2.00')
    expect(page.url()).toContain(`username=${bob.username}`)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  })

  test('shows the eight dearest models, and the others as one', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 10_000_000 })
    for (let at = 1; at <= 10; at++) await world.charge(user, { quota: at * 50_000, modelName: `model-${at}` })
    const { page } = await open(world, { as: world.root, at: '/detail' })

    await page
      .getByRole('img', { name: /模型消费分布：合计 \$5\.50, model-10 \$1\.00, .*, 其他 2 个模型 \$0\.30$/ })
      .waitFor()
    expect(await page.locator('.usage tbody tr').count()).toBe(9)
  })

  test('says that it is switched off, where no menu leads', async () => {
    const { world } = await used()
    await world.toolkit.options.set(world.root, 'DataExportEnabled', 'false')
    const { page } = await open(world, { as: world.root, at: '/detail' })

    await page.getByText('管理员未开启数据看板').waitFor()
    expect(await page.getByRole('menuitem', { name: '数据看板' }).count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})
