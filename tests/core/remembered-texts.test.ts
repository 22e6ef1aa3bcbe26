import { expect, test } from 'vitest'
import { RememberedTexts } from '../../core/remembered-texts.ts'

const LENGTH = 100
const text = (at: number) => String(at).padStart(LENGTH, ' ')

test('remembers the texts that were used last, and no more than twice the length', () => {
  const remembered = new RememberedTexts<number>(10 * LENGTH)
  for (let at = 0; at < 40; at++) {
    remembered.set(text(at), at)
    expect(remembered.get(text(0))).toBe(0)
  }

  const known = Array.from({ length: 40 }, (_, at) => remembered.get(text(at))).filter((value) => value !== undefined)
  expect(known).toContain(39)
  expect(known.length).toBeLessThanOrEqual(20)
})

test('a text that is set again counts once', () => {
  const remembered = new RememberedTexts<number>(10 * LENGTH)
  for (let at = 0; at < 100; at++) remembered.set(text(1), at)
  for (let at = 2; at <= 10; at++) remembered.set(text(at), at)

  expect(Array.from({ length: 10 }, (_, at) => remembered.get(text(at + 1)))).toEqual([99, 2, 3, 4, 5, 6, 7, 8, 9, 10])
})

test('short and very long texts are not kept', () => {
  const remembered = new RememberedTexts<number>(10 * LENGTH)
  for (const each of ['short', ' '.repeat(2 * LENGTH)]) {
    remembered.set(each, 1)
    expect(remembered.get(each)).toBeUndefined()
  }
})
