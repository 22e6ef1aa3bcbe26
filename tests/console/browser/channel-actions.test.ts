import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { MODEL, openTestRelay } from '../../support/gateway.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const row = (page: Page, name: string): Locator =>
  page.locator('tbody tr').filter({ has: page.getByText(name, { exact: true }) })

async function more(page: Page, name: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `更多操作 ${name}`, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Answers the question that is asked, and waits until it has gone. */
async function answer(page: Page, question: string, button = '确定'): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ hasText: question })
  await dialog.getByRole('button', { name: button, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** An account with 12.5 dollars left, whose model `good` works. */
function account(exchange: Exchange): void {
  const { path, body } = exchange
  if (path.includes('/billing/')) sendJson(exchange, { hard_limit_usd: 20, has_payment_method: true, total_usage: 750 })
  else if (body.model === 'good') sendJson(exchange, completion('hi', usage(1, 1)))
  else sendJson(exchange, { error: { message: 'no such model here', type: 'invalid_request_error' } }, 400)
}

describe('one channel', () => {
  test('is tested with its own model, or with one from a menu usable by keyboard', async () => {
    const world = await gateway()
    const upstream = await startUpstream(account)
    await world.channel({ name: 'one', models: 'good,bad', base_url: upstream.url, priority: 2 })
    await world.channel({ name: 'music', type: 36, models: 'suno_music', base_url: upstream.url })
    const { page } = await open(world, { as: world.root, at: '/channel' })
    await row(page, 'one').getByText('未测试').waitFor()

    await page.getByRole('button', { name: '测试 one', exact: true }).click()
    await toast(page, /^渠道 one 测试成功，耗时 \d+\.\d\d 秒。$/).waitFor()
    await row(page, 'one').locator('.arco-tag-green').filter({ hasText: /\d 秒/ }).waitFor()

    await page.getByRole('button', { name: '更多操作 one' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'good' }).waitFor()
    await expectAccessible(page, { include: '[role="menu"]', themes: BOTH_THEMES })
    await page.keyboard.press('ArrowUp') // the last one
    await page.keyboard.press('Enter')
    await toast(page, '渠道 one 测试失败：').filter({ hasText: 'no such model here' }).waitFor()
    expect(upstream.seen.map(({ body }) => body.model)).toEqual(['good', 'bad'])
    await row(page, 'one').locator('.arco-tag-red').filter({ hasText: '失败' }).waitFor()
    expect(await row(page, 'one').locator('.arco-tag').allInnerTexts()).toEqual(['已启用', '失败'])

    // Music is made by tasks, which a test does not send.
    expect(await page.getByRole('button', { name: '测试 music', exact: true }).isDisabled()).toBe(true)
    await page.getByTitle('测试会发送对话或向量请求；此类上游只接受任务。').waitFor()
  })

  test('is tested with a model from the menu on a phone as well', async () => {
    const world = await gateway()
    const upstream = await startUpstream(account)
    await world.channel({ name: 'one', models: 'good,bad', base_url: upstream.url })
    const { page } = await open(world, { as: world.root, at: '/channel', width: 390 })

    await page.getByRole('button', { name: '更多操作 one' }).click()
    await page.getByRole('menuitem', { name: 'bad' }).click()
    await toast(page, '渠道 one 测试失败：').filter({ hasText: 'no such model here' }).waitFor()
    expect(upstream.seen.map(({ body }) => body.model)).toEqual(['bad'])
  })

  test('refreshes its balance on a click', async () => {
    const world = await gateway()
    const upstream = await startUpstream(account)
    await world.channel({ name: 'rich', base_url: upstream.url })
    await world.channel({ name: 'silent', type: 14, priority: -1 })
    const { page } = await open(world, { as: world.root, at: '/channel' })

    await page.getByRole('button', { name: '更新 rich 的余额，当前 $0.00' }).click()
    await toast(page, '渠道 rich 余额更新成功！').waitFor()
    await page.getByRole('button', { name: '更新 rich 的余额，当前 $12.50' }).waitFor()
    await page.getByRole('button', { name: '更新 silent 的余额，当前 $0.00' }).click()
    await page.locator('.arco-message-error').waitFor()
  })

  test('is toggled immediately, and reverted if the server rejects it', async () => {
    const world = await gateway()
    const { id } = await world.channel({ name: 'one' })
    const { page, expects } = await open(world, { as: world.root, at: '/channel' })
    const status = async () => (await world.toolkit.channels.get(world.root, id)).status

    await more(page, 'one', '禁用')
    await toast(page, '操作成功完成！').waitFor()
    await row(page, 'one').getByText('已禁用').waitFor()
    expect(await status()).toBe(2)
    await more(page, 'one', '启用')
    await row(page, 'one').getByText('已启用').waitFor()
    await expect.poll(status).toBe(1)

    expects(/500/)
    let refuse = () => {}
    const held = new Promise<void>((resolve) => {
      refuse = resolve
    })
    await page.route('**/api/channel/', async (route) => {
      await held
      await route.fulfill({ status: 500 })
    })
    await more(page, 'one', '禁用')
    await row(page, 'one').getByText('已禁用').waitFor()
    refuse()
    await toast(page, '错误：服务器内部错误，请联系管理员！').waitFor()
    await row(page, 'one').getByText('已启用').waitFor()
  })

  test('is copied with its key, or shows why not', async () => {
    const world = await gateway()
    const upstream = await startUpstream(account)
    const { id } = await world.channel({ name: 'one', key: 'sk-copied', models: 'good', base_url: upstream.url })
    const { page, expects } = await open(world, { as: world.root, at: '/channel' })

    await more(page, 'one', '复制')
    await toast(page, '渠道复制成功').waitFor()
    await row(page, 'one_复制').waitFor()
    await page.getByRole('button', { name: '测试 one_复制', exact: true }).click()
    await toast(page, '渠道 one_复制 测试成功').waitFor()
    expect(upstream.seen[0]?.headers.authorization).toBe('Bearer sk-copied')
    await more(page, 'one', '复制')
    await row(page, 'one_复制 2').waitFor()

    expects(/500/)
    await page.route('**/copy', (route) => route.fulfill({ status: 500 }))
    await more(page, 'one', '复制')
    await toast(page, '渠道复制失败：错误：服务器内部错误，请联系管理员！').waitFor()
    await page.unroute('**/copy')
    await world.toolkit.channels.delete(world.root, id)
    await more(page, 'one', '复制')
    await toast(page, '渠道未找到，请刷新页面后重试。').waitFor()
  })

  test('is deleted after confirmation', async () => {
    const world = await gateway()
    await world.channel({ name: 'one' })
    await world.channel({ name: 'two' })
    const { page } = await open(world, { as: world.root, at: '/channel' })

    await more(page, 'one', '删除')
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
    await answer(page, '确定是否要删除渠道“one”？', '取消')
    await row(page, 'one').waitFor()
    await more(page, 'one', '删除')
    await answer(page, '确定是否要删除渠道“one”？', '删除')
    await toast(page, '操作成功完成！').waitFor()
    await row(page, 'one').waitFor({ state: 'detached' })
    expect((await world.toolkit.channels.list(world.root)).items.map(({ name }) => name)).toEqual(['two'])
  })
})

describe('all channels', () => {
  test('are tested, queried for balances, repaired, and pruned, each after confirmation', async () => {
    const world = await gateway()
    const upstream = await startUpstream(account)
    await world.channel({ name: 'works', models: 'good', base_url: upstream.url, priority: 1 })
    const off = await world.channel({ name: 'off', models: 'good', base_url: upstream.url })
    await world.toolkit.channels.setStatus(world.root, off.id, 2)
    const { page } = await open(world, { as: world.root, at: '/channel' })
    const press = async (name: string) => {
      await page.getByRole('button', { name: '渠道维护' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
    }

    await press('测试所有渠道')
    await answer(page, '确定要测试所有渠道吗？', '取消')
    expect(upstream.seen).toEqual([])
    await press('测试所有渠道')
    await answer(page, '确定要测试所有渠道吗？')
    await toast(page, '已成功开始测试所有渠道，请刷新页面查看结果。').waitFor()
    // What the round finds out comes by itself.
    await row(page, 'works')
      .getByText(/\d 秒$/)
      .waitFor()

    await press('更新所有已启用渠道余额')
    await answer(page, '确定要更新所有已启用渠道余额吗？')
    await toast(page, '已开始更新所有已启用渠道余额，完成后会通知。').waitFor()
    await toast(page, '已更新完毕所有已启用渠道余额！').waitFor()
    await row(page, 'works').getByText('$12.50').waitFor()

    await world.toolkit.db.transaction((trx) => trx('abilities').delete())
    await press('修复数据库一致性')
    await answer(page, '确定要修复数据库一致性吗？')
    await toast(page, '已检查 2 个渠道，修复 2 个！').waitFor()

    await press('删除禁用渠道')
    await answer(page, '确定要删除禁用渠道吗？', '删除')
    await toast(page, '已删除所有禁用渠道，共计 1 个').waitFor()
    await row(page, 'off').waitFor({ state: 'detached' })
  })
})

describe('in batch mode', () => {
  test('nothing happens without a selection, and the selected are tagged, toggled and deleted', async () => {
    const world = await gateway()
    for (const name of ['one', 'two', 'three']) await world.channel({ name })
    const { page } = await open(world, { as: world.root, at: '/channel?id_sort=true' })
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const bulk = async (name: string) => {
      await page.getByRole('button', { name: '更多批量操作' }).click()
      await page.getByRole('menuitem', { name }).click()
    }
    const stored = async () =>
      (await world.toolkit.channels.list(world.root, { newestFirst: true })).items.map(({ name, tag, status }) =>
        [name, tag, status].join(' '),
      )

    await page.getByRole('switch', { name: '开启批量操作' }).click()
    await press('批量设置标签')
    await toast(page, '请先选择要设置标签的渠道！').waitFor()
    await bulk('删除所选渠道')
    await toast(page, '请先选择要删除的通道！').waitFor()
    await press('启用所选渠道')
    await toast(page, '请先选择渠道！').waitFor()

    await page.getByRole('checkbox', { name: '选择第 1 行' }).press('Space')
    await page.getByRole('checkbox', { name: '选择第 2 行' }).press('Space')
    await page.getByText('已选择 2 项').waitFor()
    await press('批量设置标签')
    const dialog = page.getByRole('dialog', { name: '批量设置标签' })
    await dialog.getByRole('button', { name: '确定' }).click()
    await toast(page, '标签不能为空！').waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
    await dialog.getByPlaceholder('请输入要设置的标签名称').fill('eu')
    await page.keyboard.press('Enter')
    await toast(page, '已为 2 个渠道设置标签！').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await press('禁用所选渠道')
    await toast(page, '已更新 2 个渠道的状态！').waitFor()
    await expect.poll(stored).toEqual(['three eu 2', 'two eu 2', 'one  1'])
    await press('启用所选渠道')
    await expect.poll(stored).toEqual(['three eu 1', 'two eu 1', 'one  1'])
    await bulk('删除所选渠道')
    await answer(page, '确定要删除所选的 2 个渠道吗？', '删除')
    await toast(page, '已删除 2 个渠道！').waitFor()
    await page.getByText('已选择 0 项').waitFor()
    expect(await stored()).toEqual(['one  1'])
  })
})

describe('in tag mode', () => {
  test('the channels of a tag are listed below it, and are toggled, numbered, edited and selected together', async () => {
    const world = await gateway()
    const one = await world.channel({ name: 'one', tag: 'eu', group: 'default', priority: 1, weight: 5 })
    await world.channel({ name: 'two', tag: 'eu', group: 'vip', type: 14, priority: 2, weight: 5 })
    await world.channel({ name: 'three', tag: 'asia' })
    await world.channel({ name: 'four' })
    await world.toolkit.db.transaction((trx) =>
      trx('channels').where({ id: one.id }).update({ response_time: 2000, used_quota: 500_000 }),
    )
    const { page } = await open(world, { as: world.root, at: '/channel' })
    const field = async (name: 'status' | 'priority' | 'weight') =>
      (await world.toolkit.channels.list(world.root, { tag: 'eu', newestFirst: true })).items.map((each) => each[name])

    await page.getByRole('switch', { name: '标签聚合模式' }).click()
    await page.locator('.channel-tag').first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(2)
    expect(await row(page, 'eu').locator('.arco-tag').allInnerTexts()).toEqual(['已启用 2 / 2', '2.00 秒'])
    for (const text of [/^(default, vip|vip, default)$/, /Anthropic Claude/, /^\$1\.00$/]) {
      await row(page, 'eu').getByText(text).first().waitFor()
    }
    expect(await page.getByRole('spinbutton', { name: 'eu 的优先级' }).getAttribute('placeholder')).toBe('不一致')
    expect(await page.getByRole('spinbutton', { name: 'eu 的权重' }).inputValue()).toBe('5')
    await page.getByRole('button', { name: '展开标签 eu 的渠道' }).click()
    await row(page, 'one').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await more(page, 'eu', '禁用全部')
    await answer(page, '确定要禁用标签 eu 下的全部渠道吗？')
    await row(page, 'eu').locator('.arco-tag-red').filter({ hasText: '已启用 0 / 2' }).waitFor()
    expect(await field('status')).toEqual([2, 2])
    await more(page, 'eu', '启用全部')
    await row(page, 'eu').getByText('已启用 2 / 2').waitFor()
    expect(await field('status')).toEqual([1, 1])

    await page.getByRole('spinbutton', { name: 'eu 的优先级' }).fill('8')
    await page.keyboard.press('Enter')
    await answer(page, '确定要修改标签 eu 下所有渠道的优先级为 8 吗？')
    await expect.poll(() => field('priority')).toEqual([8, 8])
    await page.getByRole('spinbutton', { name: 'eu 的权重' }).fill('9')
    await page.keyboard.press('Enter')
    await answer(page, '确定要修改标签 eu 下所有渠道的权重为 9 吗？', '取消')
    await expect.poll(() => page.getByRole('spinbutton', { name: 'eu 的权重' }).inputValue()).toBe('5')
    expect(await field('weight')).toEqual([5, 5])

    await page.getByRole('switch', { name: '开启批量操作' }).click()
    await page.getByRole('checkbox', { name: '选择第 2 行' }).press('Space')
    await page.getByText('已选择 2 项').waitFor()
    await page.getByRole('button', { name: '编辑 eu' }).click()
    await page.getByRole('dialog').waitFor()
    expect(page.url()).toBe(`${world.url}/channel?tag_mode=true&batch=true&edit_tag=eu`)
    await page.getByRole('dialog').getByRole('button', { name: '取消' }).click()
    await page.waitForURL('/channel?tag_mode=true&batch=true')
  })
})

// The last of the file: what a process remembers of a channel outlives the channel.
describe('the health of a channel', () => {
  test('shows why requests avoid it, and its history', async () => {
    const limited = (exchange: Exchange) =>
      sendJson(exchange, { error: { message: 'too fast' } }, 429, { 'retry-after': '300' })
    const world = await openTestRelay(limited, { gateway, channel: { name: 'limited' } })
    await world.chat({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] })
    const circuits = async () => (await world.toolkit.channels.health(world.root)).circuits.length
    await expect.poll(circuits).toBe(1)
    const { page } = await open(world, { as: world.root, at: '/channel' })

    await row(page, 'limited')
      .getByRole('note', { name: /^限流中: 限流 test-model.*后重试$/ })
      .hover()
    await more(page, 'limited', '健康状况')
    const dialog = page.getByRole('dialog', { name: '渠道“limited”的健康状况' })
    await dialog.getByRole('heading', { name: '当前熔断' }).waitFor()
    await dialog.getByText(/^熔断 · /).waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
  })
})
