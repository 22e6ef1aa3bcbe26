/** Steers a terminal or the direction of writing, or breaks a line. */
const STEERING = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu
/** Nobody sees them, so that two names that differ would look the same. Tags may spell the flag of a region. */
const UNSEEN = /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]+|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]+/gu
/** Letters and pictures that a joiner belongs behind. */
const JOINED =
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}]'
const LONE_JOINER = new RegExp(`(?<!${JOINED})[\\u200c\\u200d]+`, 'gu')

/** Names come from users: what nobody sees in one must not steer the operator's terminal, or pass for another name. */
export function printable(text: string): string {
  // Most texts are ASCII, and this is done for every row of every picture.
  const steered = text.replace(STEERING, ' ')
  return /^[\x20-\x7e]*$/.test(steered) ? steered : steered.replace(UNSEEN, ' ').replace(LONE_JOINER, ' ')
}

const ESCAPE = String.fromCharCode(0x1b)
const LESS_THAN_COLOUR = new RegExp(`(${ESCAPE}\\[[\\d;]*m)|(?![\\n\\t])\\p{Cc}`, 'gu')

/** Lines and colours stay, whatever else steers a terminal goes: texts of a server may be anybody's. */
export function harmless(text: string): string {
  return text.replace(LESS_THAN_COLOUR, (_, color: string | undefined) => color ?? ' ')
}
