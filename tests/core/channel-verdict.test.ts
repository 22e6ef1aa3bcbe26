import { describe, expect, test } from 'vitest'
import { decideTest, isAccountLost } from '../../core/channels/status/test-decision.ts'

const RULES = { slowSeconds: 5, disableFailing: true, enablePassing: true, keywords: 'Too Low\n\nno longer active' }
const failure = (fields: object) => ({ status: 500, type: 'upstream_error', code: null, message: 'oops', ...fields })

describe('a test of a channel', () => {
  test.each([
    [{ status: 401 }, 1, true],
    [{ status: 403 }, 1, false],
    [{ status: 403 }, 24, true],
    [{ code: 'invalid_api_key' }, 1, true],
    [{ code: 'account_deactivated' }, 1, true],
    [{ code: 'billing_not_active' }, 1, true],
    [{ code: 'rate_limit_exceeded', status: 429 }, 1, false],
    [{ type: 'insufficient_quota' }, 1, true],
    [{ type: 'authentication_error' }, 1, true],
    [{ type: 'permission_error' }, 1, true],
    [{ type: 'forbidden' }, 1, true],
    [{ message: 'Your balance is too LOW' }, 1, true],
    [{ message: 'fine otherwise' }, 1, false],
    [{}, 1, false],
  ])('that fails with %j on kind %i means that the account is lost: %s', (fields, kind, lost) => {
    expect(isAccountLost(failure(fields), kind, RULES.keywords)).toBe(lost)
  })

  test('disables a lost channel only if enabled in the options', () => {
    const lost = { failure: failure({ status: 401 }), seconds: 1, type: 1 }
    expect(decideTest(lost, RULES)).toEqual({ disable: 'status code 401: oops' })
    expect(decideTest(lost, { ...RULES, disableFailing: false })).toBeUndefined()
    expect(decideTest({ ...lost, failure: failure({}) }, RULES)).toBeUndefined()
  })

  test('disables a slow channel despite every other setting, unless no time limit is set', () => {
    const slow = { failure: undefined, seconds: 5.5, type: 1 }
    const wary = { ...RULES, disableFailing: false }
    expect(decideTest(slow, wary)).toEqual({ disable: '响应时间 5.50s 超过阈值 5.00s', slow: true })
    expect(decideTest({ ...slow, seconds: 5 }, wary)).toBe('enable')
    expect(decideTest(slow, { ...RULES, slowSeconds: 0 })).toBe('enable')
  })

  test.each([
    ['was too long in coming', { status: 504 }, undefined],
    ['was long in coming and says that the account is lost', { status: 401 }, { disable: 'status code 401: oops' }],
  ])('that failed and %s is judged by its error', (_, fields, verdict) => {
    expect(decideTest({ failure: failure(fields), seconds: 60, type: 1 }, RULES)).toEqual(verdict)
  })

  test('re-enables a passing channel only if enabled in the options', () => {
    const passed = { failure: undefined, seconds: 1, type: 1 }
    expect(decideTest(passed, RULES)).toBe('enable')
    expect(decideTest(passed, { ...RULES, enablePassing: false })).toBeUndefined()
  })
})
