/** Names come from users: a control character in one must not steer the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}
