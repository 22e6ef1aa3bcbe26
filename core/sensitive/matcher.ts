import { COLUMNS, createAutomaton, follow, NO_WORD } from './automaton.ts'
import { fold, UNSEEN, UNSEEN_PAIR } from './folding.ts'

/** Finds any of many words in a text. Immutable. */
export interface Matcher {
  /** Number of distinct words. */
  readonly size: number
  /**
   * Searches `text` from `from` to `to` (code units), and adds matches to `found` until it contains `max` words. If
   * several words end at one position, only the longest counts.
   *
   * `state` is 0 for the first call. The result is the state for the next call.
   */
  search(
    text: string,
    where: { from: number; to: number; state: number },
    hits: { found: Set<string>; max: number },
  ): number
}

/** Creates a matcher from a list with one word per line. Matches are as written in the list. */
export function createMatcher(list: string, folding: Uint16Array): Matcher {
  const listedWords = wordsOf(list, folding)
  const words = [...listedWords.keys()].sort()
  const reported = words.map((word) => listedWords.get(word) ?? word)
  const automaton = createAutomaton(words)
  const { ends, columns, table, roots } = automaton
  const tableStates = table.length / COLUMNS

  return {
    size: words.length,
    search(text, { from, to, state: before }, { found, max }) {
      let state = before
      // The previous call may have ended inside a surrogate pair.
      const start = from > 0 && text.charCodeAt(from - 1) === UNSEEN_PAIR ? from + 1 : from
      for (let index = start; index < to; index++) {
        const letter = folding[text.charCodeAt(index)] ?? UNSEEN
        if (letter === UNSEEN) {
          if (text.charCodeAt(index) === UNSEEN_PAIR) index++
          continue
        }
        const column = columns[letter] ?? 0
        if (column > 0 && state < tableStates) state = table[state * COLUMNS + column] ?? 0
        else state = state === 0 ? (roots[letter] ?? 0) : follow(state, letter, automaton)
        const word = ends[state] ?? NO_WORD
        const match = word === NO_WORD ? undefined : reported[word]
        if (match === undefined) continue
        found.add(match)
        if (found.size >= max) return state
      }
      return state
    },
  }
}

/**
 * Returns the words of a list, by their folded forms. In a prompt, a line break or the end of a message part can
 * replace a blank. Both are invisible to the search, so each word with blanks is also searched without blanks.
 */
function wordsOf(list: string, folding: Uint16Array): Map<string, string> {
  const words = new Map<string, string>()
  const joinedWords: [word: string, listed: string][] = []
  for (const line of list.split(/\r?\n/)) {
    const listed = line.trim()
    const word = fold(listed, folding).trim()
    if (word === '') continue
    if (!words.has(word)) words.set(word, listed)
    joinedWords.push([word.replace(/\s+/g, ''), listed])
  }
  for (const [word, listed] of joinedWords) if (word !== '' && !words.has(word)) words.set(word, listed)
  return words
}
