import { keysOf } from '../../bodies/json-scan.ts'
import type { Body } from '../dialects/dialect.ts'
import { mayReference } from '../hosted/references.ts'
import { isObject } from '../json.ts'
import { FIELD, withoutExtraPrice, withoutFields } from './field-names.ts'
import { repeatsKey, scanKeys } from './repeated-key.ts'

/**
 * The normalized request to forward. For a repeated key, or a priced key in another case, parsers differ between the first and
 * the last: the upstream could run another request than the gateway priced and searched. Such a body is rebuilt from the parsed
 * object, and so is one whose `extra_body` has fields that affect the price; other bodies keep their bytes. `keys`: number of keys
 * in `raw`, at any depth; `mayReference`: some key may name an upstream object.
 */
export function normalizeBody(
  raw: Buffer,
  body: Body,
  keys = keysOf(raw),
): { raw: Buffer; body: Body; mayReference: boolean } {
  const sound = withoutExtraPrice(withoutFields(body, FIELD.variant))
  const { repeats, hasWatchedKey } = scanKeys(keys, body, mayReference)
  if (sound === body && !repeats) return { raw, body, mayReference: hasWatchedKey }
  return { raw: Buffer.from(JSON.stringify(sound)), body: sound, mayReference: hasWatchedKey }
}

/** Removes keys that equal one of `names` except for case; returns the same event if there are none. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  // Go folds ſ to s.
  const isVariant = (name: string) => !names.has(name) && names.has(name.toLowerCase().replaceAll('ſ', 's'))
  if (!Object.keys(body).some(isVariant)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isVariant(name)))
}

const EVENT_KEYS = new Set(['type', 'session'])
const SESSION_KEYS = new Set(['model'])

/** Does the same for an event of a realtime session, where only the model affects the price. */
export function normalizeFrame(frame: Buffer, event: Body): Buffer | string {
  const sound = withoutVariants(event, EVENT_KEYS)
  const { session } = sound
  const soundSession = isObject(session) ? withoutVariants(session, SESSION_KEYS) : session
  if (sound === event && soundSession === session && !repeatsKey(keysOf(frame), event)) return frame
  return JSON.stringify(soundSession === session ? sound : { ...sound, session: soundSession })
}
