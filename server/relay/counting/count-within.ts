import { estimateTokens } from './estimate.ts'

/** Byte-pair encoding is quadratic in a run of one sort of characters; words of real languages are far shorter. */
const RUN_LENGTH_MAX = 256
/** What a tokenizer takes for one word at most: letters, signs or blanks. */
const RUNS = /[\p{L}\p{M}]+|[^\s\p{L}\p{N}]+|\s+/gu
const PIECES = new RegExp(`.{1,${RUN_LENGTH_MAX}}`, 'gsu')
/** So often the clock is looked at. */
const SLICE_LENGTH = 8192

export interface Bounds {
  /** Characters that are counted exactly, of all texts together. */
  readonly charactersMax: number
  /** Milliseconds, by the same clock as `now`. */
  readonly deadline: number
  now(): number
}

/**
 * Tokens of texts, counted exactly as far as the bounds allow; the rest is estimated, rather above than below. Takes time in
 * proportion to the length, whatever the texts are made of.
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

/** The text, cut inside long runs, where a cut costs a token at most, and otherwise between runs. */
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
