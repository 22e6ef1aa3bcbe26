import { describe, expect, test } from 'vitest'
import type { Charge } from '../../../core/ledger/charge.ts'
import { expose, merge } from '../../../server/metrics/exposition.ts'
import { LabelledCounts, MetricHistogram } from '../../../server/metrics/family.ts'
import { Metrics } from '../../../server/metrics/metrics.ts'
import { type ExposedSample, parseExposition, sumOf } from '../../support/exposition.ts'

const chargeOf = (modelName: string, channelId = 1): Charge => ({
  requestId: '',
  userId: 1,
  username: '',
  tokenId: 1,
  tokenName: '',
  channelId,
  modelName,
  group: '',
  promptTokens: 2,
  completionTokens: 3,
  quota: 5,
  useTimeSeconds: 0,
  isStream: false,
  content: '',
  other: '',
})

const samplesOf = (samples: readonly ExposedSample[], wanted: string) => samples.filter(({ name }) => name === wanted)

describe('labels', () => {
  test('are limited for any names, and no count is lost', async () => {
    const metrics = new Metrics()
    for (let index = 0; index < 5000; index++) {
      metrics.committed([chargeOf(`model-${index}`)], 0.002)
      metrics.failed({ code: `code-${index}`, status: 400 })
    }
    const families = parseExposition(await expose([metrics.families()]))
    expect(samplesOf(families, 'tollgate_charged_quota_total')).toHaveLength(2001)
    expect(sumOf(families, 'tollgate_charged_quota_total')).toBe(25_000)
    expect(samplesOf(families, 'tollgate_errors_total').length).toBeLessThanOrEqual(501)
    expect(sumOf(families, 'tollgate_errors_total')).toBe(5000)
  })

  test('are escaped: a model name cannot inject samples', async () => {
    const metrics = new Metrics()
    metrics.committed([chargeOf('a"} 1\ntollgate_charged_quota_total{model="b\\')], 0.001)
    const families = parseExposition(await expose([metrics.families()]))
    expect(samplesOf(families, 'tollgate_charged_quota_total')).toHaveLength(1)
  })
})

test('a histogram counts each value in its bucket, bounds included', () => {
  const histogram = new MetricHistogram([1, 2])
  for (const value of [0.5, 1, 1.5, 2, 9]) histogram.observe(value)
  const samples = histogram.samples('x', {}).map(({ value }) => value)
  expect(samples).toEqual([2, 4, 5, 14, 5])
})

test('counts of several processes are summed, from objects or JSON', async () => {
  const one = new Metrics()
  const two = new Metrics()
  one.committed([chargeOf('m'), chargeOf('m', 2)], 0.01)
  two.committed([chargeOf('m')], 0.01)
  const sent = JSON.parse(JSON.stringify(two.families()))
  const merged = await merge([one.families(), sent])
  const families = parseExposition(await expose([merged, one.families()]))
  expect(sumOf(families, 'tollgate_charged_quota_total', { channel: '1' })).toBe(15)
  expect(sumOf(families, 'tollgate_charged_quota_total', { channel: '2' })).toBe(10)
  expect(sumOf(families, 'tollgate_settlement_seconds_count')).toBe(3)
})

test('the label for other values is counted like any label', () => {
  const counts = new LabelledCounts(['code'], 1)
  for (const code of ['a', 'b', 'c', 'a']) counts.add(code)
  expect(counts.samples()).toEqual([
    { value: 2, labels: { code: 'a' } },
    { value: 2, labels: { code: 'other' } },
  ])
})
