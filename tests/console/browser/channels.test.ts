import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ROLE } from '../../../core/actor.ts'
import type { Channel } from '../../../core/channels/channel.ts'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const row = (page: Page, name: string): Locator =>
  page.locator('tbody tr').filter({ has: page.getByText(name, { exact: true }) })

async function write({ toolkit }: TestGateway, { id }: Channel, columns: object): Promise<void> {
  await toolkit.db.transaction((trx) => trx('channels').where({ id }).update(columns))
}

/** The names that the list shows, from its top. */
async function names(page: Page): Promise<string[]> {
  return page.locator('td[data-column="name"]').allInnerTexts()
}

const menu = async (page: Page) => (await page.getByRole('menuitem').allInnerTexts()).map((text) => text.trim())

describe('the list of channels', () => {
  test('shows an administrator the state of each channel', async () => {
    const world = await gateway()
    const admin = await world.user({ role: ROLE.admin })
    const good = await world.channel({ name: 'good', type: 14, group: 'default,vip', tag: 'eu', priority: 9 })
    const fair = await world.channel({ name: 'fair', priority: 8, setting: '{"multi_key_mode":"random"}', key: 'a\nb' })
    const slow = await world.channel({ name: 'slow', priority: 7 })
    const late = await world.channel({ name: 'late', priority: 6 })
    await world.channel({ name: 'new', type: 24, priority: 5 })
    const off = await world.channel({ name: 'off', priority: 4 })
    const out = await world.channel({ name: 'out', priority: 3 })
    await write(world, good, { response_time: 1000, used_quota: 1_000_000, balance: 12.5, test_time: 1_767_225_600 })
    await write(world, fair, { response_time: 3000 })
    await write(world, slow, { response_time: 5000 })
    await write(world, late, { response_time: 5001 })
    await write(world, off, { status: 2 })
    const info = { status_reason: '余额不足', status_time: 1_767_225_600 }
    await write(world, out, { status: 3, other_info: JSON.stringify(info) })

    const { page } = await open(world, { as: admin, at: '/channel' })

    await row(page, 'good').waitFor()
    expect(await names(page)).toEqual(['good', 'fair', 'slow', 'late', 'new', 'off', 'out'])
    // Colour is for states; all else is text.
    expect(await row(page, 'good').locator('.arco-tag').allInnerTexts()).toEqual(['已启用', '1.00 秒'])
    for (const text of ['default, vip', 'Anthropic Claude', '$2.00']) await row(page, 'good').getByText(text).waitFor()
    await row(page, 'out').getByText('余额不足', { exact: true }).waitFor()
    const looks: [string, string, string][] = [
      ['good', '1.00 秒', 'green'],
      ['fair', '3.00 秒', 'lime'],
      ['slow', '5.00 秒', 'yellow'],
      ['late', '5.00 秒', 'red'],
      ['new', '未测试', 'gray'],
      ['good', '已启用', 'green'],
      ['off', '已禁用', 'red'],
      ['out', '自动禁用', 'yellow'],
    ]
    for (const [name, text, colour] of looks) {
      const tag = row(page, name).locator(`.arco-tag-${colour}`).filter({ hasText: text })
      expect(await tag.count(), `${name}: ${text} is ${colour}`).toBe(1)
    }
    await row(page, 'fair').getByText('2 个密钥').waitFor()
    const background = (name: string) =>
      row(page, name)
        .locator('td')
        .first()
        .evaluate((cell) => getComputedStyle(cell).backgroundImage)
    expect(await background('good')).toBe('none')
    expect(await background('off')).toContain('gradient')
    await row(page, 'out')
      .getByRole('note', { name: /自动禁用/ })
      .hover()
    await page.getByText('原因：余额不足，时间：2026-01-01 08:00:00').waitFor()
    await row(page, 'good').getByText('$2.00').hover()
    await page.getByText('已用额度', { exact: true }).waitFor()
    await row(page, 'good').getByRole('button', { name: '更新 good 的余额，当前 $12.50' }).hover()
    await page.getByText('剩余额度 $12.50，点击更新').waitFor()
    await page.mouse.move(0, 0)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('is filtered and sorted by its URL', async () => {
    const world = await gateway()
    await world.channel({ name: 'berlin', models: 'gpt-4o,gpt-4o-mini', priority: 5, tag: 'eu' })
    await world.channel({ name: 'tokyo', models: 'own-model', group: 'vip', type: 14 })
    const out = await world.channel({ name: 'osaka' })
    await write(world, out, { status: 2 })
    await world.toolkit.options.set(world.root, 'GroupRatio', '{"default":1,"vip":1}')
    const { page } = await open(world, { as: world.root, at: '/channel' })
    await row(page, 'berlin').waitFor()
    const shows = async (wanted: string[], address: string) => {
      await expect.poll(() => names(page)).toEqual(wanted)
      expect(decodeURIComponent(new URL(page.url()).search)).toBe(address)
    }
    const choose = async (field: string, option: string) => {
      await page.getByRole('combobox', { name: field, exact: true }).click()
      await page.keyboard.type(option)
      await page.getByRole('option', { name: option, exact: true }).click()
    }

    await page.getByRole('switch', { name: '使用 ID 排序' }).click()
    await shows(['osaka', 'tokyo', 'berlin'], '?id_sort=true')
    await page.getByRole('switch', { name: '使用 ID 排序' }).click()
    await shows(['berlin', 'osaka', 'tokyo'], '')
    await page.getByPlaceholder('搜索渠道的 ID 或名称').fill('o')
    await page.keyboard.press('Enter')
    await shows(['osaka', 'tokyo'], '?keyword=o')
    await choose('分组', 'vip')
    await shows(['tokyo'], '?keyword=o&group=vip')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await choose('模型', 'own-model')
    await shows(['tokyo'], '?model=own-model')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await choose('状态', '已禁用')
    await shows(['osaka'], '?status=2')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await choose('类型', 'Anthropic Claude')
    await shows(['tokyo'], '?type=14')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await page.getByRole('button', { name: '只看标签 eu' }).click()
    await shows(['berlin'], '?tag=eu')
    await page.reload()
    await shows(['berlin'], '?tag=eu')
    await page.goto('/channel?keyword=nothing')
    await page.getByText('没有符合条件的记录').waitFor()
  })

  test('requests one page at a time', async () => {
    const world = await gateway()
    for (let n = 1; n <= 12; n++) await world.channel({ name: `page-${n}` })
    const { page } = await open(world, { as: world.root })
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    await page.goto('/channel?id_sort=true&size=10')
    await row(page, 'page-12').waitFor()

    await page.getByRole('listitem').filter({ hasText: /^2$/ }).click()
    await row(page, 'page-1').waitFor()

    expect(await names(page)).toEqual(['page-2', 'page-1'])
    const lists = requests.filter((url) => url.includes('/api/channel/page'))
    expect(lists.map((url) => new URL(url).searchParams.get('page_size'))).toEqual(['10', '10'])
    expect(requests.filter((url) => /\/api\/channel\/(\?|search)/.test(url))).toEqual([])
  })

  test('says how to add the first channel, and fits a phone', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/channel', width: 390 })
    await page.getByText('还没有渠道').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await world.channel({ name: 'phone', tag: 'eu' })
    await page.getByRole('button', { name: '刷新' }).click()
    await row(page, 'phone').waitFor()
    await page.getByRole('button', { name: '渠道维护' }).click()
    const operations = ['测试所有渠道', '更新所有已启用渠道余额', '修复数据库一致性', '删除禁用渠道']
    await expect.poll(() => menu(page)).toEqual(operations)
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: '更多操作 phone' }).click()
    await expect.poll(() => menu(page)).toEqual(['编辑', '禁用', '复制', '健康状况', '删除'])
    await page.keyboard.press('Escape')
    await page.getByRole('switch', { name: '标签聚合模式' }).click()
    await page.getByRole('button', { name: '更多操作 eu' }).click()
    await expect.poll(() => menu(page)).toEqual(['启用全部', '禁用全部'])
  })

  test.each([1440, 390] as const)('has states and buttons visible at %i px, with long names', async (width) => {
    const world = await gateway()
    await world.channel({ name: 'one-account-of-the-team-in-Frankfurt-'.repeat(4) })
    await world.channel({ name: 'short' })
    const { page } = await open(world, { as: world.root, at: '/channel', width, language: 'en' })

    const state = await row(page, 'short').getByText('Enabled').boundingBox()
    const buttons = await row(page, 'short').getByRole('button', { name: 'More actions short' }).boundingBox()
    const right = (state?.x ?? Number.NaN) + (state?.width ?? 0)
    // On a desktop the buttons are fixed above the columns that do not fit.
    expect(right).toBeLessThanOrEqual(width === 390 ? width - 24 : (buttons?.x ?? 0))
    expect(buttons?.x).toBeLessThan(width)
  })

  test('has its columns chosen by keyboard', async () => {
    const world = await gateway()
    await world.channel({ name: 'one', models: 'some-model' })
    const { page } = await open(world, { as: world.root, at: '/channel' })
    const columns = page.getByRole('button', { name: '列设置' })
    const header = page.getByRole('columnheader', { name: '名称', exact: true })
    await header.waitFor()
    await columns.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('group', { name: '显示的列' }).waitFor()

    await page.keyboard.press('Space')
    await header.waitFor({ state: 'detached' })
    for (const key of ['Escape', 'Shift+Tab']) {
      await page.keyboard.press(key)
      await page.getByRole('group', { name: '显示的列' }).waitFor({ state: 'hidden' })
      expect(await columns.evaluate((button) => button === document.activeElement)).toBe(true)
      await page.keyboard.press('Enter')
      await page.getByRole('group', { name: '显示的列' }).waitFor()
    }
  })

  test('stays unchanged below the drawers, whose URLs can be kept', async () => {
    const world = await gateway()
    const { id } = await world.channel({ name: 'kept', tag: 'eu' })
    const { page } = await open(world, { as: world.root, at: '/channel?keyword=kept' })
    const address = () => page.url().replace(world.url, '')

    await page.getByRole('button', { name: '添加渠道' }).click()
    await page.getByRole('dialog').waitFor()
    expect(address()).toBe('/channel/add?keyword=kept')
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await page.waitForURL('/channel?keyword=kept')
    await row(page, 'kept').locator('td[data-column="type"]').click()
    await page.getByRole('dialog').waitFor()
    expect(address()).toBe(`/channel/edit/${id}?keyword=kept`)
    await page.reload()
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await page.waitForURL('/channel?keyword=kept')
    await expect.poll(() => names(page)).toEqual(['kept'])
  })
})

describe('priority and weight', () => {
  test('are saved on Enter or blur, within their bounds, and reverted if rejected', async () => {
    const world = await gateway()
    const { id } = await world.channel({ name: 'one', priority: 3, weight: 4 })
    const { page, expects } = await open(world, { as: world.root, at: '/channel' })
    const priority = page.getByRole('spinbutton', { name: 'one 的优先级' })
    const weight = page.getByRole('spinbutton', { name: 'one 的权重' })
    const stored = async () => {
      const { priority, weight } = await world.toolkit.channels.get(world.root, id)
      return [priority, weight]
    }
    const sent: unknown[] = []
    page.on('request', (request) => request.method() === 'PUT' && sent.push(request.postDataJSON()))

    await priority.fill('12')
    await priority.press('Enter')
    await expect.poll(stored).toEqual([12, 4])
    await weight.fill('7')
    await weight.blur()
    await expect.poll(stored).toEqual([12, 7])
    await weight.fill('-5')
    await weight.press('Enter')
    await expect.poll(stored).toEqual([12, 0])
    await priority.fill('-2000')
    await priority.press('Enter')
    await expect.poll(stored).toEqual([-999, 0])
    await priority.fill('')
    await priority.blur()
    await expect.poll(() => priority.inputValue()).toBe('-999')
    expect(sent).toEqual([
      { id, priority: 12 },
      { id, weight: 7 },
      { id, weight: 0 },
      { id, priority: -999 },
    ])

    expects(/500/)
    await page.route('**/api/channel/', (route) => route.fulfill({ status: 500 }))
    await priority.fill('5')
    await priority.press('Enter')
    await toast(page, '错误：服务器内部错误，请联系管理员！').waitFor()
    await expect.poll(() => priority.inputValue()).toBe('-999')
  })
})
