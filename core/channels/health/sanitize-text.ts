/** Replaces control characters by spaces, because they can manipulate terminals. PostgreSQL cannot store NUL. */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
