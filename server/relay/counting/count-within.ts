import { estimateTokens } from './estimate.ts'

/**
 * Maximum length of a run that is counted at once, because the time of byte-pair encoding grows with the square of this
 * length. Real words are shorter.
 */
const RUN_LENGTH_MAX = 256
/** Runs of letters, signs or blanks. A tokenizer may treat a whole run as one word. */
const RUNS = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu
const RUN_PIECES = new RegExp(`.{1,${RUN_LENGTH_MAX}}`, 'gsu')
/** Approximate number of characters between two checks of the deadline. */
const SLICE_LENGTH = 8192

export interface Bounds {
  /** Maximum number of characters to count exactly, in all texts together. */
  readonly charactersMax: number
  /** Time in ms, on the clock of `now`, after which texts are estimated. */
  readonly deadline: number
  now(): number
}

/**
 * Counts the tokens of texts. Counts exactly within the bounds, and estimates the remaining text. The time is
 * proportional to the length of the texts, for all contents.
 */
export function countWithin(texts: readonly string[], count: (text: string) => number, bounds: Bounds): number {
  let tokens = 0
  let charactersLeft = bounds.charactersMax
  for (const text of texts) {
    let countedLength = 0
    for (const piece of piecesOf(text.slice(0, charactersLeft))) {
      if (bounds.now() >= bounds.deadline) break
      tokens += count(piece)
      countedLength += piece.length
    }
    charactersLeft -= countedLength
    tokens += estimateTokens(text.slice(countedLength))
  }
  return tokens
}

/** Splits a text between runs, and long runs into pieces. Each split of a run adds at most one token. */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const isLong = run.length > RUN_LENGTH_MAX
    if (!isLong && index - start < SLICE_LENGTH) continue
    if (index > start) yield text.slice(start, index)
    start = index
    if (!isLong) continue
    yield* run.match(RUN_PIECES) ?? []
    start += run.length
  }
  if (start < text.length) yield text.slice(start)
}
