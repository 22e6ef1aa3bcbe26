/**
 * Returns external text with spaces instead of control characters. They can manipulate terminals, and PostgreSQL cannot
 * store NUL.
 */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
