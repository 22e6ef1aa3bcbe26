import { text as textOf } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { REDEMPTION_STATUS } from '../../../core/redemption/status.ts'
import { choose, confirm, rowOf, tick, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { CLIPBOARD, copied } from '../../support/browser/clipboard.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page) => page.getByRole('dialog')
const submit = (page: Page) => drawer(page).getByRole('button', { name: '提交' }).click()

/** An administrator at the list of codes. */
async function atCodes(at = '/redemption') {
  const world = await gateway()
  const admin = await world.user({ role: 10 })
  const opened = await open(world, { as: admin, at, browser: CLIPBOARD })
  const list = async () => (await world.toolkit.redemption.list(admin)).items
  return { world, admin, list, ...opened }
}

describe('new redemption codes', () => {
  test('are validated', async () => {
    const { page } = await atCodes()
    await page.getByText('还没有兑换码').waitFor()
    await page.getByRole('button', { name: '添加兑换码' }).first().click()
    await expect.poll(() => new URL(page.url()).search).toBe('?open=new')
    const field = (name: string) => drawer(page).getByLabel(name)

    expect(await field('额度').inputValue()).toBe('100000')
    expect(await field('生成数量').inputValue()).toBe('1')
    await field('名称').fill('名'.repeat(21))
    await field('生成数量').fill('101')
    await submit(page)
    await drawer(page).getByText('兑换码名称长度必须在1-20之间').waitFor()
    await drawer(page).getByText('一次兑换码批量生成的个数不能大于 100').waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
  })

  test.each([
    ['-', '请输入额度'],
    ['', '请输入额度'],
    ['0', '额度必须大于 0'],
  ])('are not created for a quota of "%s"', async (quota, problem) => {
    const { page, list } = await atCodes('/redemption?open=new')
    await drawer(page).getByLabel('额度').fill(quota)
    await drawer(page).getByLabel('额度').press('Enter')

    await drawer(page).getByText(problem).waitFor()
    expect(await list()).toEqual([])
  })

  test('are named after their value, and offered as a file of that name', async () => {
    const { page, list } = await atCodes('/redemption?open=new')
    await drawer(page).getByLabel('生成数量').fill('2')
    await submit(page)

    await toast(page, '兑换码创建成功！').waitFor()
    const made = (await list()).reverse()
    expect(made.map(({ name, quota }) => ({ name, quota }))).toEqual(Array(2).fill({ name: '$0.20', quota: 100_000 }))
    const offer = page.getByRole('dialog').filter({ hasText: '是否下载兑换码？' })
    const text = made.map(({ key }) => key).join('\n')
    expect(await offer.getByRole('textbox').inputValue()).toBe(text)
    await expectAccessible(page, { include: '[role="dialog"]' })
    await offer.getByRole('button', { name: '全部复制' }).click()
    await expect.poll(() => copied(page)).toBe(text)
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      offer.getByRole('button', { name: '下载' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('$0.20.txt')
    expect(await textOf(await file.createReadStream())).toBe(`${text}\n`)
    await offer.waitFor({ state: 'hidden' })
  })

  test('are created once, though the reply was lost and the request repeated', async () => {
    const { page, list, expects } = await atCodes()
    expects(/ERR_FAILED/)
    let lost = false
    await page.route('**/api/redemption/', async (route) => {
      if (route.request().method() !== 'POST' || lost) return route.fallback()
      lost = true
      await route.fetch()
      await route.abort()
    })
    await page.getByRole('button', { name: '添加兑换码' }).first().click()
    await drawer(page).getByLabel('名称').fill('once')
    await drawer(page).getByLabel('生成数量').fill('3')

    await submit(page)
    await toast(page, '无法连接服务器').waitFor()
    await submit(page)

    const codes = await page
      .getByRole('dialog')
      .filter({ hasText: '是否下载兑换码？' })
      .getByRole('textbox')
      .inputValue()
    const made = (await list()).map(({ key }) => key)
    expect(made).toHaveLength(3)
    expect(codes.split('\n').sort()).toEqual([...made].sort())
  })
})

describe('codes that are still being created', () => {
  test('are offered although the user left the page meanwhile', async () => {
    const { page, list } = await atCodes()
    let answer = () => {}
    const held = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/redemption/', async (route) => {
      if (route.request().method() === 'POST') await held
      await route.fallback()
    })
    await page.getByRole('button', { name: '添加兑换码' }).first().click()
    await drawer(page).getByLabel('名称').fill('late')
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await submit(page)
    await sent
    await page.goBack()
    await drawer(page).waitFor({ state: 'hidden' })
    answer()

    const offer = page.getByRole('dialog').filter({ hasText: '是否下载兑换码？' })
    await offer.waitFor()
    expect(await offer.getByRole('textbox').inputValue()).toBe((await list())[0]?.key)
  })
})

describe('a redemption code in the list', () => {
  test('can be copied, shown, disabled, edited and deleted while it is unused', async () => {
    const { page, world, list } = await atCodes()
    const key = await world.code(500_000)
    await page.reload()
    const row = rowOf(page, 'gift')

    await row.getByRole('button', { name: /^复制/ }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await copied(page)).toBe(key)
    await row.getByRole('button', { name: /^更多操作/ }).click()
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await drawer(page).getByLabel('名称').fill('present')
    await drawer(page).getByRole('button', { name: '$10', exact: true }).click()
    await submit(page)
    await toast(page, '兑换码更新成功！').waitFor()
    expect((await list())[0]).toMatchObject({ name: 'present', quota: 5_000_000 })

    const edited = rowOf(page, 'present')
    await edited.getByText('$10.00').waitFor()
    await edited.getByRole('button', { name: /^更多操作/ }).click()
    await page.getByRole('menuitem', { name: '禁用' }).click()
    await toast(page, '操作成功完成！').waitFor()
    await edited.getByText('已禁用').waitFor()
    expect((await list())[0]?.status).toBe(REDEMPTION_STATUS.disabled)
    await edited.getByRole('button', { name: /^更多操作/ }).click()
    expect(await page.getByRole('menuitem', { name: '编辑' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('menuitem', { name: '查看' }).click()
    expect(await page.getByLabel('兑换码', { exact: true }).inputValue()).toBe(key)
    await page.getByRole('button', { name: '关闭' }).click()
    await edited.getByRole('button', { name: /^更多操作/ }).click()
    await page.getByRole('menuitem', { name: '删除' }).click()
    await confirm(page, /确定删除兑换码“present”/)
    await page.getByText('还没有兑换码').waitFor()
  })

  test('is requested again before editing, and only changed fields are saved', async () => {
    const { page, world, list } = await atCodes()
    await world.code(500_000)
    const [{ id } = { id: 0 }] = await list()
    await page.goto(`/redemption?open=${id}`)
    await drawer(page).getByLabel('名称').fill('  gift ')
    await submit(page)
    await toast(page, '你似乎并没有修改什么').waitFor()

    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await drawer(page).getByLabel('名称').fill('present')
    await submit(page)
    expect((await sent).postDataJSON()).toEqual({ id, name: 'present' })
    await drawer(page).waitFor({ state: 'hidden' })
  })

  test('has all its buttons visible on a phone without scrolling', async () => {
    const { page, world } = await atCodes()
    await page.setViewportSize({ width: 390, height: 844 })
    await world.code(500_000)
    await page.reload()
    const more = rowOf(page, 'gift').getByRole('button', { name: /^更多操作/ })

    const box = await more.boundingBox()
    expect((box?.x ?? Number.NaN) + (box?.width ?? 0)).toBeLessThanOrEqual(390)
    await more.click()
    const items = await page.getByRole('menuitem').allInnerTexts()
    expect(items.map((item) => item.trim())).toEqual(['编辑', '禁用', '查看', '删除'])
    await page.getByRole('menuitem', { name: '编辑' }).click()
    await expect.poll(() => drawer(page).getByLabel('名称').inputValue()).toBe('gift')
  })

  test('can be neither enabled nor edited after use, and names its user', async () => {
    const { page, world } = await atCodes()
    const person = await world.user()
    await world.toolkit.redemption.redeem(person, await world.code(500_000))
    await page.reload()
    const row = rowOf(page, 'gift')

    await row.getByText('已使用').waitFor()
    expect(await row.getByRole('cell').allInnerTexts()).toContain(String(person.id))
    await row.getByRole('button', { name: /^更多操作/ }).click()
    for (const name of ['编辑', '启用']) {
      expect(await page.getByRole('menuitem', { name }).getAttribute('aria-disabled')).toBe('true')
    }
    await page.keyboard.press('Escape')
    await expectAccessible(page, { themes: BOTH_THEMES })
  })
})

describe('many redemption codes', () => {
  test('are filtered by name, id and status, and copied together', async () => {
    const { page, world, admin } = await atCodes()
    const make = (name: string) => world.toolkit.redemption.create(admin, { name, quota: 1, count: 1 })
    const [[alpha = ''], [beta = '']] = [await make('alpha'), await make('beta')]
    const [newest] = (await world.toolkit.redemption.list(admin)).items
    await world.toolkit.redemption.setStatus(admin, newest?.id ?? 0, REDEMPTION_STATUS.disabled)
    await page.reload()
    await page.getByRole('button', { name: '复制所选兑换码' }).click()
    await toast(page, '请至少选择一个兑换码！').waitFor()
    for (const name of ['alpha', 'beta']) await tick(rowOf(page, name).getByRole('checkbox'))
    await page.getByRole('button', { name: '复制所选兑换码' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await copied(page)).toBe(`beta    ${beta}\nalpha    ${alpha}`)

    const search = page.getByRole('search')
    await search.getByLabel('名称的开头').fill('al')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await search.getByRole('button', { name: '清除筛选' }).click()
    await choose(search, '状态', '已禁用')
    await expect.poll(() => rowOf(page, 'alpha').count()).toBe(0)
    expect(new URL(page.url()).search).toBe('?status=2')
    await rowOf(page, 'beta').waitFor()
    await search.getByLabel('名称的开头').fill(String(newest?.id))
    await search.getByRole('button', { name: '搜索' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('keyword')).toBe(String(newest?.id))
    await rowOf(page, 'beta').waitFor()
  })
})
