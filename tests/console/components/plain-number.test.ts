import { expect, test } from 'vitest'
import { plainNumber } from '../../../console/components/plain-number.ts'

test('what belongs to no number is left out, and an exponent is written out', () => {
  expect(plainNumber('$1,000,000 ')).toBe('1000000')
  expect(plainNumber('-12.5')).toBe('-12.5')
  expect(plainNumber('-')).toBe('-')
  expect(plainNumber('1e20')).toBe('100000000000000000000')
  expect(plainNumber('-2.5E+3')).toBe('-2500')
  expect(plainNumber('1e-7')).toBe('1e-7')
})
