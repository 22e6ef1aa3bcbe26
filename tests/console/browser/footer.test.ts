import type { Locator, Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { VERSION } from '../../../core/version.ts'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { HOSTILE_HTML, KEPT_FROM, watchTheft } from '../../support/browser/hostile-html.ts'
import { withoutEmbeddedStatus } from '../../support/browser/without-status.ts'
import { openConsole, reusedConsole } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
const open = reusedConsole()
const FOOTER = 'iframe[title="页脚"]'

/** Returns by how many pixels an element exceeds the footer's frame. */
async function outside(page: Page, inner: Locator): Promise<number> {
  const [frame, box] = [await page.locator(FOOTER).boundingBox(), await inner.boundingBox()]
  if (!frame || !box) return Number.POSITIVE_INFINITY
  return box.y + box.height - frame.y - frame.height
}

describe('the footer', () => {
  test('names product and version', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'SystemName', 'Toll Road')
    const { page } = await open(world, { at: '/login' })

    await page.getByRole('contentinfo').getByText(`Toll Road 0.4.7.2.1 · 网关 ${VERSION}`).waitFor()
  })

  test('is the operator’s own if set', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'Footer', '<a href="https://example.org">示例公司</a>')
    const { page, expects } = await open(world, { at: '/login' })
    expects(/postMessage/) // of axe, to a sandboxed frame

    await page.frameLocator(FOOTER).getByRole('link', { name: '示例公司' }).waitFor()
    expect(await page.getByText('0.4.7.2.1').count()).toBe(0)
    await expectAccessible(page, { themes: BOTH_THEMES })
  })

  test('shows alternative text, or nothing, for pictures that fail to load, and keeps the others', async () => {
    const world = await gateway()
    const svg = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>'
    const pictures = `<img src="https://gone.example/a.png" alt="备案"><img src="https://gone.example/b.png"><img src='${svg}'>`
    await world.toolkit.options.set(world.root, 'Footer', `<p>${pictures}<img src="/logo.png" height="300"></p>`)
    const { page, expects } = await open(world)
    expects(/ERR_FAILED/)
    await page.route('https://gone.example/*', (route) => route.abort())
    await page.goto('/login')

    const footer = page.frameLocator(FOOTER)
    await footer.getByText('备案').waitFor()
    expect(await footer.locator('img').count()).toBe(2)
    await expect.poll(() => outside(page, footer.locator('img').last())).toBeLessThanOrEqual(0)
  })

  test('is fully visible while a picture loads, also in another theme', async () => {
    const world = await gateway()
    const picture = '<p><img src="https://silent.example/a.png" height="20"></p>'
    await world.toolkit.options.set(
      world.root,
      'Footer',
      `${'<p>段</p>'.repeat(6)}${picture}<a href="/about">备案号</a>`,
    )
    const { page } = await open(world)
    await page.route('https://silent.example/*', () => new Promise(() => undefined))
    await page.goto('/login')
    const link = page.frameLocator(FOOTER).getByRole('link', { name: '备案号' })
    await expect.poll(() => outside(page, link)).toBeLessThanOrEqual(0)

    await page.locator(FOOTER).evaluate((frame) => {
      frame.style.height = '30px'
    })
    await page.getByRole('button', { name: '切换到深色主题' }).click()
    await expect.poll(() => outside(page, link)).toBeLessThanOrEqual(0)
  })

  test.each([1440, 390] as const)('is fully visible however long it is, at %i pixels', async (width) => {
    const world = await gateway()
    const lines = Array.from({ length: 5 }, (_, line) => `<p>${`第${line}段 `.repeat(20)}</p>`).join('')
    await world.toolkit.options.set(world.root, 'Footer', `${lines}<a href="/about">备案号</a>`)
    const { page, expects } = await open(world, { at: '/login', width })
    expects(/Blocked script execution/) // of the browser's driver

    const link = page.frameLocator(FOOTER).getByRole('link', { name: '备案号' })
    await expect.poll(() => outside(page, link)).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 360, height: 844 })
    await expect.poll(() => outside(page, link)).toBeLessThanOrEqual(0)

    const opened = page.context().waitForEvent('page')
    await link.click()
    await (await opened).getByRole('heading', { level: 1 }).waitFor()
  })

  test('is searched for in this browser five times, 200 ms apart, while the server is silent', async () => {
    // A clock belongs to the whole browser.
    const { page } = await openConsole(await gateway())
    await page.addInitScript(() => {
      const read = Storage.prototype.getItem
      const counted = { reads: 0 }
      Object.assign(window, { counted })
      Storage.prototype.getItem = function (key) {
        if (key === 'footer_html') counted.reads += 1
        return read.call(this, key)
      }
    })
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', () => new Promise(() => undefined))
    await page.clock.install()
    await page.goto('/login')
    await page.getByRole('contentinfo').waitFor()
    const reads = () => page.evaluate(() => (window as unknown as { counted: { reads: number } }).counted.reads)
    await page.clock.pauseAt(Date.now() + 60_000)
    const before = await reads()

    await page.clock.runFor(5000)

    expect(before).toBeLessThanOrEqual(5)
    expect(await reads()).toBe(5)
  })

  test('uses another tab’s reply if that is faster', async () => {
    const world = await gateway()
    const { page, expects } = await open(world)
    expects(/Blocked script execution/) // the script below, in the frame
    await withoutEmbeddedStatus(page)
    await page.route('**/api/status', () => new Promise(() => undefined))
    await page.addInitScript(() =>
      setTimeout(() => localStorage.setItem('footer_html', '<p>from the other tab</p>'), 100),
    )
    await page.goto('/login')

    await page.frameLocator(FOOTER).getByText('from the other tab').waitFor()
  })

  test('cannot run scripts as its reader', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'Footer', HOSTILE_HTML)
    const { page, expects } = await open(world, { as: world.root })
    expects(...KEPT_FROM)
    const theft = watchTheft(page)

    await page.goto('/about')
    await page.locator(FOOTER).waitFor()

    await theft.expectNone()
  })

  test('opens no tab that could act as its reader', async () => {
    const world = await gateway()
    const act = "(opener || self).top.document.title = 'owned'; fetch('/api/user/logout')"
    const link = `<a href="javascript:${act}" target="elsewhere" rel="opener">harmless tab</a>`
    const form = `<form action="/api/user/logout" target="elsewhere"><button>harmless button</button></form>`
    await world.toolkit.options.set(world.root, 'Footer', link + form)
    const { page, expects } = await open(world, { as: world.root })
    expects(...KEPT_FROM)
    const theft = watchTheft(page)

    await page.goto('/about')
    await page.frameLocator(FOOTER).getByRole('link', { name: 'harmless tab' }).waitFor()

    await theft.expectNone()
  })
})

describe('the operator’s logo', () => {
  test('is replaced by the default if it does not load', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'Logo', 'https://gone.example/logo.png')
    const { page, expects } = await open(world)
    expects(/ERR_FAILED/)
    await page.route('https://gone.example/*', (route) => route.abort())
    const tried = page.waitForRequest('https://gone.example/*')
    await page.goto('/login')
    await tried

    const logo = page.getByRole('banner').locator('img')
    await expect.poll(() => logo.getAttribute('src')).toBe('/logo.png')
    await expect
      .poll(() => logo.evaluate((img) => img instanceof HTMLImageElement && img.naturalWidth))
      .toBeGreaterThan(0)
  })
})

describe('the platform’s status', () => {
  test('is stored in this browser, completely and by field', async () => {
    const world = await gateway()
    await world.toolkit.options.set(world.root, 'SystemName', 'Toll Road')
    await world.toolkit.options.set(world.root, 'DrawingEnabled', 'false')
    const { page } = await open(world, { at: '/about' })
    await page.getByRole('heading', { name: 'Toll Road' }).waitFor()

    const kept = await page.evaluate(() => ({ ...localStorage }))
    const status: unknown = JSON.parse(String(kept.status))
    expect(status).toMatchObject({ system_name: 'Toll Road', enable_drawing: false })
    expect(kept).toMatchObject({
      system_name: 'Toll Road',
      logo: '',
      footer_html: '',
      quota_per_unit: '500000',
      display_in_currency: 'true',
      enable_drawing: 'false',
      enable_task: 'true',
      enable_data_export: 'true',
      data_export_default_time: 'hour',
      default_collapse_sidebar: 'false',
      mj_notify_enabled: 'false',
      chat_link: '',
      chat_link2: '',
      email_verification: 'false',
      turnstile_check: 'false',
      turnstile_site_key: '',
      github_oauth: 'false',
      github_client_id: '',
      linuxdo_oauth: 'false',
      linuxdo_client_id: '',
      wechat_login: 'false',
      wechat_qrcode: '',
      telegram_oauth: 'false',
      telegram_bot_name: '',
    })
    expect(JSON.parse(String(kept.chats))).toBeInstanceOf(Array)
  })
})
