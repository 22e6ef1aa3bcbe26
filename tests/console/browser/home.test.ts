import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { HOSTILE_HTML, KEPT_FROM, watchTheft } from '../../support/browser/hostile-html.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

describe('the default home page', () => {
  test('shows the product, the address for programs, and examples for each client family', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'SystemName', 'Toll Road')
    await world.toolkit.options.set(world.root, 'ServerAddress', 'https://ai.example.org/')
    const { page } = await open(world, { at: '/', browser: clipboard })

    await page.getByRole('heading', { level: 1, name: 'Toll Road' }).waitFor()
    await page.getByRole('button', { name: '复制', exact: true }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('https://ai.example.org')

    for (const [tab, path] of [
      ['OpenAI', '/v1/chat/completions'],
      ['Anthropic', '/v1/messages'],
      ['Gemini', '/v1beta/models/'],
    ] as const) {
      await page.getByRole('tab', { name: tab }).click()
      await page.getByRole('tabpanel', { name: tab }).getByText(`https://ai.example.org${path}`).waitFor()
    }
    await page.getByRole('button', { name: '复制代码' }).last().click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toMatch(/^curl "https:.*x-goog-api-key/s)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('links visitors to sign in and sign up, users to the console, and all to the prices', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/' })
    const main = page.getByRole('main')

    expect(await main.getByRole('link', { name: '登录' }).getAttribute('href')).toBe('/login')
    expect(await main.getByRole('link', { name: '注册' }).getAttribute('href')).toBe('/register')
    await main.getByRole('link', { name: '查看模型价格' }).click()
    await page.waitForURL('/pricing')
  })

  test('replaces content that fails to load, with a retry button', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'HomePageContent', '# Back again')
    const { page, expects } = await open(world, { as: world.root })
    expects(/status of 500/, /answer: 500/)
    await page.route('**/api/home_page_content', (route) => route.fulfill({ status: 500, body: '{}' }))
    await page.goto('/')

    await page.getByRole('alert').filter({ hasText: '错误：服务器内部错误，请联系管理员！' }).waitFor()
    await page.getByRole('main').getByRole('link', { name: '进入控制台' }).waitFor()
    await page.unroute('**/api/home_page_content')
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByRole('heading', { name: 'Back again' }).waitFor()
  })
})

describe('the operator’s home page', () => {
  test('is Markdown, a document or an address in a frame', async () => {
    const world = await gateway()
    const set = (text: string) => world.toolkit.options.set(world.root, 'HomePageContent', text)
    await set('# 欢迎\n\n**快** `code`')
    const { page } = await open(world)
    await page.route('https://page.example/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>x</title><h1>From elsewhere</h1>' }),
    )
    await page.goto('/')
    await page.getByRole('heading', { name: '欢迎' }).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await set('<!doctype html><title>x</title><h1>Whole document</h1>')
    await page.reload()
    await page.frameLocator('iframe[title="首页"]').getByRole('heading', { name: 'Whole document' }).waitFor()

    await set('https://page.example/')
    await page.reload()
    await page.frameLocator('iframe[title="首页"]').getByRole('heading', { name: 'From elsewhere' }).waitFor()
  })

  test.each([
    ['Markdown with HTML', HOSTILE_HTML],
    ['a document', `<!doctype html>${HOSTILE_HTML}`],
  ])('cannot run scripts as its reader: %s', async (_, content) => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'HomePageContent', content)
    const { page, expects } = await open(world, { as: world.root })
    expects(...KEPT_FROM)
    const theft = watchTheft(page)

    await page.goto('/')
    await page.locator('iframe[title="首页"], .markdown p').first().waitFor()

    await theft.expectNone()
  })

  test('cannot run scripts as its reader: an address of the gateway itself', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'HomePageContent', `${world.url}/api/user/logout`)
    const { page, expects } = await open(world, { as: world.root })
    expects(...KEPT_FROM)

    await page.goto('/')
    await page.frameLocator('iframe[title="首页"]').getByText('管理接口不能由页面的图片、框架或链接调用').waitFor()

    await page.goto('/token')
    await page.getByRole('heading', { level: 1, name: '令牌' }).waitFor()
  })
})

describe('the announcement', () => {
  test('opens once for each text, and by its bell afterward', async () => {
    const world = await gateway()
    const announce = (text: string) => world.toolkit.options.set(world.root, 'Notice', text)
    await announce('**停机** 今晚维护')
    const { page } = await open(world, { at: '/' })
    const notice = page.getByRole('dialog', { name: '公告' })

    await notice.getByText('今晚维护').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await notice.getByRole('button', { name: '我知道了' }).click()
    await notice.waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('button', { name: '公告' }).waitFor()
    expect(await notice.count()).toBe(0)

    await page.getByRole('button', { name: '公告' }).click()
    await notice.getByText('今晚维护').waitFor()
    await page.keyboard.press('Escape')
    await notice.waitFor({ state: 'hidden' })

    await announce('维护结束 <img src=x onerror="document.title=1"><script>document.title=1</script>')
    await page.reload()
    await notice.getByText('维护结束').waitFor()
    expect(await page.title()).not.toBe('1')
  })

  test('has no bell if empty', async () => {
    const { page } = await open(await gateway(), { at: '/' })
    await page.getByRole('heading', { level: 1 }).waitFor()

    expect(await page.getByRole('button', { name: '公告' }).count()).toBe(0)
  })
})
