import { describe, expect, test } from 'vitest'
import type { Token } from '../../../../console/api/tokens.ts'
import {
  expiryAfter,
  expiryProblem,
  isRepaired,
  parseExpiry,
  tokenChangesOf,
  tokenCountProblem,
  tokenFormOf,
  tokenNameFits,
  tokenNamesOf,
} from '../../../../console/pages/tokens/token-form.ts'

const NOW = 1_900_000_000
const token: Token = {
  id: 1,
  user_id: 1,
  key: 'abc',
  status: 1,
  name: 'mine',
  created_time: NOW,
  accessed_time: NOW,
  expired_time: -1,
  remain_quota: 1000,
  unlimited_quota: false,
  model_limits_enabled: false,
  model_limits: '',
  allow_ips: '',
  used_quota: 0,
  store_responses: true,
  group: '',
  DeletedAt: null,
}

describe('an expiry', () => {
  test('is never if empty', () => {
    expect(parseExpiry(' ')).toBe(-1)
    expect(expiryAfter(-1, NOW * 1000)).toBe('')
  })

  test('is unchanged after a round trip', () => {
    expect(parseExpiry(expiryAfter(3600, NOW * 1000))).toBe(NOW + 3600)
  })

  test('may be a date only, or without seconds', () => {
    const day = parseExpiry('2030-01-31') ?? 0
    expect(parseExpiry('2030-01-31 10:30')).toBe(day + 10.5 * 3600)
  })

  test.each(['soon', '5', '2030', '2030-02-31', '2030-13-01', '2030-01-01 24:99:00', '2030/01/01x'])(
    'is invalid if it is %j',
    (text) => {
      expect(parseExpiry(text)).toBeUndefined()
    },
  )
})

test('an expiry must be in the future, unless it is the unchanged one of an expired token', () => {
  const nowMs = NOW * 1000
  const past = expiryAfter(-60, nowMs)
  expect(expiryProblem('soon', { nowMs })).toBe('badExpiry')
  expect(expiryProblem(past, { nowMs })).toBe('pastExpiry')
  expect(expiryProblem(past, { nowMs, initialText: past })).toBeUndefined()
  expect(expiryProblem(expiryAfter(-120, nowMs), { nowMs, initialText: past })).toBe('pastExpiry')
  expect(['', expiryAfter(60, nowMs)].map((text) => expiryProblem(text, { nowMs }))).toEqual([undefined, undefined])
})

describe('the names of several tokens', () => {
  test('are the name, and the name with a dash and six characters', () => {
    const names = tokenNamesOf({ name: 'app', count: 3 }, () => 0)
    expect(names).toEqual(['app', 'app-aaaaaa', 'app-aaaaaa'])
    expect(tokenNamesOf({ name: 'app', count: 2 })[1]).toMatch(/^app-[A-Za-z0-9]{6}$/)
  })

  test('continue after existing names', () => {
    expect(tokenNamesOf({ name: 'app', count: 2, created: 1 }, () => 0)).toEqual(['app-aaaaaa', 'app-aaaaaa'])
  })
})

describe('an edit', () => {
  test('without changes is empty', () => {
    expect(tokenChangesOf(token, tokenFormOf(token))).toEqual({})
    const limited = { ...token, expired_time: NOW, model_limits_enabled: true, model_limits: 'a,b', group: 'vip' }
    expect(tokenChangesOf(limited, tokenFormOf(limited))).toEqual({})
  })

  test('has the changed fields', () => {
    expect(tokenChangesOf(token, { ...tokenFormOf(token), name: 'new', models: ['a', 'b'] })).toEqual({
      name: 'new',
      model_limits_enabled: true,
      model_limits: 'a,b',
    })
    expect(tokenChangesOf({ ...token, group: 'vip' }, { ...tokenFormOf(token), group: undefined })).toEqual({
      group: '',
    })
  })

  test('replaces a time that no form can show, if a date is entered', () => {
    const inMilliseconds = { ...token, expired_time: NOW * 1000 }
    expect(tokenChangesOf(inMilliseconds, { ...tokenFormOf(inMilliseconds), expires: '' })).toEqual({
      expired_time: -1,
    })
    expect(tokenChangesOf(inMilliseconds, tokenFormOf(inMilliseconds))).toBeUndefined()
  })

  test.each([
    ['an expired token that may go on', { status: 3, expired_time: NOW + 1 }, true],
    ['an expired token that never expires now', { status: 3, expired_time: -1 }, true],
    ['a token that is expired still', { status: 3, expired_time: NOW - 1 }, false],
    ['a used-up token with a budget', { status: 4, remain_quota: 1 }, true],
    ['a used-up token without limits', { status: 4, remain_quota: 0, unlimited_quota: true }, true],
    ['a used-up token without a budget', { status: 4, remain_quota: 0 }, false],
    ['a disabled token', { status: 2 }, false],
    ['an enabled token', { status: 1 }, false],
  ])('repairs %s: %o', (_, fields, repaired) => {
    expect(isRepaired({ ...token, ...fields }, NOW * 1000)).toBe(repaired)
  })
})

test("the batch size is the server's maximum", () => {
  expect([undefined, 0, 1.5].map(tokenCountProblem)).toEqual(['badCount', 'badCount', 'badCount'])
  expect([1, 100, 101].map(tokenCountProblem)).toEqual([undefined, undefined, 'countMax'])
})

test.each([
  ['a'.repeat(30), 1, true],
  ['a'.repeat(31), 1, false],
  ['名'.repeat(30), 1, true],
  ['名'.repeat(31), 1, false],
  ['😀'.repeat(30), 1, true],
  ['a'.repeat(23), 2, true],
  ['a'.repeat(24), 2, false],
])(
  'a name is measured in characters as on the server, with room for the suffix if there are several: %s, %d',
  (name, count, fits) => {
    expect(tokenNameFits(name, count)).toBe(fits)
  },
)
