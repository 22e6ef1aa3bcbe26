import { expect, test } from 'vitest'
import { createCredentials } from '../../../server/relay/attempt/credentials.ts'

const HOUR = 3_600_000

/** Credentials at a time that the test sets, and an upstream that counts how often it is asked. */
function fixture(lifeMs = HOUR, options: { credentialsMax?: number } = {}) {
  const clock = { now: 1_000_000 }
  const credentials = createCredentials({ now: () => clock.now, ...options })
  let requestCount = 0
  const ask = async () => {
    requestCount++
    return { value: `token ${requestCount}`, expiresAt: clock.now + lifeMs }
  }
  return {
    clock,
    credentials,
    ask,
    requestCount: () => requestCount,
    take: (key = 'a') => credentials.credential(key, ask),
  }
}

test('concurrent requests for one credential fetch it once', async () => {
  const { take, requestCount } = fixture()
  expect(await Promise.all(Array.from({ length: 20 }, () => take()))).toEqual(Array(20).fill('token 1'))
  expect(await take()).toBe('token 1')
  expect(requestCount()).toBe(1)
})

test('each key has its own credential', async () => {
  const { take } = fixture()
  expect([await take('a'), await take('b'), await take('a')]).toEqual(['token 1', 'token 2', 'token 1'])
})

test('it is renewed five minutes before it expires', async () => {
  const { clock, take } = fixture()
  await take()
  clock.now += HOUR - 5 * 60_000 - 1
  expect(await take()).toBe('token 1')
  clock.now += 1
  expect(await take()).toBe('token 2')
})

test('a short-lived one is renewed when a tenth of its lifetime is left', async () => {
  const { clock, take } = fixture(100_000)
  await take()
  clock.now += 89_999
  expect(await take()).toBe('token 1')
  clock.now += 1
  expect(await take()).toBe('token 2')
})

test('an expired one is not stored', async () => {
  const { take } = fixture(-1)
  expect([await take(), await take()]).toEqual(['token 1', 'token 2'])
})

test('a failure is not stored', async () => {
  const { credentials, take } = fixture()
  await expect(credentials.credential('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await take()).toBe('token 1')
})

test('a waiter on a failed fetch fetches again, once for all waiters', async () => {
  const { credentials, take, requestCount } = fixture()
  const first = credentials.credential('a', () => Promise.reject(new Error('the client left')))
  const waiting = Array.from({ length: 5 }, () => take())

  await expect(first).rejects.toThrow('the client left')
  expect(await Promise.all(waiting)).toEqual(Array(5).fill('token 1'))
  expect(requestCount()).toBe(1)
})

test('a rejected one is requested again', async () => {
  const { credentials, take } = fixture()
  await take()
  credentials.forgetCredential('a')
  expect(await take()).toBe('token 2')
})

test('above the maximum the oldest is removed', async () => {
  const { take } = fixture(HOUR, { credentialsMax: 2 })
  for (const key of ['a', 'b', 'c']) await take(key)
  expect([await take('b'), await take('c'), await take('a')]).toEqual(['token 2', 'token 3', 'token 4'])
})
