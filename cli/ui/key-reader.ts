/** A key by name (`up`, `enter`, `ctrl-s`, `a`), or typed or pasted characters. */
export interface Press {
  /** Name of the key. Empty for several characters, which could otherwise look like the name of a key. */
  name: string
  /** Typed or pasted text. Empty for keys without a character. */
  text: string
  /** The pasted text with its line breaks. `text` has spaces instead, so that a line break does not act as Enter. */
  pasted?: string
}

const ESCAPE = '\u001b'
/** Sequences that surround pasted text. */
const PASTE = { begins: '\u001b[200~', ends: '\u001b[201~' } as const
/** Maximum length of an incomplete sequence. No key sequence is that long. */
const SEQUENCE_MAX = 64
/** Patterns of terminal key sequences. Unknown sequences are ignored. */
const SEQUENCES = [
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send the ESC character.
  /^\u001b\[\[?[0-?]*[ -/]*[@-~]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send the ESC character.
  /^\u001bO[@-~]/,
] as const
// biome-ignore lint/suspicious/noControlCharactersInRegex: terminals send the ESC character.
const INCOMPLETE_SEQUENCE = /^\u001b(\[\[?[0-?]*[ -/]*|O)?$/

const LETTERS: Readonly<Record<string, string>> = {
  A: 'up',
  B: 'down',
  C: 'right',
  D: 'left',
  H: 'home',
  F: 'end',
  Z: 'shift-tab',
}
const NUMBERS: Readonly<Record<string, string>> = {
  1: 'home',
  3: 'ctrl-d',
  4: 'end',
  5: 'page-up',
  6: 'page-down',
  7: 'home',
  8: 'end',
}
const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\r\n': 'enter',
  '\t': 'tab',
  '\b': 'backspace',
  '\u007f': 'backspace',
}

interface KeyReader {
  /** Parses input to key presses. Never throws. */
  read(chunk: string): Press[]
  /** Whether the reader has an incomplete sequence. */
  readonly waits: boolean
  /** Ends the wait for the rest of a sequence. A single ESC character is then the Esc key. */
  flush(): Press[]
}

/**
 * Creates a parser that converts terminal input to keys. A sequence may arrive in pieces.
 *
 * `useInput` of Ink 6 throws at unknown sequences (test `random input does not crash the screens`). It also cannot
 * distinguish Delete from Backspace, and reads a sequence in pieces as Esc and text (tests/cli/ui/key-reader.test.ts).
 */
export function createKeyReader(): KeyReader {
  let pendingInput = ''
  let isPasting = false

  function paste(input: string): { presses: Press[]; rest: string } {
    const end = input.indexOf(PASTE.ends)
    const tail = end >= 0 ? '' : startOf(PASTE.ends, input)
    const whole = end >= 0 ? input.slice(0, end) : input.slice(0, input.length - tail.length)
    isPasting = end < 0
    const raw = whole.replace(/\r\n?/g, '\n')
    const text = raw.replace(/\p{Cc}+/gu, ' ')
    return {
      presses: text === '' ? [] : [{ name: '', text, pasted: raw }],
      rest: end >= 0 ? input.slice(end + PASTE.ends.length) : tail,
    }
  }

  function read(chunk: string): Press[] {
    // Ctrl-C ends a paste without an end marker.
    if (isPasting && chunk === '\u0003') {
      isPasting = false
      pendingInput = ''
    }
    const presses: Press[] = []
    let input = pendingInput + chunk
    pendingInput = ''
    while (input !== '') {
      if (isPasting) {
        const { presses: some, rest } = paste(input)
        presses.push(...some)
        input = rest
        if (isPasting) {
          pendingInput = rest
          break
        }
      } else if (input.startsWith(ESCAPE)) {
        if (INCOMPLETE_SEQUENCE.test(input) && input.length < SEQUENCE_MAX) {
          pendingInput = input
          break
        }
        const sequence = SEQUENCES.map((each) => each.exec(input)?.[0]).find((match) => match !== undefined)
        isPasting = sequence === PASTE.begins
        if (sequence) presses.push(...keyOf(sequence))
        else if (input[1] === ESCAPE) presses.push({ name: 'escape', text: '' })
        input = input.slice(sequence?.length ?? skippedLength(input))
      } else {
        const [piece = input] = /^(?:\r\n|\p{Cc}|\P{Cc}+)/u.exec(input) ?? []
        presses.push(...typedKeys(piece))
        input = input.slice(piece.length)
      }
    }
    return presses
  }

  return {
    read,
    get waits() {
      return pendingInput !== '' && !isPasting
    },
    flush() {
      const isEscapeOnly = pendingInput === ESCAPE
      pendingInput = ''
      return isEscapeOnly ? [{ name: 'escape', text: '' }] : []
    },
  }
}

function keyOf(sequence: string): Press[] {
  const [, number = ''] = /\[(\d+)[\d;:]*~$/.exec(sequence) ?? []
  const name = number ? NUMBERS[number] : /\[\[/.test(sequence) ? undefined : LETTERS[sequence.at(-1) ?? '']
  return name === undefined ? [] : [{ name, text: '' }]
}

/** Returns the keys of typed characters. Fast typing arrives in one chunk. */
function typedKeys(piece: string): Press[] {
  const name = CONTROLS[piece]
  if (name !== undefined) return [{ name, text: '' }]
  if (!/^\p{Cc}/u.test(piece)) return [...piece].map((text) => ({ name: text, text }))
  const code = piece.charCodeAt(0)
  return code > 0 && code < 27 ? [{ name: `ctrl-${String.fromCharCode(code + 96)}`, text: '' }] : []
}

/** Returns how much to skip: ESC and a character (typed with Alt), or only ESC before a control character. */
function skippedLength(input: string): number {
  const after = input.codePointAt(1) ?? 0
  return /^\p{Cc}$/u.test(String.fromCodePoint(after)) ? 1 : 1 + String.fromCodePoint(after).length
}

/** Returns the longest start of `word` that is at the end of `input`. */
function startOf(word: string, input: string): string {
  for (let length = Math.min(word.length - 1, input.length); length > 0; length -= 1) {
    if (input.endsWith(word.slice(0, length))) return word.slice(0, length)
  }
  return ''
}
