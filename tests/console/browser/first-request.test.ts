import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { openConsole, reusedConsole, skipWithoutBrowser } from '../../support/browser.ts'
import { completion, type Exchange, sendJson, startUpstream, usage } from '../../support/hand-made-upstream.ts'
import { reused } from '../../support/reused.ts'
import { PASSWORD } from '../../support/toolkit.ts'

const gateway = reused()
const open = reusedConsole()

beforeEach(skipWithoutBrowser)

/** What an end user may take from the sign-up to the first reply. */
const END_USER_MAX_MS = 60_000
const ROOT_MAX_MS = 120_000
const MODEL = 'gpt-4o-mini'

const answer = (exchange: Exchange) => sendJson(exchange, completion('Hello from the upstream', usage(3, 4)))
const step = (page: Page, title: string) => page.locator('.step-list > li').filter({ hasText: title })
const isDone = (page: Page, title: string) =>
  step(page, title).filter({ hasText: '已完成' }).waitFor({ state: 'visible' })

async function addChannel(page: Page, { url }: { url: string }): Promise<void> {
  const drawer = page.locator('.arco-drawer')
  const type = drawer.getByRole('combobox', { name: '类型' })
  await type.click()
  await page.locator('.arco-select-option').first().waitFor()
  await type.locator('input').fill('OpenAI')
  await page.evaluate(() => new Promise(requestAnimationFrame))
  await page.keyboard.press('Enter')
  await drawer.getByRole('textbox', { name: '名称', exact: true }).fill('first')
  await drawer.getByRole('textbox', { name: '密钥', exact: true }).fill('sk-upstream')
  await drawer.getByRole('textbox', { name: 'API 地址', exact: true }).fill(url)
  await drawer.getByRole('textbox', { name: '自定义模型名称', exact: true }).fill(MODEL)
  await drawer.getByRole('button', { name: '填入', exact: true }).click()
  await drawer.getByRole('button', { name: '提交', exact: true }).click()
}

async function runIt(page: Page): Promise<void> {
  await page.getByRole('button', { name: '在这里运行' }).click()
  await page.getByRole('alert').getByText('Hello from the upstream').waitFor()
}

describe('the first request', () => {
  test('of a new gateway is sent by root with the console alone', async () => {
    const upstream = await startUpstream(answer)
    const world = await gateway()
    const { page } = await openConsole(world, { at: '/login' })
    const startedAt = Date.now()

    await page.getByLabel('用户名或邮箱').fill(world.root.username)
    await page.getByLabel('密码', { exact: true }).fill(PASSWORD)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /^快速开始：还差 \d 步$/ }).click()
    await step(page, '添加渠道').getByRole('link', { name: '新建渠道' }).click()
    await addChannel(page, upstream)
    await page.getByRole('link', { name: /^快速开始/ }).click()
    await isDone(page, '添加渠道')
    await step(page, '测试渠道').getByRole('button', { name: '立即测试' }).click()
    await isDone(page, '测试渠道')
    await isDone(page, '确认模型价格')
    await step(page, '创建 API 密钥').getByRole('button').click()
    await page.getByRole('heading', { name: '您的密钥已就绪' }).waitFor()
    await runIt(page)
    await isDone(page, '发出第一个请求')

    const tookMs = Date.now() - startedAt
    console.info(`root: from the login to the first reply in ${(tookMs / 1000).toFixed(1)} s`)
    expect(tookMs).toBeLessThan(ROOT_MAX_MS)
    await step(page, '设置公开地址').getByRole('button').click()
    await isDone(page, '设置公开地址')
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('link', { name: /^\d{14}/ }).click()
    await page.getByText('1 次尝试 #').waitFor()
  })

  test('of an end user is sent within a minute after sign-up', async () => {
    const upstream = await startUpstream(answer)
    const world = await gateway()
    await world.channel({ base_url: upstream.url, models: MODEL })
    await world.toolkit.options.set(world.root, 'QuotaForNewUser', '500000')
    const { page } = await open(world, { at: '/register' })
    const startedAt = Date.now()

    await page.getByLabel('用户名').fill('ann')
    await page.getByLabel('密码', { exact: true }).fill('correct horse')
    await page.getByLabel('确认密码').fill('correct horse')
    await page.keyboard.press('Enter')
    await page.waitForURL('/start')
    await step(page, '创建 API 密钥').getByRole('button').click()
    await page.getByRole('heading', { name: '您的密钥已就绪' }).waitFor()
    await runIt(page)

    const tookMs = Date.now() - startedAt
    console.info(`end user: from the sign-up to the first reply in ${(tookMs / 1000).toFixed(1)} s`)
    expect(tookMs).toBeLessThan(END_USER_MAX_MS)
    await page.getByRole('heading', { name: '全部完成' }).waitFor()
    await page.goto('/token')
    await page.getByRole('row').filter({ hasText: '我的第一个密钥' }).waitFor()
    expect(await page.getByRole('link', { name: /^快速开始/ }).count()).toBe(0)
  })
})

describe('a new key', () => {
  test('shows its address, examples with a usable model, and why a request failed', async () => {
    const world = await gateway()
    await world.channel({ models: `text-embedding-3-small,${MODEL}` })
    const person = await world.user({ quota: 0 })
    const token = await world.token(person)
    const { page, expects } = await open(world, { as: person, at: `/start?token=${token.id}` })
    expects(/status of 403/)

    expect(await page.getByLabel('接口地址 (Base URL)', { exact: true }).inputValue()).toBe(`${world.url}/v1`)
    const key = await page.getByLabel('API 密钥', { exact: true }).inputValue()
    expect(key).toMatch(/^sk-\w{48}$/)
    const code = page.locator('.key-ready-tabs pre:visible')
    for (const [tab, text] of [
      ['curl', `curl ${world.url}/v1/chat/completions`],
      ['Python', `base_url="${world.url}/v1"`],
      ['Node', `baseURL: '${world.url}/v1'`],
      ['Anthropic', `${world.url}/v1/messages`],
      ['Gemini', `/v1beta/models/${MODEL}:generateContent`],
      ['Codex', 'wire_api = "responses"'],
      ['Claude Code', `ANTHROPIC_BASE_URL="${world.url}"`],
      ['Cursor', 'Override OpenAI Base URL'],
      ['环境变量', 'export OPENAI_API_KEY'],
    ] as const) {
      await page.getByRole('tab', { name: tab, exact: true }).click()
      await expect.poll(() => code.innerText(), { message: tab }).toContain(text)
      expect(await code.innerText(), tab).toContain(key)
      if (tab !== '环境变量') expect(await code.innerText(), tab).toContain(MODEL)
    }
    await expectAccessible(page, { themes: BOTH_THEMES })

    await page.getByRole('button', { name: '在这里运行' }).click()
    await page.getByText(/^请求失败/).waitFor()
    await page.locator('.key-ready-run').getByRole('link').click()
    await page.getByText('余额不足：请充值，或减小 max_tokens。').waitFor()
  })

  test('of another user is not shown', async () => {
    const world = await gateway()
    const token = await world.token(await world.user())
    const { page } = await open(world, { as: await world.user(), at: `/start?token=${token.id}` })

    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('heading', { name: '您的密钥已就绪' }).count()).toBe(0)
  })

  test('and the guide can be dismissed, and reopened', async () => {
    const world = await gateway()
    const person = await world.user()
    const { page } = await open(world, { as: person, at: '/token' })
    await page.getByRole('link', { name: '快速开始：还差 2 步' }).click()
    await page.getByRole('button', { name: '不再提示' }).click()
    await page.goto('/token')
    await page.getByRole('button', { name: /^用户菜单/ }).click()
    expect(await page.getByRole('link', { name: /^快速开始/ }).count()).toBe(0)

    await page.getByRole('menuitem', { name: '快速开始' }).click()

    await page.getByRole('heading', { name: '还差 2 步' }).waitFor()
  })
})
