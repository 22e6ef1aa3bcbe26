import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeEach, onTestFinished, vi } from 'vitest'
import { SESSION_COOKIE } from '../../server/api/access.ts'
import { loginAnswer } from '../../server/api/login-answer.ts'
import { type Complaints, collectComplaints } from './browser/complaints.ts'
import { findBrowser, skipWithoutBrowser } from './browser/connection.ts'
import { keepStill } from './browser/still.ts'
import type { TestGateway } from './gateway.ts'
import type { Person } from './toolkit.ts'

export { skipWithoutBrowser } from './browser/connection.ts'

type Fixture = Pick<TestGateway, 'url' | 'toolkit'>

export interface ConsoleOptions {
  /** The signed-in user; absent: no sign-in. */
  as?: Person
  /** The page to open. If absent, the test itself opens a page, such as after `page.route`. */
  at?: string
  /** Choices stored by an earlier visit. Default: light theme, and Chinese, the browser's language. */
  theme?: 'light' | 'dark'
  language?: 'zh' | 'en'
  /** Pixels: 1440 is a desktop, 390 a phone. */
  width?: 1440 | 390
  /** Other browser options, such as `permissions`. */
  browser?: BrowserContextOptions
}

export interface OpenConsole {
  page: Page
  context: BrowserContext
  /** Declares the errors that the page will report; any other error fails the test at its end. */
  expects: Complaints['expects']
}

const HEIGHTS = { 1440: 900, 390: 844 } as const
const BUILT = fileURLToPath(new URL('../../dist/console/index.html', import.meta.url))

/**
 * Opens the console of a gateway in a new browser with an empty cache, which closes with the test. Use it only for
 * tests of the cache, and for a second browser. The file needs `beforeEach(skipWithoutBrowser)`.
 */
export async function openConsole(fixture: Fixture, options: ConsoleOptions = {}): Promise<OpenConsole> {
  const opened = await openContext(fixture, options.browser)
  onTestFinished(() => opened.context.close())
  return openPage(fixture, opened, options)
}

/**
 * Like `openConsole`, for tests with a `reused()` gateway. The tests of a file or a `describe` share a browser, which
 * keeps only the console's files in its cache. Each test gets a new page and sign-in.
 */
export function reusedConsole(): typeof openConsole {
  const kept = new Map<string, Opened>()
  // Browser tests slow down most on a busy machine. Each step has its own timeout.
  vi.setConfig({ testTimeout: STORY_MS })
  afterAll(() => vi.resetConfig())
  beforeEach(skipWithoutBrowser)
  afterAll(async () => {
    for (const { context } of kept.values()) await context.close()
  })
  return async (fixture, options = {}) => {
    const key = JSON.stringify([fixture.url, options.browser])
    const opened = kept.get(key) ?? (await openKeptContext(fixture, options.browser))
    kept.set(key, opened)
    if (pagesOf(opened).length > 0) throw new Error('A test that needs two pages opens the second by openConsole')
    return openPage(fixture, opened, options)
  }
}

interface Opened {
  context: BrowserContext
  complaints: Complaints
  /**
   * Stays open, so that the next page uses the same process, with its compiled scripts. A new process doubles the time.
   */
  idlePage?: Page
}

/** Returns the pages of the current test. */
const pagesOf = ({ context, idlePage }: Opened): Page[] => context.pages().filter((page) => page !== idlePage)

async function openKeptContext(fixture: Fixture, options?: BrowserContextOptions): Promise<Opened> {
  const opened = await openContext(fixture, options)
  return { ...opened, idlePage: await opened.context.newPage() }
}

async function openContext({ url }: Fixture, options: BrowserContextOptions = {}): Promise<Opened> {
  if (!existsSync(BUILT)) throw new Error('The web console is not built. Build it with: npm run build')
  const browser = await findBrowser()
  if ('reason' in browser) throw new Error(browser.reason)
  const context = await browser.newContext({
    baseURL: url,
    locale: 'zh-CN',
    timezoneId: 'Asia/Shanghai',
    colorScheme: 'light',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(WAIT_MS)
  await keepStill(context)
  return { context, complaints: collectComplaints(context, new URL(url).origin) }
}
const STORY_MS = 120_000
/** Shorter than the test's timeout, so that a failure names the step. */
const WAIT_MS = 20_000

async function openPage(fixture: Fixture, opened: Opened, options: ConsoleOptions): Promise<OpenConsole> {
  const { context, complaints } = opened
  const { at, width = 1440 } = options
  const page = await context.newPage()
  onTestFinished(async () => {
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const open of pagesOf(opened)) await open.close()
    await complaints.verify()
  })
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await signIn(page, fixture, options)
  if (at !== undefined) await page.goto(at)
  return { page, context, expects: complaints.expects }
}

/** Sets the browser to the state after a sign-in and the choices of an earlier visit. */
async function signIn(page: Page, { url, toolkit }: Fixture, { as, theme, language }: ConsoleOptions): Promise<void> {
  const context = page.context()
  await context.clearCookies()
  if (as) {
    const value = await toolkit.sessions.create(as.id)
    await context.addCookies([{ name: SESSION_COOKIE, value, url, httpOnly: true, sameSite: 'Strict' }])
  }
  const user = as && loginAnswer(await toolkit.accounts.get(as, as.id))
  const stored = Object.entries({ user, theme, language }).filter(([, value]) => value !== undefined)
  await page.addInitScript(storeOnce, {
    origin: new URL(url).origin,
    values: stored.map(([name, value]) => [name, JSON.stringify(value)] as const),
  })
}

/**
 * Stores values before the first script of the first page. Does not run for other pages, so that later choices stay.
 */
function storeOnce({ origin, values }: { origin: string; values: (readonly [name: string, value: string])[] }): void {
  const done = 'stored by the test'
  if (location.origin !== origin || sessionStorage.getItem(done)) return
  sessionStorage.setItem(done, 'true')
  localStorage.clear()
  for (const [name, value] of values) localStorage.setItem(name, value)
}
