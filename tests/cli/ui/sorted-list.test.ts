import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answers, openScreens } from './open-screens.ts'

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => void vi.useRealTimers())

/** A list of users with `total` rows in all. */
async function openUsers(total: number) {
  const items = Array.from({ length: 1000 }, (_, at) => ({
    id: at + 1,
    username: `user-${at}`,
    display_name: '',
    role: 1,
    status: 1,
    group: 'default',
    quota: 0,
    used_quota: 0,
    request_count: 0,
    DeletedAt: null,
  }))
  const screens = await openScreens((call) =>
    call === 'accounts.list' ? { items, total, page: 1, page_size: items.length } : answers(call),
  )
  await screens.press('4')
  expect(screens.picture()).toContain(`Users · 1/${total}`)
  await screens.press('s')
  return screens
}

test('a sorted list that is too long to sort has its total and the key that narrows it in the title', async () => {
  const screens = await openUsers(30_000)
  expect(screens.picture()).toContain('Users · 1/20000 · only the first rows of 30000: / narrows the list')
})

test('a sorted list that can be sorted as a whole has no such note', async () => {
  const screens = await openUsers(20_000)
  expect(screens.picture()).toContain('Users · 1/20000')
  expect(screens.picture()).not.toContain('only the first')
})
