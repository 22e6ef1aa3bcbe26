import { expect, test } from 'vitest'
import { SCREENS } from '../../../console/screens.tsx'
import { reusedConsole } from '../../support/browser.ts'
import { openTestGateway } from '../../support/gateway.ts'

const open = reusedConsole()

/** Default limit of an address and the factor of sessions, in calls per 180 seconds. */
const READS_MAX = 180 * 8
/** A page every five seconds in each of three tabs. */
const PAGES = (180 / 5) * 3
/** Calls that three open dashboards make besides: the dashboard and the first steps every 30 s, notices every 10 s. */
const POLLS = 3 * (180 / 30 + 180 / 30 + 180 / 10)

test('a person who opens a page every five seconds in three tabs never meets the limit of reads', async () => {
  const settings = { GLOBAL_API_RATE_LIMIT_ENABLE: 'true', GLOBAL_API_RATE_LIMIT: '180' }
  const world = await openTestGateway({ settings })
  const paths = SCREENS.filter(({ menu, name }) => menu === 'side' && name !== 'chat').map(({ paths: [path] }) => path)
  const { page } = await open(world, { as: world.root, at: '/token' })
  await page.waitForLoadState('networkidle')
  const reads: string[] = []
  const limited: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' && pathname.startsWith('/api/')) reads.push(pathname)
  })
  page.on('response', (response) => void (response.status() === 429 && limited.push(response.url())))

  for (const path of paths) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
  }

  expect(limited).toEqual([])
  expect(reads.length / paths.length).toBeGreaterThan(1)
  expect((PAGES * reads.length) / paths.length + POLLS, `${reads.length} for ${paths.length}`).toBeLessThan(READS_MAX)
})
