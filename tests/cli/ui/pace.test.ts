import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CommandError } from '../../../cli/errors.ts'
import { GatewayError } from '../../../core/errors.ts'
import { answers, openScreens } from './open-screens.ts'

const MINUTE_MS = 60_000
/** What a server allows an address in three minutes is 180. */
const CALLS_MAX = 40 / 3

beforeEach(
  () => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] }),
)
afterEach(() => void vi.useRealTimers())

test.each(['1', '2', '6'])("screen %s uses less than a quarter of the server's request limit", async (digit) => {
  const screens = await openScreens(answers)
  await screens.press(digit)
  screens.calls()
  await screens.pass(MINUTE_MS)
  const calls = screens.calls()
  expect(calls).toBeGreaterThan(1)
  expect(calls).toBeLessThanOrEqual(CALLS_MAX)
})

test('a list behind a form is not refreshed', async () => {
  const screens = await openScreens(answers)
  await screens.press('2')
  await screens.press('a')
  expect(screens.picture()).toContain('New channel')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(0)
})

test('a Retry-After of the server is respected', async () => {
  const screens = await openScreens((call) => {
    if (call === 'logs.list') throw new GatewayError('RATE_LIMITED', { retryAfterSeconds: 50 })
    return answers(call)
  })
  await screens.press('6')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(1)
})

test('a rate limit without a time is retried once a minute', async () => {
  const screens = await openScreens(() => {
    throw new CommandError('SERVER_BUSY', 'busy')
  })
  await screens.press('6')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBeLessThanOrEqual(1)
})

test('an invalid token is reported once; r reloads the signed-in user', async () => {
  const screens = await openScreens(() => {
    throw new CommandError('NOT_SIGNED_IN', 'sign in again')
  })
  await screens.press('3')
  expect(screens.picture()).toContain('sign in again (press r to retry)')
  expect(screens.picture()).not.toContain('retrying:')
  screens.calls()
  await screens.pass(MINUTE_MS)
  expect(screens.calls()).toBe(0)
  expect(screens.reopen).not.toHaveBeenCalled()
  await screens.press('r')
  expect(screens.reopen).toHaveBeenCalledOnce()
})
