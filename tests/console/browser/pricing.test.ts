import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { choose, rowOf, tick, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { CLIPBOARD, copied } from '../../support/browser/clipboard.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

/** Three models: one by usage and one per call for all groups, one only for the expensive group. */
async function withPrices() {
  const world = await gateway()
  const options = {
    GroupRatio: '{"default":1,"vip":6}',
    UserUsableGroups: '{"default":"普通"}',
    ModelRatio: '{"gpt-4o":1.25,"o3-mini":0.55}',
    CompletionRatio: '{"gpt-4o":4}',
    ModelPrice: '{"dall-e-3":0.04}',
  }
  for (const [name, value] of Object.entries(options)) await world.toolkit.options.set(world.root, name, value)
  await world.channel({ models: 'gpt-4o,dall-e-3', group: 'default,vip' })
  await world.channel({ models: 'o3-mini', group: 'vip' })
  return world
}

const cells = async (page: Page, model: string) => {
  await rowOf(page, model).waitFor()
  return (await rowOf(page, model).getByRole('cell').allInnerTexts()).map((text) => text.trim())
}

describe('the prices', () => {
  test('are public: without login those of the default group', async () => {
    const { page } = await open(await withPrices(), { at: '/pricing', width: 1440 })

    const usage = await cells(page, 'gpt-4o')
    expect(usage).toContain('$2.50 / 1M tokens')
    expect(usage).toContain('$10.00 / 1M tokens')
    expect(usage).toContain('按量计费')
    expect(usage).toContain('模型倍率：1.25\n补全倍率：4\n分组倍率：1')
    const call = await cells(page, 'dall-e-3')
    expect(call).toContain('$0.04 / 次')
    expect(call).toContain('按次计费')
    await rowOf(page, 'gpt-4o').getByRole('img', { name: '您的分组可以使用该模型' }).waitFor()
    await rowOf(page, 'o3-mini').getByRole('img', { name: '您的分组不可使用该模型' }).waitFor()
    await page.getByText('未登录，使用默认分组或所选分组的倍率').waitFor()
    await page.getByText(/分组倍率 × 模型倍率 × （提示 Token 数 \+ 补全 Token 数 × 补全倍率）\/ 500000/).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test("are those of the user's group after sign-in, and of any other chosen group", async () => {
    const world = await withPrices()
    const { page } = await open(world, { as: await world.user({ group: 'vip' }), at: '/pricing' })

    await expect.poll(() => cells(page, 'gpt-4o')).toContain('$15.00 / 1M tokens')
    expect(await cells(page, 'gpt-4o')).toContain('$60.00 / 1M tokens')
    expect(await cells(page, 'dall-e-3')).toContain('$0.24 / 次')
    await page.getByText('您的默认分组为：vip').waitFor()
    expect(await page.locator('.page-extra .arco-tag-red').innerText()).toBe('vip · 6x')

    await page.getByRole('combobox', { name: '分组', exact: true }).click()
    await page.getByRole('option', { name: 'default：普通' }).click()
    await expect.poll(() => cells(page, 'gpt-4o')).toContain('$2.50 / 1M tokens')
    expect(new URL(page.url()).search).toBe('?group=default')
    await page.reload()
    expect(await cells(page, 'gpt-4o')).toContain('$2.50 / 1M tokens')
    await rowOf(page, 'gpt-4o').getByRole('button', { name: 'vip' }).click()
    await expect.poll(() => cells(page, 'gpt-4o')).toContain('$15.00 / 1M tokens')
  })

  test('are filtered by name, billing type and usable models', async () => {
    const { page } = await open(await withPrices(), { at: '/pricing' })
    const search = page.getByRole('search')
    await rowOf(page, 'gpt-4o').waitFor()

    await search.getByLabel('模糊搜索模型名称').fill('DALL')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('row').count()).toBe(2)
    await rowOf(page, 'dall-e-3').waitFor()
    await search.getByRole('button', { name: '清除筛选' }).click()
    await choose(search, '计费类型', '按量计费')
    await expect.poll(() => rowOf(page, 'dall-e-3').count()).toBe(0)
    await tick(search.getByRole('checkbox', { name: '仅显示可用模型' }))
    await expect.poll(() => rowOf(page, 'o3-mini').count()).toBe(0)
    await rowOf(page, 'gpt-4o').waitFor()
    expect(new URL(page.url()).search).toBe('?type=0&mine=yes')
    await search.getByLabel('模糊搜索模型名称').fill('nothing')
    await search.getByRole('button', { name: '搜索' }).click()
    await page.getByText('没有符合条件的记录').waitFor()
  })

  test('copy the names of models, one or many', async () => {
    const { page } = await open(await withPrices(), { at: '/pricing', browser: CLIPBOARD })

    await page.getByRole('button', { name: '复制 gpt-4o' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await copied(page)).toBe('gpt-4o')
    expect(await page.getByRole('button', { name: '复制选中模型' }).isDisabled()).toBe(true)
    for (const model of ['dall-e-3', 'o3-mini']) await tick(rowOf(page, model).getByRole('checkbox'))
    await page.getByRole('button', { name: '复制选中的 2 个模型' }).click()
    await expect.poll(() => copied(page)).toBe('dall-e-3,o3-mini')
  })

  test('of hundreds of models have pages, and a selection on one page persists on the next', async () => {
    const world = await gateway()
    const { page } = await open(world, { width: 390, browser: CLIPBOARD })
    const data = Array.from({ length: 600 }, (_, n) => ({
      model_name: `model-${String(n).padStart(3, '0')}`,
      quota_type: 0,
      model_price: 0,
      model_ratio: 1,
      completion_ratio: 2,
      owner_by: '',
      context_window: 0,
      enable_groups: ['default'],
    }))
    const groups = { group_ratio: { default: 1 }, usable_group: { default: 'default' } }
    await page.route('**/api/pricing', (route) => route.fulfill({ json: { success: true, data, ...groups } }))

    await page.goto('/pricing?p=60&size=10')
    await tick(rowOf(page, 'model-599').getByRole('checkbox'))
    await page.getByRole('listitem', { name: /59/ }).click()
    await tick(rowOf(page, 'model-580').getByRole('checkbox'))
    await page.getByRole('button', { name: '复制选中的 2 个模型' }).click()

    await expect.poll(() => copied(page)).toBe('model-599,model-580')
    await page.getByText('共 600 条').waitFor()
  })

  test('that do not exist are shown as missing', async () => {
    const { page } = await open(await gateway(), { at: '/pricing', language: 'en' })

    await page.getByText('No models yet').waitFor()
  })
})
