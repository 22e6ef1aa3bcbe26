import { describe, expect, test } from 'vitest'
import { choose, confirm, drawer, rowOf, toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { area, json, option, press, save, savedOptions } from '../../support/browser/settings.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()
const AT = '/setting?tab=operation'

const read = ({ toolkit, root }: TestGateway, key: string) => toolkit.options.read(root, key)

describe('the operation settings', () => {
  test('save each area, and only changed values', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)

    await page.getByLabel('失败重试次数', { exact: true }).fill('2')
    await page.getByRole('switch', { name: '默认折叠侧边栏' }).click()
    await save(page, '通用设置')
    await page.getByRole('switch', { name: '允许回调' }).click()
    await save(page, '绘图设置')
    await page.getByLabel('屏蔽词列表', { exact: true }).fill('first\nsecond')
    await save(page, '屏蔽词过滤设置')
    await page.getByRole('switch', { name: '启用额度消费日志记录' }).click()
    await save(page, '日志设置')
    await page.getByLabel('数据看板更新间隔（分钟）', { exact: true }).fill('7')
    await choose(page, '数据看板默认时间粒度', '周')
    await save(page, '数据看板设置')

    expect(sent).toEqual({
      RetryTimes: '2',
      DefaultCollapseSidebar: 'true',
      MjNotifyEnabled: 'true',
      SensitiveWords: 'first\nsecond',
      LogConsumeEnabled: 'false',
      DataExportInterval: '7',
      DataExportDefaultTime: 'week',
    })
    for (const [key, value] of Object.entries(sent)) expect(await read(world, key), key).toBe(value)
  })

  test('save only changed values of monitoring, quota, chats, groups and prices', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)

    await page.getByLabel('测试渠道的最长响应时间（秒）', { exact: true }).fill('2.5')
    await page.getByLabel('自动禁用关键词', { exact: true }).fill('no credit')
    await save(page, '监控设置')
    await page.getByLabel('新用户初始额度', { exact: true }).fill('1000000')
    await save(page, '额度设置')
    await (await json(page, '聊天配置')).fill('[{"App":"https://chat.example/{key}"}]')
    await page.getByLabel('聊天链接', { exact: true }).fill('https://one.example')
    await save(page, '令牌聊天设置')
    await (await json(page, '分组倍率')).fill('{"default":1,"gold":0.5}')
    await (await json(page, '用户可选分组')).fill('{"gold":"Gold"}')
    await save(page, '分组倍率设置')
    await (await json(page, '模型固定价格')).fill('{"draw":0.04}')
    await (await json(page, '模型补全倍率')).fill('{"gpt-4o":4}')
    await save(page, '模型倍率设置')

    expect(sent).toEqual({
      ChannelDisableThreshold: '2.5',
      AutomaticDisableKeywords: 'no credit',
      QuotaForNewUser: '1000000',
      Chats: '[{"App":"https://chat.example/{key}"}]',
      ChatLink: 'https://one.example',
      GroupRatio: '{"default":1,"gold":0.5}',
      UserUsableGroups: '{"gold":"Gold"}',
      ModelPrice: '{"draw":0.04}',
      CompletionRatio: '{"gpt-4o":4}',
    })
    for (const [key, value] of Object.entries(sent)) expect(await read(world, key), key).toBe(value)
  })

  test('report that nothing was changed, and revert unsaved changes on request', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)
    const retries = page.getByLabel('失败重试次数', { exact: true })
    const general = area(page, '通用设置')

    await press(page, '通用设置', '你似乎并没有修改什么')
    await retries.fill('3')
    await general.getByText('未保存').waitFor()
    await general.getByRole('button', { name: '撤销修改' }).click()
    expect(await retries.inputValue()).toBe('0')
    await retries.fill('4')
    await retries.fill('0')
    await general.getByText('未保存').waitFor({ state: 'hidden' })

    expect(sent).toEqual({})
  })

  test('show server errors at the field, and keep the rest', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const general = area(page, '通用设置')

    await page.getByLabel('失败重试次数', { exact: true }).fill('99')
    await press(page, '通用设置', /不能大于 20/) // one alone: in the server's own words
    await page.getByLabel('充值链接', { exact: true }).fill('https://shop.example')
    await press(page, '通用设置', '部分保存失败，请重试')
    await general
      .getByRole('alert')
      .filter({ hasText: /不能大于 20/ })
      .waitFor()
    expect(await page.getByLabel('失败重试次数', { exact: true }).inputValue()).toBe('99')
    expect(await read(world, 'TopUpLink')).toBe('https://shop.example')

    await page.getByLabel('单位美元额度', { exact: true }).fill('0')
    await press(page, '通用设置', '保存失败，请重试')
    await general
      .getByRole('alert')
      .filter({ hasText: /必须大于 0/ })
      .waitFor()
    await expectAccessible(page, { include: '#general', themes: BOTH_THEMES })
  })

  test('keep input if the server is unreachable', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: AT })
    expects(/ERR_FAILED/)
    await page.getByLabel('失败重试次数', { exact: true }).fill('2')
    await page.getByLabel('充值链接', { exact: true }).fill('https://shop.example')
    await page.route('**/api/option/', (route) => route.abort())

    await press(page, '通用设置', '保存失败，请重试')

    await toast(page, '错误：无法连接服务器').waitFor()
    expect(await page.getByLabel('充值链接', { exact: true }).inputValue()).toBe('https://shop.example')
  })

  test('keep input during saving, and reverted values', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const retries = page.getByLabel('失败重试次数', { exact: true })
    const collapse = page.getByRole('switch', { name: '默认折叠侧边栏' })
    const link = page.getByLabel('充值链接', { exact: true })
    let answer = () => {}
    const requested = new Promise<void>((resolve) => {
      answer = resolve
    })
    await page.route('**/api/option/', async (route) => {
      if (route.request().method() === 'PUT') await requested
      await route.continue()
    })

    await retries.fill('2')
    await collapse.click()
    await area(page, '通用设置').locator('button[type="submit"]').click()
    await retries.fill('3')
    await collapse.click()
    await link.fill('https://shop.example')
    await link.fill('')
    answer()
    await toast(page, '保存成功').waitFor()

    expect(await retries.inputValue()).toBe('3')
    expect(await collapse.getAttribute('aria-checked')).toBe('false')
    expect(await read(world, 'RetryTimes')).toBe('2')
    expect(await read(world, 'DefaultCollapseSidebar')).toBe('true')
    await area(page, '通用设置').getByText('未保存', { exact: true }).waitFor()
    const sent = savedOptions(page)
    await save(page, '通用设置')
    expect(sent).toEqual({ RetryTimes: '3', DefaultCollapseSidebar: 'false' })
  })

  test("show the server's error, also if the field is not visible", async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByLabel('失败重试次数', { exact: true }).fill('99')
    await page.getByLabel('充值链接', { exact: true }).fill('https://shop.example')
    await page.getByLabel('搜索设置项').fill('TopUpLink')
    await page.getByLabel('失败重试次数', { exact: true }).waitFor({ state: 'hidden' })
    await press(page, '通用设置', '部分保存失败，请重试')
    await toast(page, /不能大于 20/).waitFor()
    await option(page, '失败重试次数')
      .getByRole('alert')
      .filter({ hasText: /不能大于 20/ })
      .waitFor()

    await page.getByLabel('搜索设置项').fill('')
    await (await json(page, '模型倍率')).fill('{"alpha":-1}')
    await page.getByText('可视化编辑').click()
    await rowOf(page, 'alpha').waitFor()
    await press(page, '模型倍率设置', /模型倍率/)
    await option(page, '模型倍率').getByRole('alert').filter({ hasText: '模型倍率' }).waitFor()
  })

  test('show why saving stopped after some options were saved', async () => {
    const world = await gateway()
    const { page, expects } = await open(world, { as: world.root, at: AT })
    expects(/429/)
    await page.getByLabel('失败重试次数', { exact: true }).fill('2')
    await page.getByLabel('充值链接', { exact: true }).fill('https://shop.example')
    await page.route('**/api/option/', async (route) => {
      if (route.request().postData()?.includes('RetryTimes')) await route.fulfill({ status: 429 })
      else await route.continue()
    })

    await press(page, '通用设置', '部分保存失败，请重试')

    await toast(page, '错误：请求次数过多，请稍后再试！').waitFor()
    expect(await read(world, 'TopUpLink')).toBe('https://shop.example')
    expect(await page.getByLabel('失败重试次数', { exact: true }).inputValue()).toBe('2')
  })

  test('validate JSON on blur, and do not save invalid JSON', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const sent = savedOptions(page)

    for (const label of ['聊天配置', '分组倍率', '用户可选分组', '模型固定价格', '模型倍率', '模型补全倍率']) {
      await (await json(page, label)).fill('{"half": ')
      await page.keyboard.press('Tab')
      await option(page, label).getByRole('alert').filter({ hasText: '不是合法的 JSON 字符串' }).waitFor()
    }
    await press(page, '分组倍率设置', '请检查输入')

    expect(sent).toEqual({})
  })

  test('delete logs older than a chosen time', async () => {
    const world = await gateway()
    const alice = await world.user()
    for (const created_at of [1_700_000_000, 1_700_000_100, 1_900_000_000]) {
      await world.toolkit.db.transaction((trx) => trx('logs').insert({ user_id: alice.id, type: 4, created_at }))
    }
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByRole('button', { name: '清除历史日志' }).click()
    await toast(page, '请选择日志记录时间').waitFor()
    await page.getByRole('textbox', { name: '清除此时间之前的日志' }).fill('2024-01-01 00:00:00')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '清除历史日志' }).click()
    await confirm(page, '确定清除 2024-01-01 00:00:00 之前的所有日志吗？')

    await toast(page, '2 条日志已清理！').waitFor()
  })

  test('list options without an area under "more"', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByRole('switch', { name: '检测到屏蔽词时停止生成' }).click()
    await page.getByLabel('流缓存队列长度', { exact: true }).fill('12')
    await save(page, '更多选项')

    expect(await read(world, 'StreamCacheQueueLength')).toBe('12')
    expect(await read(world, 'StopOnSensitiveEnabled')).toBe('false')
  })

  test('are found by name, key and area, also in the URL', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByLabel('失败重试次数', { exact: true }).waitFor()
    const entries = await page.evaluate(() => history.length)
    await page.getByLabel('搜索设置项').pressSequentially('retrytimes')
    expect(await page.getByLabel('搜索设置项').inputValue()).toBe('retrytimes')
    await area(page, '绘图设置').waitFor({ state: 'hidden' })
    await page.waitForURL(/q=retrytimes/)
    expect(await page.evaluate(() => history.length)).toBe(entries)
    await page.getByRole('switch', { name: '以货币形式显示额度' }).waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByLabel('失败重试次数', { exact: true }).waitFor()
    await page.getByLabel('搜索设置项').fill('绘图')
    await page.getByRole('switch', { name: '允许回调' }).waitFor()
    await page.getByLabel('搜索设置项').fill('nothing of the kind')
    await page.getByText('没有匹配的设置项').waitFor()
  })

  test('say that the demonstration site changes nothing else', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: `${AT}&q=DemoSiteEnabled` })

    await page.getByText('仅在状态接口中告知客户端，不改变其他行为。').waitFor()
  })

  test('work by keyboard', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByLabel('失败重试次数', { exact: true }).focus()
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('5')
    await page.keyboard.press('Tab') // to the button that restores the default
    await page.keyboard.press('Tab')
    await page.keyboard.press('Space') // the switch after it
    await page.getByLabel('失败重试次数', { exact: true }).press('Enter')
    await toast(page, '保存成功').waitFor()
    await page.getByRole('navigation', { name: '设置分区' }).getByRole('link', { name: '额度设置' }).press('Enter')

    await page.waitForFunction(() => (document.querySelector('#quota')?.getBoundingClientRect().top ?? 999) < 200)
    expect(await read(world, 'RetryTimes')).toBe('5')
    expect(await read(world, 'DisplayInCurrencyEnabled')).toBe('false')
  })

  test('are accessible in both themes, and fit a phone', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    await (await json(page, '模型倍率')).waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await expectAccessible(page)
  })
})

describe('leaving with unsaved changes', () => {
  test('asks for confirmation, for another tab and for another page', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })
    const confirmation = page.getByRole('dialog').filter({ hasText: '有未保存的修改' })

    await page.getByLabel('失败重试次数', { exact: true }).fill('2')
    await page.getByRole('tab', { name: '系统设置' }).click()
    await confirmation.waitFor()
    await expectAccessible(page, { include: '[role="dialog"]', themes: BOTH_THEMES })
    await confirmation.getByRole('button', { name: '继续编辑' }).click()
    await confirmation.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('失败重试次数', { exact: true }).inputValue()).toBe('2')

    await page
      .getByRole('menuitem', { name: '令牌' })
      .or(page.getByRole('link', { name: '令牌' }))
      .first()
      .click()
    await confirmation.getByRole('button', { name: '放弃修改并离开' }).click()
    await page.waitForURL('/token')
    expect(await read(world, 'RetryTimes')).toBe('0')
  })

  test('does not ask after they were saved', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    await page.getByLabel('失败重试次数', { exact: true }).fill('2')
    await save(page, '通用设置')
    await page.getByRole('tab', { name: '系统设置' }).click()

    await area(page, 'SMTP 设置').waitFor()
  })
})

describe('the table of model prices', () => {
  const TABLE = `${AT}&view=table`
  const prices = async (world: TestGateway) => {
    await world.toolkit.options.set(world.root, 'ModelRatio', '{"alpha":1.25,"beta":2}')
    await world.toolkit.options.set(world.root, 'CompletionRatio', '{"alpha":4}')
    await world.toolkit.options.set(world.root, 'ModelPrice', '{"draw":0.04}')
  }

  test('adds, edits and deletes models, and saves them with the area', async () => {
    const world = await gateway()
    await prices(world)
    const { page } = await open(world, { as: world.root, at: AT })
    await page.getByText('可视化编辑').click()
    await page.waitForURL(/view=table/)
    await rowOf(page, 'alpha').filter({ hasText: '$2.5 / $10' }).waitFor()
    await rowOf(page, 'draw').filter({ hasText: '$0.04' }).waitFor()
    const wide = page.viewportSize()
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    if (wide) await page.setViewportSize(wide)

    await page.getByRole('button', { name: '添加模型' }).click()
    const form = drawer(page, '添加模型')
    await form.getByLabel('模型名称').fill('alpha')
    await form.getByLabel('模型倍率').fill('abc')
    await form.getByRole('button', { name: '确定' }).click()
    await form.getByText('模型名称已存在').waitFor()
    await form.getByText('请输入数字').waitFor()
    await expectAccessible(page, { include: '.arco-drawer', themes: BOTH_THEMES })
    await form.getByLabel('模型名称').fill('gamma')
    await form.getByLabel('模型倍率').fill('3')
    await form.getByText('提示 $6 / 1M tokens，补全 $0 / 1M tokens').waitFor()
    await form.getByLabel('补全倍率').fill('2')
    await form.getByText('提示 $6 / 1M tokens，补全 $12 / 1M tokens').waitFor()
    await form.getByRole('button', { name: '确定' }).click()
    await rowOf(page, 'gamma').waitFor()

    await page.getByRole('button', { name: '编辑 beta' }).click()
    const edit = drawer(page, '编辑 beta')
    await edit.getByLabel('固定价格').fill('0.1')
    expect(await edit.getByLabel('模型倍率').isDisabled()).toBe(true)
    expect(await edit.getByLabel('补全倍率').isDisabled()).toBe(true)
    await edit.getByRole('button', { name: '确定' }).click()
    await rowOf(page, 'beta').filter({ hasText: '$0.1' }).waitFor()
    await page.getByRole('button', { name: '删除 alpha' }).click()
    await rowOf(page, 'alpha').waitFor({ state: 'hidden' })
    await save(page, '模型倍率设置')

    expect(JSON.parse(await read(world, 'ModelRatio'))).toEqual({ gamma: 3 })
    expect(JSON.parse(await read(world, 'CompletionRatio'))).toEqual({ gamma: 2 })
    expect(JSON.parse(await read(world, 'ModelPrice'))).toEqual({ draw: 0.04, beta: 0.1 })
  })

  test('shows the completion ratio that billing uses where none is set', async () => {
    const world = await gateway()
    await world.channel({ models: 'gpt-4o' })
    await world.toolkit.options.set(world.root, 'ModelRatio', '{"gpt-4o":1.25}')
    await world.toolkit.options.set(world.root, 'CompletionRatio', '{}')
    await world.toolkit.options.set(world.root, 'ModelPrice', '{}')
    const { completionRatio } = (await world.toolkit.pricing.find({ model: 'gpt-4o', group: 'default' })) ?? {}
    const { page } = await open(world, { as: world.root, at: TABLE })

    expect(completionRatio).toBeGreaterThan(1)
    const shown = rowOf(page, 'gpt-4o')
    await shown.getByText(`(${completionRatio})`, { exact: true }).waitFor()
    await shown.filter({ hasText: `$2.5 / $${2.5 * Number(completionRatio)}` }).waitFor()
  })

  test('has ten rows per page, and finds a model by name', async () => {
    const world = await gateway()
    const many = Array.from({ length: 23 }, (_, place) => [`model-${String(place).padStart(2, '0')}`, 1])
    await world.toolkit.options.set(world.root, 'ModelRatio', JSON.stringify(Object.fromEntries(many)))
    await world.toolkit.options.set(world.root, 'ModelPrice', '{}')
    await world.toolkit.options.set(world.root, 'CompletionRatio', '{}')
    const { page } = await open(world, { as: world.root, at: TABLE })
    const rows = page.locator('.data-table tbody tr')

    await rowOf(page, 'model-09').waitFor()
    expect(await rows.count()).toBe(10)
    await page.locator('.arco-pagination-item', { hasText: '3' }).click()
    await rowOf(page, 'model-22').waitFor()
    await expectAccessible(page, { include: '#ratio', themes: BOTH_THEMES })
    const entries = await page.evaluate(() => history.length)
    await page.getByLabel('搜索模型名称').pressSequentially('MODEL-1')
    await rowOf(page, 'model-19').waitFor()
    expect(await page.getByLabel('搜索模型名称').inputValue()).toBe('MODEL-1')
    await page.waitForURL(/model=MODEL-1/)
    expect(await page.evaluate(() => history.length)).toBe(entries)
    await expect.poll(() => rows.count()).toBe(10)
    await page.getByLabel('搜索模型名称').fill('no-such-model')
    await page.getByText('没有符合条件的记录').waitFor()
  })

  test('links back to the JSON if that is invalid', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: AT })

    // A bracket alone would be put around what is selected.
    await (await json(page, '模型倍率')).fill('{"half": ')
    await page.getByText('可视化编辑').click()
    await page.getByText('JSON 中有错误，改正后才能以表格编辑。').waitFor()
    await page.getByRole('button', { name: '转到 JSON' }).click()

    await expect.poll(async () => (await json(page, '模型倍率')).innerText()).toBe('{"half": ')
  })

  test('and the JSON can be reset to the built-in ratios', async () => {
    const world = await gateway()
    await prices(world)
    const { page } = await open(world, { as: world.root, at: TABLE })
    await rowOf(page, 'alpha').waitFor()
    await page.getByRole('button', { name: '删除 beta' }).click()

    await page.getByRole('button', { name: '重置模型倍率' }).click()
    await confirm(page, '确定重置模型倍率吗？')

    await toast(page, '重置模型倍率成功').waitFor()
    await page.getByLabel('搜索模型名称').fill('gpt-4o-mini')
    await rowOf(page, 'gpt-4o-mini').first().waitFor()
    expect(await read(world, 'ModelRatio')).toContain('"gpt-4o"')
  })
})

describe('a user other than root', () => {
  test('does not see the settings of the platform', async () => {
    const world = await gateway()
    const admin = await world.user({ role: 10 })
    const { page } = await open(world, { as: admin, at: AT })

    await page.getByRole('tab', { name: '个人设置' }).waitFor()
    expect(await page.getByRole('tab').allInnerTexts()).toEqual(['个人设置'])
    expect(await page.getByLabel('失败重试次数', { exact: true }).count()).toBe(0)
  })
})
