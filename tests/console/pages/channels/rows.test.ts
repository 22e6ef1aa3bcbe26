import { expect, test } from 'vitest'
import type { Channel } from '../../../../console/api/channels.ts'
import { CHILDREN_MAX, groupByTag, selectedIdsOf } from '../../../../console/pages/channels/rows.ts'

const channel = (id: number, tag: string) => ({ id, tag, group: 'default', status: 1, response_time: 0 }) as Channel

test('a selected tag selects all of its channels, also those not shown', () => {
  const many = Array.from({ length: 60 }, (_, n) => channel(n + 1, 'eu'))
  const rows = groupByTag([...many, channel(61, 'asia'), channel(62, 'asia')])
  const visibleIds = many.slice(0, CHILDREN_MAX).map(({ id }) => id)

  expect(selectedIdsOf(rows, ['tag:eu', ...visibleIds, 61])).toEqual([61, ...many.map(({ id }) => id)])
  expect(selectedIdsOf(rows, visibleIds.slice(1))).toEqual(visibleIds.slice(1))
  expect(selectedIdsOf([channel(1, 'eu'), channel(2, 'eu')], [2])).toEqual([2])
})
