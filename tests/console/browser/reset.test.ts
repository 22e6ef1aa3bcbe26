import { describe, expect, test } from 'vitest'
import { openApi } from '../../support/api.ts'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { configureMail, startMailServer } from '../../support/mail.ts'
import { reused } from '../../support/reused.ts'
import { setOptions } from '../../support/sign-in/visit.ts'

const gateway = reused()
const open = reusedConsole()
const EMAIL = 'ann@example.org'

async function openWithMail() {
  const world = await gateway()
  const mails = await startMailServer()
  await configureMail(world, mails)
  await setOptions(world, { ServerAddress: world.url })
  const person = await world.user()
  await world.toolkit.db.transaction((trx) => trx('users').where({ id: person.id }).update({ email: EMAIL }))
  return { ...world, mails, person }
}

const linkIn = ({ body }: { body: string }) =>
  /href="([^"]+\/user\/reset[^"]+)"/.exec(body)?.[1]?.replaceAll('&amp;', '&')

async function mayLogIn(world: TestGateway, username: string, password: string): Promise<boolean> {
  const { body } = await openApi(world).anonymous().post('/api/user/login', { username, password })
  return body.success === true
}

describe('a forgotten password', () => {
  test('is reset by mail, at most once every 30 seconds', async () => {
    const world = await openWithMail()
    const { page } = await open(world)
    await page.clock.install()
    await page.goto('/reset')

    await page.getByRole('button', { name: '发送重置邮件' }).click()
    await toast(page, '请输入邮箱！').waitFor()
    await page.getByLabel('邮箱').fill(`x${EMAIL}`)
    await page.keyboard.press('Enter')
    await toast(page, '该邮箱地址未注册').waitFor()
    // No mail was sent, so the corrected address needs no wait.
    await page.getByLabel('邮箱').fill(EMAIL)
    await page.keyboard.press('Enter')
    await toast(page, '重置邮件发送成功，请检查邮箱！').waitFor()
    expect(await page.getByRole('button', { name: /^重试 \(([12]\d|30)\)$/ }).isDisabled()).toBe(true)
    await page.clock.runFor(30_000)
    expect(await page.getByRole('button', { name: '发送重置邮件' }).isEnabled()).toBe(true)
    expect(world.mails.mails).toHaveLength(1)
  })

  test('is replaced via the mail, and the new one is copied to the clipboard', async () => {
    const world = await openWithMail()
    await world.toolkit.passwordReset.sendLink(EMAIL, { language: 'zh' })
    const browser = { permissions: ['clipboard-read', 'clipboard-write'] }
    const { page } = await open(world, { browser, at: linkIn(world.mails.newest(EMAIL)) ?? '' })

    expect(await page.getByLabel('邮箱').inputValue()).toBe(EMAIL)
    await page.getByRole('button', { name: '重置密码' }).click()
    await toast(page, '密码已重置并已复制到剪贴板！').waitFor()
    const password = await page.getByLabel('新密码').inputValue()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(password)
    expect(await mayLogIn(world, world.person.username, password)).toBe(true)
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('link', { name: '去登录' }).click()
    await page.waitForURL('/login')
  })

  test('is shown in a dialog if the clipboard is denied', async () => {
    const world = await openWithMail()
    await world.toolkit.passwordReset.sendLink(EMAIL, { language: 'zh' })
    const { page } = await open(world, { width: 390 })
    await page.addInitScript(() => {
      Clipboard.prototype.writeText = () => Promise.reject(new Error('refused'))
    })
    await page.goto(linkIn(world.mails.newest(EMAIL)) ?? '')

    await page.getByRole('button', { name: '重置密码' }).click()

    const dialog = page.getByRole('dialog').filter({ hasText: '无法复制到剪贴板，请手动复制' })
    const password = await dialog.getByRole('textbox').inputValue()
    expect(await mayLogIn(world, world.person.username, password)).toBe(true)
    await dialog.getByRole('button', { name: '关闭' }).click()
    expect(await page.getByLabel('新密码').inputValue()).toBe(password)
  })

  test('is not replaced for an unknown address, nor by an invalid link', async () => {
    const world = await openWithMail()
    const { page } = await open(world, { at: '/reset' })

    await page.getByLabel('邮箱').fill('missing@example.org')
    await page.keyboard.press('Enter')
    await toast(page, '该邮箱地址未注册').waitFor()

    await page.goto(`/user/reset?email=${EMAIL}&token=made-up`)
    await page.getByRole('button', { name: '重置密码' }).click()
    await toast(page, '重置链接非法或已过期').waitFor()
    expect(await page.getByLabel('新密码').count()).toBe(0)

    await page.goto('/user/reset')
    await page.getByRole('alert').filter({ hasText: '无效的重置链接，请重新发起密码重置请求' }).waitFor()
    await page.getByRole('link', { name: '重新获取重置邮件' }).click()
    await page.waitForURL('/reset')
  })
})
