import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { holdBack } from '../../support/browser/held.ts'
import { reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const link = (page: Page, name: string) => page.getByRole('link', { name, exact: true })

test('a link is followed, though the text of a filter was to be written into the URL of the last page', async () => {
  const world = await gateway()
  const { page } = await open(world, { as: world.root, at: '/setting?tab=operation' })
  const filter = page.getByLabel('搜索设置项')
  await filter.fill('重试')
  await page.waitForURL(/q=/)
  await page.waitForLoadState('networkidle')
  const held = await holdBack(page, 'GET', '**/assets/**')

  await filter.fill('倍率')
  await link(page, '模型价格').click()
  await expect.poll(() => held.sent.length).toBeGreaterThan(0)
  await page.waitForTimeout(600) // longer than a filter waits for more input
  await held.letAll()

  await heading(page, '模型价格').waitFor()
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe('/pricing')
})
