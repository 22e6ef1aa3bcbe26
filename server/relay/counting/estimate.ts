import { RememberedTexts } from '../../../core/remembered-texts.ts'

/*
 * Estimates tokens without a vocabulary. One pass with tables is fast enough for each request.
 * tests/server/relay/counting/estimate.test.ts compares the estimates with the counts of cl100k and o200k. In this
 * test, no estimate is below these counts. For English, the estimate is about 1.3 times the count.
 */

/** Number of cost units per token. Costs are integers, in these units. */
const UNIT = 64
const costOf = (tokens: number) => Math.round(tokens * UNIT)

/** Each letter of a word after this number of letters costs `FURTHER_LETTER`. */
const WORD_LENGTH = 5
const FURTHER_LETTER = costOf(0.36)
/** Cost of a letter pair that is rare in English words. A tokenizer splits a word there. */
const RARE_PAIR = costOf(0.65)
/** Cost of a capital letter that follows a capital letter. */
const CAPITAL_RUN = costOf(0.65)

/** For each letter from a to z, the letters that often follow it in English words. */
const FOLLOWERS =
  'bcdfgiklmnprstuvwy abeiloruy aehiklortuy adeginorsuvwy abcdeflmnpqrstvwxy aefilortuy aeghilnorsu aeilnortuy abcdefgklmnoprstvz aeou aeilnosy aadefikloprstuvwy abeilmnopuy acdefgiknostuvy abcdfgiklmnopqrstuvw aehiloprstuy u abcdegiklmnoprstuvy acehikmnoptuwy aehilorstuwy abcdefgilmnprst aeioy aehilnorsu aceipt acelmopst aeiloz'

/** Short words that are frequent only in English. In another language, the same number of letters has more tokens. */
const SHORT_WORDS =
  'the of and is it be by we you for are not but all can had has him his how its may new now see two who did she use as at if so our out her was any day get'
const SHORT_WORD_FRACTION = 0.16
/** Fraction of the words' cost that is added if a text has no short English words. */
const FOREIGN_FRACTION = 0.65

const isLower = (code: number) => code >= 0x61 && code <= 0x7a
const isUpper = (code: number) => code >= 0x41 && code <= 0x5a
const isLetter = (code: number) => isLower(code | 0x20)
const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isBreak = (code: number) => code === 0x0a || code === 0x0d
const SPACE = 0x20
/** Returns 1 for a negative integer, else 0. */
const isNegative = (value: number) => value >>> 31

/** Cost of the ASCII character `code` after the character `before`, at the index `before * 128 + code`. */
const COST_AFTER = new Uint8Array(128 * 128)
for (let before = 0; before < 128; before++) {
  for (let code = 0; code < 128; code++) COST_AFTER[before * 128 + code] = costAfter(before, code)
}
const COMMON_PAIRS = new Set<number>()
FOLLOWERS.split(' ').forEach((letters, first) => {
  for (const letter of letters) COMMON_PAIRS.add((0x61 + first) * 128 + letter.charCodeAt(0))
})
for (let before = 0x41; before <= 0x7a; before++) {
  if (!isLetter(before)) continue
  for (let code = 0x61; code <= 0x7a; code++) {
    COST_AFTER[before * 128 + code] = COMMON_PAIRS.has((before | 0x20) * 128 + code) ? 0 : RARE_PAIR
  }
}

function costAfter(before: number, code: number): number {
  if (isLetter(code)) return isUpper(code) && isUpper(before) ? CAPITAL_RUN : UNIT
  // Each group of three digits is one token, counted from the first digit.
  if (isDigit(code)) return isDigit(before) ? 0 : before === SPACE ? 2 * UNIT : UNIT
  // A single space is free, because it belongs to the token of the next word.
  if (code === SPACE) return before === SPACE ? costOf(0.06) : before < SPACE ? UNIT : 0
  if (isBreak(code)) return isBreak(before) ? costOf(0.5) : before > SPACE && !isLetter(before) ? costOf(0.4) : UNIT
  if (code < SPACE) return costOf(code === before ? 0.3 : 1.05)
  return code === before ? costOf(0.5) : UNIT
}

const IS_SHORT_WORD = new Uint8Array(32 ** 3)
for (const word of SHORT_WORDS.split(' ')) IS_SHORT_WORD[packWord(word)] = 1

function packWord(word: string): number {
  return [...word].reduce((sum, letter) => sum * 32 + letter.charCodeAt(0) - 0x60, 0)
}

/** Maximum tokens of each UTF-16 unit that is not ASCII. Each byte of UTF-8 is at most one token. */
const WIDE_TOKENS = new Uint8Array(0x10000).fill(3)
WIDE_TOKENS.fill(2, 0x80, 0x800)
// Two surrogates have four bytes of UTF-8.
WIDE_TOKENS.fill(2, 0xd800, 0xe000)
// Blocks whose characters are one or two tokens each: small Cyrillic letters, Devanagari, Thai, punctuation, kana.
WIDE_TOKENS.fill(1, 0x430, 0x450)
WIDE_TOKENS.fill(2, 0x905, 0x94e)
WIDE_TOKENS.fill(2, 0xe01, 0xe3b)
WIDE_TOKENS.fill(1, 0x2013, 0x2015)
WIDE_TOKENS.fill(1, 0x2018, 0x201a)
WIDE_TOKENS.fill(1, 0x201c, 0x201e)
WIDE_TOKENS.fill(1, 0x3001, 0x3003)
WIDE_TOKENS.fill(2, 0x3041, 0x30fd)

const estimates = new RememberedTexts<number>(500_000)

/** Like `estimateTokens`, but caches the result, because prompts repeat texts. */
export function estimatePromptText(text: string): number {
  const cachedTokens = estimates.get(text)
  if (cachedTokens !== undefined) return cachedTokens
  const tokens = estimateTokens(text)
  estimates.set(text, tokens)
  return tokens
}

/** Estimates the tokens of a text. The estimate is more often above than below a tokenizer's count. */
export function estimateTokens(text: string): number {
  let wordCost = 0
  let otherCost = 0
  let wideTokens = 0
  let words = 0
  let shortWords = 0
  /**
   * `run` is the length of the current run of letters, digits or spaces. `word` has the letters of the run, packed into
   * one number.
   */
  let run = 0
  let word = 0
  /** 1 after a letter, else 0. */
  let isInWord = 0
  let before = 0x0a
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const lower = code | 0x20
    if (code < 0x80 && lower >= 0x61 && lower <= 0x7a) {
      // No branches here, because the processor cannot predict branches in base64. A small letter continues a word, and
      // a capital letter begins a word.
      const continues = (code >> 5) & isInWord
      run = run * continues + 1
      wordCost += (COST_AFTER[before * 128 + code] as number) + isNegative(WORD_LENGTH - run) * FURTHER_LETTER
      word = ((((word & 0x3ff) << 5) * continues + lower - 0x60) & 0x7fff) | (isNegative(3 - run) << 16)
      isInWord = 1
      before = code
      continue
    }
    if (word > 0) {
      words += 1
      if (word < 32_768) shortWords += IS_SHORT_WORD[word] as number
      word = 0
      run = 0
      isInWord = 0
    }
    if (code >= 0x80) {
      wideTokens += WIDE_TOKENS[code] as number
      before = 0
      run = 0
      continue
    }
    otherCost += COST_AFTER[before * 128 + code] as number
    if (code >= 0x30 && code <= 0x39) {
      run = before >= 0x30 && before <= 0x39 ? run + 1 : 1
      if (run % 3 === 1 && run > 1) otherCost += UNIT
    } else if (code === SPACE) {
      run = before === SPACE ? run + 1 : 1
      if (run === 2) otherCost += UNIT
    } else run = 0
    before = code
  }
  if (word > 0) words += 1
  const englishFraction = words > 0 ? Math.min(1, shortWords / words / SHORT_WORD_FRACTION) : 1
  return Math.ceil((wordCost * (1 + FOREIGN_FRACTION * (1 - englishFraction)) + otherCost) / UNIT + wideTokens)
}
