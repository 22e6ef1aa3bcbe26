const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b001}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u

/** Columns that a text takes on a terminal: East Asian characters take two. */
export function displayWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0)
}

/** The text with spaces after it, so wide at least. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** A word with what belongs to it; Chinese may be broken after each character, but no line starts with a comma. */
const PIECE =
  /[\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+|\s+/gu

/** Lines of at most that width, as far as words allow. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.trim().match(PIECE) ?? []) {
    if (line !== '' && displayWidth(line + piece.trimEnd()) > width) {
      lines.push(line.trimEnd())
      line = piece.trimStart()
    } else {
      line += piece
    }
  }
  return [...lines, line.trimEnd()]
}
