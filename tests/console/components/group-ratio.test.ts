import { expect, test } from 'vitest'
import { ratioColor } from '../../../console/components/group-ratio.tsx'

test.each([
  [0, 'green'],
  [1, 'green'],
  [1.01, 'blue'],
  [3, 'blue'],
  [3.5, 'orange'],
  [5, 'orange'],
  [5.1, 'red'],
])('a group ratio of %d is %s', (ratio, color) => {
  expect(ratioColor(ratio)).toBe(color)
})
