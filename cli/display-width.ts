const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u
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
  return NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}
