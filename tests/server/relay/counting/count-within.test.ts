import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { expect, test } from 'vitest'
import { type Bounds, countWithin } from '../../../../server/relay/counting/count-within.ts'
import { estimateTokens } from '../../../../server/relay/counting/estimate.ts'
import { seeded } from '../../../support/seeded.ts'

const unbounded: Bounds = { charactersMax: 1e9, deadline: 1, now: () => 0 }
const prose = 'The quick brown fox jumps over 12345 lazy dogs — isn’t it odd?\n\n天地玄黄，宇宙洪荒。 '.repeat(300)

/** The pieces that a text is counted in. */
function pieces(text: string): string[] {
  const seen: string[] = []
  countWithin([text], (piece) => seen.push(piece), unbounded)
  return seen
}

test('prose is counted like by the tokenizer as a whole, except for a token per split', () => {
  const cuts = pieces(prose).length - 1
  expect(cuts).toBeGreaterThan(0)
  expect(Math.abs(countWithin([prose, 'a b'], countTokens, unbounded) - countTokens(prose) - 2)).toBeLessThanOrEqual(
    cuts,
  )
})

test.each([
  ['letters', 'ab'.repeat(150_000)],
  ['letters behind a word', `hello ${'ab'.repeat(5000)} and more`],
  ['signs', '!?'.repeat(5000)],
  ['blanks', ' \n'.repeat(5000)],
  ['ideographs', '天地玄黄'.repeat(5000)],
  ['emoji', '😀😁'.repeat(5000)],
  ['accents', `a${'\u0301'.repeat(5000)}`],
])('no run of %s is passed to the tokenizer whole, and nothing is lost', (_, text) => {
  const given = pieces(text)
  expect(given.join('')).toBe(text)
  for (const [run] of given.flatMap((piece) => [...piece.matchAll(/[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu)])) {
    expect([...run].length).toBeLessThanOrEqual(256)
  }
  expect(Math.max(...given.map(({ length }) => length))).toBeLessThan(10_000)
})

test('the rest at the deadline is estimated', () => {
  let looks = 0
  const bounds = { ...unbounded, deadline: 2, now: () => looks++ }
  const text = 'ab'.repeat(512)
  expect(countWithin([text, 'xyz'], () => 1, bounds)).toBe(2 + estimateTokens(text.slice(512)) + estimateTokens('xyz'))
})

test('of very long texts the start is counted', () => {
  const bounds = { ...unbounded, charactersMax: 10 }
  expect(countWithin(['a'.repeat(8), 'b'.repeat(8), 'c'.repeat(9)], ({ length }) => length, bounds)).toBe(
    8 + 2 + estimateTokens('b'.repeat(6)) + estimateTokens('c'.repeat(9)),
  )
})

test('no part of random texts is lost', () => {
  const random = seeded(27)
  const bits = ['a', 'é', '天', ' ', '\n', '1', '!', '😀', '\ud800', 'x'.repeat(300), ' '.repeat(300)]
  for (let round = 0; round < 50; round++) {
    const text = Array.from({ length: 200 }, () => bits[Math.floor(random() * bits.length)]).join('')
    expect(pieces(text).join('')).toBe(text)
  }
})
