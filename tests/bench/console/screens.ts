/*
 * Measures how long a user waits for the console. All times are measured inside the page, from the gesture to the frame
 * that shows its result. So they do not include the communication between test and browser. Writes the figures to a
 * file.
 */
import { writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { test } from 'vitest'
import { launchBrowser } from '../../support/browser/chromium.ts'
import { signIn } from './sign-in.ts'

const { CONSOLE_BENCH_URL = '', CONSOLE_BENCH_PASSWORD = '', CONSOLE_BENCH_OUTPUT = '' } = process.env
const ROUNDS = 5

test('figures of the console', async () => {
  const { browser, close } = await launchBrowser()
  const figures: Record<string, number[]> = {}
  const keep = (what: string, ms: number) => {
    figures[what] = [...(figures[what] ?? []), ms]
  }
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const cold = await browser.newContext({ baseURL: CONSOLE_BENCH_URL })
      keep('an empty page', await timeOfEmptyPage(await cold.newPage()))
      keep('login page until one can type', await timeOfLogin(await cold.newPage()))
      await cold.close()
    }
    const context = await browser.newContext({ baseURL: CONSOLE_BENCH_URL, viewport: { width: 1440, height: 900 } })
    await signIn(context, CONSOLE_BENCH_PASSWORD)
    const page = await context.newPage()
    for (const [name, path, filtered] of [
      ['logs', '/log?p=1&size=10', '/log?p=1&size=10&model_name=model-3'],
      ['channels', '/channel?p=1&size=10', '/channel?p=1&size=10&keyword=bench-7'],
    ] as const) {
      await page.goto(path)
      await rows(page).nth(5).waitFor()
      for (let round = 0; round < ROUNDS; round++) {
        keep(`${name}: next page`, await timeOf(page, () => page.locator('.arco-pagination-item-next').click()))
        keep(`${name}: filter`, await timeOf(page, () => go(page, filtered)))
        keep(`${name}: no filter`, await timeOf(page, () => go(page, path)))
      }
    }
  } finally {
    await close()
  }
  await writeFile(CONSOLE_BENCH_OUTPUT, JSON.stringify(figures))
})

async function timeOfEmptyPage(page: Page): Promise<number> {
  await page.goto('/api/status')
  return page.evaluate(() => performance.getEntriesByType('navigation')[0]?.duration ?? Number.NaN)
}

/** Returns the time from the start of the navigation to the frame in which a field has the focus. */
async function timeOfLogin(page: Page): Promise<number> {
  await page.goto('/login', { waitUntil: 'commit' })
  return page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const look = () =>
          document.activeElement?.tagName === 'INPUT' ? resolve(performance.now()) : requestAnimationFrame(look)
        look()
      }),
  )
}

const rows = (page: Page) => page.locator('.table-row')

/** Navigates without loading a new page, like a link of the console. */
async function go(page: Page, to: string): Promise<void> {
  await page.evaluate((address) => {
    history.pushState({ idx: 0, key: String(Math.random()) }, '', address)
    dispatchEvent(new PopStateEvent('popstate', { state: history.state }))
  }, to)
}

/** Returns the time from the gesture to the frame that shows other rows. */
async function timeOf(page: Page, gesture: () => Promise<unknown>): Promise<number> {
  const changed = page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const shown = () => document.querySelector('.arco-table-body, table tbody')?.textContent ?? ''
        const before = shown()
        const started = new Promise<number>((resolve) => {
          for (const event of ['pointerdown', 'popstate']) {
            addEventListener(event, () => resolve(performance.now()), { once: true, capture: true })
          }
        })
        void started.then((from) => {
          const look = () => (shown() === before ? requestAnimationFrame(look) : resolve(performance.now() - from))
          look()
        })
      }),
  )
  await gesture()
  return changed
}
