import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { choose, confirm, drawer, rowOf, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'
import { banWithSessions, PASSWORD } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

/** A user in every state there is. */
async function people(world: TestGateway) {
  const alice = await world.user({ username: 'alice', display_name: 'Alice', quota: 1_000_000 })
  await world.charge(alice, { quota: 250_000 })
  const bob = await world.user({ username: 'bob' })
  await world.toolkit.accounts.manage(world.root, bob.id, 'disable')
  const carol = await world.user({ username: 'carol' })
  await world.toolkit.accounts.manage(world.root, carol.id, 'delete')
  const dave = await world.user({ username: 'dave' })
  await banWithSessions(world, dave.id, 3)
  const admin = await world.user({ username: 'olivia', role: 10 })
  return { alice, bob, carol, dave, admin }
}

const user = (world: TestGateway, id: number) => world.toolkit.accounts.get(world.root, id)
const more = async (page: Page, name: string, action: string) => {
  await page.getByRole('button', { name: `更多操作 ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

describe('the list of users', () => {
  test('has name, state and buttons visible on a phone without scrolling', async () => {
    const world = await gateway()
    await people(world)
    const { page } = await open(world, { as: world.root, at: '/user', width: 390 })

    const alice = rowOf(page, 'alice')
    for (const seen of [
      alice.getByText('alice').first(),
      alice.getByText('已激活'),
      alice.getByRole('button', { name: '编辑 alice' }),
      alice.getByRole('button', { name: '更多操作 alice' }),
    ]) {
      const box = await seen.boundingBox()
      expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    }
  })

  test.each([1440, 390] as const)(
    'has state and buttons visible at %i px, in English and with long names',
    async (width) => {
      const world = await gateway()
      await world.user({ username: 'alice' })
      await world.user({ username: 'longnamed', display_name: 'a long display name', quota: 61_728_394 })
      const { page } = await open(world, { as: world.root, at: '/user', width, language: 'en' })

      const alice = rowOf(page, 'alice')
      const state = await alice.getByText('Activated').boundingBox()
      const buttons = await alice.getByRole('button').first().boundingBox()
      const last = await alice.getByRole('button', { name: 'More actions alice' }).boundingBox()
      // On a phone a card has its buttons above.
      if (width === 1440) expect((state?.x ?? Number.NaN) + (state?.width ?? 0)).toBeLessThan(buttons?.x ?? 0)
      else expect((state?.x ?? Number.NaN) + (state?.width ?? 0)).toBeLessThanOrEqual(width - 24)
      expect((last?.x ?? Number.NaN) + (last?.width ?? 0)).toBeLessThanOrEqual(width - 24)
    },
  )

  test('shows figures, invitations, role and state of each', async () => {
    const world = await gateway()
    await people(world)
    const { page } = await open(world, { as: world.root, at: '/user' })

    const alice = rowOf(page, 'alice')
    const cells = Object.entries({ quota: '$1.50', used_quota: '$0.50', request_count: '1', aff_count: '无邀请人' })
    for (const [column, text] of cells) {
      const cell = alice.locator(`td[data-column="${column}"]`)
      expect(await cell.innerText()).toBe(text)
      if (column !== 'aff_count') {
        expect(await cell.evaluate((cell) => getComputedStyle(cell).textAlign)).toBe('right')
      }
    }
    expect(await alice.getByRole('link', { name: 'alice 的消费' }).getAttribute('href')).toBe('/detail?username=alice')
    expect(await alice.getByRole('link', { name: 'alice 的日志' }).getAttribute('href')).toBe('/log?username=alice')
    for (const [name, role, state] of [
      ['alice', '普通用户', '已激活'],
      ['bob', '普通用户', '已封禁'],
      ['carol', '普通用户', '已注销'],
      ['dave', '普通用户', '未知状态'],
      ['olivia', '管理员', '已激活'],
      ['root', '超级管理员', '已激活'],
    ] as const) {
      await rowOf(page, name).getByText(role, { exact: true }).waitFor()
      await rowOf(page, name).getByText(state, { exact: true }).waitFor()
    }
    expect(await rowOf(page, 'carol').getByRole('button').count()).toBe(0)
    await page.getByRole('button', { name: '更多操作 dave' }).click()
    expect(await page.getByRole('menuitem', { name: '启用' }).getAttribute('aria-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('is searched by keyword and group, with pages', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'GroupRatio', '{"default":1,"vip":1}')
    await world.user({ username: 'vera', group: 'vip' })
    for (let number = 0; number < 10; number++) await world.user()
    const { page } = await open(world, { as: world.root, at: '/user?p=2&size=10' })
    await rowOf(page, 'Root User').waitFor()
    await page.getByText('共 12 条').waitFor()

    await choose(page, '分组', 'vip')
    await page.getByText('共 1 条').waitFor()
    await page.getByLabel('ID、名称或邮箱').fill('no-such-user')
    await page.keyboard.press('Enter')
    await page.getByText('没有符合条件的记录').waitFor()
    expect(page.url()).toContain('keyword=no-such-user')
    expect(page.url()).toContain('group=vip')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await page.getByText('共 12 条').waitFor()
  })

  test("applies an action, and updates the row from the server's reply", async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: '/user' })
    const row = rowOf(page, 'alice')

    await more(page, 'alice', '禁用')
    await toast(page, '操作成功完成！').waitFor()
    await row.getByText('已封禁').waitFor()
    expect(await user(world, alice.id)).toMatchObject({ status: 2 })
    await more(page, 'alice', '启用')
    await row.getByText('已激活').waitFor()

    await more(page, 'alice', '提升')
    await confirm(page, '提升用户「alice」为管理员？')
    await row.getByText('管理员', { exact: true }).waitFor()
    await more(page, 'alice', '降级')
    await confirm(page, '将「alice」降级为普通用户？')
    await row.getByText('普通用户').waitFor()
    expect(await user(world, alice.id)).toMatchObject({ role: 1, status: 1 })

    await more(page, 'alice', '注销')
    await page.getByText('此操作不可逆').waitFor()
    await confirm(page, '注销用户「alice」？')
    await row.getByText('已注销').waitFor()
    expect(await row.getByRole('button').count()).toBe(0)
  })

  test('reverts a row if the server rejects a change, and shows why', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: '/user' })
    await rowOf(page, 'alice').waitFor()
    await world.toolkit.accounts.delete(world.root, alice.id)

    await more(page, 'alice', '禁用')

    await toast(page, '用户不存在').waitFor()
    await rowOf(page, 'alice').waitFor({ state: 'hidden' })
  })

  test('offers an administrator only the actions of their level', async () => {
    const world = await gateway()
    const { admin } = await people(world)
    await world.user({ username: 'other', role: 10 })
    const { page } = await open(world, { as: admin, at: '/user' })

    await rowOf(page, 'other').getByText('同级或更高等级').waitFor()
    // Root is listed for root only.
    expect(await rowOf(page, 'Root User').count()).toBe(0)
    await page.getByRole('button', { name: '更多操作 alice' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: '注销' }).waitFor()
    const items = (await page.getByRole('menuitem').allInnerTexts()).map((text) => text.trim())
    expect(items).toEqual(['查看日志', '查看消费', '禁用', '注销'])
    await page.keyboard.press('Escape')
    await rowOf(page, 'olivia').getByRole('link', { name: '编辑个人资料' }).click()
    await page.waitForURL('/user/edit')
  })
})

describe('a new user', () => {
  test('requires a name and a password', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/user' })
    await page.getByRole('button', { name: '添加用户' }).click()
    const form = drawer(page, '添加用户')
    await form.getByRole('button', { name: '提交' }).click()
    await toast(page, '用户名和密码不能为空！').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.reload() // the address keeps the drawer open
    await form.getByLabel('用户名').fill(' nina ')
    await form.getByLabel('显示名称').fill('Nina')
    await form.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')

    await toast(page, '用户账户创建成功！').waitFor()
    await rowOf(page, 'Nina').getByText('nina', { exact: true }).waitFor()
    await form.waitFor({ state: 'hidden' })
  })

  test('gets the whole pasted password, or an error if it is too long', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/user?add=' })
    const form = drawer(page, '添加用户')
    await form.getByLabel('用户名').fill('nina')
    const password = form.getByLabel('密码', { exact: true })
    await password.focus()
    await page.keyboard.insertText('0123456789 0123456789')
    await form.getByRole('button', { name: '提交' }).click()

    await form.getByText('密码长度不得大于 20 位！').waitFor()
    expect(await password.inputValue()).toBe('0123456789 0123456789')
  })

  test('keeps the input if the server rejects it', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/user?add=' })
    const form = drawer(page, '添加用户')
    await form.getByLabel('用户名').fill('root')
    await form.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await form.getByRole('button', { name: '提交' }).click()

    await page.locator('.arco-message-error').waitFor()
    expect(await form.getByLabel('用户名').inputValue()).toBe('root')
  })
})

describe('the editor of a user', () => {
  test('changes name, group, password and balance', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'GroupRatio', '{"default":1,"vip":1}')
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: '/user?keyword=alice' })
    await page.getByRole('button', { name: '编辑 alice' }).click()
    await page.waitForURL(`/user/edit/${alice.id}?keyword=alice`)
    const form = drawer(page, '编辑用户')

    await form.getByLabel('密码', { exact: true }).fill('short')
    await form.getByRole('button', { name: '提交' }).click()
    await form.getByText('密码长度不得小于 8 位！').waitFor()
    expect(await form.getByLabel('密码', { exact: true }).getAttribute('placeholder')).toContain('最短 8 位')
    await form.getByLabel('密码', { exact: true }).fill('another password')
    await form.getByLabel('用户名').fill('alicia')
    await form.getByLabel('显示名称').fill('Alicia')
    await choose(form, '分组', 'vip')
    await form.getByLabel('剩余额度').fill('123')
    await form.getByRole('button', { name: '提交' }).click()

    await toast(page, '用户信息更新成功！').waitFor()
    await page.waitForURL('/user?keyword=alice')
    expect(await user(world, alice.id)).toMatchObject({
      username: 'alicia',
      display_name: 'Alicia',
      group: 'vip',
      quota: 123,
    })
  })

  test('reports if nothing was changed, and an invalid balance', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: `/user/edit/${alice.id}` })
    const form = drawer(page, '编辑用户')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.url()))
    await form.getByLabel('用户名').fill(' alice ')
    await form.getByRole('button', { name: '提交' }).click()
    await toast(page, '你似乎并没有修改什么').waitFor()

    await form.getByLabel('剩余额度').fill('-')
    await form.getByRole('button', { name: '提交' }).click()
    await form.getByText('请输入额度').waitFor()
    expect(sent).toEqual([])
  })

  test('leaves a balance alone that changes meanwhile', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: `/user/edit/${alice.id}` })
    const form = drawer(page, '编辑用户')
    await form.getByLabel('显示名称').fill('Alicia')
    await world.charge(alice, { quota: 50_000 })
    await form.getByRole('button', { name: '提交' }).click()

    await toast(page, '用户信息更新成功！').waitFor()
    expect(await user(world, alice.id)).toMatchObject({ display_name: 'Alicia', quota: 700_000 })
  })

  test('keeps a change by another administrator that the reply about added quota shows', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: `/user/edit/${alice.id}` })
    const form = drawer(page, '编辑用户')
    await form.getByLabel('用户名').fill('alicia')
    await world.toolkit.accounts.update(world.root, { id: alice.id, display_name: 'Alice B.' })
    await form.getByRole('button', { name: '添加额度' }).click()
    const dialog = page.getByRole('dialog', { name: '添加额度' })
    await dialog.getByLabel('添加额度').fill('250000')
    await dialog.getByRole('button', { name: '确定' }).click()
    await expect.poll(() => form.getByLabel('剩余额度').inputValue()).toBe('1000000')
    await form.getByRole('button', { name: '提交' }).click()

    await toast(page, '用户信息更新成功！').waitFor()
    expect(await user(world, alice.id)).toMatchObject({
      username: 'alicia',
      display_name: 'Alice B.',
      quota: 1_000_000,
    })
  })

  test('opens only for numeric user ids', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/user/edit/abc' })

    await page.getByRole('heading', { name: '页面不存在' }).waitFor()
  })

  test('adds quota immediately, and shows the read-only fields', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    await world.toolkit.db.transaction((trx) => trx('users').where({ id: alice.id }).update({ github_id: 'alice-hub' }))
    const { page } = await open(world, { as: world.root, at: `/user/edit/${alice.id}` })
    const form = drawer(page, '编辑用户')
    await form.getByText('alice-hub').waitFor()
    expect(await form.getByText('未绑定').count()).toBe(5)
    await expectAccessible(page, { themes: BOTH_THEMES })

    await form.getByRole('button', { name: '添加额度' }).click()
    const dialog = page.getByRole('dialog', { name: '添加额度' })
    await dialog.getByLabel('添加额度').fill('-250000')
    await dialog.getByText('≈ -$0.50').waitFor({ state: 'attached' })
    await dialog.getByText('$1.00').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await dialog.getByRole('button', { name: '确定' }).click()

    await toast(page, '操作成功完成！').waitFor()
    await expect.poll(() => form.getByLabel('剩余额度').inputValue()).toBe('500000')
    expect(await user(world, alice.id)).toMatchObject({ quota: 500_000 })
  })

  test('fits a phone with all of its dialogs', async () => {
    const world = await gateway()
    const { alice } = await people(world)
    const { page } = await open(world, { as: world.root, at: `/user/edit/${alice.id}`, width: 390 })
    await drawer(page, '编辑用户').getByRole('button', { name: '添加额度' }).click()

    const box = await page.getByRole('dialog', { name: '添加额度' }).boundingBox()
    expect(box?.x).toBeGreaterThanOrEqual(0)
    expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
  })

  test('shows why a user cannot be edited', async () => {
    const world = await gateway()
    const { admin } = await people(world)
    const { page } = await open(world, { as: admin, at: `/user/edit/${world.root.id}`, width: 390 })

    await drawer(page, '编辑用户').getByText('无权获取同级或更高等级用户的信息').waitFor()
    // The list behind the drawer loads at the same time.
    await rowOf(page, 'alice').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: '取消' }).click()
    await page.waitForURL('/user')
    await drawer(page, '编辑用户').waitFor({ state: 'hidden' })
    await expectAccessible(page)
  })
})
