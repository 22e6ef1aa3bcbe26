import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { TOKEN_STATUS } from '../../../console/api/tokens.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { withoutEmbeddedStatus } from '../../support/browser/without-status.ts'
import { reusedConsole } from '../../support/browser.ts'
import { keyOf, type TestGateway } from '../../support/gateway.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const FRAMED = 'https://chat.test/#/?key={key}&url={address}'
const CHATS = [{ 第一个: FRAMED }, { 应用: 'opencat://team/join?domain={address}&token={key}' }, { 坏的: 'no address' }]

async function withChats(world: TestGateway, chats: unknown = CHATS, more: Record<string, string> = {}) {
  const { options } = world.toolkit
  await options.set(world.root, 'ServerAddress', 'https://gateway.test')
  await options.set(world.root, 'Chats', JSON.stringify(chats))
  for (const [name, value] of Object.entries(more)) await options.set(world.root, name, value)
  const person = await world.user()
  const enabled = await world.token(person)
  const disabled = await world.token(person)
  await world.toolkit.tokens.setStatus(person, disabled.id, TOKEN_STATUS.disabled)
  return { person, key: keyOf(enabled) }
}

/** Answers for the chat application. */
const beChat = (page: Page) =>
  page.context().route('https://chat.test/**', (route) =>
    route.fulfill({
      contentType: 'text/html; charset=utf-8',
      body: '<!doctype html><title>chat</title><p>聊天应用</p>',
    }),
  )

describe('the embedded chat', () => {
  test("frames the application with an enabled key and the address of the gateway, without access to its user's session", async () => {
    const world = await gateway()
    const { person, key } = await withChats(world)
    const { page } = await open(world, { as: person })
    await beChat(page)
    await page.goto('/chat')
    await page.getByText('要把您的 API 密钥发送给 chat.test 吗？').waitFor()
    expect(await page.locator('iframe').count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.getByRole('button', { name: '在 chat.test 打开 第一个' }).click()

    const frame = page.locator('iframe[title="第一个"]')
    await frame.contentFrame().getByText('聊天应用').waitFor()
    const address = `https://chat.test/#/?key=${key}&url=${encodeURIComponent('https://gateway.test')}`
    expect(await frame.getAttribute('src')).toBe(address)
    expect((await frame.getAttribute('sandbox'))?.split(' ').sort()).toEqual([
      'allow-forms',
      'allow-popups',
      'allow-popups-to-escape-sandbox',
      'allow-same-origin',
      'allow-scripts',
    ])
    expect(await frame.getAttribute('allow')).toBe('clipboard-write')
    expect(await page.getByRole('link', { name: '在新标签页打开' }).getAttribute('href')).toBe(address)
  })

  test('offers sites that forbid framing as a button, and names an invalid link', async () => {
    const world = await gateway()
    const { person, key } = await withChats(world)
    const { page } = await open(world, { as: person, at: '/chat/1' })

    const link = page.getByRole('link', { name: '打开 应用' }).or(page.getByRole('button', { name: '打开 应用' }))
    await link.waitFor()
    expect(await link.getAttribute('href')).toBe(
      `opencat://team/join?domain=${encodeURIComponent('https://gateway.test')}&token=${key}`,
    )
    await expectAccessible(page, { themes: BOTH_THEMES })
    await page.goto('/chat/2')
    await page.getByRole('alert').filter({ hasText: '聊天链接配置错误，请联系管理员' }).waitFor()
  })

  test('opens only for numbers of configured applications', async () => {
    const world = await gateway()
    const { person } = await withChats(world)
    const { page } = await open(world, { as: person })
    for (const path of ['/chat/abc', '/chat/1e0', '/chat/-1', '/chat/9']) {
      await page.goto(path)
      await page.getByRole('heading', { name: '页面不存在' }).waitFor()
      expect(await page.getByRole('alert').count()).toBe(0)
    }
  })

  test('links to the tokens if none is enabled', async () => {
    const world = await gateway()
    await withChats(world)
    const { page } = await open(world, { as: await world.user(), at: '/chat/0' })

    await page.getByText('当前没有可用的启用令牌，请确认是否有令牌处于启用状态！').waitFor()
    await page.waitForURL('/token')
  })

  test('asks a visitor to sign in, and says if nothing is configured', async () => {
    const world = await gateway()
    const { person } = await withChats(world, [])
    const visitor = await open(world, { at: '/chat/0' })
    await visitor.page.getByText('请先登录').waitFor()
    await visitor.page.getByRole('main').getByRole('button', { name: '登录' }).click()
    await visitor.page.waitForURL('/login')
    await visitor.page.close()

    const { page } = await open(world, { as: person, at: '/chat/0' })
    await page.getByRole('alert').filter({ hasText: '请联系管理员配置聊天链接' }).waitFor()
  })

  test('reports unreadable platform data', async () => {
    const world = await gateway()
    const { person } = await withChats(world)
    const { page } = await open(world, { as: person })
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      await route.fulfill({ json: { ...body, data: { ...body.data, chats: [{ 名称: 7 }] } } })
    })

    await page.goto('/chat/0')

    await page.getByRole('alert').filter({ hasText: '聊天数据解析失败' }).waitFor()
  })
})

describe('/chat2link', () => {
  test.each([
    [
      'the application of the older setting first',
      { ChatLink: 'https://chat.test/older' },
      /^https:\/\/chat\.test\/older\/#\//,
    ],
    ['else the first that is configured', { ChatLink: '' }, /^https:\/\/chat\.test\/#\/\?key=/],
  ])('redirects to %s', async (_, more, address) => {
    const world = await gateway()
    const { person, key } = await withChats(world, CHATS, more)
    const { page } = await open(world, { as: person })
    await beChat(page)

    await page.goto('/chat2link')
    const requests: string[] = []
    page.on('request', (request) => requests.push(request.url()))
    const button = page.getByRole('button', { name: /^在 chat\.test 打开 / })
    await button.waitFor()
    expect(requests.filter((url) => url.startsWith('https://chat.test'))).toEqual([])
    await button.click()

    await page.waitForURL(address)
    await page.getByText('聊天应用').waitFor()
    expect(decodeURIComponent(page.url())).toContain(key)
  })

  test('shows why it cannot redirect', async () => {
    const world = await gateway()
    const { person } = await withChats(world, [])
    const { page } = await open(world, { as: person, at: '/chat2link' })
    await page.getByRole('alert').filter({ hasText: '请联系管理员配置聊天链接' }).waitFor()
  })
})
