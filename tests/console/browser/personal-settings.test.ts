import { describe, expect, test } from 'vitest'
import type { NewUser } from '../../../core/accounts/accounts.ts'
import { confirm, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { openConsole, reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { codeIn, configureMail, startMailServer } from '../../support/mail.ts'
import { reused } from '../../support/reused.ts'
import { setOptions } from '../../support/sign-in/visit.ts'
import { startWeChat, WECHAT_TOKEN } from '../../support/sign-in/wechat.ts'
import { PASSWORD } from '../../support/toolkit.ts'

const weChat = shared(startWeChat)
const gateway = reused()
const open = reusedConsole()
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

async function openAlice(settings: Partial<NewUser> = {}) {
  const world = await gateway()
  const alice = await world.user({ username: 'alice', display_name: 'Alice', quota: 1_000_000, ...settings })
  return { world, alice }
}

const own = (world: TestGateway, id: number) => world.toolkit.accounts.get(world.root, id)
const change = (world: TestGateway, id: number, columns: Record<string, unknown>) =>
  world.toolkit.db.transaction((trx) => trx('users').where({ id }).update(columns))

async function signInAnswer({ url }: TestGateway, username: string, password: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ username, password })
  return (await fetch(`${url}/api/user/login`, { method: 'POST', headers, body })).json()
}

describe('the tabs of the settings', () => {
  test('are four for root, and the URL names the open one', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting' })
    await page.getByRole('heading', { name: 'Root User' }).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['个人设置', '运营设置', '系统设置', '其他设置'])

    await page.getByRole('tab', { name: '运营设置' }).click()
    await page.waitForURL('/setting?tab=operation')
    await page.reload()
    await expect.poll(() => page.getByRole('tab', { name: '运营设置' }).getAttribute('aria-selected')).toBe('true')
    await page.goBack()
    await page.getByRole('heading', { name: 'Root User' }).waitFor()
  })

  test.each([1, 10])('are reduced to the personal one for role %i, whichever tab the URL names', async (role) => {
    const { world, alice } = await openAlice({ role })
    const { page } = await open(world, { as: alice, at: '/setting?tab=operation' })

    await page.getByRole('heading', { name: 'Alice' }).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['个人设置'])
  })
})

describe('the personal settings', () => {
  test('show name, balance, usage and requests', async () => {
    const { world, alice } = await openAlice()
    await world.charge(alice, { quota: 250_000 })
    const { page } = await open(world, { as: alice, at: '/setting' })

    const header = page.getByRole('region', { name: 'Alice' })
    for (const text of ['普通用户', `ID: ${alice.id}`, '分组: default', 'alice', '$1.50', '$0.50']) {
      await header.getByText(text, { exact: true }).waitFor()
    }
    expect(await header.getByText('请求次数').locator('xpath=following-sibling::dd').innerText()).toBe('1')
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('can be reloaded after a failure', async () => {
    const { world, alice } = await openAlice()
    const { page, expects } = await open(world, { as: alice })
    expects(/status of 500/, /answer: 500/)
    await page.route('**/api/user/self', (route) => route.fulfill({ status: 500, body: '' }))
    await page.goto('/setting')
    await page.getByText('错误：服务器内部错误，请联系管理员！').waitFor()
    await page.unroute('**/api/user/self')
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByRole('heading', { name: 'Alice' }).waitFor()
  })

  test('list ten usable models and the rest on demand; a click copies one', async () => {
    const { world, alice } = await openAlice()
    const models = Array.from({ length: 12 }, (_, place) => `model-${String(place + 1).padStart(2, '0')}`)
    await world.channel({ models: models.join(',') })
    const { page } = await open(world, { as: alice, at: '/setting', browser: clipboard })
    const part = page.getByRole('region', { name: '可用模型' })
    const names = part.getByRole('button', { name: /^model-/ })
    await names.first().waitFor()
    expect(await names.count()).toBe(10)

    await part.getByRole('button', { name: '展开其余 2 个' }).click()
    expect(await names.count()).toBe(12)
    await names.last().click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(models).toContain(await page.evaluate(() => navigator.clipboard.readText()))
    await part.getByRole('button', { name: '收起' }).click()
    expect(await names.count()).toBe(10)
  })
})

describe('invitations', () => {
  test('have a link to copy; earnings of at least one dollar (QuotaPerUnit) can be transferred', async () => {
    const { world, alice } = await openAlice()
    await change(world, alice.id, { aff_quota: 1_500_000, aff_history: 2_000_000, aff_count: 3 })
    const { page } = await open(world, { as: alice, at: '/setting', browser: clipboard })
    const part = page.getByRole('region', { name: '邀请' })
    for (const text of ['$3.00', '$4.00', '3']) await part.getByText(text, { exact: true }).waitFor()

    await part.getByRole('button', { name: '复制链接' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    const code = await world.toolkit.profile.inviteCode(alice)
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${world.url}/register?aff=${code}`)

    await part.getByRole('button', { name: '划转' }).click()
    const dialog = page.getByRole('dialog', { name: '划转邀请额度' })
    await dialog.getByLabel('划转额度').fill('499999')
    await dialog.getByRole('button', { name: '划转到余额' }).click()
    await toast(page, '划转金额最低为$1.00').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await dialog.getByLabel('划转额度').fill('1000000')
    await page.keyboard.press('Enter')
    await toast(page, '划转成功').waitFor()
    await part.getByText('$1.00', { exact: true }).waitFor()
    await page.getByRole('region', { name: 'Alice' }).getByText('$4.00').waitFor()
    expect(await own(world, alice.id)).toMatchObject({ quota: 2_000_000, aff_quota: 500_000 })

    await part.getByRole('button', { name: '划转' }).click()
    await dialog.getByLabel('划转额度').fill('900000') // more than there is
    await page.keyboard.press('Tab')
    expect(await dialog.getByLabel('划转额度').inputValue()).toBe('500000')
    await dialog.getByRole('button', { name: '划转到余额' }).click()
    await part.getByText('划转金额最低为$1.00').waitFor()
    expect(await part.getByRole('button', { name: '划转' }).isDisabled()).toBe(true)
  })
})

describe('bound accounts', () => {
  test('show their id if they are bound, otherwise "not bound" or "not enabled"', async () => {
    const { world, alice } = await openAlice()
    await setOptions(world, { LinuxDOClientId: 'app', LinuxDOClientSecret: 'secret', LinuxDOOAuthEnabled: 'true' })
    await change(world, alice.id, { github_id: 'alice-hub', email: 'alice@example.org' })
    const { page, context } = await open(world, { as: alice, at: '/setting' })
    const row = (name: string) =>
      page.getByRole('region', { name: '账户绑定' }).getByRole('listitem').filter({ hasText: name })

    await row('GitHub').getByText('alice-hub').waitFor()
    await row('邮箱').getByText('alice@example.org').waitFor()
    await row('邮箱').getByRole('button', { name: '修改绑定 邮箱' }).waitFor()
    for (const name of ['微信', 'Telegram', 'OIDC']) {
      await row(name).getByText('未启用').waitFor()
      expect(await row(name).getByRole('button').count()).toBe(0)
    }
    await row('LinuxDO').getByText('未绑定').waitFor()
    await context.route(/linux\.do/, (route) => route.fulfill({ body: 'forum' }))
    const opening = context.waitForEvent('page')
    await row('LinuxDO').getByRole('button', { name: '绑定 LinuxDO' }).click()
    const forum = await opening
    await forum.waitForURL(/linux\.do\/oauth2\/authorize\?.*client_id=app/)
    await forum.close()
  })

  test('WeChat is bound with the code that the official account sends', async () => {
    const { world, alice } = await openAlice()
    await setOptions(world, {
      WeChatServerAddress: weChat().url,
      WeChatServerToken: WECHAT_TOKEN,
      WeChatAccountQRCodeImageURL: `${world.url}/logo.png`,
      WeChatAuthEnabled: 'true',
    })
    const { page } = await open(world, { as: alice, at: '/setting' })
    await page.getByRole('button', { name: '绑定 微信' }).click()
    const dialog = page.getByRole('dialog', { name: '绑定微信账户' })
    await dialog.getByLabel('验证码').fill(weChat().sendCode('wx-alice'))
    await dialog.getByRole('button', { name: '绑定' }).click()

    await toast(page, '绑定成功！').waitFor()
    await page.getByText('wx-alice').waitFor()
  })

  test('an email address is bound with a mailed code, which is sent at most once every 30 seconds', async () => {
    const { world, alice } = await openAlice()
    const server = await startMailServer()
    await configureMail(world, server)
    // A clock belongs to the whole browser.
    const { page } = await openConsole(world, { as: alice })
    await page.clock.install()
    await page.goto('/setting')
    await page.getByRole('button', { name: '绑定 邮箱' }).click()
    const dialog = page.getByRole('dialog', { name: '绑定邮箱地址' })

    await dialog.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '请输入邮箱！').waitFor()
    await dialog.getByLabel('邮箱', { exact: true }).fill('alice@example.org')
    await dialog.getByRole('button', { name: '确定' }).click()
    await toast(page, '请输入邮箱验证码！').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await dialog.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '验证码发送成功，请检查你的邮箱！').waitFor()
    const again = dialog.getByRole('button', { name: /^重新发送 \(\d+\)$/ })
    expect(await again.isDisabled()).toBe(true)
    await page.clock.fastForward(31_000)
    await dialog.getByRole('button', { name: '获取验证码' }).waitFor()

    await dialog.getByLabel('邮箱验证码').fill(codeIn(server.newest('alice@example.org')))
    await page.keyboard.press('Enter')
    await toast(page, '邮箱账户绑定成功！').waitFor()
    expect(await own(world, alice.id)).toMatchObject({ email: 'alice@example.org' })
  })
})

describe('security', () => {
  test('an access token is shown once, works, and replaces the previous one', async () => {
    const { world, alice } = await openAlice()
    const { page } = await open(world, { as: alice, at: '/setting', browser: clipboard })
    const dialog = page.getByRole('dialog', { name: '新的系统访问令牌' })
    const field = dialog.getByLabel('系统访问令牌')
    const works = async (token: string): Promise<unknown> =>
      (await fetch(`${world.url}/api/user/identity`, { headers: { authorization: token } })).json()

    await page.getByRole('button', { name: '生成系统访问令牌' }).click()
    await dialog.getByRole('button', { name: '复制' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    const first = await field.inputValue()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(first)
    expect(await works(first)).toMatchObject({ success: true })
    await expectAccessible(page, { themes: BOTH_THEMES })
    await dialog.getByRole('button', { name: '关闭' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: '生成系统访问令牌' }).click()
    await confirm(page, '重新生成系统访问令牌？')
    const second = await field.inputValue()
    expect(second).not.toBe(first)
    expect(await works(first)).toMatchObject({ success: false })
    expect(await works(second)).toMatchObject({ success: true })
  })

  test('a password changes if both fields agree', async () => {
    const { world, alice } = await openAlice()
    const { page } = await open(world, { as: alice, at: '/setting' })
    await page.getByRole('button', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    const submit = dialog.getByRole('button', { name: '修改密码' })
    const password = dialog.getByLabel('新密码', { exact: true })
    const again = dialog.getByLabel('确认新密码')

    await submit.click()
    await dialog.getByText('请输入新密码！').waitFor()
    await toast(page, '请检查输入').waitFor()
    await password.fill('short')
    await again.fill('shirt')
    await submit.click()
    await dialog.getByText('密码长度不得小于 8 位！').waitFor()
    await dialog.getByText('两次输入的密码不一致').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await password.fill('another password')
    await again.fill('another password')
    await page.keyboard.press('Enter')

    await toast(page, '密码修改成功！').waitFor()
    expect(await signInAnswer(world, 'alice', 'another password')).toMatchObject({ success: true })
    await page.reload() // this browser stays signed in
    await page.getByRole('heading', { name: 'Alice' }).waitFor()
  })

  test('an old session needs the current password; the keys are deleted on request', async () => {
    const { world, alice } = await openAlice()
    await world.token(alice)
    const { page } = await open(world, { as: alice, at: '/setting' })
    const age = (seconds: number) =>
      world.toolkit.db.transaction((trx) =>
        trx('sessions')
          .where({ user_id: alice.id })
          .update({ created_at: Math.floor(Date.now() / 1000) - seconds, data: '{}' }),
      )
    const prompt = page.getByRole('dialog', { name: '确认是您本人操作' })
    await age(660)

    await page.getByRole('button', { name: '生成系统访问令牌' }).click()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await prompt.getByRole('button', { name: '确定' }).click()
    await toast(page, '请输入当前密码！').waitFor()
    await prompt.getByLabel('当前密码').fill('wrong password')
    await page.keyboard.press('Enter')
    await toast(page, '当前密码错误').waitFor()
    await prompt.getByLabel('当前密码').fill(PASSWORD)
    await page.keyboard.press('Enter')
    const tokenDialog = page.getByRole('dialog', { name: '新的系统访问令牌' })
    await tokenDialog.getByRole('button', { name: '关闭' }).click()
    await tokenDialog.waitFor({ state: 'hidden' })
    expect(await world.toolkit.accessTokens.own(alice)).toMatch(/^.{32}$/)

    await age(660)
    await page.getByRole('button', { name: '修改密码' }).click()
    const dialog = page.getByRole('dialog', { name: '修改密码' })
    await dialog.getByLabel('当前密码').fill(PASSWORD)
    await dialog.getByLabel('新密码', { exact: true }).fill('another password')
    await dialog.getByLabel('确认新密码').fill('another password')
    await dialog.getByText('同时删除我的所有 API 令牌').click()
    await dialog.getByRole('button', { name: '修改密码' }).click()
    await toast(page, '密码修改成功！').waitFor()
    expect((await world.toolkit.tokens.list(alice)).items).toEqual([])
    expect(await world.toolkit.accessTokens.own(alice)).toBeNull()
  })

  test('an account is deleted after its name is typed, and its session ends', async () => {
    const { world, alice } = await openAlice()
    const { page } = await open(world, { as: alice, at: '/setting', width: 390 })
    await expect.poll(() => page.getByRole('button', { name: '复制链接' }).isEnabled()).toBe(true)
    await expectAccessible(page)
    await page.getByRole('button', { name: '删除个人账户' }).click()
    const dialog = page.getByRole('dialog', { name: '删除个人账户' })
    await dialog.getByRole('textbox').fill('Alice')
    await dialog.getByRole('button', { name: '确认删除' }).click()
    await toast(page, '请输入你的账户名以确认删除！').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await dialog.getByRole('textbox').fill('alice')
    await page.keyboard.press('Enter')

    await toast(page, '账户已删除！').waitFor()
    await page.waitForURL('/login')
    expect(await signInAnswer(world, 'alice', PASSWORD)).toMatchObject({ success: false })
  })

  test('a long balance does not affect the figures beside it, also on a phone', async () => {
    const { world, alice } = await openAlice({ quota: 61_728_394_000_000 })
    const { page } = await open(world, { as: alice, at: '/setting', width: 390 })

    const balance = await page.getByText('$123,456,788.00').boundingBox()
    const used = await page.getByText('历史消耗').boundingBox()
    const beside = (balance?.x ?? Number.NaN) + (balance?.width ?? 0) <= (used?.x ?? 0)
    const above = (balance?.y ?? Number.NaN) + (balance?.height ?? 0) <= (used?.y ?? 0)
    expect(beside || above).toBe(true)
  })

  test('a dialog fits a phone', async () => {
    const { world, alice } = await openAlice()
    const { page } = await open(world, { as: alice, at: '/setting', width: 390 })

    for (const name of ['删除个人账户', '修改密码']) {
      await page.getByRole('button', { name }).click()
      const dialog = page.getByRole('dialog', { name })
      await dialog.waitFor()
      const { x = -1, width = 390 } = (await dialog.boundingBox()) ?? {}
      expect(x).toBeGreaterThan(0)
      expect(x + width).toBeLessThan(390)
      await page.keyboard.press('Escape')
      await dialog.waitFor({ state: 'hidden' })
    }
  })

  test('root cannot delete its own account', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/setting' })

    await page.getByText('超级管理员账户不能删除。').waitFor()
    expect(await page.getByRole('button', { name: '删除个人账户' }).count()).toBe(0)
  })
})
