import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import { SESSION_COOKIE } from '../../../server/api/access.ts'

/** HTML that tries every known way to run a script on the page, navigate it, and sign the user out. */
export const HOSTILE_HTML = `
<p>harmless words</p>
<script>top.document.title = 'owned'; fetch('/api/user/logout')</script>
<img src="/nothing" onerror="top.document.title = 'owned'; fetch('/api/user/logout')">
<img src="/api/user/logout">
<svg onload="fetch('/api/user/logout')"><use href="/api/user/logout#x" /></svg>
<iframe src="/api/user/logout"></iframe>
<iframe srcdoc="<script>top.document.title = 'owned'; fetch('/api/user/logout')</script>"></iframe>
<object data="/api/user/logout"></object><embed src="/api/user/logout">
<link rel="stylesheet" href="/api/user/logout"><base href="/api/user/" target="_top">
<meta http-equiv="refresh" content="0;url=/api/user/logout">
<video src="/api/user/logout" autoplay></video>
<form action="/api/user/logout" target="_top"><button autofocus>harmless button</button></form>
<a href="javascript:top.document.title='owned'">harmless link</a>
<div style="position:fixed;inset:0;background:url(/api/user/logout)" onmouseover="top.document.title='owned'">cover</div>`

/** Browser messages about blocked attempts. */
export const KEPT_FROM = [
  /sandbox/i,
  /Unsafe attempt to load URL/,
  /Content Security Policy/i,
  /Refused to/i,
  /MIME type/i,
  /Failed to load resource/i,
  /status of 4\d\d/,
  /X-Frame-Options/i,
  /request: GET .*\/(nothing|api\/user\/logout)/,
]

/** Call this before the page opens the hostile HTML. The result checks for its effects. */
export function watchTheft(page: Page): { expectNone: () => Promise<void> } {
  const signedIn: string[] = []
  const look = async (request: Request) => {
    const { cookie = '' } = await request.allHeaders()
    if (request.url().includes('/logout') && cookie.includes(`${SESSION_COOKIE}=`))
      signedIn.push(request.resourceType())
  }
  const looks: Promise<void>[] = []
  page.on('request', (request) => void looks.push(look(request)))
  return {
    async expectNone() {
      // A visible control can be clicked.
      for (const frame of page.frames()) {
        for (const role of ['button', 'link'] as const) {
          const trap = frame.getByRole(role, { name: /^harmless/ })
          if ((await trap.count()) > 0) await trap.first().click({ timeout: 2000, force: true })
        }
      }
      await page.waitForLoadState('networkidle')
      await Promise.allSettled(looks)
      expect(await page.title()).not.toContain('owned')
      expect(signedIn.filter((type) => type === 'document' || type === 'fetch' || type === 'xhr')).toEqual([])
      const self = await page.evaluate(async () => {
        const user: unknown = JSON.parse(localStorage.getItem('user') ?? '{}')
        const id = typeof user === 'object' && user !== null && 'id' in user ? String(user.id) : ''
        return (await fetch('/api/user/self', { headers: { 'Tollgate-User': id } })).status
      })
      expect(self, 'the reader is still signed in').toBe(200)
    },
  }
}
