import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DateTime } from '../../../console/components/date-time.tsx'
import { isoTime, localTime } from '../../../console/components/times.ts'

/** 2026-01-31 13:05:09 in the time zone of this machine. */
const MOMENT = new Date(2026, 0, 31, 13, 5, 9).getTime() / 1000

test("a time is formatted for programs, and by the reader's clock", () => {
  expect(isoTime(MOMENT)).toBe(new Date(MOMENT * 1000).toISOString())
  expect(localTime(MOMENT)).toBe('2026-01-31 13:05:09')
  expect(renderToStaticMarkup(<DateTime seconds={MOMENT} />)).toContain('13:05:09')
  expect(isoTime(0)).toBe('')
})

test.each([1_790_000_000_000_000, Number.MAX_SAFE_INTEGER, Number.NaN])(
  '%d is not a valid time, and breaks no page',
  (seconds) => {
    expect(isoTime(seconds)).toBe('')
    expect(localTime(seconds)).toBe('')
    expect(renderToStaticMarkup(<DateTime seconds={seconds} />)).toContain(String(seconds))
  },
)
