/**
 * Returns external text with a space in place of control characters. NUL cannot be stored, and the others cannot be displayed.
 */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
