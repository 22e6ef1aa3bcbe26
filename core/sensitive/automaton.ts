/**
 * An Aho-Corasick automaton: https://doi.org/10.1145/360825.360855. Each state stands for a prefix of one or more
 * words. Letters are UTF-16 code units.
 *
 * States are numbered breadth first. So the children of a state have adjacent numbers, in the order of their letters:
 * from `first[state]` to `first[state + 1]`, exclusive. Each state takes about 15 bytes.
 */
interface Automaton {
  /** The last letter of each state's prefix. */
  readonly letters: Uint16Array
  /** The first child of each state. */
  readonly first: Int32Array
  /** The failure link of each state, to the longest proper suffix of its prefix that is also a prefix of a word. */
  readonly failures: Int32Array
  /** For each state, the index of the longest word that ends there, or `NO_WORD`. */
  readonly ends: Int32Array
  /** The child of the root for each letter, or 0. */
  readonly roots: Int32Array
  /** The column in `table` of each letter, from 1. Letters that are not common have no column (0). */
  readonly columns: Uint8Array
  /**
   * The next state after a common letter, with failure links already followed. The table has `COLUMNS` entries for each
   * of the states nearest to the root.
   */
  readonly table: Int32Array
}

export const NO_WORD = -1
export const COLUMNS = 64
/** Maximum number of states in the table: 1 MB with 64 columns. Texts without the words rarely need other states. */
const TABLE_STATES_MAX = 4096
const LETTER_COUNT = 0x1_00_00

/** Creates the automaton of words, which must be non-empty, unique and sorted by code units. */
export function createAutomaton(words: readonly string[]): Automaton {
  const trie = createTrie(words)
  const { letters, first, ends, parents, states } = trie
  const roots = new Int32Array(LETTER_COUNT)
  for (let child = first[0] ?? 0; child < (first[1] ?? 0); child++) roots[letters[child] ?? 0] = child
  const failures = new Int32Array(states)
  for (let state = 1; state < states; state++) {
    const parent = parents[state] ?? 0
    if (parent === 0) continue
    const failure = follow(failures[parent] ?? 0, letters[state] ?? 0, { letters, first, failures, roots })
    failures[state] = failure
    if (ends[state] === NO_WORD) ends[state] = ends[failure] ?? NO_WORD
  }
  const columns = commonLetters(letters)
  return { letters, first, failures, ends, roots, columns, table: createTable({ letters, first, failures, columns }) }
}

/** Returns the next state for a letter. Follows failure links if the state has no child for the letter. */
export function follow(
  from: number,
  letter: number,
  { letters, first, failures, roots }: Pick<Automaton, 'letters' | 'first' | 'failures' | 'roots'>,
): number {
  for (let state = from; state !== 0; state = failures[state] ?? 0) {
    let low = first[state] ?? 0
    let high = first[state + 1] ?? 0
    while (low < high) {
      const middle = (low + high) >>> 1
      const childLetter = letters[middle] ?? 0
      if (childLetter === letter) return middle
      if (childLetter < letter) low = middle + 1
      else high = middle
    }
  }
  return roots[letter] ?? 0
}

/**
 * Creates the states. The words are sorted, so the words that begin with the prefix of a state are adjacent. The
 * children of the state divide this range by the next letter.
 */
function createTrie(words: readonly string[]) {
  const statesMax = words.reduce((sum, { length }) => sum + length, 1)
  const letters = new Uint16Array(statesMax)
  const first = new Int32Array(statesMax + 1)
  const ends = new Int32Array(statesMax).fill(NO_WORD)
  const parents = new Int32Array(statesMax)
  const depths = new Uint32Array(statesMax)
  const starts = new Uint32Array(statesMax)
  const stops = new Uint32Array(statesMax)
  stops[0] = words.length
  let states = 1
  for (let state = 0; state < states; state++) {
    first[state] = states
    const depth = depths[state] ?? 0
    const stop = stops[state] ?? 0
    let place = starts[state] ?? 0
    if (place < stop && words[place]?.length === depth) ends[state] = place++
    while (place < stop) {
      const letter = words[place]?.charCodeAt(depth) ?? 0
      letters[states] = letter
      parents[states] = state
      depths[states] = depth + 1
      starts[states] = place++
      while (place < stop && words[place]?.charCodeAt(depth) === letter) place++
      stops[states] = place
      states++
    }
  }
  first[states] = states
  return { letters: letters.slice(0, states), first, ends, parents, states }
}

function commonLetters(letters: Uint16Array): Uint8Array {
  const counts = new Uint32Array(LETTER_COUNT)
  const usedLetters: number[] = []
  for (let state = 1; state < letters.length; state++) {
    const letter = letters[state] ?? 0
    const count = counts[letter] ?? 0
    if (count === 0) usedLetters.push(letter)
    counts[letter] = count + 1
  }
  const commonest = usedLetters.sort((a, b) => (counts[b] ?? 0) - (counts[a] ?? 0)).slice(0, COLUMNS - 1)
  const columns = new Uint8Array(LETTER_COUNT)
  for (const [index, letter] of commonest.entries()) columns[letter] = index + 1
  return columns
}

function createTable(parts: Pick<Automaton, 'letters' | 'first' | 'failures' | 'columns'>): Int32Array {
  const { letters, first, failures, columns } = parts
  const states = Math.min(letters.length, TABLE_STATES_MAX)
  const table = new Int32Array(states * COLUMNS)
  for (let state = 0; state < states; state++) {
    const row = state * COLUMNS
    // The failure link leads to a state nearer to the root, whose row is already filled.
    const failure = (failures[state] ?? 0) * COLUMNS
    if (state > 0) table.copyWithin(row, failure, failure + COLUMNS)
    for (let child = first[state] ?? 0; child < (first[state + 1] ?? 0); child++) {
      const column = columns[letters[child] ?? 0] ?? 0
      if (column > 0) table[row + column] = child
    }
  }
  return table
}
