/** Names come from users: a control character in one must not steer the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ')
}

const ESCAPE = String.fromCharCode(0x1b)
const STEERING = new RegExp(`(${ESCAPE}\\[[\\d;]*m)|(?![\\n\\t])\\p{Cc}`, 'gu')

/** Lines and colours stay, whatever else steers a terminal goes: texts of a server may be anybody's. */
export function harmless(text: string): string {
  return text.replace(STEERING, (_, color: string | undefined) => color ?? ' ')
}
