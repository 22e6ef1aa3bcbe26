import { expect, test } from 'vitest'
import { secondsBetween } from '../../../../console/components/task-list/duration.tsx'

test('a duration is unknown if a time is missing or the times are out of order', () => {
  expect([secondsBetween(100, 160), secondsBetween(100, 100)]).toEqual([60, 0])
  expect([secondsBetween(0, 100), secondsBetween(100, 0), secondsBetween(100, 99)]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})
