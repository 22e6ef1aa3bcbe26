import type { BrowserContext } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { shared } from '../../support/lifetime.ts'
import { reused } from '../../support/reused.ts'
import { signed, TELEGRAM_BOT } from '../../support/sign-in/telegram.ts'
import { newestUser, setOptions, userOf } from '../../support/sign-in/visit.ts'
import { startWeChat, WECHAT_TOKEN } from '../../support/sign-in/wechat.ts'

const weChat = shared(startWeChat)
const gateway = reused()
const open = reusedConsole()

async function openWithWeChat() {
  const world = await gateway()
  await setOptions(world, {
    WeChatServerAddress: weChat().url,
    WeChatServerToken: WECHAT_TOKEN,
    WeChatAccountQRCodeImageURL: `${world.url}/logo.png`,
    WeChatAuthEnabled: 'true',
  })
  return world
}

async function openWithTelegram() {
  const world = await gateway()
  const options = { TelegramBotToken: TELEGRAM_BOT, TelegramBotName: 'gate_bot', TelegramOAuthEnabled: 'true' }
  await setOptions(world, options)
  return { ...world, person: await world.user() }
}

/** Telegram's script: its button leads to the address it was given, with what Telegram has signed. */
async function standInForTelegram(context: BrowserContext, parameters: Record<string, string>) {
  await context.route('https://telegram.org/**', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `{
        const { telegramLogin, authUrl } = document.currentScript.dataset
        const button = document.createElement('button')
        button.textContent = 'Log in with ' + telegramLogin
        button.onclick = () => { location.href = authUrl + '&${new URLSearchParams(parameters)}' }
        document.currentScript.after(button)
      }`,
    }),
  )
}

describe('WeChat', () => {
  test('signs in with the code that the official account sends', async () => {
    const world = await openWithWeChat()
    const { page } = await open(world, { at: '/login', width: 390 })

    await page.getByRole('button', { name: '使用微信登录' }).click()
    const dialog = page.getByRole('dialog', { name: '微信登录' })
    await dialog.getByText('请使用微信扫描二维码关注公众号，输入「验证码」获取验证码（三分钟内有效）').waitFor()
    const picture = dialog.getByRole('img', { name: '微信公众号二维码' })
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await dialog.getByRole('button', { name: '登录' }).click()
    await dialog.getByText('请输入验证码！').waitFor()
    await expectAccessible(page, { include: '.arco-modal-wrapper', themes: BOTH_THEMES })

    await dialog.getByLabel('验证码').fill('wrong')
    await page.keyboard.press('Enter')
    await toast(page, '验证码错误或已过期').waitFor()
    await dialog.getByLabel('验证码').fill(weChat().sendCode('wx-ann'))
    await page.keyboard.press('Enter')

    await page.waitForURL('/token')
    expect(await newestUser(world)).toMatchObject({ wechat_id: 'wx-ann' })
  })
})

describe("Telegram's button", () => {
  const visit = () => signed({ id: '42', first_name: 'Ann B.', auth_date: String(Math.floor(Date.now() / 1000) - 5) })

  test('signs in the user to whom the Telegram account is bound', async () => {
    const world = await openWithTelegram()
    const { person } = world
    await world.toolkit.identities.bind(person, { provider: 'telegram', id: '42' })
    const { page, context } = await open(world)
    await standInForTelegram(context, visit())
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/login')
    await page.getByRole('button', { name: 'Log in with gate_bot' }).waitFor()
    expect(requests.filter((url) => url.includes('/assets/shared-'))).toEqual([])

    await page.getByRole('button', { name: 'Log in with gate_bot' }).click()

    await page.waitForURL('/token')
    expect(await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? '').id)).toBe(person.id)
  })

  test('binds the account to the signed-in user', async () => {
    const world = await openWithTelegram()
    const { person } = world
    const { page, context } = await open(world, { as: person })
    await standInForTelegram(context, visit())
    await page.goto('/setting')

    await page.getByRole('button', { name: 'Log in with gate_bot' }).click()

    await toast(page, '绑定成功！').waitFor()

    await page.waitForURL('/setting')
    expect(await userOf(world, person.id)).toMatchObject({ telegram_id: '42' })
  })

  test('must have started in this browser, or its callback does nothing', async () => {
    const world = await openWithTelegram()
    const { person } = world
    const link = (state: Record<string, string>) => `/oauth/telegram?${new URLSearchParams({ ...visit(), ...state })}`
    const { page, context } = await open(world, { as: person })
    await standInForTelegram(context, visit())
    const calls: string[] = []
    page.on('request', (request) => calls.push(new URL(request.url()).pathname))
    const refused = page.getByText('此次第三方登录不是从本浏览器发起的')

    await page.goto(link({}))
    await refused.waitFor()
    await page.goto('/setting')
    await page.getByRole('button', { name: 'Log in with gate_bot' }).waitFor()
    await page.goto(link({ state: 'guessed' }))
    await refused.waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    expect(calls.filter((path) => path.startsWith('/api/oauth/'))).toEqual([])
    expect(await userOf(world, person.id)).toMatchObject({ telegram_id: '' })
    await page.getByRole('main').getByRole('link', { name: '设置' }).click()
    await page.getByRole('button', { name: 'Log in with gate_bot' }).click()
    await toast(page, '绑定成功！').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('telegram-state'))).toBeNull()
  })

  test('does not sign in by a link from another site', async () => {
    const world = await openWithTelegram()
    await world.toolkit.identities.bind(world.person, { provider: 'telegram', id: '42' })
    const { page, context } = await open(world)
    await standInForTelegram(context, visit())

    await page.goto(`/oauth/telegram?${new URLSearchParams({ ...visit(), state: 'begun' })}`)

    await page.getByText('此次第三方登录不是从本浏览器发起的').waitFor()
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    await page.getByRole('main').getByRole('link', { name: '去登录' }).click()
    await page.waitForURL('/login')
    await page.getByRole('button', { name: 'Log in with gate_bot' }).waitFor()
  })

  test('reports that its script failed to load', async () => {
    const world = await openWithTelegram()
    const { page, context, expects } = await open(world)
    expects(/telegram\.org/, /ERR_FAILED/)
    await context.route('https://telegram.org/**', (route) => route.abort())

    await page.goto('/login')

    await page.getByRole('alert').filter({ hasText: '无法加载 Telegram 登录按钮' }).waitFor()
  })
})
