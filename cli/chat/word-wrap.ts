import { displayWidth } from '../output/display-width.ts'

/** A word, a Chinese character with the punctuation after it, blanks, or a line end. */
const PIECE =
  /\n|[^\S\n]+|[\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+/gu
const FENCE = /^(```|~~~)/
const TAB = '        '

export interface WordWrap {
  /** Writes all but the last word, which may continue in the next chunk. */
  take(text: string): void
  /** Writes the held text. */
  end(): void
}

/** Wraps text that arrives in chunks at word boundaries. Fenced code stays unchanged. */
export function createWordWrap(width: number, write: (text: string) => void): WordWrap {
  let held = ''
  let blank = ''
  let column = 0
  let code = false
  /** Whether the next piece continues a word that was too long to hold. */
  let going = false

  function put(piece: string): void {
    if (piece === '\n') {
      write('\n')
      ;[blank, column, going] = ['', 0, false]
      return
    }
    if (/^\s/.test(piece)) {
      blank += piece
      going = false
      return
    }
    if (column === 0 && blank === '' && FENCE.test(piece)) code = !code
    const taken = displayWidth((blank + piece).replaceAll('\t', TAB))
    const breaks = column > 0 && !code && !going && column + taken > width
    write(breaks ? `\n${piece}` : blank + piece)
    column = breaks ? displayWidth(piece) : column + taken
    // The terminal wraps a word longer than the line.
    if (column > width) column %= width
    ;[blank, going] = ['', false]
  }

  return {
    take(text) {
      const pieces = (held + text).match(PIECE) ?? []
      held = pieces.at(-1) === '\n' ? '' : (pieces.pop() ?? '')
      for (const piece of pieces) put(piece)
      if (held.length <= width) return
      put(held)
      ;[held, going] = ['', true]
    },
    end() {
      if (held !== '') put(held)
      held = ''
    },
  }
}
