import { describe, expect, test } from 'vitest'
import { classify, type FailedAttempt } from '../../../../core/channels/health/evidence.ts'
import { DISABLE_KEYWORDS } from '../../../support/health.ts'

const failure = (fields: Partial<FailedAttempt>): FailedAttempt => ({
  status: 500,
  type: 'upstream_error',
  code: null,
  message: '',
  ...fields,
})
const classOf = (fields: Partial<FailedAttempt>, { type = 1, said = '' } = {}) =>
  classify(failure(fields), { type, keywords: DISABLE_KEYWORDS, said: () => said })

describe('a failure is evidence of', () => {
  test.each([
    ['account', { status: 401 }],
    ['account', { status: 402 }],
    ['account', { status: 429, type: 'insufficient_quota' }],
    ['account', { status: 400, code: 'invalid_api_key' }],
    ['account', { status: 400, message: 'Your credit balance is too low to go on' }],
    ['limited', { status: 429 }],
    ['limited', { status: 529 }],
    ['limited', { status: 503, retryAfterMs: 1000 }],
    ['limited', { status: 503, type: 'overloaded_error' }],
    ['unreachable', { status: 502, unreached: true }],
    ['server', { status: 500 }],
    ['server', { status: 503 }],
    ['server', { status: 504, code: 'first_token_timeout' }],
    ['server', { status: 524 }],
    ['server', { status: 502, code: 'empty_stream' }],
    ['server', { status: 403, message: 'blocked by a firewall' }],
    ['model', { status: 404, message: 'The model `x` does not exist' }],
    ['model', { status: 404, message: 'bad response status code 404' }],
    ['model', { status: 400, code: 'model_not_found' }],
    ['model', { status: 403, message: 'Your project has no access to model gpt-5' }],
    ['request', { status: 400, message: 'max_tokens is too large' }],
    ['request', { status: 404, message: 'No such File object: file-1' }],
    ['request', { status: 408 }],
    ['request', { status: 413 }],
    ['request', { status: 422 }],
    ['request', { status: 502, unasked: true }],
  ] as const)('%s: %j', (expected, fields) => {
    expect(classOf(fields)).toBe(expected)
  })

  test('the account: 403 of Gemini alone', () => {
    expect(classOf({ status: 403 }, { type: 24 })).toBe('account')
    expect(classOf({ status: 403 }, { type: 1 })).toBe('server')
  })

  test('what the upstream answered, where the channel maps it to another status', () => {
    expect(classOf({ status: 500, originalStatus: 400 })).toBe('request')
    expect(classOf({ status: 400, originalStatus: 500 })).toBe('server')
  })

  test('nothing, when a phrase that takes channels out comes back out of the request', () => {
    const message = "Invalid value: 'permission denied'. Supported values are: 'system' and 'user'"
    expect(classOf({ status: 400, message }, { said: '{"role":"permission denied"}' })).toBe('request')
    expect(classOf({ status: 400, message }, { said: '{"role":"user"}' })).toBe('account')
  })
})
