/** The folded form of an invisible code unit, which searches skip. */
export const UNSEEN = 0xff_ff
/**
 * Invisible characters: soft hyphen, zero-width characters, direction marks, fillers, variation selectors and control
 * characters. Line breaks count as invisible too, because models ignore line breaks.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u2028\u2029\ufff9-\ufffb\uffff]/u
const TAB = 9
/** The first code unit of tag characters and of some variation selectors. These are invisible surrogate pairs. */
export const UNSEEN_PAIR = 0xdb_40
/** Tag characters, which stand for ASCII. People do not see them, but models read them. */
const TAG = /\u{e0000}|[\u{e0020}-\u{e007e}]/gu

/**
 * Returns a table with the folded form of each UTF-16 code unit. Searches compare folded forms.
 *
 * Folding removes case and compatibility forms (NFKC). Full-width letters become narrow, the Turkish İ and ı become i,
 * and ς becomes σ. A unit stays unchanged if its folded form has several units, like ß, so that positions in a text
 * stay valid. Characters outside of the basic plane also stay unchanged.
 */
export function createFolding(): Uint16Array {
  const folding = Uint16Array.from({ length: 0x1_00_00 }, (_, unit) => foldUnit(unit))
  for (let unit = 0; unit < folding.length; unit++) {
    if (unit !== TAB && INVISIBLE.test(String.fromCharCode(unit))) folding[unit] = UNSEEN
  }
  folding[UNSEEN_PAIR] = UNSEEN
  return folding
}

/** Returns a text with its tag characters decoded to ASCII, or undefined if it has none. */
export function readTags(text: string): string | undefined {
  if (!text.includes('\udb40')) return undefined
  return text.replace(TAG, (tag) => String.fromCharCode((tag.codePointAt(0) ?? 0) & 0x7f))
}

function foldUnit(unit: number): number {
  // A lone surrogate is not a character.
  if (unit >= 0xd8_00 && unit <= 0xdf_ff) return unit
  const character = String.fromCharCode(unit)
  const plain = single(character.normalize('NFKC')) ?? character
  // Convert to upper case first, because some letters have two lower-case forms.
  const capital = single(plain.toUpperCase()) ?? plain
  // Take only the first unit, because the lower case of İ is an i and a combining dot.
  return capital.toLowerCase().charCodeAt(0)
}

function single(text: string): string | undefined {
  return text.length === 1 ? text : undefined
}

/** Returns the folded form of a text, without invisible code units. */
export function fold(text: string, folding: Uint16Array): string {
  const units = new Uint16Array(text.length)
  let length = 0
  for (let index = 0; index < text.length; index++) {
    const unit = folding[text.charCodeAt(index)] ?? UNSEEN
    if (unit !== UNSEEN) units[length++] = unit
    else if (text.charCodeAt(index) === UNSEEN_PAIR) index++
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}
