import { describe, expect, test } from 'vitest'
import { searchOf, TIME_RANGES, taskRangeOf } from '../../../../console/components/task-list/time-filter.ts'

const now = new Date(2026, 10, 22, 15, 30, 0)
const nowS = now.getTime() / 1000
const HOUR_S = 3600

describe('without a chosen time', () => {
  test('a month is thirty days, up to an hour ahead', () => {
    expect(searchOf({ id: '', channel_id: '', from: '', to: '' }, 'month', now)).toEqual({
      id: '',
      channel: 0,
      from: nowS - 30 * 24 * HOUR_S,
      to: nowS + HOUR_S,
    })
  })

  test('today is since midnight, up to an hour ahead', () => {
    expect(searchOf({ id: 'a', channel_id: '7', from: '', to: '' }, 'today', now)).toEqual({
      id: 'a',
      channel: 7,
      from: nowS - 15.5 * HOUR_S,
      to: nowS + HOUR_S,
    })
  })
})

test('a chosen range applies, each end separately, and an invalid time does not', () => {
  const usual = TIME_RANGES.today(now)
  expect(taskRangeOf({ from: '7', to: '9' }, usual)).toEqual({ from: 7, to: 9 })
  expect(taskRangeOf({ from: '7', to: '' }, usual)).toEqual({ from: 7, to: usual.to })
  expect(taskRangeOf({ from: 'x', to: '-1' }, usual)).toEqual(usual)
})
