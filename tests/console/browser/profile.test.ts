import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { holdBack } from '../../support/browser/held.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

describe("the user's profile", () => {
  test('is changed, and the top bar shows the new name immediately', async () => {
    const world = await gateway()
    const alice = await world.user({ username: 'alice', display_name: 'Alice' })
    const { page } = await open(world, { as: alice, at: '/user/edit' })
    await page.getByText('已绑定的账户').waitFor()
    expect(await page.getByText('未绑定').count()).toBe(6)
    expect(await page.getByLabel('剩余额度').count()).toBe(0)
    expect(await page.getByLabel('分组').count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByLabel('密码', { exact: true }).fill('short')
    await page.getByRole('button', { name: '保存修改' }).click()
    await page.getByText('密码长度不得小于 8 位！').waitFor()
    await toast(page, '请检查输入').waitFor()
    await page.getByLabel('密码', { exact: true }).fill('another password')
    await page.getByLabel('用户名').fill('alicia')
    await page.getByLabel('显示名称').fill(' ')
    await page.getByRole('button', { name: '保存修改' }).click()
    await page.getByText('显示名称不能为空').waitFor()
    await page.getByLabel('显示名称').fill(' Alicia ')
    await page.getByRole('button', { name: '保存修改' }).click()

    await toast(page, '用户信息更新成功！').waitFor()
    await page.getByRole('button', { name: '用户菜单：Alicia' }).waitFor()
    expect(await page.getByLabel('密码', { exact: true }).inputValue()).toBe('')
    expect(await page.getByLabel('显示名称').inputValue()).toBe('Alicia')
    await page.getByRole('link', { name: '令牌' }).click() // nothing to lose, so nothing is asked
    await page.waitForURL('/token')
    const signedIn = await fetch(`${world.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'alicia', password: 'another password' }),
    })
    expect(await signedIn.json()).toMatchObject({ success: true })
  })

  test('keeps input while it is saved, and asks before leaving', async () => {
    const world = await gateway()
    const alice = await world.user({ username: 'alice', display_name: 'Alice' })
    const { page } = await open(world, { as: alice, at: '/user/edit' })
    const held = await holdBack(page, 'PUT', '**/api/user/self')
    const field = (name: string) => page.getByLabel(name, { exact: true })
    await field('用户名').fill('alicia')
    await field('显示名称').fill(' Alicia ')
    await field('密码').fill('another password')
    await page.getByRole('button', { name: '保存修改' }).click()
    await expect.poll(() => held.sent.length).toBe(1)

    await field('用户名').fill('alicja')
    await field('密码').fill('a third password')
    await held.letAll()

    await toast(page, '用户信息更新成功！').waitFor()
    await expect.poll(() => field('显示名称').inputValue()).toBe('Alicia')
    expect(await field('用户名').inputValue()).toBe('alicja')
    expect(await field('密码').inputValue()).toBe('a third password')
    await page.getByRole('link', { name: '令牌' }).click()
    await page.getByRole('dialog', { name: '有未保存的修改' }).getByRole('button', { name: '继续编辑' }).click()
    await page.getByRole('button', { name: '保存修改' }).click()
    await expect
      .poll(() => held.sent.at(-1))
      .toEqual({
        username: 'alicja',
        display_name: 'Alicia',
        password: 'a third password',
      })
  })

  test('keeps the input if the name is taken', async () => {
    const world = await gateway()
    const alice = await world.user({ username: 'alice' })
    const { page } = await open(world, { as: alice, at: '/user/edit' })

    await page.getByLabel('用户名').fill('root')
    await page.getByRole('button', { name: '保存修改' }).click()

    await page.locator('.arco-message-error').waitFor()
    expect(await page.getByLabel('用户名').inputValue()).toBe('root')
    await page.getByRole('link', { name: '令牌' }).click()
    await page.getByRole('dialog', { name: '有未保存的修改' }).getByRole('button', { name: '继续编辑' }).click()
    expect(await page.getByLabel('用户名').inputValue()).toBe('root')
  })

  test('can be reloaded after a failure', async () => {
    const world = await gateway()
    const alice = await world.user({ username: 'alice' })
    const { page, expects } = await open(world, { as: alice })
    expects(/status of 429/)
    await page.route('**/api/user/self', (route) => route.fulfill({ status: 429, body: '' }))
    await page.goto('/user/edit')
    await page.getByText('错误：请求次数过多，请稍后再试！').waitFor()
    await page.unroute('**/api/user/self')
    await page.getByRole('button', { name: '重试' }).click()

    await page.getByLabel('用户名').waitFor()
  })
})
