import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { codeIn, configureMail, startMailServer } from '../../support/mail.ts'
import { reused } from '../../support/reused.ts'
import { countUsers, newestUser, setOptions, userOf } from '../../support/sign-in/visit.ts'

const gateway = reused()
const open = reusedConsole()

describe('the registration page', () => {
  test('shows each input error at its field, creates the account, and signs it in', async () => {
    const world = await gateway()
    const inviter = await world.user()
    const { aff_code } = await userOf(world, inviter.id)
    const { page } = await open(world, { at: `/register?aff=${aff_code}` })
    const submit = page.getByRole('button', { name: '注册' })
    const [password, again] = [page.getByLabel('密码', { exact: true }), page.getByLabel('确认密码')]
    const wrong = (name: string) => page.locator(`[name=${name}][aria-invalid=true]:focus`).waitFor()

    await submit.click()
    await toast(page, '请输入用户名和密码！').waitFor()
    expect((await page.title()).match(/Tollgate/g)).toHaveLength(1)
    await wrong('username')
    await page.getByLabel('用户名').fill('long-username')
    await password.fill('short')
    await submit.click()
    await toast(page, '用户名不得超过 12 个字符！').waitFor()
    await page.getByLabel('用户名').fill('ann')
    await submit.click()
    await toast(page, '密码长度不得小于 8 位！').waitFor()
    await wrong('password')
    await password.fill('x'.repeat(21))
    await submit.click()
    await toast(page, '密码长度不得大于 20 位！').waitFor()
    await password.fill('correct horse')
    await again.fill('correct house')
    await submit.click()
    await toast(page, '两次输入的密码不一致').waitFor()
    await wrong('password2')
    expect(await page.getByLabel('邮箱', { exact: true }).count()).toBe(0)

    await again.fill('correct horse')
    await page.keyboard.press('Enter')

    await toast(page, '注册成功！').waitFor()
    await page.waitForURL('/start') // signed in
    expect(await newestUser(world)).toMatchObject({ username: 'ann', inviter_id: inviter.id })
    expect(await page.evaluate(() => localStorage.getItem('aff'))).toBeNull()
    await page.reload()
    await page.getByRole('heading', { name: '还差 2 步' }).waitFor()
  })

  test('sends a code by mail if email verification is enabled, at most once every 30 seconds', async () => {
    const world = await gateway()
    const mails = await startMailServer()
    await configureMail(world, mails)
    await setOptions(world, {
      EmailVerificationEnabled: 'true',
      EmailDomainWhitelist: 'example.org',
      EmailDomainRestrictionEnabled: 'true',
    })
    const { page } = await open(world)
    await page.clock.install()
    await page.goto('/register')
    const email = page.getByLabel('邮箱', { exact: true })

    await page.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '请输入邮箱！').waitFor()
    await email.fill('ann@example.com')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '管理员启用了邮箱域名白名单，此邮箱不在允许的范围内，请使用其他邮箱').waitFor()
    await email.fill('ann@example.org')
    await page.getByRole('button', { name: '获取验证码' }).click()
    await toast(page, '验证码发送成功，请检查你的邮箱！').waitFor()
    expect(await page.getByRole('button', { name: /^重新发送 \(([12]\d|30)\)$/ }).isDisabled()).toBe(true)

    await page.getByLabel('用户名').fill('ann')
    await page.getByLabel('密码', { exact: true }).fill('correct horse')
    await page.getByLabel('确认密码').fill('correct horse')
    await page.getByRole('button', { name: '注册' }).click()
    await toast(page, '请输入邮箱验证码！').waitFor()
    await page.getByLabel('邮箱验证码').fill('000000')
    await page.getByRole('button', { name: '注册' }).click()
    await toast(page, '验证码错误或已过期').waitFor()
    await page.clock.runFor(30_000)
    expect(await page.getByRole('button', { name: '获取验证码' }).isEnabled()).toBe(true)
    await page.getByLabel('邮箱验证码').fill(codeIn(mails.newest('ann@example.org')))
    await page.getByRole('button', { name: '注册' }).click()

    await page.waitForURL('/start')
    expect(await newestUser(world)).toMatchObject({ username: 'ann', email: 'ann@example.org' })
  })

  test('leads to the login if password sign-in is disabled', async () => {
    const world = await gateway()
    await setOptions(world, { PasswordLoginEnabled: 'false' })
    const { page } = await open(world, { at: '/register' })
    await page.getByLabel('用户名').fill('ann')
    await page.getByLabel('密码', { exact: true }).fill('correct horse')
    await page.getByLabel('确认密码').fill('correct horse')
    await page.getByRole('button', { name: '注册' }).click()

    await toast(page, '注册成功！').waitFor()
    await page.waitForURL('/login')
    expect(await newestUser(world)).toMatchObject({ username: 'ann' })
  })

  test('shows why the server accepts no registrations', async () => {
    const world = await gateway()
    await setOptions(world, { RegisterEnabled: 'false' })
    const before = await countUsers(world)
    const { page } = await open(world, { at: '/register', width: 390 })

    await page.getByLabel('用户名').fill('ann')
    await page.getByLabel('密码', { exact: true }).fill('correct horse')
    await page.getByLabel('确认密码').fill('correct horse')
    await page.getByRole('button', { name: '注册' }).click()

    await toast(page, '管理员关闭了新用户注册').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    expect(new URL(page.url()).pathname).toBe('/register')
    expect(await countUsers(world)).toBe(before)
    await page.getByRole('link', { name: '去登录' }).click()
    await page.waitForURL('/login')
  })
})
