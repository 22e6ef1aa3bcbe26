import { COLUMNS, createAutomaton, follow, NO_WORD } from './automaton.ts'
import { fold, UNSEEN, UNSEEN_PAIR } from './folding.ts'

/** Finds any of many words in a text. Immutable. */
export interface Matcher {
  /** Number of different words. */
  readonly size: number
  /**
   * Searches `text` between two offsets in code units, and adds matches to `found`, at most `max`. If several words end at the
   * same place, only the longest counts. Returns the state for the next call; `state` is 0 at the beginning.
   */
  search(
    text: string,
    where: { from: number; to: number; state: number },
    hits: { found: Set<string>; max: number },
  ): number
}

/** Creates a matcher. `list`: one word per line; matches are reported in this form. `folding`: see `createFolding`. */
export function createMatcher(list: string, folding: Uint16Array): Matcher {
  const given = wordsOf(list, folding)
  const words = [...given.keys()].sort()
  const reported = words.map((word) => given.get(word) ?? word)
  const automaton = createAutomaton(words)
  const { ends, columns, table, roots } = automaton
  const inTable = table.length / COLUMNS

  return {
    size: words.length,
    search(text, { from, to, state: begun }, { found, max }) {
      let state = begun
      // The last call may have ended inside a surrogate pair.
      const start = from > 0 && text.charCodeAt(from - 1) === UNSEEN_PAIR ? from + 1 : from
      for (let place = start; place < to; place++) {
        const letter = folding[text.charCodeAt(place)] ?? UNSEEN
        if (letter === UNSEEN) {
          if (text.charCodeAt(place) === UNSEEN_PAIR) place++
          continue
        }
        const column = columns[letter] ?? 0
        if (column > 0 && state < inTable) state = table[state * COLUMNS + column] ?? 0
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
 * Returns the words of a list by their folded form. A word with blanks also matches without blanks, because in a prompt a line
 * break or the end of a message part can replace a blank.
 */
function wordsOf(list: string, folding: Uint16Array): Map<string, string> {
  const words = new Map<string, string>()
  const joined: [word: string, given: string][] = []
  for (const line of list.split(/\r?\n/)) {
    const given = line.trim()
    const word = fold(given, folding).trim()
    if (word === '') continue
    if (!words.has(word)) words.set(word, given)
    joined.push([word.replace(/\s+/g, ''), given])
  }
  for (const [word, given] of joined) if (word !== '' && !words.has(word)) words.set(word, given)
  return words
}
