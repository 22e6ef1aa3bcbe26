import type { Json } from './json.ts'

const QUOTE = 0x22
const COLON = 0x3a
const BACKSLASH = 0x5c

/**
 * Whether some object in a JSON text, at any depth, has a key twice. `parsed`: what `JSON.parse` made of it, which keeps one
 * of each; so the text has as many keys, or more.
 */
export function repeatsKey(raw: Buffer, parsed: Readonly<Json>): boolean {
  // None of the bytes that are looked for is a part of a longer character.
  return keysInText(raw.toString('latin1')) !== keysIn(parsed)
}

/** Outside of strings a colon follows a key, and nothing else. `text`: JSON. */
function keysInText(text: string): number {
  let keys = 0
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === COLON) keys++
    else if (unit === QUOTE) at = endOfString(text, at)
  }
  return keys
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end
}

function isEscaped(text: string, at: number): boolean {
  let before = at
  while (text.charCodeAt(before - 1) === BACKSLASH) before--
  return (at - before) % 2 === 1
}

function keysIn(value: object): number {
  let keys = 0
  if (Array.isArray(value)) {
    for (const item of value as unknown[]) if (typeof item === 'object' && item !== null) keys += keysIn(item)
    return keys
  }
  for (const name in value) {
    keys++
    const inner = (value as Json)[name]
    if (typeof inner === 'object' && inner !== null) keys += keysIn(inner)
  }
  return keys
}
