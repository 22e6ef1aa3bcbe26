import { beforeEach, expect, test } from 'vitest'
import { openConsole, skipWithoutBrowser } from '../../support/browser.ts'
import { reused } from '../../support/reused.ts'

const gateway = reused()

beforeEach(skipWithoutBrowser)

test.each([
  { path: '/token', language: 'zh', bytesMax: 250_000 },
  { path: '/token', language: 'en', bytesMax: 250_000 },
  { path: '/detail', language: 'en', bytesMax: 350_000 },
] as const)(
  'a first visit to $path in $language loads at most $bytesMax bytes',
  async ({ path, language, bytesMax }) => {
    const world = await gateway()
    await world.charge(world.root, { quota: 1000, modelName: 'gpt-4o' })
    const { page } = await openConsole(world, { as: world.root, language })
    const sizes: Promise<number>[] = []
    page.on('response', (response) => {
      // As they come over the wire.
      sizes.push(response.finished().then(async () => (await response.request().sizes()).responseBodySize))
    })

    await page.goto(path)
    await page.getByRole('table').first().waitFor()
    await page.waitForLoadState('networkidle')

    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    expect(bytes).toBeGreaterThan(100_000)
    expect(bytes, `${sizes.length} files`).toBeLessThanOrEqual(bytesMax)
  },
)
