const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b001}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Zero-width characters: combining accents and format characters. */
const ZERO_WIDTH = /\p{Mn}|\p{Me}|\p{Cf}/u

/** Returns the width of a text in terminal columns. An East Asian character or an emoji takes two columns. */
export function displayWidth(text: string): number {
  let sum = 0
  for (const character of text) sum += widthOf(character)
  return sum
}

/** Truncates a text to a width. A truncated text ends with `…`, or is empty if the width is 0. */
export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let [shortText, usedWidth] = ['', 0]
  for (const character of text) {
    usedWidth += widthOf(character)
    if (usedWidth > width - 1) break
    shortText += character
  }
  return width > 0 ? `${shortText}…` : ''
}

/** Wraps a text at the width, even within words. Suits texts with few spaces, such as JSON. */
export function wrapTo(text: string, width: number): string[] {
  const lines = ['']
  let usedWidth = 0
  for (const character of text) {
    const characterWidth = widthOf(character)
    if (usedWidth + characterWidth > width) {
      lines.push('')
      usedWidth = 0
    }
    lines[lines.length - 1] += character
    usedWidth += characterWidth
  }
  return lines
}

function widthOf(character: string): number {
  // Fast path for Latin characters, since the terminal UI measures every row of every frame.
  if (character < '\u0300') return 1
  // The variation selector makes the preceding character a wide emoji, so it adds one column.
  if (character === '\ufe0f') return 1
  return ZERO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}

/** Pads a text with spaces to a width. */
export function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}

/** Matches a word, spaces, or a Chinese character. Both include closing punctuation, which must not start a line. */
const PIECE =
  /[\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff][\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]*|[^\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]+?(?:[\u3001-\u3003\u3009\u300b\u300d\u300f\u3011\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f]+|(?=[\s\u2e80-\u2fdf\u3040-\ua4cf\uac00-\ud7a3\uf900-\ufaff]|$))|\s+/gu

/** Wraps a text at word boundaries. A word that is wider than the width stays whole. */
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

/** Formats names and values in two columns. */
export function aligned(facts: readonly (readonly string[])[]): string {
  const width = Math.max(...facts.map(([name = '']) => displayWidth(name))) + 3
  return facts.map(([name = '', fact]) => `  ${padded(name, width)}${fact}`).join('\n')
}
