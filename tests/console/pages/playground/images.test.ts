import { expect, test } from 'vitest'
import { imageProblemOf } from '../../../../console/pages/playground/images.ts'

test.each([
  [{ type: 'image/png', size: 3 * 1024 * 1024 }, 1, undefined],
  [{ type: 'image/png', size: 3 * 1024 * 1024 + 1 }, 1, 'tooLarge'],
  [{ type: 'image/svg+xml', size: 1 }, 1, 'notImage'],
  [{ type: 'text/html', size: 1 }, 1, 'notImage'],
  [{ type: 'image/webp', size: 1 }, 0, 'tooMany'],
] as const)('a file %o with room for %i is %s', (file, room, problem) => {
  expect(imageProblemOf(file, room)).toBe(problem)
})
