/** Returns another party's text without control characters: NUL cannot be stored, and others not displayed. */
export function sanitizeText(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
