import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/version.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { HOSTILE_HTML, KEPT_FROM, watchTheft } from '../../support/browser/hostile-html.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

describe('the about page', () => {
  test('names this software and links to its documentation', async () => {
    const world = await gateway()
    const { page } = await open(world, { at: '/about' })

    await page.getByText(`Tollgate ${VERSION}`).waitFor()
    expect(await page.getByRole('link', { name: 'API 文档' }).getAttribute('href')).toBe('/docs/api')
    expect(await page.getByRole('link', { name: /填写自己的关于内容/ }).count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('shows root where to set a custom text', async () => {
    const world = await gateway()
    const { page } = await open(world, { as: world.root, at: '/about' })

    await page.getByRole('link', { name: /填写自己的关于内容/ }).click()

    await page.waitForURL('/setting?tab=other')
  })

  test('shows the operator’s text, and a retry button if loading fails', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'About', '## 我们是谁')
    const { page, expects } = await open(world)
    expects(/ERR_CONNECTION_REFUSED|ERR_FAILED/)
    await page.route('**/api/about', (route) => route.abort())
    await page.goto('/about')
    const problem = page.getByRole('alert').filter({ hasText: '错误：无法连接服务器，请检查网络后重试' })
    await problem.waitFor()
    await page.unroute('**/api/about')
    await problem.getByRole('button', { name: '重试' }).click()

    await page.getByRole('heading', { name: '我们是谁' }).waitFor()
  })

  test.each([
    ['Markdown with HTML', HOSTILE_HTML],
    ['a document', `<!doctype html>${HOSTILE_HTML}`],
  ])('cannot run scripts as its reader: %s', async (_, content) => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'About', content)
    const { page, expects } = await open(world, { as: world.root })
    expects(...KEPT_FROM)
    const theft = watchTheft(page)

    await page.goto('/about')
    await page.locator('iframe[title="关于"], .markdown p').first().waitFor()

    await theft.expectNone()
  })
})
