import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { reusedConsole } from '../../support/browser.ts'
import { sendJson } from '../../support/hand-made-upstream.ts'
import { shared } from '../../support/lifetime.ts'
import { reused } from '../../support/reused.ts'
import { formOf, startStandIn } from '../../support/sign-in/stand-in.ts'
import { setOptions } from '../../support/sign-in/visit.ts'
import { PASSWORD } from '../../support/toolkit.ts'

/** Accepts only the token `human`. */
const turnstile = shared(() =>
  startStandIn({
    'POST /turnstile/v0/siteverify': (exchange) =>
      sendJson(exchange, { success: formOf(exchange).response === 'human' }),
  }),
)
const gateway = reused(() => ({ settings: { TURNSTILE_URL: turnstile().url } }))
const open = reusedConsole()

async function openWorld() {
  const world = await gateway()
  turnstile().seen.length = 0
  await setOptions(world, { TurnstileSiteKey: 'site', TurnstileSecretKey: 'secret', TurnstileCheckEnabled: 'true' })
  return world
}

/** The service's script: its widget passes when the test calls `pass`. */
async function standIn(page: Page) {
  await page.route('**/turnstile/v0/api.js?render=explicit', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `window.shown = []
        window.turnstile = {
          render(holder, options) {
            window.shown.push(options.sitekey + ' ' + options.language + ' ' + options.theme)
            window.pass = options.callback
            window.expire = options['expired-callback']
            window.fail = options['error-callback']
            holder.textContent = 'widget'
            return 'id'
          },
          reset() { window.shown.push('reset') },
          remove() {},
        }`,
    }),
  )
}

const pass = (page: Page, token: string) =>
  page.evaluate((token) => (window as unknown as { pass: (token: string) => void }).pass(token), token)
const shown = (page: Page) => page.evaluate(() => (window as unknown as { shown: string[] }).shown)

describe('the bot check', () => {
  test('delays a login until it passes, and is reset after each', async () => {
    const world = await openWorld()
    const { page } = await open(world)
    await standIn(page)
    await page.goto('/login')
    await page.getByText('widget').waitFor()
    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    const submit = page.getByRole('button', { name: '登录', exact: true })

    await submit.click()
    await toast(page, '请稍后几秒重试，Turnstile 正在检查用户环境！').waitFor()
    await pass(page, 'robot')
    await submit.click()
    await toast(page, 'Turnstile 校验失败，请刷新重试！').waitFor()
    expect(await shown(page)).toEqual(['site zh light', 'reset'])
    await pass(page, 'human')
    await submit.click()

    await page.waitForURL('/token')
    expect(turnstile().seen.map((exchange) => formOf(exchange).response)).toEqual(['robot', 'human'])
  })

  test.each([
    ['/register', '注册'],
    ['/reset', '发送重置邮件'],
  ])('also delays %s', async (path, button) => {
    const { page } = await open(await openWorld())
    await standIn(page)
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto(path)
    await page.getByText('widget').waitFor()
    for (const [label, value] of [
      ['用户名', 'ann'],
      ['密码', 'correct horse'],
      ['确认密码', 'correct horse'],
      ['邮箱', 'ann@example.org'],
    ] as const) {
      const field = page.getByLabel(label, { exact: true })
      if ((await field.count()) > 0) await field.fill(value)
    }

    await page.getByRole('button', { name: button }).click()

    await toast(page, '请稍后几秒重试，Turnstile 正在检查用户环境！').waitFor()
    expect(requests.filter((url) => /register\?|reset_password/.test(url))).toEqual([])
  })

  test('that fails to load says so, and can be retried', async () => {
    const { page, expects } = await open(await openWorld())
    expects(/turnstile\/v0\/api\.js/, /ERR_FAILED/)
    await page.route('**/turnstile/v0/api.js*', (route) => route.abort())
    await page.goto('/login')
    const problem = page.getByRole('alert').filter({ hasText: '人机验证加载失败，请检查网络后重试' })
    await problem.waitFor()

    await page.unroute('**/turnstile/v0/api.js*')
    await standIn(page)
    await problem.getByRole('button', { name: '重试' }).click()

    await page.getByText('widget').waitFor()
    expect(await problem.count()).toBe(0)
  })

  test('that passes after a failure shows no error', async () => {
    const { page } = await open(await openWorld())
    await standIn(page)
    await page.goto('/login')
    await page.getByText('widget').waitFor()
    const problem = page.getByRole('alert').filter({ hasText: '人机验证加载失败，请检查网络后重试' })

    await page.evaluate(() => (window as unknown as { fail: () => boolean }).fail())
    await problem.waitFor()
    await pass(page, 'human')

    await problem.waitFor({ state: 'hidden' })
  })
})
