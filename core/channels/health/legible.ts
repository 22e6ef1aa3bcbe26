/** Of another's words what can be stored and shown: control characters, NUL first of all, are in no database's text. */
export function legible(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}
