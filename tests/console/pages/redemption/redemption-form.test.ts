import { expect, test } from 'vitest'
import { codeCountProblem, codeNameFits } from '../../../../console/pages/redemption/redemption-form.ts'

test.each([
  [undefined, 'countPositive'],
  [0, 'countPositive'],
  [1.5, 'countPositive'],
  [1, undefined],
  [100, undefined],
  [101, 'countMax'],
] as const)('%s codes at once: %s', (count, problem) => {
  expect(codeCountProblem(count)).toBe(problem)
})

test('a name has up to twenty characters, of any script', () => {
  expect(codeNameFits('名'.repeat(20))).toBe(true)
  expect(codeNameFits('😀'.repeat(20))).toBe(true)
  expect(codeNameFits('x'.repeat(21))).toBe(false)
})
