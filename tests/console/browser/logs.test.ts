import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Charge } from '../../../core/ledger/charge.ts'
import { openApi } from '../../support/api.ts'
import { toast } from '../../support/arco.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import type { TestGateway } from '../../support/gateway.ts'
import { completion, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'
import type { Person } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()
const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] }

/** Prices as the gateway keeps them with a row: $2 and $8 for a million tokens. */
const PRICED = {
  model_ratio: 1,
  completion_ratio: 4,
  group_ratio: 2,
  model_price: -1,
  quota_per_unit: 500_000,
  price_source: 'option',
}
const charged = (other: object = {}): Partial<Charge> & { quota: number } => ({
  quota: 440,
  promptTokens: 100,
  completionTokens: 30,
  other: JSON.stringify({ ...PRICED, ...other }),
})

const SIZES = [
  { width: 1440, height: 900 },
  { width: 1024, height: 768 },
  { width: 390, height: 844 },
]

async function addRow({ toolkit }: TestGateway, row: Record<string, unknown>): Promise<void> {
  const now = Math.floor(Date.now() / 1000)
  await toolkit.db.transaction((trx) => trx('logs').insert({ created_at: now, type: 4, ...row }))
}

const rows = (page: Page) => page.locator('tbody > tr.table-row')
const row = (page: Page, shown: string | RegExp) => rows(page).filter({ hasText: shown })
const headings = async (page: Page) => (await page.locator('thead th').allInnerTexts()).filter(Boolean)

/** Two users, a channel, and a row of each kind. */
async function furnish(world: TestGateway) {
  const [alice, bob] = [await world.user({ quota: 1_000_000 }), await world.user({ quota: 1_000_000 })]
  const channel = await world.channel({ name: 'upstream one' })
  const admin_info = { use_channel: ['7', String(channel.id)] }
  await world.charge(alice, {
    ...charged({
      frt: 3200,
      admin_info,
      reasoning_effort: 'high',
      is_model_mapped: true,
      upstream_model_name: 'o3-new',
    }),
    modelName: 'o3',
    tokenName: 'web-app',
    channelId: channel.id,
    isStream: true,
    useTimeSeconds: 101,
    content: '模型倍率 1.00，补全倍率 4.00，分组倍率 2.00',
  })
  await world.charge(bob, { ...charged({ frt: -1000 }), modelName: 'gpt-4o', tokenName: 'bot', useTimeSeconds: 300 })
  return { alice, bob, channel }
}

describe('the log of an administrator', () => {
  test('shows rows of all users, with users and channels, and how a price was computed', async () => {
    const world = await gateway()
    const { alice, channel } = await furnish(world)
    const { page } = await open(world, { as: world.root, at: '/log?type=2', browser: clipboard })
    await row(page, alice.username).waitFor()

    expect(await headings(page)).toEqual([
      '时间',
      '渠道',
      '用户',
      '令牌',
      '分组',
      '类型',
      '模型',
      '用时/首字',
      '提示',
      '补全',
      '花费',
      '重试',
      '详情',
    ])
    const first = row(page, alice.username)
    await first.getByText(`渠道：7->${channel.id}`).waitFor()
    await first.getByText('→ o3-new').waitFor()
    await first.getByText('模型倍率 1，补全倍率 4，分组倍率 2').waitFor()
    await first.getByText('消费').waitFor()
    await first.getByRole('note', { name: `${channel.id}: upstream one` }).waitFor()
    await page.getByRole('region', { name: '统计' }).getByText('消耗额度: $0.001760').waitFor()
    await page.getByText('RPM: 2').waitFor()
    await page.getByText('TPM: 260').waitFor()

    await first.getByRole('button', { name: '复制令牌名称 web-app' }).click()
    await toast(page, '已复制到剪贴板！').waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe('web-app')
    await first.getByRole('button', { name: '复制模型名称 o3' }).click()
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('o3')

    await page.getByRole('button', { name: '展开第 2 行详情' }).click()
    await page
      .getByText('(提示 100 tokens / 1M tokens * $2.00 + 补全 30 tokens / 1M tokens * $8.00) * 分组倍率 2 = $0.00088')
      .waitFor()
    for (const text of [`${channel.id} - upstream one`, 'o3-new', 'high', '3.2 s']) {
      await page.locator('.log-details').getByText(text, { exact: true }).first().waitFor()
    }
    await page.getByRole('button', { name: '核对账单' }).click()
    await page.getByText('重新计算为 $0.00088，与扣费一致').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test.each([
    [
      'zh',
      { name: '渠道测试', row: /^展开第 1 行详情/, free: '未扣费：渠道测试', check: '核对账单', equal: '与记录一致' },
    ],
    [
      'en',
      {
        name: 'channel test',
        row: /^Details of row 1/,
        free: 'Not charged: a channel test',
        check: 'Check the receipt',
        equal: 'which matches the row',
      },
    ],
  ] as const)('in %s names a channel test, and its receipt says that it is not charged', async (language, texts) => {
    const world = await gateway()
    const upstream = await startUpstream((exchange) => sendJson(exchange, completion('hello', usage(3, 2))))
    const { id } = await world.channel({ base_url: upstream.url, models: 'gpt-4o' })
    const api = await openApi(world).as(world.root)
    await api.get(`/api/channel/test/${id}`)
    const { page } = await open(world, { as: world.root, at: '/log', language })

    await row(page, 'gpt-4o').getByText(texts.name, { exact: true }).waitFor()
    await page.getByRole('button', { name: texts.row }).click()
    await page.getByText(texts.free, { exact: true }).waitFor()
    await page.getByRole('button', { name: texts.check }).click()
    await page.getByText(texts.equal).waitFor()
    expect(await page.getByRole('main').innerText()).not.toContain('模型测试')
  })

  test('colors durations: a use time from 101 s and 300 s, a first token from 3 s and 10 s', async () => {
    const world = await gateway()
    const user = await world.user({ quota: 1_000_000 })
    for (const [useTimeSeconds, frt] of [
      [100, 2999],
      [101, 3000],
      [299, 9999],
      [300, 10_000],
    ] as const) {
      await world.charge(user, { ...charged({ frt }), useTimeSeconds, isStream: useTimeSeconds < 300 })
    }
    const { page } = await open(world, { as: user, at: '/log' })
    const colors = async (shown: string) =>
      /arco-tag-(green|orange|red)/.exec(
        (await page.locator('.arco-tag', { hasText: shown }).first().getAttribute('class')) ?? '',
      )?.[1]

    await page.getByText('100 s', { exact: true }).waitFor()

    expect(await Promise.all(['100 s', '101 s', '299 s', '300 s'].map(colors))).toEqual([
      'green',
      'orange',
      'orange',
      'red',
    ])
    const firsts = await page
      .locator('.log-durations .arco-tag:nth-child(2)')
      .evaluateAll((tags) => tags.map((tag) => /arco-tag-(green|orange|red)/.exec(tag.className)?.[1]))
    expect(firsts).toEqual(['red', 'orange', 'orange', 'green'])
    expect(await page.getByText('非流', { exact: true }).count()).toBe(1)
    expect(await page.getByText('流', { exact: true }).count()).toBe(3)
  })

  test('shows model, status and error code of failed requests at every width', async () => {
    const world = await gateway()
    const { toolkit, root } = world
    const failure = {
      ...{ userId: root.id, username: root.username, tokenId: 1, tokenName: 'app', channelId: 0, group: 'default' },
      ...{ useTimeSeconds: 0, isStream: false, at: Math.floor(Date.now() / 1000), content: 'No', tries: [] },
    }
    await toolkit.logs.writeFailures([
      { ...failure, requestId: 'r1', modelName: 'gpt-4o', status: 429, code: 'insufficient_user_quota' },
      { ...failure, requestId: 'r2', modelName: '', status: 401, code: 'token_disabled' },
    ])
    const { page } = await open(world, { as: root, at: '/log?type=5' })

    for (const { width, height } of SIZES) {
      await page.setViewportSize({ width, height })
      await row(page, 'gpt-4o').getByText('429 insufficient_user_quota').waitFor()
      await row(page, '401 token_disabled').waitFor()
      const isCut = (element: Element) => element.scrollWidth > element.clientWidth
      for (const note of await page.locator('.log-error').all())
        expect(await note.evaluate(isCut), `${width}`).toBe(false)
    }
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('shows what a row without a model is about at every width', async () => {
    const world = await gateway()
    const content = 'An administrator changed the balance from $1.000000 to $2.000000'
    await addRow(world, { user_id: world.root.id, username: world.root.username, content })
    const { page } = await open(world, { as: world.root, at: '/log' })

    for (const { width, height } of SIZES) {
      await page.setViewportSize({ width, height })
      const text = row(page, 'An administrator').getByText(content).locator('visible=true')
      await text.waitFor()
      expect(await text.count(), `${width}`).toBe(1)
      const isCut = (element: Element) =>
        element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight
      expect(await text.evaluate(isCut), `${width}`).toBe(false)
    }
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('shortens a long model and token to their columns', async () => {
    const world = await gateway()
    const modelName = 'accounts/fireworks/models/a-model-with-a-long-name'
    await world.charge(world.root, { ...charged(), modelName, tokenName: 'a-token-with-a-long-name-too' })
    const { page } = await open(world, { as: world.root, at: '/log' })
    const chips = rows(page).first().locator('.log-copy')
    await chips.first().waitFor()

    const fits = await chips.evaluateAll((all) =>
      all.map((chip) => {
        const cell = chip.closest('td')?.getBoundingClientRect()
        return {
          isInside: cell !== undefined && chip.getBoundingClientRect().right <= cell.right,
          isCut: chip.scrollWidth > chip.clientWidth,
          overflow: getComputedStyle(chip).textOverflow,
        }
      }),
    )
    const cut = { isInside: true, isCut: true, overflow: 'ellipsis' }
    expect(fits).toEqual([cut, cut])
  })

  test('opens the details of a user, or says why they are hidden', async () => {
    const world = await gateway()
    const { alice } = await furnish(world)
    const admin = await world.user({ role: 10 })
    await addRow(world, { user_id: world.root.id, username: world.root.username, content: 'by root' })
    const { page } = await open(world, { as: admin, at: '/log' })
    await row(page, 'by root').waitFor()

    await page
      .getByRole('button', { name: `查看用户 ${alice.username}` })
      .first()
      .click()

    const popup = page.getByRole('dialog', { name: '用户信息' })
    for (const text of [alice.username, '余额', '$2.00', '已用额度', '$0.000880', '请求次数']) {
      await popup.getByText(text, { exact: true }).first().waitFor()
    }
    await expectAccessible(page, { include: '[role=dialog]', themes: BOTH_THEMES })
    await page.keyboard.press('Escape')
    await popup.waitFor({ state: 'hidden' })
    await row(page, 'by root')
      .getByRole('button', { name: `查看用户 ${world.root.username}` })
      .click()
    await page.locator('.arco-message-error').waitFor()
  })
})

describe('the filters of the log', () => {
  test('apply to rows and statistics alike, and are in the URL', async () => {
    const world = await gateway()
    const { alice, bob, channel } = await furnish(world)
    await addRow(world, { type: 1, user_id: bob.id, username: bob.username, content: '通过兑换码充值' })
    const { page } = await open(world, { as: world.root, at: '/log?type=2' })
    await rows(page).nth(1).waitFor()
    const search = page.getByRole('search')

    for (const [label, value, name] of [
      ['令牌名称', 'web-app', 'token_name'],
      ['模型名称（% 为通配符）', '%3', 'model_name'],
      ['用户名', alice.username, 'username'],
      ['渠道 ID', String(channel.id), 'channel'],
    ] as const) {
      await search.getByLabel(label).fill(value)
      await search.getByLabel(label).press('Enter')
      await expect.poll(() => rows(page).count()).toBe(1)
      await page.getByText('消耗额度: $0.000880').waitFor()
      expect(new URL(page.url()).searchParams.get(name)).toBe(value)
      await search.getByLabel(label).fill('')
      await search.getByLabel(label).press('Enter')
      await rows(page).nth(1).waitFor()
    }
    await search.getByLabel('分组').fill('vip')
    await search.getByRole('button', { name: '搜索' }).click()
    await page.getByText('没有符合条件的记录').waitFor()
    await page.getByRole('button', { name: '清除筛选' }).click()
    await row(page, '通过兑换码充值').waitFor()
    expect(new URL(page.url()).search).toBe('')

    await search.getByLabel('令牌名称').fill('not applied yet')
    await search.getByLabel('日志类型').click()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['全部', '充值', '消费', '管理', '系统', '错误'])
    await page.getByRole('option', { name: '充值' }).click()
    await expect.poll(() => rows(page).count()).toBe(1)
    expect(page.url()).toContain('type=1')
    expect(await search.getByLabel('令牌名称').inputValue()).toBe('not applied yet')
    await search.getByLabel('令牌名称').fill('neither')
    await page.getByRole('button', { name: '清除筛选' }).click()
    await rows(page).nth(1).waitFor()
    expect(await search.getByLabel('令牌名称').inputValue()).toBe('')

    await search.getByLabel('渠道 ID').fill('seven')
    await search.getByLabel('渠道 ID').press('Enter')
    await toast(page, '渠道 ID 必须是正整数').waitFor()
  })

  test('show the last three days unless another range is chosen, to the second', async () => {
    const world = await gateway()
    const now = Math.floor(Date.now() / 1000)
    await addRow(world, { content: 'of today' })
    await addRow(world, { content: 'of last week', created_at: now - 5 * 86_400 })
    const { page } = await open(world, { as: world.root, at: '/log' })
    await row(page, 'of today').waitFor()
    expect(await row(page, 'of last week').count()).toBe(0)

    await page.getByLabel('开始时间').click()
    await page.getByText('最近 7 天', { exact: true }).click()
    await row(page, 'of last week').waitFor()

    const { searchParams } = new URL(page.url())
    expect(Number(searchParams.get('to')) - now).toBeGreaterThanOrEqual(3600)
    expect(await page.getByLabel('开始时间').inputValue()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    await page.goto(`/log?from=${now - 6 * 86_400}&to=${now - 4 * 86_400}`)
    await row(page, 'of last week').waitFor()
    expect(await rows(page).count()).toBe(1)
  })
})

describe('the log of a common user', () => {
  test("has only the user's rows, by the user's calls, without administrator columns", async () => {
    const world = await gateway()
    const { alice, bob } = await furnish(world)
    const { page } = await open(world, { as: alice })
    const requests: string[] = []
    page.on('request', (request) => void requests.push(new URL(request.url()).pathname))
    await page.goto('/log?type=2')

    await row(page, 'o3').waitFor()
    expect(await headings(page)).toEqual([
      '时间',
      '令牌',
      '分组',
      '类型',
      '模型',
      '用时/首字',
      '提示',
      '补全',
      '花费',
      '详情',
    ])
    expect(await page.getByText(bob.username).count()).toBe(0)
    expect(await page.getByLabel('用户名').count()).toBe(0)
    expect(await page.getByLabel('渠道 ID').count()).toBe(0)
    await page.getByRole('button', { name: '展开第 1 行详情' }).click()
    await page.getByText('计费过程').waitFor()
    expect(await page.getByRole('button', { name: '核对账单' }).count()).toBe(0)
    expect(requests.filter((path) => path.startsWith('/api/log/')).sort()).toEqual([
      '/api/log/self',
      '/api/log/self/stat',
    ])
  })

  test('says how to make the first request if it is empty', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: await world.user(), at: '/log' })

    await page.getByText('还没有日志').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('button', { name: '前往令牌' }).click()
    await page.waitForURL('/token')
  })
})

describe('many rows', () => {
  async function many(world: TestGateway, user: Person, count: number) {
    const now = Math.floor(Date.now() / 1000)
    await world.toolkit.db.transaction((trx) =>
      trx
        .batchInsert(
          'logs',
          Array.from({ length: count }, (_, at) => ({
            user_id: user.id,
            username: user.username,
            type: 4,
            created_at: now - at,
            content: `row ${at}`,
          })),
          50,
        )
        .transacting(trx),
    )
  }

  test('have pages with a stored size; an export has all pages', async () => {
    const world = await gateway()
    const user = await world.user()
    await many(world, user, 45)
    const { page } = await open(world, { as: user, at: '/log' })
    await row(page, /row 0\b/).waitFor()

    await page.getByRole('button', { name: '每页条数' }).or(page.getByLabel('每页条数')).first().click()
    await expect
      .poll(() => page.getByRole('option').allInnerTexts())
      .toEqual(['10 条/页', '20 条/页', '50 条/页', '100 条/页'])
    await page.getByRole('option', { name: '20 条/页' }).click()
    await page.getByText('3', { exact: true }).click()
    await row(page, 'row 44').waitFor()
    expect(page.url()).toContain('p=3&size=20')
    await page.reload()
    await row(page, 'row 44').waitFor()
    expect(await rows(page).count()).toBe(5)

    const downloading = page.waitForEvent('download')
    await page.getByRole('button', { name: '导出 CSV' }).click()
    const file = await downloading
    expect(file.suggestedFilename()).toBe('log.csv')
    const lines = (await text(await file.createReadStream())).trim().split('\r\n')
    expect(lines).toHaveLength(46)
    expect(lines[0]).toContain('时间')
    expect(lines[45]).toContain('row 44')
  })

  test('are followed while that is on and the page is visible', async () => {
    const world = await gateway()
    const user = await world.user()
    await many(world, user, 1)
    const { page, expects } = await open(world, { as: user })
    await page.clock.install()
    await page.goto('/log')
    await row(page, 'row 0').waitFor()

    await page.getByRole('switch', { name: '自动刷新' }).click()
    await page.waitForURL(/live=1/)
    await addRow(world, { user_id: user.id, username: user.username, content: 'has just come' })
    await page.clock.fastForward(6000)
    await row(page, 'has just come').waitFor()

    let requestCount = 0
    page.on('request', (request) => {
      if (request.url().includes('/api/log/')) requestCount += 1
    })
    expects(/429/)
    await page.route('**/api/log/self**', (route) => route.fulfill({ status: 429 }))
    await page.clock.fastForward(6000)
    await page.getByText('错误：请求次数过多，请稍后再试！').first().waitFor()
    requestCount = 0
    await page.clock.fastForward(50_000)
    expect(requestCount).toBe(0)
    await page.unroute('**/api/log/self**')
    await page.clock.fastForward(20_000)
    await expect.poll(() => requestCount).toBeGreaterThan(0)
    await row(page, 'has just come').waitFor()

    await page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      window.dispatchEvent(new Event('visibilitychange'))
    })
    requestCount = 0
    await page.clock.fastForward(200_000)
    expect(requestCount).toBe(0)
  })
})

test('a log that fails to load says so and can be retried', async () => {
  const world = await gateway()
  const user = await world.user()
  const { page, expects } = await open(world, { as: user })
  expects(/500/)
  await page.route('**/api/log/self?*', (route) => route.fulfill({ status: 500 }))
  await page.goto('/log')
  await page.getByText('错误：服务器内部错误，请联系管理员！').waitFor()

  await page.unroute('**/api/log/self?*')
  await page.getByRole('button', { name: '重试' }).click()

  await page.getByText('还没有日志').waitFor()
})

test('on a phone further filters are collapsed, and all of it is accessible', async () => {
  const world = await gateway()
  await furnish(world)
  const { page } = await open(world, { as: world.root, at: '/log?type=2', width: 390 })
  await rows(page).first().waitFor()
  expect(await page.getByLabel('用户名').count()).toBe(0)

  await page.getByRole('button', { name: '筛选' }).click()
  await page.getByLabel('用户名').waitFor()
  await page.getByRole('button', { name: '展开第 1 行详情' }).click()

  // Each value is beside its label, as in the table of a desktop.
  const charge = page.locator('.log-details tr', { hasText: /^实际扣费/ }).locator('td')
  const [label, value] = [await charge.first().boundingBox(), await charge.last().boundingBox()]
  expect(label && value && [value.y === label.y, value.x >= label.x + label.width]).toEqual([true, true])
  await expectAccessible(page, { themes: BOTH_THEMES })
  await expectFits(page)
})
