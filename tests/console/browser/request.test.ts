import { describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

/** Failures of ten kinds, as the relay tells them. */
const KINDS = [
  [403, 'insufficient_user_quota', '余额不足'],
  [403, 'insufficient_token_quota', '令牌额度不足'],
  [401, 'token_expired', '密钥无效、已禁用或已过期'],
  [403, 'token_model', '模型或 IP 限制'],
  [404, 'model_not_found', '模型'],
  [400, 'model_price_error', '价格'],
  [503, 'no_available_channel', '渠道'],
  [429, 'upstream_saturated', '上游限流'],
  [499, 'client_gone', '客户端在收到完整回复前断开'],
  [400, 'request_malformed', '请求内容'],
] as const

const failure = (person: { id: number; username: string }, requestId: string, more: object = {}) => ({
  requestId,
  userId: person.id,
  username: person.username,
  tokenId: 1,
  tokenName: 'web-app',
  modelName: 'gpt-4o',
  channelId: 0,
  group: 'default',
  useTimeSeconds: 4,
  isStream: true,
  at: Math.floor(Date.now() / 1000),
  content: `no luck (request id: ${requestId})`,
  status: 502,
  code: 'server_error' as string | null,
  tries: [] as { channel: number; key?: number; status: number; code: string | null; ms: number; message: string }[],
  ...more,
})

async function failed() {
  const world = await gateway()
  const [ann, bob] = [await world.user({ quota: 1000 }), await world.user()]
  const channel = await world.channel({ name: 'east' })
  await world.toolkit.logs.writeFailures([
    failure(ann, 'request-failed-1', {
      tries: [
        { channel: channel.id, key: 2, status: 429, code: 'rate_limit', ms: 420, message: 'Rate limit of org-secret' },
        { channel: 99, status: 500, code: null, ms: 3200, message: 'x'.repeat(10_000) },
      ],
    }),
  ])
  return { world, ann, bob }
}

describe('the page of a request', () => {
  test('shows an administrator each attempt with its reason', async () => {
    const { world } = await failed()
    const { page } = await open(world, { as: world.root, at: '/request/request-failed-1' })

    await page.getByRole('heading', { name: '失败 502 · server_error' }).waitFor()
    await page.getByText('no luck (request id: request-failed-1)').waitFor()
    const steps = page.locator('.timeline > li')
    expect(await steps.allInnerTexts()).toEqual([
      expect.stringContaining('收到请求'),
      expect.stringMatching(
        /第 1 次尝试 #\d+ east · 第 2 个密钥\s+HTTP 429 · rate_limit · 0\.4 秒后\s+Rate limit of org/,
      ),
      expect.stringMatching(/第 2 次尝试 #99\s+HTTP 500 · 3\.2 秒后/),
      expect.stringContaining('4 秒后返回错误（HTTP 502）'),
    ])
    await page.getByText('未扣费').waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await page.getByRole('link', { name: /east/ }).click()
    await page.waitForURL(/\/channel\/edit\/\d+/)
  })

  test('shows its user the reply to the client, and nothing about channels', async () => {
    const { world, ann } = await failed()
    const { page } = await open(world, { as: ann, at: '/request/request-failed-1' })

    await page.getByText('尝试了 2 个渠道').waitFor()
    await page.getByText('no luck (request id: request-failed-1)').waitFor()
    const text = await page.getByRole('main').innerText()
    expect(text).not.toMatch(/east|org-secret|rate_limit/)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('of another user is not found, and another id can be entered there', async () => {
    const { world, bob } = await failed()
    const { requestId } = await world.charge(await world.user({ quota: 1000 }), { quota: 1 })
    const { page } = await open(world, { as: bob, at: '/request/request-failed-1' })

    await page.getByText('没有找到这个请求').waitFor()
    await page.getByRole('textbox', { name: '请求 ID' }).fill(` ${requestId} `)
    await page.keyboard.press('Enter')
    await page.waitForURL(`/request/${requestId}`)
    await page.getByText('没有找到这个请求').waitFor()
    await page.goto('/request')
    await page.getByText('查看哪个请求？').waitFor()
  })

  test('of a reply has the receipt', async () => {
    const world = await gateway()
    const ann = await world.user({ quota: 1000 })
    const other = JSON.stringify({
      model_ratio: 1,
      model_price: -1,
      completion_ratio: 1,
      group_ratio: 1,
      quota_per_unit: 500_000,
    })
    const { requestId } = await world.charge(ann, { quota: 30, promptTokens: 20, completionTokens: 10, other })
    const { page } = await open(world, { as: ann, at: '/log' })

    await page.getByRole('button', { name: /^展开第 1 行详情/ }).click()
    await page.getByRole('link', { name: requestId }).click()

    await page.waitForURL(`/request/${requestId}`)
    await page.getByText('重新计算为 $0.00006，与扣费一致').waitFor()
    await page.getByText('1 秒后完成回复').first().waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('explains ten kinds of failures by their ids', async () => {
    const world = await gateway()
    const ann = await world.user()
    await world.toolkit.logs.writeFailures(
      KINDS.map(([status, code], at) => failure(ann, `kind-of-failure-${at}`, { status, code })),
    )
    const { page } = await open(world, { as: world.root })

    for (const [at, [status, code, words]] of KINDS.entries()) {
      await page.goto(`/request/kind-of-failure-${at}`)
      await page.getByRole('heading', { name: `失败 ${status} · ${code}` }).waitFor()
      expect(await page.locator('.request-advice').innerText(), code).toContain(words)
    }
  })
})
