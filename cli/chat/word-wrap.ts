import { displayWidth } from '../display-width.ts'

/** A word, Chinese characters each with the punctuation behind it, blanks, or the end of a line. */
const PIECE =
  /\n|[^\S\n]+|[\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+/gu
const FENCE = /^(```|~~~)/
const TAB = '        '

export interface WordWrap {
  /** Writes all of it but the last word, which may go on. */
  take(text: string): void
  /** Writes the rest. */
  end(): void
}

/** Breaks a text that comes piece by piece between words, for a terminal of that width. Code between fences stays as it is. */
export function createWordWrap(width: number, write: (text: string) => void): WordWrap {
  let held = ''
  let blank = ''
  let column = 0
  let code = false
  /** Whether the next piece belongs to a word that was too long to be held. */
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
    // The terminal itself breaks what is longer.
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
