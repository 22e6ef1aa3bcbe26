import { hashSync } from 'bcryptjs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { endSessions } from '../../../core/sessions.ts'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { openConsole, reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'
import { PASSWORD } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

async function signIn(page: Page, { username, password = PASSWORD }: { username: string; password?: string }) {
  await page.getByLabel('用户名或邮箱').fill(username)
  await page.getByLabel('密码', { exact: true }).fill(password)
  await page.getByRole('button', { name: '登录', exact: true }).click()
}

describe('the login page', () => {
  test('opens the tokens after a login with the right password, and stores the user', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login' })

    await signIn(page, world.root)

    await toast(page, '登录成功！').waitFor()
    await page.waitForURL('/token')
    const stored = await page.evaluate(() => JSON.parse(localStorage.getItem('user') ?? ''))
    expect(stored).toMatchObject({ id: world.root.id, username: 'root', role: 100 })
    const [request] = await Promise.all([page.waitForRequest(/\/api\/token\//), page.reload()])
    expect(request.headers()['tollgate-user']).toBe(String(world.root.id))
    await page.goto('/login')
    await page.waitForURL('/token') // Signed-in users skip the login page.
  })

  test('opens if an older console stored an invalid session', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login' })
    await page.evaluate(() => localStorage.setItem('user', '{"id":1,"username":"root"}'))

    await page.goto('/token')

    await page.waitForURL('/login')
    await page.getByLabel('用户名或邮箱').waitFor()
  })

  test('accepts an email address as the name', async () => {
    const world = await gateway()
    const person = await world.user()
    await world.toolkit.db.transaction((trx) =>
      trx('users').where({ id: person.id }).update({ email: 'ann@example.org' }),
    )
    const { page } = await open(world, { at: '/login' })

    await signIn(page, { username: 'ann@example.org' })

    await page.waitForURL('/token')
  })

  test('reports a wrong password, and keeps the name', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login' })

    await signIn(page, { username: world.root.username, password: 'wrong' })

    await toast(page, '用户名或密码错误，或用户已被封禁').waitFor()
    expect(await page.getByLabel('用户名或邮箱').inputValue()).toBe(world.root.username)
    expect(new URL(page.url()).pathname).toBe('/login')
  })

  test('requires both fields, with the focus on the missing one', async () => {
    const { page } = await open(await gateway(), { at: '/login' })

    await page.getByRole('button', { name: '登录', exact: true }).click()
    await toast(page, '请输入用户名和密码！').waitFor()
    expect(await page.getByLabel('用户名或邮箱').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('用户名或邮箱').fill('a-user')
    await page.keyboard.press('Enter')
    await page.locator('[name=password][aria-invalid=true]:focus').waitFor()

    await page.getByRole('link', { name: '去注册' }).click()
    await page.waitForURL('/register')
    await page.goBack()
    await page.getByRole('link', { name: '忘记密码？' }).click()
    await page.waitForURL('/reset')
  })

  test('is shown if the session expires on any page, and leads back to that page', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: '/log?p=2' })
    await page.waitForLoadState('networkidle') // what is still asked for would end the session before the page is loaded again
    expects(/status of 401/)
    await world.toolkit.db.transaction((trx) => endSessions(trx, world.root.id))

    await page.reload()

    await page.waitForURL(/\/login\?expired=true&to=%2Flog%3Fp%3D\d/)
    await page.getByRole('alert').filter({ hasText: '未登录或登录已过期，请重新登录！' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('user'))).toBeNull()
    await signIn(page, world.root)
    await page.waitForURL(/\/log\?p=\d/)
  })

  test('leads to the page that a visitor requested, also via registration, and to no other site or account page', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/topup?x=1' })
    await page.waitForURL('/login?to=%2Ftopup%3Fx%3D1')
    await page.getByRole('link', { name: '去注册' }).click()
    await page.waitForURL('/register?to=%2Ftopup%3Fx%3D1')
    await page.getByRole('link', { name: '去登录' }).click()
    await signIn(page, world.root)
    await page.waitForURL('/topup?x=1')

    for (const to of ['//evil.example/x', '/Register']) {
      await page.goto(`/login?${new URLSearchParams({ to })}`)
      await page.waitForURL('/token')
    }
  })

  test('works by keyboard', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login' })
    await page.getByLabel('用户名或邮箱').waitFor()

    await page.keyboard.type(world.root.username) // it has the focus at once
    await page.keyboard.press('Tab')
    await page.keyboard.type(PASSWORD)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space') // the eye
    expect(await page.getByLabel('密码', { exact: true }).getAttribute('type')).toBe('text')
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')

    await page.waitForURL('/token')
  })

  test.each([1440, 390] as const)('is accessible in both themes, %i pixels wide', async (width) => {
    const world = await gateway()
    const { page } = await open(world, { at: '/login', width })
    await page.getByRole('button', { name: '登录', exact: true }).click()
    await toast(page, '请输入用户名和密码！').waitFor()

    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})

describe('root with the default password', () => {
  test('is asked to change it immediately, with a link', async () => {
    const world = await gateway()
    await world.toolkit.db.transaction((trx) =>
      trx('users')
        .where({ id: world.root.id })
        .update({ password: hashSync('123456', 4) }),
    )
    const { page } = await open(world, { at: '/login' })

    await signIn(page, { username: 'root', password: '123456' })

    const warning = page.getByRole('dialog').filter({ hasText: '您正在使用默认密码！' })
    await warning.getByText('请立刻修改默认密码！').waitFor()
    await page.waitForURL('/token')
    await expectAccessible(page, { include: '.arco-modal-wrapper', themes: BOTH_THEMES })
    await warning.getByRole('button', { name: '去修改' }).click()
    await page.waitForURL('/setting')
  })
})

describe("a visitor's choice", () => {
  test('of theme and language persists for the next visit', async () => {
    const { page } = await open(await gateway(), { at: '/login' })

    await page.getByRole('button', { name: '切换到深色主题' }).click()
    await page.getByRole('button', { name: '语言' }).click()
    await page.getByRole('menuitemradio', { name: 'English' }).click()
    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor()
    await page.reload()

    await page.getByRole('button', { name: 'Switch to light theme' }).waitFor()
    expect(await page.locator('body').getAttribute('arco-theme')).toBe('dark')
  })

  test('applies to that browser only', async () => {
    const world = await gateway()
    await open(world, { at: '/login', theme: 'dark', language: 'en' })
    const { page } = await openConsole(world, { at: '/login' })

    await page.getByRole('button', { name: '切换到深色主题' }).waitFor()
  })
})
