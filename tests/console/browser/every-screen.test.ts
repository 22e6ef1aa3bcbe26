import { describe, expect, test } from 'vitest'
import { SCREENS } from '../../../console/screens.tsx'
import { BOTH_THEMES, expectAccessible } from '../../support/browser/accessible.ts'
import { reusedConsole } from '../../support/browser.ts'
import { openTestGateway } from '../../support/gateway.ts'
import { shared } from '../../support/lifetime.ts'
import { seedData } from '../../support/seed-data.ts'

const open = reusedConsole()
const world = shared(async () => {
  const gateway = await openTestGateway()
  await gateway.toolkit.options.set(gateway.root, 'DrawingEnabled', 'true')
  return { ...gateway, ...(await seedData(gateway, { relays: 20 })) }
})

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

    await page.setViewportSize({ width: 390, height: 844 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
    await expect.poll(overflow, { message: 'pixels that stand out at the right' }).toBeLessThanOrEqual(0)
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
