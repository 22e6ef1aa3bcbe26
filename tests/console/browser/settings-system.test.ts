import { describe, expect, test } from 'vitest'
import { OPTIONS } from '../../../core/options/registry.ts'
import { confirm, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { area, json, option, press, save, savedOptions } from '../../support/browser/settings.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()
const AT = '/setting?tab=system'

describe('the system settings', () => {
  test('save addresses without a trailing slash', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)

    await page.getByLabel('服务器地址', { exact: true }).last().fill('https://gateway.example/')
    await save(page, '服务器地址')
    await page.getByLabel('Worker 地址', { exact: true }).fill('https://worker.example/')
    await page.getByLabel('Worker 密钥', { exact: true }).fill('key of the worker')
    await save(page, '代理设置')
    await page.getByLabel('WeChat Server 服务器地址', { exact: true }).fill('https://wechat.example/')
    await save(page, '微信登录设置')
    await page.getByLabel('支付地址', { exact: true }).fill('https://pay.example/')
    await save(page, '支付设置')

    expect(sent).toEqual({
      ServerAddress: 'https://gateway.example',
      WorkerUrl: 'https://worker.example',
      WorkerValidKey: 'key of the worker',
      WeChatServerAddress: 'https://wechat.example',
      PayAddress: 'https://pay.example',
    })
    expect(await page.getByLabel('支付地址', { exact: true }).inputValue()).toBe('https://pay.example')
    expect(await page.getByLabel('Worker 密钥', { exact: true }).inputValue()).toBe('')
    expect(world.toolkit.options.get(OPTIONS.WorkerValidKey)).toBe('key of the worker')
  })

  test('require the server address before payment, and ratios that are JSON', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    expect(await page.getByLabel('充值价格（x 元/美金）', { exact: true }).inputValue()).toBe('7.3')
    expect(await page.getByLabel('最低充值美元数量', { exact: true }).inputValue()).toBe('1')

    await page.getByLabel('易支付商户 ID', { exact: true }).fill('1000')
    await press(page, '支付设置', '请先填写服务器地址')
    await page.getByLabel('服务器地址', { exact: true }).last().fill('https://gateway.example')
    await save(page, '服务器地址')
    await (await json(page, '充值分组倍率')).fill('{')
    await page.keyboard.press('Tab')
    await option(page, '充值分组倍率').getByRole('alert').filter({ hasText: '不是合法的 JSON 字符串' }).waitFor()
    await press(page, '支付设置', '充值分组倍率不是合法的 JSON 字符串')
    await (await json(page, '充值分组倍率')).fill('{"default":1.5}')
    await save(page, '支付设置')

    expect(world.toolkit.options.get(OPTIONS.EpayId)).toBe('1000')
    expect(world.toolkit.options.get(OPTIONS.TopupGroupRatio)).toEqual({ default: 1.5 })
  })

  test('ask before password login is disabled', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const login = page.getByRole('switch', { name: '允许通过密码进行登录' })
    const confirmation = page.getByRole('dialog').filter({ hasText: '确认取消？' })

    await login.click()
    await confirmation.getByRole('button', { name: '取消' }).click()
    await confirmation.waitFor({ state: 'hidden' })
    expect(await login.getAttribute('aria-checked')).toBe('true')
    await login.click()
    await confirmation.getByRole('button', { name: '确定' }).click()
    await confirmation.waitFor({ state: 'hidden' })
    await page.getByRole('switch', { name: '允许新用户注册' }).click()
    await save(page, '登录注册设置')

    expect(world.toolkit.options.get(OPTIONS.PasswordLoginEnabled)).toBe(false)
    expect(world.toolkit.options.get(OPTIONS.RegisterEnabled)).toBe(false)
  })

  test('edit the accepted mail domains as a list', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'EmailDomainWhitelist', '')
    const { page } = await open(world, { as: world.root, at: AT })
    const domains = page.getByRole('textbox', { name: '允许的邮箱域名' })

    await page.getByRole('switch', { name: '启用邮箱域名白名单' }).click()
    await toast(page, '无法启用邮箱域名限制，请先填入限制的邮箱域名！').waitFor()
    await domains.fill('one.example')
    await domains.press('Enter')
    for (const domain of ['two.example', 'one.example']) {
      await domains.fill(domain)
      await domains.press('Enter')
    }
    await page.getByRole('switch', { name: '启用邮箱域名白名单' }).click()
    await save(page, '邮箱域名白名单')

    expect(world.toolkit.options.get(OPTIONS.EmailDomainWhitelist)).toBe('one.example,two.example')
    expect(world.toolkit.options.get(OPTIONS.EmailDomainRestrictionEnabled)).toBe(true)
  })

  test('never show a secret, and keep it while its field is empty', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'SMTPToken', 'as it was')
    const { page } = await open(world, { as: world.root, at: AT })
    const token = page.getByLabel('SMTP 访问凭证', { exact: true })
    expect(await token.getAttribute('placeholder')).toBe('敏感信息不会发送到前端显示')
    expect(await token.inputValue()).toBe('')
    expect(await page.getByLabel('SMTP 端口', { exact: true }).inputValue()).toBe('587')

    await page.getByLabel('SMTP 服务器地址', { exact: true }).fill('smtp.example')
    await page.getByLabel('SMTP 端口', { exact: true }).fill('465')
    await save(page, 'SMTP 设置')

    expect(world.toolkit.options.get(OPTIONS.SMTPPort)).toBe(465)
    expect(world.toolkit.options.get(OPTIONS.SMTPToken)).toBe('as it was')
  })

  test('show whether a secret is set, and clear it unless a switch requires it', async () => {
    const world = await gateway()
    for (const [key, value] of Object.entries({
      SMTPToken: 'wrong',
      GitHubClientId: 'id',
      GitHubClientSecret: 'hush',
      GitHubOAuthEnabled: 'true',
    })) {
      await world.toolkit.options.set(world.root, key, value)
    }
    const { page } = await open(world, { as: world.root, at: AT })
    await option(page, '易支付商户密钥').getByText('未设置').waitFor()
    await option(page, '易支付商户密钥').getByText('留空则保持不变。').waitFor()
    await option(page, 'SMTP 访问凭证').getByText('已设置').waitFor()

    await page.getByRole('button', { name: '清除 GitHub Client Secret' }).click()
    await confirm(page, '清除 GitHub Client Secret')
    await toast(page, 'GitHubOAuthEnabled 为 true 时 GitHubClientSecret 不能为空').waitFor()
    await page.getByRole('button', { name: '清除 SMTP 访问凭证' }).click()
    await confirm(page, '清除 SMTP 访问凭证')
    await toast(page, '已清除').waitFor()
    await option(page, 'SMTP 访问凭证').getByText('未设置').waitFor()

    expect(world.toolkit.options.get(OPTIONS.SMTPToken)).toBe('')
    expect(world.toolkit.options.get(OPTIONS.GitHubClientSecret)).toBe('hush')
  })

  test('keep the prerequisites of a sign-in method while it is enabled, and clear them together', async () => {
    const world = await gateway()
    for (const [key, value] of Object.entries({
      GitHubClientId: 'id',
      GitHubClientSecret: 'hush',
      GitHubOAuthEnabled: 'true',
    })) {
      await world.toolkit.options.set(world.root, key, value)
    }
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByLabel('GitHub Client ID', { exact: true }).fill('')
    await page.getByRole('button', { name: '保存GitHub OAuth 设置' }).click()
    await toast(page, '请检查输入').waitFor()
    await option(page, 'GitHub Client ID').getByText('请先填入 GitHub Client Id').waitFor()
    expect(world.toolkit.options.get(OPTIONS.GitHubClientId)).toBe('id')
    await page.getByRole('switch', { name: '允许通过 GitHub 账户登录和注册' }).click()
    await save(page, 'GitHub OAuth 设置')

    expect(world.toolkit.options.get(OPTIONS.GitHubClientId)).toBe('')
    expect(world.toolkit.options.get(OPTIONS.GitHubOAuthEnabled)).toBe(false)
  })

  test('list the prerequisites of a sign-in method before it can be enabled', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    for (const [name, problem] of [
      [
        '允许通过 GitHub 账户登录和注册',
        '无法启用 GitHub OAuth，请先填入 GitHub Client Id 以及 GitHub Client Secret！',
      ],
      ['允许通过微信登录和注册', '无法启用微信登录，请先填入微信登录相关配置信息！'],
      ['允许通过 Telegram 进行登录', '无法启用 Telegram 登录，请先填入'],
      ['允许通过 LinuxDO 账户登录和注册', '无法启用 LinuxDO OAuth，请先填入'],
      ['允许通过 OIDC 登录和注册', '无法启用 OIDC 登录，请先填入'],
      ['启用 Turnstile 用户校验', '无法启用 Turnstile 校验，请先填入 Turnstile 校验相关配置信息！'],
    ] as const) {
      await page.getByRole('switch', { name }).click()
      await toast(page, problem).waitFor()
      expect(await page.getByRole('switch', { name }).getAttribute('aria-checked')).toBe('false')
    }
    await page.getByLabel('GitHub Client ID', { exact: true }).fill('the id')
    await page.getByLabel('GitHub Client Secret', { exact: true }).fill('the secret')
    await page.getByRole('switch', { name: '允许通过 GitHub 账户登录和注册' }).click()
    await save(page, 'GitHub OAuth 设置')
    await page.getByLabel('Turnstile Site Key', { exact: true }).fill('the site key')
    await page.getByLabel('Turnstile Secret Key', { exact: true }).fill('the secret key')
    await save(page, 'Turnstile 设置')
    await page.getByRole('switch', { name: '启用 Turnstile 用户校验' }).click() // on what is stored, and not shown
    await save(page, 'Turnstile 设置')

    expect(world.toolkit.options.get(OPTIONS.GitHubOAuthEnabled)).toBe(true)
    expect(world.toolkit.options.get(OPTIONS.TurnstileCheckEnabled)).toBe(true)
  })

  test('are accessible in both themes, and fit a phone', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    await area(page, 'OIDC 设置').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
  })
})
