import { COLUMNS, createAutomaton, follow, NO_WORD } from './automaton.ts'
import { fold, UNSEEN } from './folding.ts'

/** Finds any of many words in a text. Immutable. */
export interface Matcher {
  /** How many different words it looks for. */
  readonly size: number
  /**
   * Searches `text` between two offsets in code units, and adds what is there to `found` until that has `max`. Of the words
   * that end at one place the longest counts. `state`: 0 at the beginning of a text, later what the last call answered.
   */
  search(
    text: string,
    where: { from: number; to: number; state: number },
    hits: { found: Set<string>; max: number },
  ): number
}

/** `list`: one word in a line, as they are to be told. `folding`: what counts as the same, see `createFolding`. */
export function createMatcher(list: string, folding: Uint16Array): Matcher {
  const given = wordsOf(list, folding)
  const words = [...given.keys()].sort()
  const automaton = createAutomaton(words)
  const { ends, columns, table, roots } = automaton
  const inTable = table.length / COLUMNS

  return {
    size: words.length,
    search(text, { from, to, state: begun }, { found, max }) {
      let state = begun
      for (let place = from; place < to; place++) {
        const letter = folding[text.charCodeAt(place)] as number
        if (letter === UNSEEN) continue
        const column = columns[letter] as number
        if (column > 0 && state < inTable) state = table[state * COLUMNS + column] as number
        else state = state === 0 ? (roots[letter] as number) : follow(state, letter, automaton)
        const word = ends[state] as number
        if (word === NO_WORD) continue
        found.add(given.get(words[word] as string) as string)
        if (found.size >= max) return state
      }
      return state
    },
  }
}

/** The words of a list, under the letters that they are compared by. */
function wordsOf(list: string, folding: Uint16Array): Map<string, string> {
  const given = list.split('\n')
  const words = new Map<string, string>()
  for (const [index, folded] of fold(list, folding).split('\n').entries()) {
    const word = folded.trim()
    if (word !== '' && !words.has(word)) words.set(word, (given[index] as string).trim())
  }
  return words
}
