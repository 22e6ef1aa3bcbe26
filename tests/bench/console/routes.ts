/*
 * Measures the cost of each main screen for a user who opens it for the first time: transferred bytes and loading time.
 * Writes the figures to a file.
 */
import { writeFile } from 'node:fs/promises'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { test } from 'vitest'
import { launchBrowser } from '../../support/browser/chromium.ts'
import { signIn } from './sign-in.ts'

const { CONSOLE_BENCH_URL = '', CONSOLE_BENCH_PASSWORD = '', CONSOLE_BENCH_OUTPUT = '' } = process.env
const ROUNDS = 3
/** Wait after the last request, in which rows are drawn and late layout shifts occur. */
const SETTLE_MS = 1_000
const ROUTES = [
  '/login',
  '/token',
  '/detail',
  '/channel',
  '/user',
  '/log',
  '/pricing',
  '/playground',
  '/topup',
  '/setting?tab=operation',
]

/** Encoded bytes of bodies, number of requests, times in milliseconds, and the sum of layout shifts (`cls`). */
interface Figures {
  bytes: number
  requests: number
  fcp: number
  lcp: number
  cls: number
  longestTask: number
}

test('figures of the main routes', async () => {
  const { browser, close } = await launchBrowser()
  const figures: Record<string, Figures[]> = {}
  try {
    // Sign in only once, because sign-ins are rate-limited and not measured.
    const context = await browser.newContext({ baseURL: CONSOLE_BENCH_URL })
    await signIn(context, CONSOLE_BENCH_PASSWORD)
    await (await context.newPage()).goto('/about')
    const signedIn = await context.storageState()
    await context.close()
    for (let round = 0; round < ROUNDS; round++) {
      for (const route of ROUTES) figures[route] = [...(figures[route] ?? []), await measure(browser, route, signedIn)]
    }
  } finally {
    await close()
  }
  await writeFile(CONSOLE_BENCH_OUTPUT, JSON.stringify(figures))
})

/** Measures one route in a new browser context with an empty cache. */
async function measure(browser: Browser, route: string, signedIn: Stored): Promise<Figures> {
  const context = await browser.newContext({
    baseURL: CONSOLE_BENCH_URL,
    viewport: { width: 1440, height: 900 },
    ...(route !== '/login' && { storageState: { ...signedIn, origins: signedIn.origins.map(onlyUser) } }),
  })
  try {
    const page = await context.newPage()
    await observe(page)
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      const size = async () => {
        await response.finished()
        return (await response.request().sizes()).responseBodySize
      }
      sizes.push(size().catch(() => 0))
    })
    await page.goto(route)
    await page.waitForLoadState('networkidle')
    await page.waitForTimeout(SETTLE_MS)
    const seen = await page.evaluate(() => (window as unknown as { seen: Omit<Figures, 'bytes' | 'requests'> }).seen)
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    return { ...seen, bytes, requests: sizes.length }
  } finally {
    await context.close()
  }
}

type Stored = Exclude<BrowserContextOptions['storageState'], string | undefined>

/** Keeps only the signed-in user of the stored values. */
const onlyUser = ({ origin, localStorage }: Stored['origins'][number]) => ({
  origin,
  localStorage: localStorage.filter(({ name }) => name === 'user'),
})

/** Records the browser's own measurements in `window.seen`. https://web.dev/articles/vitals */
async function observe(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const seen = { fcp: 0, lcp: 0, cls: 0, longestTask: 0 }
    Object.assign(window, { seen })
    const watch = (type: string, note: (entry: PerformanceEntry & { value?: number }) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true })
    watch('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') seen.fcp = startTime
    })
    watch('largest-contentful-paint', ({ startTime }) => {
      seen.lcp = startTime
    })
    watch('layout-shift', ({ value = 0 }) => {
      seen.cls += value
    })
    watch('longtask', ({ duration }) => {
      seen.longestTask = Math.max(seen.longestTask, duration)
    })
  })
}
