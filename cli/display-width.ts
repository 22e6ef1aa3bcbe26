const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1b000}-\u{1b001}\u{1f200}-\u{1f251}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Accents that join the character before them, and marks that nobody sees. */
const NARROWEST = /\p{Mn}|\p{Me}|\p{Cf}/u

/** Columns that a text takes on a terminal: East Asian characters take two. */
export function displayWidth(text: string): number {
  let sum = 0
  for (const character of text) sum += widthOf(character)
  return sum
}

/** As much of the start of a text as has room; `…` stands for what was cut off. */
export function cutTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  let [cut, taken] = ['', 0]
  for (const character of text) {
    taken += widthOf(character)
    if (taken > width - 1) break
    cut += character
  }
  return width > 0 ? `${cut}…` : ''
}

/** Lines of at most that width. Words are cut where the line ends: what is wrapped here are lists of models and JSON. */
export function wrapTo(text: string, width: number): string[] {
  const lines = ['']
  let taken = 0
  for (const character of text) {
    const more = widthOf(character)
    if (taken + more > width) {
      lines.push('')
      taken = 0
    }
    lines[lines.length - 1] += character
    taken += more
  }
  return lines
}

function widthOf(character: string): number {
  // Most texts are ASCII, and are measured for every row of every picture.
  if (character < '\u0300') return 1
  // It makes a picture of the character before it, and so a wide one.
  if (character === '\ufe0f') return 1
  return NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1
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

/** Facts below each other: what it is, then what it says. */
export function aligned(facts: readonly (readonly string[])[]): string {
  const width = Math.max(...facts.map(([name = '']) => displayWidth(name))) + 3
  return facts.map(([name = '', fact]) => `  ${padded(name, width)}${fact}`).join('\n')
}
