import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const drawer = (page: Page): Locator => page.locator('.arco-drawer')
const field = (page: Page, name: string): Locator => drawer(page).getByRole('textbox', { name, exact: true })
const submit = (page: Page): Promise<void> => drawer(page).getByRole('button', { name: '提交' }).click()

async function openTag() {
  const world = await gateway()
  for (const name of ['one', 'two']) await world.channel({ name, tag: 'eu', models: 'a', priority: 1, weight: 2 })
  await world.channel({ name: 'other', models: 'a' })
  const { page } = await open(world, { as: world.root, at: '/channel?edit_tag=eu' })
  await drawer(page).getByText('将修改该标签下的 2 个渠道').waitFor()
  return { world, page, list: async () => (await world.toolkit.channels.list(world.root)).items }
}

describe('the drawer of a tag', () => {
  test('rejects invalid numbers and JSON, and reports if nothing was changed', async () => {
    const { page, list } = await openTag()
    const before = await list()
    await submit(page)
    await toast(page, '没有任何修改！').waitFor()

    await field(page, '优先级').fill('1.5')
    await field(page, '权重').fill('-1')
    await field(page, '模型映射').fill('no JSON')
    await submit(page)

    await toast(page, '请检查输入').waitFor()
    for (const text of ['优先级必须是整数！', '权重必须是非负整数！', '模型映射必须是合法的 JSON 格式！']) {
      await drawer(page).getByRole('alert').filter({ hasText: text }).waitFor()
    }
    await expectAccessible(page, { include: '.arco-drawer', themes: BOTH_THEMES })
    expect(await list()).toEqual(before)
  })

  test('rejects numbers outside the channel bounds', async () => {
    const { page, list } = await openTag()
    const before = await list()
    await field(page, '优先级').fill('-1000')
    await field(page, '权重').fill('2147483648')
    await submit(page)

    for (const text of ['优先级必须在 -999 与 2147483647 之间', '权重不能大于 2147483647']) {
      await drawer(page).getByRole('alert').filter({ hasText: text }).waitFor()
    }
    expect(await list()).toEqual(before)
  })

  test('changes nothing if the tag no longer exists, and says so', async () => {
    const { page, list } = await openTag()
    const before = await list()
    await page.goto('/channel?edit_tag=gone')
    await drawer(page).getByText('没有带该标签的渠道').waitFor()
    await field(page, '优先级').fill('5')
    await submit(page)

    await toast(page, '没有带该标签的渠道，请刷新页面后重试。').waitFor()
    expect(await list()).toEqual(before)
  })

  test('changes the filled-in fields of each of its channels, and nothing else', async () => {
    const { page, list } = await openTag()
    const sent = page.waitForRequest((request) => request.url().endsWith('/api/channel/tag'))
    await field(page, '优先级').fill('-5')
    await field(page, '权重').fill('0')
    await submit(page)

    await toast(page, '标签更新成功！').waitFor()
    expect((await sent).postDataJSON()).toEqual({ tag: 'eu', priority: -5, weight: 0 })
    const rows = (await list()).map(({ name, tag, models, priority, weight }) => [name, tag, models, priority, weight])
    expect(rows.sort()).toEqual([
      ['one', 'eu', 'a', -5, 0],
      ['other', null, 'a', 0, 0],
      ['two', 'eu', 'a', -5, 0],
    ])
  })

  test('writes another name, models, groups and a mapping; an empty name removes the tag', async () => {
    const { page, list, world } = await openTag()
    await field(page, '标签名称').fill('asia')
    await field(page, '自定义模型名称').fill('b,c')
    await drawer(page).getByRole('button', { name: '填入', exact: true }).click()
    await drawer(page).getByRole('combobox', { name: '分组' }).click()
    await page.locator('.arco-select-option').getByText('vip', { exact: true }).click()
    await page.keyboard.press('Escape')
    await field(page, '模型映射').fill('{"b":"c"}')
    await submit(page)
    await drawer(page).waitFor({ state: 'hidden' })
    const tagged = { tag: 'asia', models: 'b,c', group: 'vip', model_mapping: '{"b":"c"}', priority: 1 }
    expect((await list()).filter(({ tag }) => tag === 'asia')).toEqual([
      expect.objectContaining(tagged),
      expect.objectContaining(tagged),
    ])

    await page.goto('/channel?edit_tag=asia')
    await field(page, '标签名称').fill('')
    await submit(page)
    await toast(page, '标签更新成功！').waitFor()
    const { items } = await world.toolkit.channels.list(world.root, { tag: 'asia' })
    expect(items).toEqual([])
  })
})
