import { expect, test } from 'vitest'
import { widthOf } from '../../../console/components/data-table/column.ts'

test.each([
  ['its content', { title: 'ID', width: 48 }, 48],
  ['the longest word of its title', { title: 'Response time', width: 40 }, 8 * 7.5 + 16],
  ['a Chinese title', { title: '响应时间', width: 40 }, 4 * 13 + 16],
  ['the arrow of a sortable title', { title: 'Priority', width: 40, sort: 'priority' }, 8 * 7.5 + 32],
  ['the default', { title: 'ID' }, 120],
])('a column is as wide as %s', (_, column, width) => {
  expect(widthOf(column)).toBe(width)
})
