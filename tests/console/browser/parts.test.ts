import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const failuresOf = (page: Page) => page.getByRole('alert').filter({ hasText: '此部分加载失败' })

describe('a part of a page whose code does not load shows an error in its place, and the rest works', () => {
  test('text of the operator, and retryable parts', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'About', '## 我们是谁')
    const { page, expects } = await open(world)
    expects(/ERR_FAILED/, /preload/)
    await page.route('**/assets/markdown*', (route) => route.abort())
    await page.goto('/about')

    await failuresOf(page).getByText('请检查网络后重新加载').waitFor()
    await page.getByRole('heading', { name: '关于', level: 1 }).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.unroute('**/assets/markdown*')
    await failuresOf(page).getByRole('button', { name: '重新加载' }).click()

    await page.getByRole('heading', { name: '我们是谁' }).waitFor()
    expect(await failuresOf(page).count()).toBe(0)
  })

  test('the notice, which can be closed', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'Notice', '今晚维护')
    const { page, expects } = await open(world)
    expects(/ERR_FAILED/, /preload/)
    await page.route('**/assets/markdown*', (route) => route.abort())
    await page.goto('/')
    const notice = page.getByRole('dialog')

    await notice.getByRole('alert').filter({ hasText: '此部分加载失败' }).waitFor()
    await notice.locator('.arco-btn-primary').click()

    await notice.waitFor({ state: 'hidden' })
    await page.getByRole('heading', { name: 'Tollgate', level: 1 }).waitFor()
  })

  test('charts, beside the same data in tables', async () => {
    const world = await gateway()
    const alice = await world.user({ quota: 10_000_000 })
    await world.charge(alice, { quota: 500_000, modelName: 'gpt-4o', promptTokens: 9000, completionTokens: 1000 })
    const { page, expects } = await open(world, { as: alice, width: 390 })
    expects(/ERR_FAILED/)
    await page.route('**/assets/usage-chart*', (route) => route.abort())

    await page.goto('/detail')

    // They are loaded when they come near the screen.
    await page.locator('.panel-pair').last().scrollIntoViewIfNeeded()
    await expect.poll(() => failuresOf(page).count()).toBe(2)
    await expectAccessible(page, { include: 'main', themes: BOTH_THEMES })
  })

  test('a tab of the settings, and the table of prices', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root })
    expects(/ERR_FAILED/, /preload/)
    await page.route(/assets\/(system|price-table)-/, (route) => route.abort())

    await page.goto('/setting?tab=system')
    await failuresOf(page).waitFor()
    await page.getByRole('tab', { name: '运营设置' }).click()
    await page.getByText('可视化编辑', { exact: true }).click()
    await failuresOf(page).waitFor()
    await page.getByText('JSON', { exact: true }).click()

    await failuresOf(page).waitFor({ state: 'hidden' })
    await page.getByRole('textbox', { name: '模型固定价格' }).waitFor()
  })
})
