/**
 * Returns external text with spaces instead of control characters, because PostgreSQL cannot store NUL, and terminals must not
 * print control characters.
 */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
