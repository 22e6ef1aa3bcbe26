/** A code unit to skip: invisible to readers, and possible between any two letters. */
export const UNSEEN = 0xff_ff
/**
 * Soft hyphen, zero-width characters, direction marks, fillers, variation selectors, control characters, and line breaks, which
 * models ignore.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u2028\u2029\ufff9-\ufffb\uffff]/u
const TAB = 9
/** First half of each surrogate pair of a tag character or variation selector, which are invisible. */
export const UNSEEN_PAIR = 0xdb_40
/** Tag characters represent ASCII. Models read them although people do not see them. */
const TAG = /\u{e0000}|[\u{e0020}-\u{e007e}]/gu

/**
 * Returns the code unit to compare instead of each UTF-16 code unit. A unit stays one unit, so that positions in a text stay valid:
 * compatibility forms (NFKC) and case are removed if the plain form is one unit. Full-width letters become narrow, the Turkish İ
 * and ı become i, ς becomes σ; ß and letters beyond the basic plane stay unchanged.
 */
export function createFolding(): Uint16Array {
  const folding = Uint16Array.from({ length: 0x1_00_00 }, (_, unit) => folded(unit))
  for (let unit = 0; unit < folding.length; unit++) {
    if (unit !== TAB && INVISIBLE.test(String.fromCharCode(unit))) folding[unit] = UNSEEN
  }
  folding[UNSEEN_PAIR] = UNSEEN
  return folding
}

/** Decodes the tag characters of a text; undefined if it has none. */
export function readTags(text: string): string | undefined {
  if (!text.includes('\udb40')) return undefined
  return text.replace(TAG, (tag) => String.fromCharCode((tag.codePointAt(0) as number) & 0x7f))
}

function folded(unit: number): number {
  // A lone surrogate is not a character.
  if (unit >= 0xd8_00 && unit <= 0xdf_ff) return unit
  const character = String.fromCharCode(unit)
  const plain = single(character.normalize('NFKC')) ?? character
  // Via the upper case, since some letters have two lower-case forms.
  const capital = single(plain.toUpperCase()) ?? plain
  // The lower case of İ is an i and a combining dot.
  return capital.toLowerCase().charCodeAt(0)
}

function single(text: string): string | undefined {
  return text.length === 1 ? text : undefined
}

/** Returns a text in the form to compare. */
export function fold(text: string, folding: Uint16Array): string {
  const units = new Uint16Array(text.length)
  let length = 0
  for (let place = 0; place < text.length; place++) {
    const unit = folding[text.charCodeAt(place)] as number
    if (unit !== UNSEEN) units[length++] = unit
    else if (text.charCodeAt(place) === UNSEEN_PAIR) place++
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}
