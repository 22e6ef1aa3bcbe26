import { keysOf } from '../../bodies/json-scan.ts'
import type { Body } from '../dialects/dialect.ts'
import { mayReference } from '../hosted/references.ts'
import { isObject } from '../json.ts'
import { FIELD, withoutExtraPrice, withoutFields } from './field-names.ts'
import { repeatsKey, scanKeys } from './repeated-key.ts'

/**
 * Returns the normalized request to forward. If a body repeats a key, or has a priced key in another case, some parsers use the
 * first value and others the last. Then the upstream could run another request than the gateway priced and searched. Such a body
 * is rebuilt from the parsed object. A body whose `extra_body` has fields that affect the price is rebuilt without them. Other
 * bodies keep their bytes. `keys`: number of keys in `raw`, at any depth. `mayReference`: whether a key or value may name an
 * upstream object.
 */
export function normalizeBody(
  raw: Buffer,
  body: Body,
  keys = keysOf(raw),
): { raw: Buffer; body: Body; mayReference: boolean } {
  const normalized = withoutExtraPrice(withoutFields(body, FIELD.variant))
  const { repeats, hasWatchedKey } = scanKeys(keys, body, mayReference)
  if (normalized === body && !repeats) return { raw, body, mayReference: hasWatchedKey }
  return { raw: Buffer.from(JSON.stringify(normalized)), body: normalized, mayReference: hasWatchedKey }
}

/** Removes keys that differ from one of `names` only in case. Returns the same object if there are no such keys. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  // Go folds ſ to s.
  const isVariant = (name: string) => !names.has(name) && names.has(name.toLowerCase().replaceAll('ſ', 's'))
  if (!Object.keys(body).some(isVariant)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isVariant(name)))
}

const EVENT_KEYS = new Set(['type', 'session'])
const SESSION_KEYS = new Set(['model'])

/** Returns the normalized frame of a realtime session's event. Only the session's model affects the price. */
export function normalizeFrame(frame: Buffer, event: Body): Buffer | string {
  const normalized = withoutVariants(event, EVENT_KEYS)
  const { session } = normalized
  const normalizedSession = isObject(session) ? withoutVariants(session, SESSION_KEYS) : session
  if (normalized === event && normalizedSession === session && !repeatsKey(keysOf(frame), event)) return frame
  return JSON.stringify(normalizedSession === session ? normalized : { ...normalized, session: normalizedSession })
}
