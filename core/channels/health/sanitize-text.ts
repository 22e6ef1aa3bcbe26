/** Returns external text with a space for control characters: NUL cannot be stored, and the others cannot be displayed. */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
