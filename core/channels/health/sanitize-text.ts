/**
 * Returns external text with a space in place of control characters. PostgreSQL cannot store NUL, and terminals must not print
 * the others.
 */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
