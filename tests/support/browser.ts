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

type World = Pick<TestGateway, 'url' | 'toolkit'>

export interface ConsoleOptions {
  /** Who is signed in; nobody when absent. */
  as?: Person
  /** Which page to open at once; when absent, the test goes to one itself, as after `page.route`. */
  at?: string
  /** As if chosen on an earlier visit. When absent: light, and Chinese, as the browser asks for. */
  theme?: 'light' | 'dark'
  language?: 'zh' | 'en'
  /** Pixels: 1440 is a desk, 390 a telephone. */
  width?: 1440 | 390
  /** Whatever else a browser can be told, such as `permissions`. */
  browser?: BrowserContextOptions
}

export interface OpenConsole {
  page: Page
  context: BrowserContext
  /** Says beforehand what the page will complain about; a test fails at its end by any other complaint. */
  expects: Complaints['expects']
}

const HEIGHTS = { 1440: 900, 390: 844 } as const
const BUILT = fileURLToPath(new URL('../../dist/console/index.html', import.meta.url))

/**
 * The console of a gateway in a browser of its own: a cold one, which loads everything anew. For the few tests that are about
 * that, or that need a second browser; it is closed when the test is done. The file says `beforeEach(skipWithoutBrowser)`.
 */
export async function openConsole(world: World, options: ConsoleOptions = {}): Promise<OpenConsole> {
  const opened = await openContext(world, options.browser)
  onTestFinished(() => opened.context.close())
  return openPage(world, opened, options)
}

/**
 * As `openConsole`, for a file or a `describe`: all tests have one browser after one another, which keeps the files of the
 * console and nothing else. Each gets a page of its own, signed in anew. For tests over a `reused()` gateway.
 */
export function reusedConsole(): typeof openConsole {
  const kept = new Map<string, Opened>()
  // A browser slows down more than other tests on a machine that is busy; each step has a limit of its own.
  vi.setConfig({ testTimeout: STORY_MS })
  afterAll(() => vi.resetConfig())
  beforeEach(skipWithoutBrowser)
  afterAll(async () => {
    for (const { context } of kept.values()) await context.close()
  })
  return async (world, options = {}) => {
    const key = JSON.stringify([world.url, options.browser])
    const opened = kept.get(key) ?? (await openContext(world, options.browser))
    kept.set(key, opened)
    if (opened.context.pages().length > 0)
      throw new Error('A test that needs two pages opens the second by openConsole')
    return openPage(world, opened, options)
  }
}

interface Opened {
  context: BrowserContext
  complaints: Complaints
}

async function openContext({ url }: World, options: BrowserContextOptions = {}): Promise<Opened> {
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
/** Shorter than a test may take, so that it fails by saying what it has waited for. */
const WAIT_MS = 20_000

async function openPage(world: World, { context, complaints }: Opened, options: ConsoleOptions): Promise<OpenConsole> {
  const { at, width = 1440 } = options
  const page = await context.newPage()
  onTestFinished(async () => {
    await context.unrouteAll({ behavior: 'ignoreErrors' })
    for (const open of context.pages()) await open.close()
    await complaints.verify()
  })
  await page.setViewportSize({ width, height: HEIGHTS[width] })
  await signIn(page, world, options)
  if (at !== undefined) await page.goto(at)
  return { page, context, expects: complaints.expects }
}

/** Leaves in the browser what a login and the choices of an earlier visit would have left, and nothing else. */
async function signIn(page: Page, { url, toolkit }: World, { as, theme, language }: ConsoleOptions): Promise<void> {
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

/** Runs in the browser before the first script of the first page, and does nothing afterwards: a later choice stays. */
function storeOnce({ origin, values }: { origin: string; values: (readonly [name: string, value: string])[] }): void {
  const done = 'stored by the test'
  if (location.origin !== origin || sessionStorage.getItem(done)) return
  sessionStorage.setItem(done, 'true')
  localStorage.clear()
  for (const [name, value] of values) localStorage.setItem(name, value)
}
