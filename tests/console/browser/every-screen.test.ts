import { describe, expect, test } from 'vitest'
import { SCREENS } from '../../../console/screens.tsx'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { expectFits } from '../../support/browser/fits.ts'
import { reusedConsole } from '../../support/browser.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { seedData } from '../../support/seed-data.ts'
import type { TestToolkit } from '../../support/toolkit.ts'

const open = reusedConsole()
const world = shared(async () => {
  const gateway = await openTestGateway()
  await gateway.toolkit.options.set(gateway.root, 'DrawingEnabled', 'true')
  const people = await seedData(gateway, { relays: 20 })
  await seedLimits(gateway)
  return { ...gateway, ...people }
})

/** Limits with long texts, also of a token of root, who opens the screens. */
async function seedLimits({ toolkit, root, token }: TestToolkit): Promise<void> {
  const { id } = await token(root, { name: 'nightly-evaluation' })
  const limit = { subject: 'token', subject_id: String(id), time_zone: 'America/Argentina/Buenos_Aires' } as const
  await toolkit.limits.set(root, [
    { ...limit, measure: 'requests', period: 'day', amount: 1_000_000 },
    { ...limit, measure: 'quota', period: 'month', amount: 5_000_000_000 },
    { subject: 'user', subject_id: '*', measure: 'tokens', period: 'minute', amount: 90_000 },
    {
      subject: 'channel',
      subject_id: '*',
      measure: 'concurrent',
      period: 'none',
      amount: 10,
      action: 'queue',
      wait_seconds: 5,
    },
  ])
}

/** Addresses that lead away from themselves, or need what only their own tests have. */
const ELSEWHERE = ['/login', '/register', '/oauth/:provider', '/chat2link', '/chat', '/chat/:id']
const PATHS = SCREENS.flatMap(({ paths }) => paths).filter((path) => !ELSEWHERE.includes(path))
const addressOf = (path: string) => path.replace(':id', '1')

describe('every screen', () => {
  test.each(PATHS)('%s is complete, accessible in both themes, and fits a phone', async (path) => {
    const { page } = await open(world(), { as: world().root, at: addressOf(path) })
    await page.waitForLoadState('networkidle')

    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expectAccessible(page, { themes: BOTH_THEMES })
    await expectFits(page)

    await page.setViewportSize({ width: 390, height: 844 })
    await expectFits(page)
    await expectAccessible(page)
  })
})

describe('a visitor', () => {
  test('is redirected to the login page from every protected screen, and from no other', async () => {
    const { page } = await open(world(), { at: '/about' })
    for (const { paths, access } of SCREENS) {
      for (const path of paths.filter((path) => !path.startsWith('/oauth') && !path.startsWith('/chat'))) {
        await page.goto(addressOf(path))
        await page.getByRole('heading', { level: 1 }).first().waitFor()
        const { pathname } = new URL(page.url())
        expect(pathname, path).toBe(access === 'anyone' ? addressOf(path) : '/login')
      }
    }
  })
})

describe('a common user', () => {
  test('sees on administrator screens that access is denied', async () => {
    const { page } = await open(world(), { as: world().alice, at: '/token' })
    for (const { paths } of SCREENS.filter(({ access }) => access === 'admin')) {
      for (const path of paths) {
        await page.goto(addressOf(path))
        await page.getByRole('heading', { name: '无权进行此操作，权限不足' }).waitFor()
      }
    }
  })
})
