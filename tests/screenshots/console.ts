/*
 * Pictures of every screen of the console: both languages and themes, on a desktop, a tablet and a phone, as root, as a user and as a visitor. They go to `screenshots/`,
 * for developers who change a screen; those that the documentation shows go to `docs/console/` as well. Chinese text needs a font of the machine
 * (Debian: `apt-get install fonts-noto-cjk`).
 */
import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { test } from 'vitest'
import { mayOpen, type ScreenAccess } from '../../console/access.ts'
import { SCREENS, type Screen } from '../../console/screens.tsx'
import { SESSION_COOKIE } from '../../server/api/access.ts'
import { loginAnswer } from '../../server/api/login-answer.ts'
import { launchBrowser } from '../support/browser/chromium.ts'
import { openTestGateway, type TestGateway } from '../support/gateway.ts'
import { seedData } from '../support/seed-data.ts'
import type { Person } from '../support/toolkit.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const ALBUM = join(ROOT, 'screenshots')
const SHOWN = join(ROOT, 'docs/console')

interface Look {
  name: string
  language: 'zh' | 'en'
  theme: 'light' | 'dark'
  width: number
  height: number
  /** Who is signed in on pages that need it. */
  as: 'root' | 'alice'
}
const LOOKS: readonly Look[] = [
  { name: 'zh-light', language: 'zh', theme: 'light', width: 1440, height: 900, as: 'root' },
  { name: 'en-dark', language: 'en', theme: 'dark', width: 1440, height: 900, as: 'root' },
  { name: 'zh-phone', language: 'zh', theme: 'light', width: 390, height: 844, as: 'root' },
  { name: 'en-tablet', language: 'en', theme: 'light', width: 1024, height: 768, as: 'root' },
  { name: 'zh-user', language: 'zh', theme: 'dark', width: 1440, height: 900, as: 'alice' },
  { name: 'en-user-phone', language: 'en', theme: 'dark', width: 390, height: 844, as: 'alice' },
]

/** What the documentation shows: the best six. */
const BEST = [
  'en-dark/dashboard',
  'en-dark/channel',
  'zh-light/log',
  'zh-light/setting-operation',
  'en-dark/playground',
  'zh-phone/token',
]

interface Shot {
  name: string
  path: string
  access: ScreenAccess
  /** What to do before the picture is taken. */
  prepare?: (page: Page) => Promise<void>
}

const FAILED_REQUEST = '20261128093015a1b2c3d4e50000000042'

/** Screens that a picture needs to be led to, or that have more than one face. */
const EXTRA: Shot[] = [
  { name: 'setting-operation', path: '/setting?tab=operation', access: 'root' },
  { name: 'setting-system', path: '/setting?tab=system', access: 'root' },
  { name: 'setting-other', path: '/setting?tab=other', access: 'root' },
  { name: 'not-found', path: '/nowhere', access: 'anyone' },
  { name: 'log-errors', path: '/log?type=5', access: 'user' },
  { name: 'request-failed', path: `/request/${FAILED_REQUEST}`, access: 'user' },
  {
    name: 'log-row',
    path: '/log',
    access: 'user',
    prepare: (page) => page.locator('.table-row button[aria-expanded]').first().click(),
  },
  {
    name: 'palette',
    path: '/token',
    access: 'user',
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
    },
  },
]
const WITHOUT_PICTURE = ['/oauth/:provider', '/chat2link']

const shots: Shot[] = [
  ...SCREENS.flatMap(({ name, paths, access }) =>
    paths
      .filter((path) => !WITHOUT_PICTURE.includes(path))
      .map((path) => ({ name: nameOf(name, path), path: path.replace(':id', '1'), access })),
  ),
  ...EXTRA,
]

function nameOf(screen: Screen['name'], path: string): string {
  if (path.endsWith('/add')) return `${screen}-add`
  return path.endsWith('/:id') ? `${screen}-one` : screen
}

test('every screen of the console, in each theme and size', async () => {
  const fixture = await openTestGateway()
  await fixture.toolkit.options.set(fixture.root, 'DrawingEnabled', 'true')
  const { alice } = await seedData(fixture, { relays: 160 })
  const failure = failureOf(alice)
  await fixture.toolkit.logs.writeFailures([failure, ...REJECTIONS.map((rejection) => ({ ...failure, ...rejection }))])
  const { browser, close } = await launchBrowser()
  try {
    for (const look of LOOKS) await photograph(browser, fixture, look, look.as === 'root' ? fixture.root : alice)
  } finally {
    await close()
  }
  await mkdir(SHOWN, { recursive: true })
  for (const best of BEST) await copyFile(join(ALBUM, `${best}.png`), join(SHOWN, `${best.replace('/', '-')}.png`))
})

const failureOf = ({ id }: Person) => ({
  requestId: FAILED_REQUEST,
  userId: id,
  username: 'alice',
  tokenId: 1,
  tokenName: 'web-app',
  modelName: 'gpt-4o',
  channelId: 2,
  group: 'default',
  useTimeSeconds: 4,
  isStream: true,
  at: Math.floor(Date.now() / 1000) - 60,
  content: `Upstream rate limit reached, retry later (request id: ${FAILED_REQUEST})`,
  status: 429,
  code: 'rate_limit_exceeded',
  tries: [
    { channel: 1, status: 503, code: 'overloaded', ms: 3200, message: 'The engine is overloaded' },
    { channel: 2, status: 429, code: 'rate_limit_exceeded', ms: 420, message: 'Rate limit reached for gpt-4o' },
  ],
})

/** Requests that the gateway rejected, so that they have no channel, and not always a model. */
const REJECTIONS = [
  { status: 401, code: 'token_disabled', modelName: '', content: 'This API key is disabled' },
  { status: 403, code: 'token_model', modelName: 'claude-sonnet-4-5', content: 'This API key may not use the model' },
  { status: 404, code: 'model_not_found', modelName: 'gpt-4o-2024-08-06-with-a-long-suffix', content: 'No such model' },
  { status: 429, code: 'insufficient_user_quota', modelName: 'gpt-4o', content: 'Insufficient quota' },
].map((rejection, place) => ({
  ...rejection,
  requestId: `2026112809301${place}a1b2c3d4e50000000043`,
  channelId: 0,
  useTimeSeconds: 0,
  isStream: false,
  tries: [],
}))

async function photograph(browser: Browser, fixture: TestGateway, look: Look, person: Person): Promise<void> {
  const folder = join(ALBUM, look.name)
  await mkdir(folder, { recursive: true })
  for (const as of [person, undefined]) {
    const page = await openPage(browser, fixture, look, as)
    const user = as && loginAnswer(await fixture.toolkit.accounts.get(as, as.id))
    const isShown = ({ access }: Shot) => (user ? access !== 'anyone' && mayOpen(user, access) : access === 'anyone')
    for (const { name, path, prepare } of shots.filter(isShown)) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await prepare?.(page)
      await page.waitForTimeout(SETTLE_MS)
      await page.screenshot({ path: join(folder, `${name}.png`) })
    }
    await page.context().close()
  }
}
/** Charts draw themselves over some time. */
const SETTLE_MS = 700

async function openPage(
  browser: Browser,
  { url, toolkit }: TestGateway,
  { theme, language, width, height }: Look,
  as: Person | undefined,
): Promise<Page> {
  const context = await browser.newContext({
    baseURL: url,
    viewport: { width, height },
    timezoneId: 'Asia/Shanghai',
    locale: language === 'zh' ? 'zh-CN' : 'en-US',
    reducedMotion: 'reduce',
  })
  const user = as && loginAnswer(await toolkit.accounts.get(as, as.id))
  await context.addInitScript(
    (kept) => {
      for (const [name, value] of Object.entries(kept)) localStorage.setItem(name, JSON.stringify(value))
    },
    { theme, language, ...(user && { user }) },
  )
  if (as) await context.addCookies([{ name: SESSION_COOKIE, value: await toolkit.sessions.create(as.id), url }])
  return context.newPage()
}
