import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

async function channels(world: TestGateway, count: number): Promise<void> {
  for (let n = 1; n <= count; n++) await world.channel({ name: `c-${n}`, priority: n })
}

const names = (page: Page) => page.locator('td[data-column="name"]').allInnerTexts()
const focused = (page: Page) =>
  page.evaluate(() => document.activeElement?.querySelector('[data-column="name"]')?.textContent)

describe('a list', () => {
  test('redraws one row if one of a hundred is selected, and not all rows at once', async () => {
    const world = await gateway()
    await channels(world, 100)
    const { page } = await open(world, { as: world.root, at: '/channel?batch=true&size=100' })
    const box = page.getByRole('checkbox', { name: '选择第 2 行' })
    await box.waitFor()
    expect(await page.locator('tbody tr.table-row').count()).toBeLessThan(60)
    await page.waitForLoadState('networkidle')
    await page.evaluate(() => {
      const changed = new Set<Element>()
      Object.assign(window, { changed })
      new MutationObserver((records) => {
        for (const { target } of records) {
          const row = (target instanceof Element ? target : target.parentElement)?.closest('tbody tr.table-row')
          if (row) changed.add(row)
        }
      }).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true })
    })

    await box.click()
    await page.getByText('已选择 1 项').waitFor()

    expect(await page.evaluate(() => (window as unknown as { changed: Set<Element> }).changed.size)).toBe(1)
    // The rows that are not drawn come when they are scrolled to.
    await page.locator('.data-table-scroll').evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await page.getByText('c-1', { exact: true }).waitFor()
    expect(await page.getByRole('table').getAttribute('aria-rowcount')).toBe('101')
  })

  test('is sorted by the server by its headers, and its URL says so', async () => {
    const world = await gateway()
    await channels(world, 30)
    const { page } = await open(world, { as: world.root, at: '/channel' })
    await expect.poll(() => names(page).then(([first]) => first)).toBe('c-30')
    expect(await names(page)).toHaveLength(10)

    const header = page.getByRole('columnheader', { name: '名称' })
    await header.getByRole('button').click()
    await expect.poll(() => names(page).then(([first]) => first)).toBe('c-1')
    expect(await header.getAttribute('aria-sort')).toBe('ascending')
    expect(new URL(page.url()).search).toBe('?sort=name&order=asc')
    await header.getByRole('button').click()
    await expect.poll(() => names(page).then(([first]) => first)).toBe('c-9')
    await header.getByRole('button').click()
    await page.waitForURL('/channel')
    await page.goto('/channel?sort=key')
    await expect.poll(() => names(page).then(([first]) => first)).toBe('c-30')
  })

  test('is navigated by j and k, opened by Enter, selected by x and searched by /', async () => {
    const world = await gateway()
    await channels(world, 3)
    const { page } = await open(world, { as: world.root, at: '/channel?batch=true' })
    await page.getByText('c-1', { exact: true }).waitFor()

    for (const key of ['j', 'j', 'k', 'j']) await page.keyboard.press(key)
    await expect.poll(() => focused(page)).toBe('c-2')
    await page.keyboard.press('x')
    await page.getByText('已选择 1 项').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('jkx')
    expect(await page.getByLabel('搜索渠道的 ID 或名称').inputValue()).toBe('jkx')
    await page.getByLabel('搜索渠道的 ID 或名称').fill('')
    await page.locator('body').click({ position: { x: 2, y: 400 } })
    await page.keyboard.press('j')
    await expect.poll(() => focused(page)).toBe('c-3')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('j')
    expect(new URL(page.url()).pathname).toMatch(/^\/channel\/edit\//)
  })

  test('disables old rows while the next page loads', async () => {
    const world = await gateway()
    await channels(world, 20)
    const { page } = await open(world, { as: world.root, at: '/channel' })
    await page.getByText('c-20', { exact: true }).waitFor()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/channel/page*', async (route) => {
      await held
      await route.continue()
    })

    await page.getByRole('listitem').filter({ hasText: /^2$/ }).click()
    await page.locator('tbody[inert]').waitFor()
    answer()

    await page.getByText('c-1', { exact: true }).waitFor()
    expect(await page.locator('tbody[inert]').count()).toBe(0)
  })

  test('hides columns to fit, but never state, name or buttons', async () => {
    const world = await gateway()
    await world.channel({ name: 'x'.repeat(255), models: 'gpt-4o' })
    const { page } = await open(world, { as: world.root, at: '/channel' })
    const headers = async () => (await page.getByRole('columnheader').allInnerTexts()).map((text) => text.trim())
    await page.getByRole('columnheader', { name: '名称' }).waitFor()
    const wide = await headers()
    expect(wide).toContain('权重')

    await page.setViewportSize({ width: 1024, height: 800 })
    await expect.poll(async () => (await headers()).length).toBeLessThan(wide.length)
    for (const title of ['名称', '状态', '操作']) expect(await headers()).toContain(title)
    const { scrollWidth, clientWidth } = await page
      .locator('.data-table-scroll')
      .evaluate(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth }))
    expect(scrollWidth).toBe(clientWidth)
    const actions = await page.locator('td[data-column="actions"]').boundingBox()
    expect(actions?.width).toBeLessThanOrEqual(100)
    // Two lines of a name of any length.
    expect((await page.locator('tbody tr.table-row').boundingBox())?.height).toBeLessThan(100)
  })

  test('is cards on a phone, with one filter button that counts filters', async () => {
    const world = await gateway()
    const person = await world.user()
    await world.token(person, { name: 'mine' })
    const { page } = await open(world, { as: person, at: '/token?keyword=mi', width: 390 })
    const filters = page.getByRole('button', { name: '筛选（1）' })
    await filters.waitFor()
    expect(await page.getByLabel('搜索名称').count()).toBe(0)
    await filters.click()
    expect(await page.getByLabel('搜索名称').inputValue()).toBe('mi')

    expect(await page.locator('tbody tr.table-row').evaluate((row) => getComputedStyle(row).display)).toBe('block')
    await page.getByRole('button', { name: '复制 mine', exact: true }).waitFor()
    await expectFits(page)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})
