import { expect, test } from 'vitest'
import { retryAfter } from '../../../server/relay/attempt/retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')

test.each([
  [{ 'retry-after': '20' }, '', 20_000],
  [{ 'retry-after': '1.5' }, '', 1500],
  [{ 'retry-after': 'Thu, 01 Jan 2026 00:00:30 GMT' }, '', 30_000],
  [{ 'retry-after': 'Wed, 31 Dec 2025 23:59:00 GMT' }, '', 0],
  [{ 'retry-after-ms': '250', 'retry-after': '20' }, '', 250],
  [{}, '{"error":{"details":[{"retryDelay": "34s"}]}}', 34_000],
  [{ 'retry-after': 'soon' }, '', undefined],
  [{ 'retry-after': '-5' }, '', undefined],
  [{ 'retry-after': '' }, '', undefined],
  [{}, 'try again', undefined],
])('%j and %j mean %s', (headers, body, expected) => {
  expect(retryAfter(headers, body, NOW)).toBe(expected)
})
