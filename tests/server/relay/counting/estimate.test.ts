import { countTokens as countOld } from 'gpt-tokenizer/encoding/cl100k_base'
import { countTokens as countNew } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { estimateTokens } from '../../../../server/relay/counting/estimate.ts'
import { seeded } from '../../../support/seeded.ts'

const random = seeded(20)
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T
const range = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, at) => String.fromCodePoint(first + at))
const many = (count: number, make: () => string, separator = '') => Array.from({ length: count }, make).join(separator)
const of = (alphabet: readonly string[], length: number) => many(length, () => pick(alphabet))

const SMALL = range(0x61, 0x7a)
const CAPITALS = range(0x41, 0x5a)
const DIGITS = range(0x30, 0x39)
const MARKS = [...'!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~']
const SYLLABLES = SMALL.filter((letter) => 'bcdfglmnprst'.includes(letter)).flatMap((first) =>
  [...'aeiou'].map((vowel) => first + vowel),
)
const WORDS = 'request upstream balance token stream charge ledger hold reserve client gateway usage report'.split(' ')
const chance = (length: number) => Math.ceil(random() * length)

/** Kinds of texts that tokenizers cut small. */
const HARD: Record<string, () => string> = {
  hieroglyphs: () => of(range(0x13000, 0x1342f), 200),
  cuneiform: () => of(range(0x12000, 0x12399), 200),
  'private use': () => of(range(0xe000, 0xf8ff), 300),
  'private use of another plane': () => of(range(0xf0000, 0xf00ff), 200),
  'a wall of punctuation': () => of(MARKS, 600),
  'punctuation with spaces': () => of([...MARKS, ' '], 600),
  'the same marks again': () => many(40, () => pick(MARKS).repeat(chance(30))),
  'blanks of all kinds': () => of([' ', '\t', '\n'], 500),
  base64: () => Buffer.from(of(range(0, 255), 600), 'latin1').toString('base64'),
  hexadecimal: () => of([...DIGITS, ...'abcdef'], 600),
  'small letters': () => of(SMALL, 600),
  'capital letters': () => of(CAPITALS, 600),
  'mixed letters': () => of([...SMALL, ...CAPITALS], 600),
  'letters and digits': () => of([...SMALL, ...DIGITS], 600),
  'letters in groups': () => many(100, () => of(SMALL, 1 + chance(9)), ' '),
  syllables: () => of(SYLLABLES, 300),
  'invented words': () => many(80, () => of(SYLLABLES, chance(4)), ' '),
  digits: () => of(DIGITS, 600),
  'digits and spaces': () => of([...DIGITS, ' '], 600),
  numbers: () => many(80, () => String(random() * 1e6), ', '),
  identifiers: () => many(20, () => [8, 4, 4, 4, 12].map((n) => of([...DIGITS, ...'abcdef'], n)).join('-'), '\n'),
  'Chinese characters': () => of(range(0x4e00, 0x9fff), 300),
  'rare Chinese characters': () => of(range(0x3400, 0x4dbf), 300),
  kana: () => of(range(0x3041, 0x30fc), 300),
  Hangul: () => of(range(0xac00, 0xd7a3), 300),
  Cyrillic: () => of(range(0x410, 0x44f), 300),
  Greek: () => of(range(0x3b1, 0x3c9), 300),
  Arabic: () => of(range(0x621, 0x64a), 300),
  Devanagari: () => of(range(0x905, 0x94d), 300),
  Ethiopic: () => of(range(0x1200, 0x135a), 300),
  emoji: () => of(range(0x1f600, 0x1f64f), 200),
  'joined emoji': () => many(60, () => pick(['👨‍👩‍👧‍👦', '🏳️‍🌈', '👩🏽‍🚀', '🧑🏿‍🤝‍🧑🏻'])),
  'letters under marks': () => many(80, () => pick(SMALL) + of(range(0x300, 0x36f), 4)),
  'mathematical letters': () => of(range(0x1d400, 0x1d7ff), 150),
  'box drawing': () => of(range(0x2500, 0x257f), 300),
  code: () =>
    many(
      20,
      () =>
        `const ${pick(WORDS)}_${chance(99)} = (${of(SMALL, 3)}) => {\n  return ${of(SMALL, 2)}[${chance(9)}] ?? null\n}`,
      '\n',
    ),
  'minified code': () => many(60, () => `${of(SMALL, 1)}=${of(SMALL, 2)}(${of(SMALL, 1)}[${chance(9)}]||!0);`),
  JSON: () => JSON.stringify(Array.from({ length: 25 }, () => ({ [of(SMALL, 5)]: random(), id: of(SMALL, 8) }))),
  markup: () => many(30, () => `<div class="${of(SMALL, 4)}"><p>${pick(WORDS)}</p></div>`),
  addresses: () =>
    many(20, () => `https://${of(SMALL, 8)}.example/${of(SMALL, 6)}?q=${of([...SMALL, ...DIGITS], 9)}`, '\n'),
}
const ROUNDS = 5

const ENGLISH = [
  'The balance of a customer is a number that must not fall below zero. When a request arrives, the gateway asks how much it can cost at most, and sets that much aside before it asks anyone else.',
  'On a cold morning in March the two of them walked down to the harbor, where the boats had been tied up since the storm. "You could have called me," she said, and he did not answer for a while.',
  'A tokenizer cuts a text into pieces that it has seen often. Short words are one piece, and so are most of the longer words that appear in books, newspapers and letters; only names and rare terms are cut.',
  'We have moved the meeting to Thursday at ten, because the new figures will not be ready before then. Please bring the list of open questions, and let me know if there is anything that you need from us.',
]

const counted = (text: string) => {
  const settings = { disallowedSpecial: new Set<string>() }
  return Math.max(countOld(text, settings), countNew(text, settings))
}

describe('the token estimate', () => {
  test('is never below the real count of 200 hard texts', () => {
    const texts = Object.entries(HARD).flatMap(([kind, make]) =>
      Array.from({ length: ROUNDS }, () => ({ kind, text: make() })),
    )
    expect(texts.length).toBeGreaterThanOrEqual(200)

    const ratios = texts.map(({ kind, text }) => ({ kind, ratio: estimateTokens(text) / counted(text) }))

    const mean = ratios.reduce((sum, { ratio }) => sum + ratio, 0) / ratios.length
    console.log(`${texts.length} hard texts: estimated ${mean.toFixed(2)} times what is counted, on average`)
    expect(ratios.filter(({ ratio }) => ratio < 1)).toEqual([])
  })

  test('is about 1.3 times the real count of plain English', () => {
    for (const text of ENGLISH) {
      const ratio = estimateTokens(text) / counted(text)
      expect(ratio).toBeGreaterThanOrEqual(1)
      expect(ratio).toBeLessThan(1.4)
    }
    const all = ENGLISH.join('\n\n')
    expect(estimateTokens(all) / counted(all)).toBeLessThan(1.33)
  })

  test('of an empty text is zero, and of a letter is one', () => {
    expect(estimateTokens('')).toBe(0)
    expect(estimateTokens('a')).toBeLessThanOrEqual(2)
  })
})
