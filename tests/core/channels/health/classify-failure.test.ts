import { describe, expect, test } from 'vitest'
import { classifyFailure, type FailedAttempt } from '../../../../core/channels/health/classify-failure.ts'
import { NO_ECHO, type RequestEcho } from '../../../../core/channels/health/request-echo.ts'
import { isRequestError } from '../../../../core/channels/health/request-errors.ts'
import { DISABLE_KEYWORDS } from '../../../support/health.ts'

const GEMINI = 24
const MODEL = 'gpt-5'
const failure = (fields: Partial<FailedAttempt>): FailedAttempt => ({
  status: 500,
  type: 'upstream_error',
  code: null,
  message: '',
  ...fields,
})
const classOf = (
  fields: Partial<FailedAttempt>,
  { type = 1, ...content }: Partial<RequestEcho> & { type?: number } = {},
) =>
  classifyFailure(failure(fields), {
    type,
    keywords: DISABLE_KEYWORDS,
    requestEcho: () => ({ ...NO_ECHO, models: [MODEL, 'vendors-gpt-5'], ...content }),
  })

describe('a failure is attributed to', () => {
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
    ['model', { status: 404, message: 'The model `gpt-5` does not exist' }],
    ['model', { status: 404, message: 'model "vendors-GPT-5" not found, try pulling it first' }],
    ['model', { status: 404, message: 'Only supported in v1/responses', param: 'model' }],
    ['model', { status: 404, message: 'bad response status code 404' }],
    ['model', { status: 400, code: 'model_not_found' }],
    ['model', { status: 403, message: 'Your project has no access to model gpt-5' }],
    ['model', { status: 403, message: 'You have insufficient permissions for this. Missing scopes: api.model.audio' }],
    ['model', { status: 401, message: 'You have insufficient permissions for this. Missing scopes: api.model.audio' }],
    ['account', { status: 502, type: 'insufficient_quota' }],
    ['limited', { status: 429, code: 'rate_limit_exceeded', message: 'Limit 30000, Used 29000, Requested 5000.' }],
    ['request', { status: 400, message: 'max_tokens is too large' }],
    ['request', { status: 404, message: 'No such File object: file-1' }],
    ['request', { status: 404, message: 'The model `gpt-5` is not here', param: 'previous_response_id' }],
    ['request', { status: 404, message: 'The model `gpt-5` is not here', code: 'previous_response_not_found' }],
    ['request', { status: 404, message: 'The model `gpt-5o` does not exist' }],
    ['request', { status: 404, message: 'It is gone' }],
    ['request', { status: 429, code: 'rate_limit_exceeded', message: 'TPM: Limit 30000, Requested 90000.' }],
    ['request', { status: 502, type: 'invalid_request_error' }],
    ['request', { status: 500, code: 'INVALID_ARGUMENT' }],
    ['request', { status: 403, code: 'content_policy_violation' }],
    ['request', { status: 500, code: 'content_filter' }],
    ['request', { status: 502, code: 'DataInspectionFailed' }],
    ['request', { status: 401, code: 'moderation_blocked' }],
    ['request', { status: 502, type: 'SAFETY' }],
    ['request', { status: 408 }],
    ['request', { status: 413 }],
    ['request', { status: 422 }],
    ['request', { status: 502, neverSent: true }],
  ] as const)('%s: %j', (expected, fields) => {
    expect(classOf(fields)).toBe(expected)
  })

  test.each([
    ['account', { status: 403 }, { type: GEMINI }],
    ['server', { status: 403 }, {}],
    ['request', { status: 403 }, { type: GEMINI, namesStoredObject: true }],
    ['request', { status: 403, message: 'Permission denied on it' }, { type: GEMINI, namesStoredObject: true }],
    ['model', { status: 403 }, { type: GEMINI, models: ['mine', 'tunedModels/mine'] }],
  ] as const)('%s: 403 %j, requested %j', (expected, fields, asked) => {
    expect(classOf(fields, asked)).toBe(expected)
  })

  test.each([
    ['account', { status: 401 }],
    ['account', { status: 401, type: 'authentication_error', message: 'invalid x-api-key' }],
    ['request', { status: 403, type: 'permission_error', message: 'Permission denied for this beta' }],
    ['account', { status: 401, code: 'invalid_api_key' }],
    ['account', { status: 402 }],
    ['model', { status: 403, code: 'model_not_found' }],
  ] as const)('%s: %j, where a header may be the cause', (expected, fields) => {
    expect(classOf(fields, { hasPermissionHeaders: true })).toBe(expected)
  })

  test("the upstream's status, if the channel maps it to another status", () => {
    expect(classOf({ status: 500, originalStatus: 400 })).toBe('request')
    expect(classOf({ status: 400, originalStatus: 500 })).toBe('server')
  })
})

describe('echoed client text is no evidence', () => {
  const LONG = 'x'.repeat(5000)
  const EMPTY = 'your credit balance is too low'
  test.each([
    ['account', 'Your credit balance is too low', ['hello', 'low', 'credit']],
    ['request', "Invalid value: 'Your credit balance is too low'", ['Your credit balance is too low']],
    // However it was written, and wherever the upstream breaks its lines.
    ['request', "No such role: 'Your credit\n balance is too low'", ['Your\tcredit BALANCE is too low']],
    ['request', "No such role: 'Your credit balance is too low'", ['x: Your\tcredit\n\nBALANCE is too low']],
    ['request', 'Your credit balance is too low …', [`${EMPTY} and so on, ${LONG}`]],
    // The vendor's words and the client's together.
    ['request', 'Access to the tool permission denied', ['permission']],
  ])('%s: the account, by "%s"', (expected, message, texts) => {
    expect(classOf({ status: 400, message }, { texts })).toBe(expected)
  })

  test('the account, by a name of a field', () => {
    expect(classOf({ status: 400, message: `Unknown field ${EMPTY}` }, { names: [EMPTY] })).toBe('request')
  })

  test("the account, by a provider's phrase", () => {
    const failure = { status: 402, type: 'insufficient_quota', phrase: EMPTY, message: `${EMPTY} to go on` }
    expect(classOf(failure)).toBe('account')
    expect(classOf(failure, { texts: [EMPTY] })).toBe('request')
  })

  test.each([
    ['request', 'No such thing: the model gpt-5', ['the model gpt-5']],
    ['request', 'Nothing is called gpt-5', ['gpt-5']],
    ['request', 'Nothing is called the great gpt-5 of …', [`the great gpt-5 of ${LONG}`]],
    ['model', 'The model gpt-5 is not here: images and files', ['images and files']],
  ])('%s: the model, by "%s"', (expected, message, texts) => {
    expect(classOf({ status: 404, message }, { texts })).toBe(expected)
  })

  test('the model, by an unknown path, unless it named something', () => {
    expect(classOf({ status: 404, message: 'Not Found' })).toBe('model')
    expect(classOf({ status: 404, message: 'Not Found' }, { namesStoredObject: true })).toBe('request')
  })
})

test.each([
  [true, { status: 200, type: 'invalid_request_error', code: null }],
  [true, { status: 500, type: 'upstream_error', code: 'content_filter' }],
  [true, { status: 403, type: 'content_policy_violation', code: null }],
  [false, { status: 401, type: 'invalid_request_error', code: 'invalid_api_key' }],
  [false, { status: 404, type: 'invalid_request_error', code: 'model_not_found' }],
  [false, { status: 500, type: 'invalid_request_error', code: 'billing_not_active' }],
  [false, { status: 500, type: 'server_error', code: null }],
])('is a request error: %s, %j', (expected, error) => {
  expect(isRequestError(error)).toBe(expected)
})
