import type { Locator } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const RANGE = ['开始时间', '结束时间'] as const

const isCut = (element: Locator) => element.evaluate(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)

describe('on a phone', () => {
  test("the platform's name fits beside both sign-in links, in either language", async () => {
    const world = await gateway()
    for (const language of ['zh', 'en'] as const) {
      const { page } = await open(world, { language, width: 390, at: '/reset' })
      await page.getByRole('link', { name: language === 'zh' ? '注册' : 'Sign up' }).waitFor()
      expect(await isCut(page.locator('.top-bar-brand span')), language).toBe(false)
      await page.close()
    }
  })

  test('a time range is readable to the second', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'DrawingEnabled', 'true')
    const { page } = await open(world, { as: world.root, width: 390, at: '/midjourney' })

    await page.getByRole('button', { name: '筛选' }).click()
    for (const name of RANGE) {
      const field = page.getByRole('textbox', { name })
      await expect.poll(() => field.inputValue()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
      expect(await isCut(field), name).toBe(false)
    }
  })

  test.each(['/log', '/token'])('the buttons above the cards of %s need at most two rows', async (path) => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, width: 390, at: path })
    const filters = page.getByRole('button', { name: '筛选' })
    await filters.waitFor()
    const bar = page.locator('.data-table-bar')
    const heightOf = async () => (await bar.boundingBox())?.height ?? 0
    const closed = await heightOf()
    expect(closed).toBeLessThan(path === '/log' ? 40 : 80)

    await filters.click()
    await page.getByRole('button', { name: '搜索', exact: true }).waitFor()
    expect(await heightOf()).toBeGreaterThan(closed)
    expect((await page.getByRole('search').boundingBox())?.width).toBeGreaterThan(320)
    await expectFits(page)
  })

  test('a long model name does not make the log wider than the screen', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 1_000_000 })
    const modelName = 'accounts/fireworks/models/deepseek-r1-distill-llama-70b'
    await world.charge(user, { quota: 500, modelName, other: JSON.stringify({ upstream_model_name: 'm'.repeat(100) }) })
    const { page } = await open(world, { as: user, width: 390, at: '/log' })
    await page.getByText(modelName).waitFor()

    await expectFits(page)
  })

  test('the filters of the dashboard are closed', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 1_000_000 })
    await world.charge(user, { quota: 500 })
    const { page } = await open(world, { as: user, width: 390, at: '/detail' })
    const day = page.getByText('24 小时', { exact: true })

    await page.getByRole('button', { name: '筛选' }).click()
    await day.waitFor()
    expect(await page.getByRole('button', { name: '搜索', exact: true }).count()).toBe(0)
    await page.getByRole('button', { name: '筛选' }).click()
    await day.waitFor({ state: 'detached' })
  })

  test('the table of hours on the dashboard fits, and its titles have one line', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 1_000_000 })
    await world.charge(user, { quota: 500, promptTokens: 123_456 })
    const { page } = await open(world, { as: user, width: 390, at: '/detail' })
    const table = page.getByRole('region', { name: '按时间汇总表格，可横向滚动' })
    await table.getByText('$0.001').waitFor()

    expect(await isCut(table)).toBe(false)
    const heights = await table.locator('th').evaluateAll((titles) => titles.map(({ clientHeight }) => clientHeight))
    expect(Math.max(...heights)).toBeLessThan(40)
  })

  test('both months and the shortcuts of a range are reachable', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, width: 390, at: '/task' })
    await page.getByRole('button', { name: '筛选' }).click()
    await page.getByRole('textbox', { name: RANGE[0] }).click()
    const months = page.locator('.arco-picker-range-container .arco-panel-date')

    for (const place of [0, 1]) {
      await months.nth(place).getByText('15', { exact: true }).scrollIntoViewIfNeeded()
      const box = await months.nth(place).boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThanOrEqual(390)
    }
    await expectFits(page)
    await page.getByRole('button', { name: '最近 7 天' }).click()
    await page.waitForURL(/start_timestamp|from/)
  })

  test('the link of a message is below its text', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'DrawingEnabled', 'true')
    const { page } = await open(world, { as: world.root, width: 390, at: '/midjourney' })
    const message = page.getByRole('alert').filter({ hasText: 'Midjourney' })
    await message.waitFor()

    const text = await message.locator('.arco-alert-content').boundingBox()
    const link = await message.getByRole('link').boundingBox()

    expect(link?.y).toBeGreaterThanOrEqual((text?.y ?? 0) + (text?.height ?? 0))
    expect(text?.width).toBeGreaterThan(300)
  })
})
