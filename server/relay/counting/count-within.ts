import { estimateTokens } from './estimate.ts'

/** Byte-pair encoding is quadratic in a run of one kind of characters; words of real languages are far shorter. */
const RUN_LENGTH_MAX = 256
/** The longest sequences that a tokenizer can treat as one word: letters, signs or blanks. */
const RUNS = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu
const PIECES = new RegExp(`.{1,${RUN_LENGTH_MAX}}`, 'gsu')
/** Characters between two checks of the deadline. */
const SLICE_LENGTH = 8192

export interface Bounds {
  /** Number of characters to count exactly, over all texts. */
  readonly charactersMax: number
  /** Milliseconds, on the clock of `now`. */
  readonly deadline: number
  now(): number
}

/**
 * Counts the tokens of texts exactly within the bounds; overestimates the rest. The time is proportional to the length, for any
 * text.
 */
export function countWithin(texts: readonly string[], count: (text: string) => number, bounds: Bounds): number {
  let tokens = 0
  let left = bounds.charactersMax
  for (const text of texts) {
    let at = 0
    for (const piece of piecesOf(text.slice(0, left))) {
      if (bounds.now() >= bounds.deadline) break
      tokens += count(piece)
      at += piece.length
    }
    left -= at
    tokens += estimateTokens(text.slice(at))
  }
  return tokens
}

/** Splits a text between runs, or inside long runs, where a split costs at most one token. */
function* piecesOf(text: string): Generator<string> {
  let start = 0
  for (const { 0: run, index } of text.matchAll(RUNS)) {
    const long = run.length > RUN_LENGTH_MAX
    if (!long && index - start < SLICE_LENGTH) continue
    if (index > start) yield text.slice(start, index)
    start = index
    if (!long) continue
    yield* run.match(PIECES) ?? []
    start += run.length
  }
  if (start < text.length) yield text.slice(start)
}
