import { describe, expect, test } from 'vitest'
import { countProblem, createRequestKeys, nameFits } from '../../../../console/pages/redemption/redemption-form.ts'

test.each([
  [undefined, 'countPositive'],
  [0, 'countPositive'],
  [1.5, 'countPositive'],
  [1, undefined],
  [100, undefined],
  [101, 'countMax'],
] as const)('%s codes at once: %s', (count, problem) => {
  expect(countProblem(count)).toBe(problem)
})

test('a name has up to twenty characters, of whatever script', () => {
  expect(nameFits('名'.repeat(20))).toBe(true)
  expect(nameFits('😀'.repeat(20))).toBe(true)
  expect(nameFits('x'.repeat(21))).toBe(false)
})

describe('the key of a request', () => {
  test('is the same for the same request, until it was answered', () => {
    const { keyFor, forget } = createRequestKeys()
    const first = keyFor({ name: 'a', quota: 1 })
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(keyFor({ name: 'a', quota: 1 })).toBe(first)
    forget()
    expect(keyFor({ name: 'a', quota: 1 })).not.toBe(first)
  })

  test('is another for another request', () => {
    const { keyFor } = createRequestKeys()
    expect(keyFor({ quota: 1 })).not.toBe(keyFor({ quota: 2 }))
  })
})
