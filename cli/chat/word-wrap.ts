import { displayWidth } from '../output/display-width.ts'

/** A word, a Chinese character with the punctuation after it, blanks, or a line end. */
const PIECE =
  /\n|[^\S\n]+|[\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+/gu
const FENCE = /^(```|~~~)/
const TAB = '        '

interface WordWrap {
  /** Writes all words except the last word, which may continue in the next chunk. */
  take(text: string): void
  /** Writes the remaining text. */
  end(): void
}

/** Wraps text that arrives in chunks at word boundaries. Fenced code stays unchanged. */
export function createWordWrap(width: number, write: (text: string) => void): WordWrap {
  let lastWord = ''
  let pendingBlanks = ''
  let column = 0
  let isCode = false
  /** Whether the next piece continues a long word whose beginning is already written. */
  let continuesWord = false

  function put(piece: string): void {
    if (piece === '\n') {
      write('\n')
      ;[pendingBlanks, column, continuesWord] = ['', 0, false]
      return
    }
    if (/^\s/.test(piece)) {
      pendingBlanks += piece
      continuesWord = false
      return
    }
    if (column === 0 && pendingBlanks === '' && FENCE.test(piece)) isCode = !isCode
    const pieceWidth = displayWidth((pendingBlanks + piece).replaceAll('\t', TAB))
    const breaksLine = column > 0 && !isCode && !continuesWord && column + pieceWidth > width
    write(breaksLine ? `\n${piece}` : pendingBlanks + piece)
    column = breaksLine ? displayWidth(piece) : column + pieceWidth
    // The terminal wraps a word longer than the line.
    if (column > width) column %= width
    ;[pendingBlanks, continuesWord] = ['', false]
  }

  return {
    take(text) {
      const pieces = (lastWord + text).match(PIECE) ?? []
      lastWord = pieces.at(-1) === '\n' ? '' : (pieces.pop() ?? '')
      for (const piece of pieces) put(piece)
      if (lastWord.length <= width) return
      put(lastWord)
      ;[lastWord, continuesWord] = ['', true]
    },
    end() {
      if (lastWord !== '') put(lastWord)
      lastWord = ''
    },
  }
}
