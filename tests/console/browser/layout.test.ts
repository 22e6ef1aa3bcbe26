import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { holdBack } from '../../support/browser/held.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const menuOf = (page: Page, name = '控制台导航') => page.getByRole('navigation', { name })
const entriesOf = async (page: Page, name?: string) =>
  (await menuOf(page, name).getByRole('link').allInnerTexts()).map((text) => text.trim())

describe('between phone and desktop width', () => {
  test.each(['/token', '/log', '/channel', '/setting'])('%s fits the window', async (path) => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: path })
    await page.getByRole('heading', { level: 1 }).waitFor()
    for (const width of [601, 640, 768, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      const menu = page.getByRole('button', { name: width < 1000 ? '展开侧边栏' : '收起侧边栏' })
      await menu.waitFor()
      // Each part hears of the new width by itself.
      const wide = () => page.evaluate(() => document.documentElement.scrollWidth)
      await expect.poll(wide, { message: `${width}` }).toBeLessThanOrEqual(width)
    }
    await page.setViewportSize({ width: 768, height: 900 })
    await page.getByRole('button', { name: /^用户菜单/ }).waitFor()
    expect(await page.locator('.user-name').isVisible()).toBe(false)
  })

  test.each([1440, 390] as const)('the longest platform name leaves the menus in place, at %d', async (width) => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'SystemName', 'Toll Road '.repeat(30).trim())
    const { page } = await open(world, { as: world.root, at: '/token', width })
    const menu = page.getByRole('button', { name: /^用户菜单/ })
    await menu.waitFor()
    await page.getByRole('link', { name: /Toll Road/ }).waitFor()
    const { x = width, width: wide = 0 } = (await menu.boundingBox()) ?? {}
    expect(x + wide).toBeLessThanOrEqual(width)
  })

  test('an opened side menu stays open', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    await page.setViewportSize({ width: 768, height: 900 })
    await page.getByRole('button', { name: '展开侧边栏' }).click()
    await page.reload()
    await page.getByRole('button', { name: '收起侧边栏' }).waitFor()
  })
})

describe('the side menu', () => {
  test('has user entries for a common user, and all for an administrator', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'DrawingEnabled', 'true')
    await world.toolkit.options.set(world.root, 'Chats', '[{"Lobe":"https://lobe.example/{key}"}]')
    const menuItems = ['操练场', '令牌', '团队', '数据看板', '钱包', '日志', '绘图', '异步任务', '设置']

    const common = await open(world, { as: await world.user(), at: '/token' })
    await menuOf(common.page).getByRole('link', { name: '绘图' }).waitFor()
    expect(await entriesOf(common.page)).toEqual(menuItems)
    await common.page.close()

    const admin = await open(world, { as: await world.user({ role: 10 }), at: '/token' })
    await menuOf(admin.page).getByRole('link', { name: '绘图' }).waitFor()
    expect(await entriesOf(admin.page)).toEqual([
      '操练场',
      '渠道',
      '令牌',
      '团队',
      '数据看板',
      '兑换码',
      '钱包',
      '用户管理',
      '限制',
      '日志',
      '绘图',
      '异步任务',
      '设置',
    ])
  })

  test('has dashboard, drawings, tasks and chats only if the platform enables them', async () => {
    const world = await gateway()
    for (const [name, value] of [
      ['DataExportEnabled', 'false'],
      ['DrawingEnabled', 'false'],
      ['TaskEnabled', 'false'],
      ['Chats', '[]'],
    ] as const) {
      await world.toolkit.options.set(world.root, name, value)
    }

    const { page } = await open(world, { as: await world.user(), at: '/token' })

    await menuOf(page).getByRole('link', { name: '令牌' }).waitFor()
    expect(await entriesOf(page)).toEqual(['操练场', '令牌', '团队', '钱包', '日志', '设置'])
    expect(await menuOf(page).getByRole('button', { name: '聊天' }).count()).toBe(0)
  })

  test('lists the configured chats below one entry, which opens by keyboard', async () => {
    const world = await gateway()
    await world.toolkit.options.set(
      world.root,
      'Chats',
      '[{"Lobe":"https://lobe.example/"},{"Next":"https://next.example/"}]',
    )
    const { page } = await open(world, { as: world.root, at: '/token' })

    await menuOf(page).getByRole('button', { name: '聊天' }).press('Enter')

    expect(await menuOf(page).getByRole('link', { name: 'Lobe' }).getAttribute('href')).toBe('/chat/0')
    expect(await menuOf(page).getByRole('link', { name: 'Next' }).getAttribute('href')).toBe('/chat/1')
    await menuOf(page).getByRole('button', { name: '聊天' }).press('Enter')
    await menuOf(page).getByRole('link', { name: 'Next' }).waitFor({ state: 'hidden' })
  })

  test('opens the chats by keyboard while collapsed, and returns the focus', async () => {
    const world = await gateway()
    const chats = '[{"Lobe":"https://lobe.example/"},{"Next":"https://next.example/"}]'
    await world.toolkit.options.set(world.root, 'Chats', chats)
    await world.toolkit.options.set(world.root, 'DefaultCollapseSidebar', 'true')
    const { page } = await open(world, { as: world.root, at: '/token' })
    await page.context().route('https://next.example/**', (route) => route.fulfill({ body: 'next' }))
    const group = menuOf(page).getByRole('button', { name: '聊天' })
    const neighbour = menuOf(page).getByRole('link', { name: '令牌' })
    expect((await group.boundingBox())?.height).toBe((await neighbour.boundingBox())?.height)
    const entry = (name: string) => page.getByRole('menuitem', { name })

    for (const key of ['Enter', ' ']) {
      await group.press(key)
      await expect.poll(() => entry('Lobe').evaluate((link) => link === document.activeElement)).toBe(true)
      expect(await group.getAttribute('aria-expanded')).toBe('true')
      await page.keyboard.press('Escape')
      await entry('Lobe').waitFor({ state: 'hidden' })
      expect(await group.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await group.getAttribute('aria-expanded')).toBe('false')
    }
    await group.click()
    await entry('Next').waitFor()
    const [first, second] = [await entry('Lobe').boundingBox(), await entry('Next').boundingBox()]
    expect(second?.x).toBe(first?.x)
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.keyboard.press('ArrowDown')
    expect(await entry('Next').getAttribute('href')).toBe('/chat/1')
    await page.keyboard.press('Enter')

    await page.waitForURL('/chat/1')
    await entry('Next').waitFor({ state: 'hidden' })
  })

  test('lists the chat of the older setting too, and is open on a chat page', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'Chats', '[]')
    await world.toolkit.options.set(world.root, 'ChatLink', 'https://next.example')
    const { page } = await open(world, { as: world.root, at: '/token' })
    const chat = menuOf(page).getByRole('link', { name: 'next.example' })
    await menuOf(page).getByRole('button', { name: '聊天' }).waitFor()
    expect(await chat.isVisible()).toBe(false)
    await page.route('https://next.example/**', (route) => route.fulfill({ body: 'next' }))

    await page.goto('/chat')
    await chat.waitFor()
    expect(await chat.getAttribute('aria-current')).toBe('page')
    await menuOf(page).getByRole('link', { name: '日志' }).click()

    await chat.waitFor({ state: 'hidden' })
  })

  test('is collapsed as the platform sets, until the user changes it permanently', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'DefaultCollapseSidebar', 'true')
    const { page } = await open(world, { as: world.root, at: '/token' })

    await page.getByRole('button', { name: '展开侧边栏' }).click()
    await page.reload()

    await page.getByRole('button', { name: '收起侧边栏' }).waitFor()
  })

  test('marks the open page', async () => {
    const { page } = await open(await gateway(), { as: (await gateway()).root, at: '/log' })
    expect(await menuOf(page).locator('[aria-current="page"]').innerText()).toBe('日志')
  })
})

describe('the top bar', () => {
  test('links visitors to home, console, prices, about, log in and sign up', async () => {
    const { page } = await open(await gateway(), { at: '/about' })
    const bar = page.getByRole('banner')
    await bar.getByRole('link', { name: '注册' }).waitFor()
    const links = await bar.getByRole('link').evaluateAll((all) => all.map((link) => link.getAttribute('href')))
    expect(links).toEqual(['/', '/', '/token', '/pricing', '/about', '/login', '/register'])
  })

  test('logs the user out, locally and on the server', async () => {
    const world = await gateway()
    const { page, context } = await open(world, { as: world.root, at: '/token' })

    await page.getByRole('button', { name: /^用户菜单/ }).click()
    await page.getByRole('menuitem', { name: '退出登录' }).click()

    await toast(page, '注销成功！').waitFor()
    await page.waitForURL('/login')
    const answer = await context.request.get(`${world.url}/api/user/self`, { headers: { 'tollgate-user': '1' } })
    expect(answer.status()).toBe(401)
  })
})

describe('a phone, up to 600 pixels wide', () => {
  test('has all menus in one drawer', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token', width: 390 })
    await page.setViewportSize({ width: 601, height: 844 })
    await menuOf(page).waitFor()
    await page.setViewportSize({ width: 600, height: 844 })
    await menuOf(page).waitFor({ state: 'detached' })

    await page.getByRole('button', { name: '打开菜单' }).click()
    const drawer = page.getByRole('dialog', { name: '导航菜单' })
    await drawer.waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await drawer.getByRole('link', { name: '日志' }).click()

    await page.waitForURL('/log')
    await drawer.waitFor({ state: 'hidden' })
  })
})

describe('the command palette', () => {
  test('opens by Ctrl-K, finds a screen by name, and goes there, all by keyboard', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    await page.getByRole('heading', { name: '令牌' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: '命令面板' }).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.keyboard.type('兑换')
    await page.getByRole('option', { name: '兑换码', exact: true }).waitFor()
    await page.keyboard.press('Enter')

    await page.waitForURL('/redemption')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  test('searches lists for the input, and closes by Escape', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    await page.getByRole('heading', { name: '令牌' }).waitFor()

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: '搜索和跳转' }).click()
    await page.keyboard.type('east 1')
    await page.getByRole('option', { name: '查找渠道：east 1' }).click()

    await page.waitForURL('/channel?keyword=east%201')
  })

  test('offers a common user no administrator screens', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user(), at: '/token' })
    await page.getByRole('heading', { name: '令牌' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('option', { name: '令牌', exact: true }).waitFor()
    const offered = await page.getByRole('option').allInnerTexts()
    expect(offered.map((text) => text.trim())).not.toContain('渠道')
    expect(offered.join()).not.toContain('系统设置')
  })

  test('switches theme and language', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    await page.getByRole('heading', { name: '令牌' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('theme')
    await page.getByRole('option', { name: '切换到深色主题' }).click()
    expect(await page.locator('body').getAttribute('arco-theme')).toBe('dark')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('language')
    // The server has texts as well. The palette's own search of tokens may still be sent in Chinese.
    const inEnglish = page.waitForRequest(
      (request) => request.url().includes('/api/token/') && request.headers()['accept-language'] === 'en',
    )
    await page.getByRole('option', { name: /English/ }).click()
    await page.getByRole('heading', { name: 'Tokens' }).waitFor()
    await inEnglish
  })

  test("sets the language of the user's mails, while they are signed in", async () => {
    const world = await gateway()
    const person = await world.user()
    const stored = async () =>
      (await world.toolkit.db.reader('users').where({ id: person.id }).first('language')).language
    const { page } = await open(world, { as: person, at: '/token' })
    await page.getByRole('heading', { name: '令牌' }).waitFor()
    expect(await stored()).toBe('')

    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await expect.poll(stored).toBe('en')

    await page.getByRole('button', { name: 'Language' }).click()
    await page.getByRole('menuitemradio', { name: '简体中文' }).click()
    await expect.poll(stored).toBe('zh')
  })

  test('reports a language that fails to load, and keeps the other', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: '/token' })
    expects(/assets\/en|ERR_FAILED/)
    await page.getByRole('heading', { name: '令牌' }).waitFor()
    await page.route('**/assets/en*', (route) => route.abort())
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()

    await toast(page, '无法加载该语言，请检查网络后重试').waitFor()
    await page.getByRole('heading', { name: '令牌' }).waitFor()
  })

  test('keeps the last chosen language, though the texts of another arrive later', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    const heading = page.getByRole('heading', { name: '令牌' })
    await heading.waitFor()
    const held = await holdBack(page, 'GET', '**/assets/en*')
    const files: string[] = []
    page.on('request', (request) => void (/assets\/en.*\.js$/.test(request.url()) && files.push(request.url())))
    for (const language of ['English', '简体中文']) {
      await page.getByRole('button', { name: '语言' }).click()
      await page.getByRole('menuitemradio', { name: language }).click()
      await expect.poll(() => held.sent.length).toBeGreaterThan(0)
    }

    await held.letAll()
    // As a text: an import that is written here is none in the page.
    await page.evaluate(`Promise.all(${JSON.stringify(files)}.map((file) => import(file)))`)

    await page.getByRole('link', { name: '钱包' }).click()
    await page.getByRole('heading', { name: '钱包' }).waitFor()
    expect(await page.evaluate(() => [document.documentElement.lang, localStorage.getItem('language')])).toEqual([
      'zh-CN',
      '"zh"',
    ])
  })
})

describe('the focus', () => {
  test('skips the menus, and leaves the URL to the pages', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
    await page.getByLabel('失败重试次数').fill('2') // unsaved: each change of the address asks for confirmation

    await page.getByRole('link', { name: '跳到主要内容' }).press('Enter')

    expect(await page.getByRole('main').evaluate((main) => main === document.activeElement)).toBe(true)
    expect(new URL(page.url()).hash).toBe('')
    await page.getByText('未保存', { exact: true }).waitFor()
  })

  test('returns to the element that opened a drawer or the palette', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/token' })
    const add = page.getByRole('button', { name: '添加令牌' }).first()

    await add.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: '创建新的令牌' }).getByLabel('名称').waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: '命令面板' }).waitFor()
    await page.keyboard.press('Escape')
    await expect.poll(() => add.evaluate((button) => button === document.activeElement)).toBe(true)
  })
})
