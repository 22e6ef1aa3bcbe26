/** A code unit that is passed over: a reader does not see it, and it may stand between any two letters. */
export const UNSEEN = 0xff_ff
/** Soft hyphen, zero-width spaces and joiners, byte order mark. */
const INVISIBLE = [0xad, 0x200b, 0x200c, 0x200d, 0x2060, 0xfeff, UNSEEN]

/**
 * For each UTF-16 code unit the one that it is compared as. A unit stays one unit, so that places in a text stay what they
 * are: compatibility forms (NFKC) and case are taken away where the plain form is one unit too. Full-width letters are so
 * the narrow ones, the Turkish İ and ı are i, ς is σ; ß stays ß, and letters beyond the basic plane stay themselves.
 */
export function createFolding(): Uint16Array {
  const folding = Uint16Array.from({ length: 0x1_00_00 }, (_, unit) => folded(unit))
  for (const unit of INVISIBLE) folding[unit] = UNSEEN
  return folding
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
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le')
}
