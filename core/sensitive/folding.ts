/** A code unit that is passed over: a reader does not see it, and it may stand between any two letters. */
export const UNSEEN = 0xff_ff
/**
 * Soft hyphen, zero-width characters, marks of direction, fillers, variation selectors, control characters, and line breaks,
 * which a model reads over.
 */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\u2028\u2029\ufff9-\ufffb\uffff]/u
const TAB = 9
/** The first half of each pair that is a tag character or a variation selector: people see none of these. */
export const UNSEEN_PAIR = 0xdb_40
/** Tag characters stand for ASCII. Models read what people do not see. */
const TAG = /\u{e0000}|[\u{e0020}-\u{e007e}]/gu

/**
 * For each UTF-16 code unit the one that it is compared as. A unit stays one unit, so that places in a text stay what they
 * are: compatibility forms (NFKC) and case are taken away where the plain form is one unit too. Full-width letters are so
 * the narrow ones, the Turkish İ and ı are i, ς is σ; ß stays ß, and letters beyond the basic plane stay themselves.
 */
export function createFolding(): Uint16Array {
  const folding = Uint16Array.from({ length: 0x1_00_00 }, (_, unit) => folded(unit))
  for (let unit = 0; unit < folding.length; unit++) {
    if (unit !== TAB && INVISIBLE.test(String.fromCharCode(unit))) folding[unit] = UNSEEN
  }
  folding[UNSEEN_PAIR] = UNSEEN
  return folding
}

/** A text with its tag characters as what they stand for; undefined if it has none. */
export function readTags(text: string): string | undefined {
  if (!text.includes('\udb40')) return undefined
  return text.replace(TAG, (tag) => String.fromCharCode((tag.codePointAt(0) as number) & 0x7f))
}

function folded(unit: number): number {
  // Half a pair is no character of its own.
  if (unit >= 0xd8_00 && unit <= 0xdf_ff) return unit
  const character = String.fromCharCode(unit)
  const plain = single(character.normalize('NFKC')) ?? character
  // By way of the capital, since some letters have two small ones.
  const capital = single(plain.toUpperCase()) ?? plain
  // The small form of İ is an i and a dot.
  return capital.toLowerCase().charCodeAt(0)
}

function single(text: string): string | undefined {
  return text.length === 1 ? text : undefined
}

/** A whole text as it is compared. */
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
