/** Control characters, bidirectional controls and line separators. */
const CONTROL_CHARACTERS = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]+/gu
/** Invisible characters, which make different names look the same. Excludes the tag characters of flag emoji. */
const INVISIBLE_CHARACTERS =
  /[\u00ad\u180e\u200b\u2060-\u2064\ufeff]+|(?<!\u{1f3f4}[\u{e0020}-\u{e007f}]*)[\u{e0000}-\u{e007f}]+/gu
/** Characters that may precede a zero-width joiner (U+200C, U+200D). */
const JOINED =
  '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f\\p{Script=Arabic}\\p{Script=Syriac}\\p{Script=Mongolian}\\p{Script=Devanagari}\\p{Script=Bengali}\\p{Script=Gurmukhi}\\p{Script=Gujarati}\\p{Script=Oriya}\\p{Script=Tamil}\\p{Script=Telugu}\\p{Script=Kannada}\\p{Script=Malayalam}\\p{Script=Sinhala}\\p{Script=Khmer}]'
const LONE_JOINER = new RegExp(`(?<!${JOINED})[\\u200c\\u200d]+`, 'gu')

/**
 * Replaces control and invisible characters in names by spaces. Users choose names, which could control the terminal or
 * imitate other names.
 */
export function sanitizeName(text: string): string {
  // Fast path for ASCII, since every row of every frame is sanitized.
  const withoutControls = text.replace(CONTROL_CHARACTERS, ' ')
  return /^[\x20-\x7e]*$/.test(withoutControls)
    ? withoutControls
    : withoutControls.replace(INVISIBLE_CHARACTERS, ' ').replace(LONE_JOINER, ' ')
}

const ESCAPE = String.fromCharCode(0x1b)
const COLOR_OR_CONTROL = new RegExp(`(${ESCAPE}\\[[\\d;]*m)|(?![\\n\\t])\\p{Cc}`, 'gu')

/** Replaces control characters except line breaks, tabs and colors by spaces. Texts from servers are not trusted. */
export function stripControlChars(text: string): string {
  return text.replace(COLOR_OR_CONTROL, (_, color: string | undefined) => color ?? ' ')
}
