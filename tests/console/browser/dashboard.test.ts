import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const figure = (page: Page, label: string) =>
  page
    .locator('.figure')
    .filter({ has: page.getByText(label, { exact: true }) })
    .locator('dd')

/** The rows of the table with that name. */
const rowsOf = (page: Page, name: string) => page.getByRole('region', { name, exact: true }).locator('tbody tr')

/** Two users who have used three models, each in this hour. */
async function used() {
  const world = await gateway()
  const [alice, bob] = [await world.user({ quota: 10_000_000 }), await world.user({ quota: 10_000_000 })]
  const other = JSON.stringify({ use_time_ms: 2000, frt: 400 })
  const [first, second] = [
    await world.token(alice, { name: 'web' }),
    await world.token(alice, { name: 'bot', group: 'default' }),
  ]
  const web = { tokenId: first.id, tokenName: 'web', other }
  await world.charge(alice, {
    ...web,
    quota: 500_000,
    modelName: 'gpt-4o',
    promptTokens: 9000,
    completionTokens: 1000,
  })
  await world.charge(alice, {
    quota: 250_000,
    modelName: 'o3',
    promptTokens: 100,
    completionTokens: 100,
    tokenId: second.id,
    tokenName: 'bot',
    other,
  })
  await world.charge(bob, { quota: 1_000_000, modelName: 'claude', promptTokens: 50, completionTokens: 50, other })
  return { world, alice, bob }
}

const failed = (person: { id: number; username: string }, code: string) => ({
  requestId: `failed-${code}-${person.id}`,
  userId: person.id,
  username: person.username,
  tokenId: 0,
  tokenName: '',
  modelName: 'gpt-4o',
  channelId: 0,
  group: 'default',
  useTimeSeconds: 1,
  isStream: false,
  at: Math.floor(Date.now() / 1000),
  content: 'failed',
  status: 503,
  code,
  tries: [],
})

describe('the dashboard of a common user', () => {
  test("shows the user's figures, charts, and the same data in tables", async () => {
    const { world, alice } = await used()
    await world.toolkit.logs.writeFailures([failed(alice, 'no_available_channel')])
    const { page } = await open(world, { as: alice, at: '/detail' })

    await page.getByRole('figure', { name: '各模型消费：合计 $1.50, gpt-4o $1.00, o3 $0.50' }).waitFor()
    for (const [label, value] of [
      ['余额', '$18.50'],
      ['已用额度', '$1.50'],
      ['请求次数', '2'],
      ['所选时间消费', '$1.50'],
      ['调用次数', '2'],
      ['所选时间 Token 数', '10.2k'],
      ['每分钟请求 (RPM)', '2'],
      ['每分钟 Token (TPM)', '10.2k'],
    ] as const) {
      await expect.poll(() => figure(page, label).innerText(), { message: label }).toBe(value)
    }
    expect(await figure(page, '成功率').innerText()).toBe('66.6%')
    expect(await figure(page, '耗时 p50 / p95').innerText()).toMatch(/^(1\.9|2\.0|2\.1) s \/ (1\.9|2\.0|2\.1) s$/)
    expect(await figure(page, '首字 p50 / p95').innerText()).toMatch(/^[34]\d\d ms \/ [34]\d\d ms$/)
    expect(await rowsOf(page, '模型').allInnerTexts()).toEqual([
      expect.stringMatching(/gpt-4o\s+1\s+10k\s+\$1\.00\s+50\.0%/),
      expect.stringMatching(/o3\s+1\s+200\s+\$0\.50\s+100%/),
    ])
    expect(await rowsOf(page, '按时间汇总表格，可横向滚动').allInnerTexts()).toEqual([
      expect.stringMatching(/:00\s+2\s+10\.2k\s+\$1\.50/),
    ])
    expect(await page.getByLabel('用户名称').count()).toBe(0)
    expect(await page.getByRole('radio', { name: '全站' }).count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByText('Token 数', { exact: true }).first().click()
    await page.getByRole('figure', { name: '各模型Token 数：合计 10.2k, gpt-4o 10k, o3 200' }).waitFor()
    expect(page.url()).toContain('metric=tokens')
    await page.getByRole('link', { name: 'no_available_channel' }).click()
    await page.waitForURL(/\/log\?from=\d+&to=\d+&type=5$/)
    await page.goBack()
    await page.getByRole('link', { name: '查看全部日志' }).click()
    await page.waitForURL('/log')
  })

  test('draws the trend and the shares when scrolled into view', async () => {
    const { world, alice } = await used()
    const { page } = await open(world, { as: alice, at: '/detail' })
    await page.getByRole('heading', { name: '趋势' }).scrollIntoViewIfNeeded()

    for (const title of ['趋势', '占比']) {
      await page
        .getByRole('img', { name: `${title}：合计 $1.50, gpt-4o $1.00, o3 $0.50` })
        .locator('canvas')
        .waitFor()
    }
  })

  test('links from a bar, and from a name, to the log rows', async () => {
    const { world, alice } = await used()
    const { page } = await open(world, { as: alice, at: '/detail?group=token' })

    await page.getByRole('figure', { name: /^各令牌消费：合计 \$1\.50, web \$1\.00, bot \$0\.50$/ }).waitFor()
    const bar = page.locator('.usage-stack').last()
    expect(await bar.getAttribute('title')).toMatch(/Σ \$1\.50\nweb: \$1\.00\nbot: \$0\.50/)
    await bar.click()
    await page.waitForURL(/\/log\?from=\d+&to=\d+$/)
    await page.getByRole('row').filter({ hasText: 'gpt-4o' }).first().waitFor()
    await page.goBack()
    await rowsOf(page, '令牌').getByRole('link', { name: 'bot' }).click()
    await page.waitForURL(/token_name=bot/)
    const modelRows = (model: string) => page.getByRole('row').filter({ hasText: model }).count()
    // The dashboard, which leaves the page a moment later, has rows of both models.
    await expect.poll(async () => [await modelRows('o3'), await modelRows('gpt-4o')]).toEqual([1, 0])
  })

  test('groups by hour, day or week, as the platform sets until the user chooses', async () => {
    const { world, alice } = await used()
    await world.toolkit.options.set(world.root, 'DataExportDefaultTime', 'week')
    const { page } = await open(world, { as: alice, at: '/detail' })
    const time = page.getByRole('region', { name: '按时间汇总表格，可横向滚动' }).locator('tbody td').first()

    await expect.poll(() => time.innerText()).toMatch(/^\d\d-\d\d ~ \d\d-\d\d$/)
    await page.getByText('天', { exact: true }).click()
    await expect.poll(() => time.innerText()).toMatch(/^\d{4}-\d\d-\d\d$/)
    expect(page.url()).toContain('by=day')
    await page.getByText('24 小时', { exact: true }).click()
    await expect.poll(() => time.innerText()).toMatch(/^\d\d-\d\d \d\d:00$/)
    expect(page.url()).toContain('range=24h')

    await page.goto('/detail?from=1000000&to=1086400')
    await page.getByText('这段时间没有用量').waitFor()
    await page.goto('/detail?from=1086400&to=1000000') // none: it ends before it begins
    await page.getByRole('figure', { name: /^各模型消费/ }).waitFor()
    expect(await page.getByLabel('开始时间').inputValue()).toBe('')
  })

  test('guides an unused account, even if a grant has written log rows', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 100 })
    const { page } = await open(world, { as: user, at: '/detail' })

    await page.getByText('发出第一个请求').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('main').getByRole('link', { name: '快速开始' }).click()
    await page.waitForURL('/start')
  })

  test('updates while it is open, by one small call', async () => {
    const { world, alice } = await used()
    const { page } = await open(world, { as: alice })
    await page.clock.install()
    const calls: string[] = []
    page.on('request', (request) => request.url().includes('/api/') && calls.push(request.url()))
    await page.goto('/detail')
    await page.getByRole('figure', { name: /^各模型消费：合计 \$1\.50/ }).waitFor()
    await page.waitForLoadState('networkidle')
    calls.length = 0

    await world.charge(alice, { quota: 500_000, modelName: 'o3' })
    await page.clock.fastForward(31_000)

    await expect.poll(() => figure(page, '请求次数').innerText()).toBe('3')
    await page.getByRole('figure', { name: /^各模型消费：合计 \$2\.50, o3 \$1\.50/ }).waitFor()
    expect(calls.filter((url) => !url.includes('first-steps'))).toEqual([
      expect.stringContaining('/api/data/dashboard?scope=own'),
    ])
  })

  test('reports what failed to load, and retries', async () => {
    const { world, alice } = await used()
    const { page, expects } = await open(world, { as: alice })
    expects(/500/)
    await page.route('**/api/data/dashboard?*', (route) => route.fulfill({ status: 500 }))
    await page.goto('/detail')
    await page.getByText('错误：服务器内部错误，请联系管理员！').waitFor()
    expect(await figure(page, '所选时间消费').innerText()).toBe('–')

    await page.unroute('**/api/data/dashboard?*')
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByRole('figure', { name: /^各模型消费：合计 \$1\.50/ }).waitFor()
  })
})

describe('the dashboard of an administrator', () => {
  test('shows all users apart from the own account, or one user', async () => {
    const { world, bob } = await used()
    const { page } = await open(world, { as: world.root, at: '/detail', width: 390 })
    await page.getByRole('figure', { name: '各模型消费：合计 $3.50, claude $2.00, gpt-4o $1.00, o3 $0.50' }).waitFor()
    await page.getByRole('heading', { name: '我的账户' }).waitFor()
    await page.getByRole('heading', { name: '全站用量' }).waitFor()
    expect(await figure(page, '请求次数').innerText()).toBe('0')
    expect(await figure(page, '所选时间消费').innerText()).toBe('$3.50')
    await expect.poll(() => rowsOf(page, '用户').count()).toBe(2)
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByRole('search').getByRole('button', { name: '筛选' }).click()
    await page.getByLabel('用户名称').fill(bob.username)
    await page.getByRole('search').getByRole('button', { name: '搜索' }).click()

    await page.getByRole('figure', { name: '各模型消费：合计 $2.00, claude $2.00' }).waitFor()
    await page.getByRole('heading', { name: `用户 ${bob.username} 的用量` }).waitFor()
    expect(page.url()).toContain(`username=${bob.username}`)
    await expectFits(page)
  })

  test('shows the eight largest by the chosen metric, and the others as one', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 10_000_000 })
    for (let at = 1; at <= 10; at++) {
      await world.charge(user, { quota: at * 50_000, modelName: `model-${at}`, promptTokens: 100 - at })
    }
    const { page } = await open(world, { as: world.root, at: '/detail' })

    await page
      .getByRole('figure', { name: /^各模型消费：合计 \$5\.50, model-10 \$1\.00, .*, 其他 2 个模型 \$0\.30$/ })
      .waitFor()
    expect(await rowsOf(page, '模型').count()).toBe(9)
    await page.goto('/detail?metric=tokens')
    await page.getByRole('figure', { name: /model-1 99, .*, 其他 2 个模型 181$/ }).waitFor()
  })

  test('groups by user, channel and group', async () => {
    const { world, alice, bob } = await used()
    const { page } = await open(world, { as: world.root, at: '/detail' })
    await page.getByRole('figure', { name: /^各模型消费/ }).waitFor()

    await page.goto('/detail?group=user')
    const names = `${bob.username} $2.00, ${alice.username} $1.50`
    await page.getByRole('figure', { name: `各用户消费：合计 $3.50, ${names}` }).waitFor()
    await page.goto('/detail?group=group')
    await page.getByRole('figure', { name: '各分组消费：合计 $3.50, default $3.50' }).waitFor()
    await page.goto('/detail?scope=own')
    await page.getByText('这段时间没有用量').waitFor()
  })

  test('says that it is disabled, where no menu links to it', async () => {
    const { world } = await used()
    await world.toolkit.options.set(world.root, 'DataExportEnabled', 'false')
    const { page } = await open(world, { as: world.root, at: '/detail' })

    await page.getByText('管理员未开启数据看板').waitFor()
    expect(await page.getByRole('menuitem', { name: '数据看板' }).count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})
