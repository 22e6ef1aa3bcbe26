import { describe, expect, test } from 'vitest'
import { createFolding } from '../../../core/sensitive/folding.ts'
import { createMatcher } from '../../../core/sensitive/matcher.ts'
import { seeded } from '../../support/seeded.ts'

const FOLDING = createFolding()

/** What is found in a text, searched in pieces of so many code units. */
function find(list: string, text: string, { max = 100, piece = text.length || 1 } = {}): string[] {
  const matcher = createMatcher(list, FOLDING)
  const matches = new Set<string>()
  let state = 0
  for (let from = 0; from < text.length; from += piece) {
    state = matcher.search(text, { from, to: Math.min(text.length, from + piece), state }, { found: matches, max })
  }
  return [...matches]
}

describe('a word is found', () => {
  test.each([
    ['anywhere in a text', 'cat', 'concatenate'],
    ['in another case', 'CaT', 'the cAt'],
    ['in Chinese', '敏感词', '这里有敏感词。'],
    ['in full-width letters', 'cat', 'ａ ＣＡＴ!'],
    ['when it is itself written in full width', 'ｃａｔ', 'a cat'],
    ['with the dotted capital I', 'istanbul', 'İSTANBUL'],
    ['with the small i without a dot', 'kids', 'KıDS'],
    ['with a final sigma', 'ΟΔΟΣ', 'οδος'],
    ['with a final sigma in the text', 'οδοσ', 'οδος'],
    ['in Cyrillic', 'слово', 'СЛОВО'],
    ['across invisible characters', 'cat', 'c\u200ba\u00adt\ufeff'],
    ['with a blank of any width inside', 'two words', 'two　words'],
    ['beyond the basic plane', '🔪 knife', 'a 🔪 Knife'],
    ['from half-width kana', 'アカ', 'ｱｶ'],
    ['at the beginning of a longer one that does not follow', 'cats\ncatalogue\ncat', 'catalog'],
    ['that begins within another', 'abcd\nbce', 'abce'],
  ])('%s', (_, list, text) => {
    expect(find(list, text)).toHaveLength(1)
  })

  test.each([
    ['of other letters', 'cat', 'c-a-t cta kat'],
    ['of other signs in its place', 'strasse', 'straße'],
    ['half of a pair', '🔪', '🔫'],
    ['cut short', 'catalogue', 'catalogu'],
    ['in no text', 'cat', ''],
  ])('but not %s', (_, list, text) => {
    expect(find(list, text)).toEqual([])
  })

  test('as spelled in the list, the longest of those that end at one place', () => {
    expect(find(' Cat \nPolecat', 'a POLECAT and a cat')).toEqual(['Polecat', 'Cat'])
  })

  test('until the limit is reached', () => {
    expect(find('a\nb\nc', 'c b a b c', { max: 2 })).toEqual(['c', 'b'])
  })

  test('at any chunk boundary of a long text', () => {
    const text = 'xx ab abcab cdeabcd\u200be'
    const whole = find('abcde\ncd\nxa', text)
    for (let piece = 1; piece < text.length; piece++) expect(find('abcde\ncd\nxa', text, { piece })).toEqual(whole)
    expect(whole).toEqual(['cd', 'abcde'])
  })
})

describe('a list', () => {
  test('has one word per line, with any line ending; blanks, empty lines and duplicates are ignored', () => {
    const matcher = createMatcher('\ufeffone\r\n\r\n  two \nONE\n\u200b\n\n\tｔｗｏ\n', FOLDING)
    expect(matcher.size).toBe(2)
    expect(find('\ufeffone\r\n\r\n  two \nONE', 'one two')).toEqual(['one', 'two'])
  })

  test('without words finds nothing', () => {
    expect(createMatcher(' \r\n\n', FOLDING).size).toBe(0)
    expect(find('', 'anything')).toEqual([])
  })

  test('of 100 000 words finds each of them', () => {
    const random = seeded(5)
    const words = Array.from({ length: 100_000 }, (_, index) => {
      const letter = index % 2 ? 0x4e00 : 0x61
      const range = index % 2 ? 3000 : 26
      const length = 2 + Math.floor(random() ** 3 * 30)
      return Array.from({ length }, () => String.fromCharCode(letter + Math.floor(random() * range))).join('')
    })
    const matcher = createMatcher(words.join('\n'), FOLDING)
    expect(matcher.size).toBe(new Set(words).size)
    for (let at = 0; at < words.length; at += 997) {
      const matches = new Set<string>()
      const text = `一${words[at]}`
      matcher.search(text, { from: 0, to: text.length, state: 0 }, { found: matches, max: 1000 })
      expect([...matches].some((word) => words[at]?.endsWith(word))).toBe(true)
    }
  })
})

test('gives the same result as a search for each word, for random words and texts', () => {
  const random = seeded(11)
  const text = (length: number) =>
    Array.from({ length }, () => 'abAB中国'.charAt(Math.floor(random() ** 2 * 6))).join('')
  for (let round = 0; round < 400; round++) {
    const words = Array.from({ length: 1 + Math.floor(random() * 12) }, () => text(1 + Math.floor(random() * 5)))
    const within = text(Math.floor(random() * 40)).toLowerCase()
    const matches = find(words.join('\n'), within)
    const there = new Set(words.map((word) => word.toLowerCase()).filter((word) => within.includes(word)))
    const lowerCased = matches.map((word) => word.toLowerCase())
    // Of those that end at one place the longest is told: what is missing is the end of one that is not.
    expect([...there].filter((word) => !lowerCased.some((longer) => longer.endsWith(word)))).toEqual([])
    expect(lowerCased.filter((word) => !there.has(word))).toEqual([])
  }
})

test('letters with equal toLowerCase are equal', () => {
  const different: string[] = []
  for (let unit = 0; unit < 0x1_00_00; unit++) {
    const letter = String.fromCharCode(unit)
    const small = letter.toLowerCase()
    if (small.length === 1 && FOLDING[unit] !== FOLDING[small.charCodeAt(0)]) different.push(letter)
  }
  expect(different).toEqual([])
})
