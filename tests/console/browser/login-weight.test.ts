import { beforeEach, expect, test } from 'vitest'
import { openConsole, skipWithoutBrowser } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()
/** As they come over the wire. */
const BYTES_MAX = 250_000

beforeEach(skipWithoutBrowser)

test.each([
  ['zh', '用户名或邮箱'],
  ['en', 'Username or email'],
] as const)(
  'in %s the login page is usable after at most 250 kB of scripts, and none from elsewhere',
  async (language, username) => {
    const world = await gateway()
    const { page } = await openConsole(world, { language })
    const scripts: Promise<{ url: string; bytes: number }>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() !== 'script') return
      const url = new URL(response.url())
      const sizes = response.finished().then(() => response.request().sizes())
      scripts.push(sizes.then(({ responseBodySize }) => ({ url: url.origin, bytes: responseBodySize })))
    })

    await page.goto('/login')
    await page.getByLabel(username).fill('a-user')

    const loaded = await Promise.all(scripts)
    expect(loaded.length).toBeGreaterThan(0)
    expect(new Set(loaded.map(({ url }) => url))).toEqual(new Set([world.url]))
    const bytes = loaded.reduce((sum, script) => sum + script.bytes, 0)
    expect(bytes).toBeGreaterThan(0)
    expect(bytes, `${Math.round(bytes / 1000)} kB in ${loaded.length} files`).toBeLessThanOrEqual(BYTES_MAX)
  },
)
