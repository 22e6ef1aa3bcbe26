import type { Page, Route } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { withoutEmbeddedStatus } from '../../support/browser/without-status.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'
import { PASSWORD } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

const LOGIN = '**/api/user/login'
const OUR_COMPLAINT = /api\/user\/login|status of|ERR_/

/** What can come instead of an answer, and what the page has to say of it. */
const ANSWERS: [what: string, answer: (route: Route) => Promise<void>, text: string][] = [
  ['429', (route) => route.fulfill({ status: 429 }), '错误：请求次数过多，请稍后再试！'],
  ['500', (route) => route.fulfill({ status: 500, body: 'oops' }), '错误：服务器内部错误，请联系管理员！'],
  ['405', (route) => route.fulfill({ status: 405 }), '本站仅作演示之用，无服务端！'],
  [
    '503 with a message',
    (route) => route.fulfill({ status: 503, json: { success: false, message: '维护中' } }),
    '错误：维护中',
  ],
  ['502 of a proxy', (route) => route.fulfill({ status: 502, body: '<html>' }), '错误：HTTP 502'],
  ['a refusal', (route) => route.fulfill({ json: { success: false, message: '不行' } }), '不行'],
  ['a page of a proxy', (route) => route.fulfill({ body: '<html>Wi-Fi</html>' }), '错误：无法识别服务器的响应'],
  ['no network', (route) => route.abort('internetdisconnected'), '错误：无法连接服务器，请检查网络后重试'],
]

/** What is done where, in each of the ways that a failure is told. */
const ACTS: [at: string, act: (page: Page) => Promise<unknown>][] = [
  [
    '/token',
    async (page) => {
      await page.getByRole('button', { name: '更多操作 notebook' }).click()
      await page.getByRole('menuitem', { name: '禁用' }).click()
    },
  ],
  ['/channel', (page) => page.getByRole('button', { name: '测试 main', exact: true }).click()],
  [
    '/topup',
    async (page) => {
      await page.getByLabel('兑换码').fill('0123456789abcdef')
      await page.keyboard.press('Enter')
    },
  ],
  [
    '/setting?tab=operation',
    async (page) => {
      await page.getByLabel('失败重试次数').fill('2')
      await page.keyboard.press('Enter')
    },
  ],
]

async function send(page: Page): Promise<void> {
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

describe('a call that fails', () => {
  test('shows a message, and can be retried', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { at: '/login' })
    expects(OUR_COMPLAINT)
    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    const messages: string[] = []

    for (const [what, answer, text] of ANSWERS) {
      await page.route(LOGIN, answer)
      await send(page)
      const words = toast(page, text).last()
      await words.waitFor()
      messages.push(`${what}: ${await words.innerText()}`)
      await page.unroute(LOGIN)
    }
    expect(messages).toEqual(ANSWERS.map(([what, , text]) => `${what}: ${text}`))
    await send(page)

    await page.waitForURL('/token')
  })

  test('shows 401 of an ended session, also on a public page', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root })
    expects(/status of 401/)
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', (route) =>
      route.fulfill({ status: 401, json: { success: false, message: '无权进行此操作，未登录且未提供 access token' } }),
    )

    await page.goto('/about')

    await page.waitForURL(/\/login\?expired=true/)
    await page.getByRole('alert').filter({ hasText: '未登录或登录已过期，请重新登录！' }).waitFor()
  })

  test.each(ACTS)('shows no more than the login page does after the session has ended: %s', async (at, act) => {
    const world = await gateway()
    await world.token(world.root, { name: 'notebook' })
    await world.channel({ name: 'main' })
    const { page, expects } = await open(world, { as: world.root, at })
    expects(/status of 401/)
    await page.locator('main').locator('input, button').nth(1).waitFor() // what it has to ask for first has come
    await page.waitForLoadState('networkidle')
    await page.route('**/api/**', (route) =>
      route.fulfill({ status: 401, json: { success: false, message: '无权进行此操作，未登录且未提供 access token' } }),
    )

    await act(page)

    await page.waitForURL(/\/login\?expired=true/)
    await page.getByRole('alert').filter({ hasText: '未登录或登录已过期，请重新登录！' }).waitFor()
    expect(await page.locator('.arco-message').allInnerTexts()).toEqual([])
  })

  test('shows 401 on the login page, and stays there', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { at: '/login' })
    expects(/status of 401/)
    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await page.route(LOGIN, (route) => route.fulfill({ status: 401, json: { success: false, message: '未登录' } }))

    await send(page)

    await page.getByRole('alert').filter({ hasText: '未登录或登录已过期，请重新登录！' }).waitFor()
    expect(await page.getByLabel('用户名或邮箱').inputValue()).toBe(world.root.username)
  })

  test('is reported immediately without a network, and a failed save is not resent later', async () => {
    const world = await gateway()
    const { page, context, expects } = await open(world, { as: world.root, at: '/token?open=new' })
    expects(/ERR_INTERNET_DISCONNECTED/)
    await page.getByRole('dialog').getByLabel('名称').fill('offline')
    onTestFinished(() => context.setOffline(false))
    await context.setOffline(true)

    await page.getByRole('dialog').getByRole('button', { name: '提交' }).click()

    await toast(page, '错误：无法连接服务器，请检查网络后重试').waitFor()
    await context.setOffline(false)
    await page.getByRole('dialog').getByRole('button', { name: '提交' }).click()
    await toast(page, '令牌创建成功').waitFor()
    expect((await world.toolkit.tokens.list(world.root)).items).toHaveLength(1)
  })

  test('waits if it is only slow, and is sent once', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login' })
    let calls = 0
    let answer = () => {}
    const slow = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route(LOGIN, async (route) => {
      calls += 1
      await slow
      await route.continue()
    })
    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)

    await send(page)
    await page.locator('.arco-btn-loading').waitFor()
    await send(page)
    answer()

    await page.waitForURL('/token')
    expect(calls).toBe(1)
  })
})

describe('a page is never blank', () => {
  test('if its files do not load: the menus stay, and reloading fixes it', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: '/about' })
    expects(/ERR_FAILED/, /dynamically imported module|preload/)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.route('**/assets/**', (route) => route.abort())

    await page.getByRole('link', { name: '模型价格' }).click()

    const failure = page.getByRole('alert').filter({ hasText: '页面加载失败' })
    await failure.waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    expect(await page.getByRole('link', { name: '关于' }).isVisible()).toBe(true)
    await page.unroute('**/assets/**')
    await failure.getByRole('button', { name: '重新加载' }).click()
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await failure.count()).toBe(0)
  })

  test('if a part of the frame or another language does not load: an error shows, and input stays', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: '/token?open=new', width: 390 })
    expects(/ERR_FAILED/)
    const name = page.getByRole('dialog').getByLabel('名称')
    await name.fill('half')
    await page.route(/\/(command-palette|menu-drawer)[^/~]*\.js|\/en/, (route) => route.abort())
    const message = toast(page, '网络可能已断开，或者系统刚刚更新。请检查网络后重新加载。')

    await page.keyboard.press('Control+k')
    await message.waitFor()
    expect(await name.inputValue()).toBe('half')
    await message.waitFor({ state: 'detached' })
    await page.keyboard.press('Control+k')
    await message.waitFor()
    await page.goto('/about')
    await page.getByRole('button', { name: '打开菜单' }).click()
    await message.waitFor()
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()

    await toast(page, '无法加载该语言，请检查网络后重试').waitFor()
    await page.getByRole('heading', { level: 1 }).waitFor()
  })

  test('if the code of an editor does not load: a plain field replaces it, and input stays', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root })
    expects(/ERR_FAILED/)
    await page.route('**/assets/json-code*', (route) => route.abort())
    await page.goto('/channel/add')
    const form = page.getByRole('dialog')
    await form.getByRole('button', { name: 'DeepSeek', exact: true }).click()
    await form.getByLabel('名称', { exact: true }).fill('half')
    await form.getByRole('button', { name: '高级设置' }).click()

    const editor = form.getByRole('textbox', { name: '模型映射' })
    await editor.fill('{"a": ')
    await page.keyboard.press('Tab')

    await form.getByRole('button', { name: '提交' }).click()
    await form.getByText('模型映射必须是合法的 JSON 格式！').waitFor()
    expect(await editor.inputValue()).toBe('{"a": ')
    expect(await form.getByLabel('名称', { exact: true }).inputValue()).toBe('half')
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
  })

  test('if it crashes: the error is on the console, and another page can be chosen', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root })
    expects(/TypeError|is not a function|not iterable|error boundary|React Router|undefined/)
    await page.route('**/api/token/**', (route) =>
      route.fulfill({ json: { success: true, message: '', data: { items: 5, total: 1 } } }),
    )

    await page.goto('/token')

    await page.getByRole('alert').filter({ hasText: '页面出错了' }).waitFor()
    await page.getByRole('link', { name: '关于' }).click()
    await page.waitForURL('/about')
    await page.getByRole('alert').filter({ hasText: '页面出错了' }).waitFor({ state: 'hidden' })
  })

  test('if even the texts cannot be loaded', async () => {
    const { page, expects } = await open(await gateway())
    expects(/ERR_FAILED/, /dynamically imported module|preload/)
    await page.route('**/assets/zh-first-*', (route) => route.abort())

    await page.goto('/login')

    await page.getByText('请检查网络后重新加载').waitFor()
  })

  test('if the status has no name of the platform', async () => {
    const world = await gateway()
    const { page, expects } = await open(world)
    expects(/api\/status|status of 500/)
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', (route) => route.fulfill({ status: 500 }))

    await page.goto('/login')
    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await send(page)

    await page.waitForURL('/token')
  })

  test('if its status cannot be loaded: it is reported once, no figure loads forever, and a retry fixes it', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root })
    expects(/api\/status|status of 500/)
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', (route) => route.fulfill({ status: 500 }))
    await page.goto('/log')
    await toast(page, '获取平台状态失败！').waitFor()
    await page.getByText('统计未能加载').waitFor()
    const banner = page.getByRole('main').getByRole('alert').filter({ hasText: '获取平台状态失败！' })
    await banner.waitFor()
    await expectAccessible(page, { include: 'main' })

    await page.getByRole('link', { name: '钱包' }).click()
    const payment = page.getByRole('region', { name: '在线充值' })
    await payment.getByText('错误：服务器内部错误，请联系管理员！').waitFor()
    const refused = page.waitForResponse('**/api/status')
    await payment.getByRole('button', { name: '重试' }).click()
    await refused
    expect(await toast(page, '获取平台状态失败！').count()).toBeLessThanOrEqual(1)
    await page.unroute('**/api/status')
    await page.getByRole('main').getByRole('button', { name: '重试' }).first().click()

    await payment.getByText('管理员未开启在线充值！').waitFor()
    expect(await banner.count()).toBe(0)
  })

  test("if the server is unreachable, in the reader's language", async () => {
    const { page, expects } = await open(await gateway(), { language: 'en' })
    expects(/api\/status|ERR_/)
    await page.clock.install()
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', (route) => route.abort('internetdisconnected'))
    await page.goto('/login')

    const banner = page.getByRole('main').getByRole('alert').filter({ hasText: 'Unable to connect to server' })
    await expect // a call without an answer is tried three times
      .poll(async () => {
        await page.clock.fastForward(2000)
        return banner.count()
      })
      .toBe(1)
  })

  test('if its URL is wrong', async () => {
    const { page } = await open(await gateway(), { at: '/no/such/page' })

    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
    await page.getByText('请检查您的浏览器地址是否正确').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('link', { name: '返回首页' }).click()
    await page.waitForURL('/')
    await page.goto('/%E0%A4%A') // a letter that was cut
    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  })
})

test('a list that fails to refresh is not shown as empty', async () => {
  const world = await gateway()
  const { page, expects } = await open(world, { as: world.root, at: '/token' })
  expects(/500/)
  const empty = page.locator('.data-table-empty')
  await empty.waitFor()
  await page.route('**/api/token/**', (route) => route.fulfill({ status: 500 }))
  await page.getByRole('button', { name: '刷新', exact: true }).click()
  const failed = page.getByRole('alert').filter({ hasText: '未能加载' })
  await failed.waitFor()
  await empty.waitFor({ state: 'detached' })

  await page.unroute('**/api/token/**')
  await failed.getByRole('button').click()
  await empty.waitFor()
  await failed.waitFor({ state: 'detached' })
})
