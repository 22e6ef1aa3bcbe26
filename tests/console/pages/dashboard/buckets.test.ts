import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bucketLabel, bucketStart, bucketStarts, isHourlyTooLong } from '../../../../console/pages/dashboard/buckets.ts'
import { NO_DASHBOARD_FILTERS, selectionOf } from '../../../../console/pages/dashboard/dashboard-filters.ts'
import { modelColors } from '../../../../console/pages/dashboard/model-colors.ts'
import { usageByTime, usageSeries } from '../../../../console/pages/dashboard/usage-series.ts'

const at = (text: string) => Date.parse(text) / 1000
const zone = process.env.TZ

function inZone(name: string) {
  beforeEach(() => {
    process.env.TZ = name
  })
  afterEach(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })
}

describe('buckets in Shanghai time', () => {
  inZone('Asia/Shanghai')

  test('start at the hour, at midnight, and on Monday', () => {
    const moment = at('2026-02-01T17:25:00Z') // Monday 01:25 there, still Sunday in Greenwich

    expect(bucketStart(moment, 'hour')).toBe(at('2026-02-01T17:00:00Z'))
    expect(bucketStart(moment, 'day')).toBe(at('2026-02-01T16:00:00Z'))
    expect(bucketStart(moment, 'week')).toBe(at('2026-02-01T16:00:00Z'))
    expect(bucketStart(moment - 7200, 'week')).toBe(at('2026-01-25T16:00:00Z'))
  })

  test('are named by their start, a week by both ends', () => {
    const start = at('2026-02-01T16:00:00Z')

    expect(bucketLabel(start, 'hour')).toBe('02-02 00:00')
    expect(bucketLabel(start, 'day')).toBe('2026-02-02')
    expect(bucketLabel(start, 'week')).toBe('02-02 ~ 02-08')
  })

  test('fill a range without gaps', () => {
    const range = { start_timestamp: at('2026-02-01T10:30:00Z'), end_timestamp: at('2026-02-03T10:30:00Z') }

    expect(bucketStarts(range, 'day').map((start) => bucketLabel(start, 'day'))).toEqual([
      '2026-02-01',
      '2026-02-02',
      '2026-02-03',
    ])
    expect(bucketStarts(range, 'hour')).toHaveLength(49)
  })
})

describe('buckets in Berlin time', () => {
  inZone('Europe/Berlin')

  test('count a day of 23 and one of 25 hours as one day each', () => {
    const spring = { start_timestamp: at('2026-03-28T12:00:00Z'), end_timestamp: at('2026-03-30T12:00:00Z') }
    const autumn = { start_timestamp: at('2026-10-24T12:00:00Z'), end_timestamp: at('2026-10-26T12:00:00Z') }

    for (const range of [spring, autumn]) expect(bucketStarts(range, 'day')).toHaveLength(3)
    // Two hours of one name are two buckets.
    expect(new Set(bucketStarts(autumn, 'hour')).size).toBe(49)
  })
})

describe('buckets with a half-hour offset from the server', () => {
  inZone('Asia/Kolkata')

  test("start at the reader's hour", () => {
    expect(bucketLabel(bucketStart(at('2026-02-01T10:00:00Z'), 'hour'), 'hour')).toBe('02-01 15:00')
  })
})

test('the platform’s granularity has a range, and the URL overrides both', () => {
  const query = (filters: Partial<typeof NO_DASHBOARD_FILTERS>, defaultGranularity = 'week', allUsers = true) =>
    selectionOf(
      { ...NO_DASHBOARD_FILTERS, ...(filters as typeof NO_DASHBOARD_FILTERS) },
      { defaultGranularity, allUsers },
    )

  expect(['hour', 'day', 'week'].map((usual) => query({}, usual).query.last_hours)).toEqual([24, 168, 720])
  expect(query({}).granularity).toBe('week')
  expect(query({}, 'century').granularity).toBe('hour')
  expect(query({ by: 'day' }).granularity).toBe('day')
  expect(query({ range: '24h' })).toMatchObject({ granularity: 'hour', query: { last_hours: 24 } })
  expect(query({ range: 'forever' }).query.last_hours).toBe(720)
})

test('more than 31 days are never grouped by hour', () => {
  const long = { ...NO_DASHBOARD_FILTERS, from: '0', to: String(40 * 86_400), by: 'hour' }

  expect(isHourlyTooLong({ start_timestamp: 0, end_timestamp: 40 * 86_400 })).toBe(true)
  expect(selectionOf(long, { defaultGranularity: 'hour', allUsers: true })).toMatchObject({
    granularity: 'day',
    range: undefined,
    query: { start_timestamp: 0, end_timestamp: 40 * 86_400 },
  })
})

test("relays of one user are grouped by the user's fields", () => {
  const byChannel = { ...NO_DASHBOARD_FILTERS, group: 'channel' }

  expect(selectionOf(byChannel, { defaultGranularity: 'hour', allUsers: true })).toMatchObject({
    by: 'channel',
    ofAll: true,
  })
  expect(selectionOf(byChannel, { defaultGranularity: 'hour', allUsers: false })).toMatchObject({
    by: 'model',
    ofAll: false,
  })
  const ofAnn = selectionOf({ ...byChannel, username: 'ann' }, { defaultGranularity: 'hour', allUsers: true })
  expect(ofAnn.query).toMatchObject({ scope: 'own', username: 'ann', by: 'model' })
})

test('every bucket has a point for each model, and the sums are unchanged', () => {
  const rows = [
    { model_name: 'a', created_at: 3600, count: 1, token_used: 10, quota: 5 },
    { model_name: 'others', created_at: 3600, count: 2, token_used: 20, quota: 6 },
    { model_name: 'others', created_at: 7200, count: 3, token_used: 30, quota: 7 },
  ]

  const points = usageSeries(rows, { starts: [0, 3600, 7200], granularity: 'hour', models: ['a'] })

  expect(points.map(({ model, quota }) => [model, quota])).toEqual([
    ['a', 0],
    ['others', 0],
    ['a', 5],
    ['others', 6],
    ['a', 0],
    ['others', 7],
  ])
  expect(usageByTime(rows, 'hour')).toEqual([
    { start: 7200, count: 3, tokens: 30, quota: 7 },
    { start: 3600, count: 3, tokens: 30, quota: 11 },
  ])
})

test('models have different colors, each the same in any order', () => {
  const models = ['gpt-4o', 'gpt-4o-mini', 'o3-mini', 'claude', 'gemini', 'qwen', 'llama', 'mistral']

  const colors = modelColors(models)

  expect(new Set(colors.values()).size).toBe(models.length)
  expect(Object.fromEntries(modelColors([...models].reverse()))).toEqual(Object.fromEntries(colors))
})
