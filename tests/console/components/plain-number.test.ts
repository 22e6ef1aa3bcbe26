import { expect, test } from 'vitest'
import { plainNumber } from '../../../console/components/plain-number.ts'

test('characters outside a number are dropped, and an exponent is expanded', () => {
  expect(plainNumber('$1,000,000 ')).toBe('1000000')
  expect(plainNumber('-12.5')).toBe('-12.5')
  expect(plainNumber('-')).toBe('-')
  expect(plainNumber('1e20')).toBe('100000000000000000000')
  expect(plainNumber('-2.5E+3')).toBe('-2500')
  expect(plainNumber('1e-7')).toBe('1e-7')
})
