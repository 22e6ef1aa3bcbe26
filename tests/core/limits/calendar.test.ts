import { describe, expect, test } from 'vitest'
import { calendarWindow, isTimeZone } from '../../../core/limits/calendar.ts'
import { addAmount, nextAvailability, type PartAmounts, partAt, partsInWindow } from '../../../core/limits/windows.ts'

const windowOf = (at: string, period: 'hour' | 'day' | 'week' | 'month', zone: string) => {
  const { start, end } = calendarWindow(Date.parse(at), period, zone)
  return [new Date(start).toISOString(), new Date(end).toISOString()]
}

describe('calendar windows', () => {
  test('a day starts at midnight of its zone', () => {
    expect(windowOf('2026-11-25T17:30:00Z', 'day', 'Asia/Shanghai')).toEqual([
      '2026-11-25T16:00:00.000Z',
      '2026-11-26T16:00:00.000Z',
    ])
  })

  test('a day when DST starts has 23 hours, and one when it ends has 25', () => {
    expect(windowOf('2026-03-29T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ])
    expect(windowOf('2026-10-25T12:00:00Z', 'day', 'Europe/Berlin')).toEqual([
      '2026-10-24T22:00:00.000Z',
      '2026-10-25T23:00:00.000Z',
    ])
  })

  test('a day whose midnight is skipped starts at the first existing minute', () => {
    // Cairo's clocks went from 23:59:59 on April 23, 2026 to 1:00 on April 24.
    expect(windowOf('2026-04-24T12:00:00Z', 'day', 'Africa/Cairo')[0]).toBe('2026-04-23T22:00:00.000Z')
    expect(windowOf('2026-04-23T12:00:00Z', 'day', 'Africa/Cairo')[1]).toBe('2026-04-23T22:00:00.000Z')
  })

  test('each day ends when the next starts, all year, in zones with odd changes', () => {
    for (const zone of ['America/New_York', 'Australia/Lord_Howe', 'Africa/Cairo', 'Asia/Beirut', 'Pacific/Chatham']) {
      let { end } = calendarWindow(Date.parse('2026-01-01T12:00:00Z'), 'day', zone)
      for (let day = 0; day < 366; day++) {
        const next = calendarWindow(end, 'day', zone)
        expect(next.start).toBe(end)
        expect(calendarWindow(end - 1, 'day', zone).end).toBe(end)
        end = next.end
      }
    }
  })

  test('weeks begin on Monday, months on their first day', () => {
    expect(windowOf('2026-11-29T23:30:00Z', 'week', 'UTC')).toEqual([
      '2026-11-23T00:00:00.000Z',
      '2026-11-30T00:00:00.000Z',
    ])
    expect(windowOf('2026-12-31T18:00:00Z', 'month', 'Asia/Shanghai')).toEqual([
      '2026-12-31T16:00:00.000Z',
      '2027-01-31T16:00:00.000Z',
    ])
  })

  test('hours start at the full hour of a half-hour zone', () => {
    expect(windowOf('2026-11-25T17:10:00Z', 'hour', 'Asia/Kolkata')[0]).toBe('2026-11-25T16:30:00.000Z')
  })

  test('only IANA names are time zones', () => {
    expect(['Asia/Shanghai', 'UTC', 'America/Argentina/Ushuaia'].every(isTimeZone)).toBe(true)
    expect(['', 'Mars/Phobos', '+08:00', 'Asia/Shanghai ', '../etc'].some(isTimeZone)).toBe(false)
  })
})

describe('rolling windows', () => {
  const MINUTE = { period: 'minute', time_zone: '' } as const

  test('usage counts for at least the whole window, wherever in its part it occurred', () => {
    const taken: PartAmounts = []
    addAmount(taken, partAt(MINUTE, 1_500).start, 5)

    // Used at the very end of its second at the latest: until 61 999 it is less than a minute old.
    expect(partsInWindow(taken, partAt(MINUTE, 61_999))).toHaveLength(1)
    expect(partsInWindow(taken, partAt(MINUTE, 62_000))).toHaveLength(0)
    expect(nextAvailability(MINUTE, taken, { needed: 1, nowMs: 30_000 })).toBe(62_000)
  })
})
