import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { holdBack } from '../../support/browser/held.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('a link is followed, though the text of a filter was to be written into the URL of the last page', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
  const filter = page.getByLabel('搜索设置项')
  await filter.fill('重试')
  await page.waitForURL(/q=/)
  await page.waitForLoadState('networkidle')
  const held = await holdBack(page, 'GET', '**/assets/**')

  await filter.fill('倍率')
  await link(page, '模型价格').click()
  await expect.poll(() => held.sent.length).toBeGreaterThan(0)
  await page.waitForTimeout(600) // longer than a filter waits for more input
  await held.letAll()

  await heading(page, '模型价格').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/pricing')
})

test('another page and another tab open at their top; a drawer and back keep the place', async () => {
  const world = await gateway()
  for (let number = 1; number <= 25; number++) await world.channel({ name: `channel ${number}` })
  const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
  await page.setViewportSize({ width: 1440, height: 300 })
  const scrolled = () => page.evaluate(() => Math.round(window.scrollY))
  const scroll = async () => {
    // The page may have to grow first.
    await expect
      .poll(() =>
        page.evaluate(() => {
          window.scrollTo(0, 200)
          return window.scrollY
        }),
      )
      .toBe(200)
  }

  await page.getByLabel('失败重试次数').waitFor()
  await scroll()
  await page.getByRole('tab', { name: '系统设置' }).evaluate((tab: HTMLElement) => tab.click())
  await page.getByRole('heading', { name: 'SMTP 设置' }).waitFor()
  expect(await scrolled()).toBe(0)

  await scroll()
  await link(page, '渠道').click()
  await page.getByRole('button', { name: '更多操作 channel 25', exact: true }).waitFor()
  expect(await scrolled()).toBe(0)

  await scroll()
  const addition = page.getByRole('button', { name: '添加渠道' }).first()
  await addition.evaluate((button: HTMLElement) => button.click()) // without the focus, which would scroll
  await page.waitForURL('/channel/add')
  await page.getByRole('dialog').getByRole('button', { name: 'DeepSeek', exact: true }).waitFor()
  expect(await scrolled()).toBe(200)
  await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
  await page.waitForURL('/channel')
  expect(await scrolled()).toBe(200)

  await link(page, '日志').click()
  await heading(page, '日志').waitFor()
  expect(await scrolled()).toBe(0)
  await page.goBack()
  await heading(page, '渠道').waitFor()
  await expect.poll(scrolled).toBe(200)
})

test('a page whose files did not load is loaded when it is opened again', async () => {
  const world = await gateway()
  const { page, expects } = await open(world, { as: world.root, at: '/about' })
  expects(/ERR_FAILED/, /dynamically imported module|preload/)
  await heading(page, '关于').waitFor()
  await page.waitForLoadState('networkidle')
  await page.route('**/assets/**', (route) => route.abort())
  const failure = page.getByRole('alert').filter({ hasText: '页面加载失败' })
  await link(page, '模型价格').click()
  await failure.waitFor()

  await page.unroute('**/assets/**')
  await link(page, '模型价格').click()

  await heading(page, '模型价格').waitFor()
  expect(await failure.count()).toBe(0)
  expect(new URL(page.url()).pathname).toBe('/pricing')
})

/** A channel's drawer with unsaved input, two steps after the tokens. */
async function openEdited() {
  const world = await gateway()
  const { id } = await world.channel({ name: 'one' })
  const { page } = await open(world, { as: world.root, at: '/token' })
  await link(page, '渠道').click()
  await page.getByRole('button', { name: '更多操作 one' }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  const name = page.getByRole('dialog').getByLabel('名称', { exact: true })
  await name.fill('two')
  const question = page.getByRole('dialog').filter({ hasText: '有未保存的修改' })
  return {
    page,
    name,
    edited: `/channel/edit/${id}`,
    question,
    stay: () => question.getByRole('button', { name: '继续编辑' }).click(),
    leave: () => question.getByRole('button', { name: '放弃修改并离开' }).click(),
  }
}

const pathOf = (page: Page) => new URL(page.url()).pathname

test('two steps back at once ask before they discard input, and leave the URL of the page', async () => {
  const { page, name, edited, question, stay, leave } = await openEdited()

  await page.evaluate(() => {
    history.back()
    history.back()
  })
  await question.waitFor()
  await expect.poll(() => pathOf(page)).toBe(edited)
  await stay()
  await question.waitFor({ state: 'hidden' })
  expect(await name.inputValue()).toBe('two')
  expect(pathOf(page)).toBe(edited)

  await page.goBack()
  await leave()
  await page.waitForURL('/channel')
  await name.waitFor({ state: 'hidden' })
})

test('a step back asks, though the browser did not return from the step before', async () => {
  const { page, name, question, stay, leave } = await openEdited()
  await page.evaluate(() => {
    const go = history.go.bind(history)
    history.go = () => {
      history.go = go
    }
  })
  await page.goBack()
  await stay()
  await question.waitFor({ state: 'hidden' })
  expect(pathOf(page)).toBe('/channel')

  await page.goBack()
  await question.waitFor()
  expect(await name.inputValue()).toBe('two')
  await leave()

  await page.waitForURL('/token')
  await heading(page, '令牌').waitFor()
})

test('the focus moves into the page that a link within the last page opens, and stays on a menu entry', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: await world.user(), at: '/channel' })
  const main = page.getByRole('main')
  const hasFocus = (element: Element) => element === document.activeElement

  await main.getByRole('link', { name: '令牌' }).press('Enter')
  await heading(page, '令牌').waitFor()
  expect(await main.evaluate(hasFocus)).toBe(true)
  expect(await main.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('none')

  await link(page, '日志').press('Enter')
  await heading(page, '日志').waitFor()
  expect(await link(page, '日志').evaluate(hasFocus)).toBe(true)
})

test('a path without a page has all texts in its layout', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/nowhere' })
  await page.getByText('页面不存在').waitFor()
  await page.getByRole('link', { name: /^快速开始：还差 \d+ 步$/ }).waitFor()
})

test('other spellings of a path open the same page with the same layout, under its own path', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/About/?x=1#y' })
  await heading(page, '关于').waitFor()
  expect(page.url()).toBe(`${world.url}/about?x=1#y`)
  expect(await page.getByRole('navigation', { name: '控制台导航' }).count()).toBe(0)

  await page.goto('/TOKEN')
  await heading(page, '令牌').waitFor()
  expect(page.url()).toBe(`${world.url}/token`)
  expect(await page.getByRole('navigation', { name: '控制台导航' }).count()).toBe(1)
  await page.locator('a[href="/token"][aria-current="page"]').waitFor()
})

test('the profile of the signed-in user marks no entry of the menu, the drawer of a user that of users', async () => {
  const world = await gateway()
  const alice = await world.user()
  const { page } = await open(world, { as: world.root, at: '/user/edit' })
  await page.getByRole('heading', { level: 1 }).waitFor()
  const marked = page.getByRole('navigation').locator('.arco-menu-selected')
  expect(await marked.count()).toBe(0)

  await page.goto(`/user/edit/${alice.id}`)
  await marked.filter({ hasText: '用户管理' }).waitFor()
})

test('the page size in English has one space before its unit', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, language: 'en', at: '/user' })
  const size = page.locator('.arco-pagination-option')
  await size.waitFor()
  expect(await size.evaluate((element) => element.textContent)).toContain('10 / page')
})
