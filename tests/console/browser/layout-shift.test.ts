import { beforeEach, expect, test } from 'vitest'
import { openConsole, skipWithoutBrowser } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
/** The browser's own measure: https://web.dev/articles/cls */
const SHIFT_MAX = 0.02

beforeEach(skipWithoutBrowser)

test.each([
  ['/login', 'visitor'],
  ['/token', 'root'],
  ['/detail', 'root'],
  ['/log', 'root'],
  ['/channel', 'root'],
  ['/setting', 'root'],
  ['/setting?tab=operation', 'root'],
] as const)('%s does not move while a first visit loads it', async (path, as) => {
  const world = await gateway()
  await world.charge(world.root, { quota: 1000, modelName: 'gpt-4o' })
  const { page } = await openConsole(world, as === 'root' ? { as: world.root } : {})
  await page.addInitScript(() => {
    const shifts: number[] = []
    Object.assign(window, { shifts })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
    }).observe({ type: 'layout-shift', buffered: true })
  })

  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForLoadState('networkidle')

  const shifts = await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)
  expect(shifts.reduce((sum, value) => sum + value, 0)).toBeLessThan(SHIFT_MAX)
})
