import { isRecord } from '../../../core/records.ts'
import { keysOf } from '../../bodies/json-scan.ts'
import type { Body } from '../dialects/dialect.ts'
import { mayReference } from '../hosted/references.ts'
import { FIELD, isVariant, withoutExtraPrice, withoutMeanings } from './field-names.ts'
import { repeatsKey, scanKeys } from './repeated-key.ts'

/**
 * Returns the normalized request to forward. If a body repeats a key, or has a priced key in another case, the upstream
 * may read another value than the gateway has priced and searched. Such a body is rebuilt from the parsed object.
 * Fields of `extra_body` that affect the price are removed. Other bodies keep their bytes. `keys` is the number of keys
 * in `raw`, at any depth. `mayReference` is true if a key or value may name an upstream object.
 */
export function normalizeBody(
  raw: Buffer,
  body: Body,
  keys = keysOf(raw),
): { raw: Buffer; body: Body; mayReference: boolean } {
  const normalized = withoutExtraPrice(withoutMeanings(body, FIELD.variant))
  const { repeats, hasWatchedKey } = scanKeys(keys, body, mayReference)
  if (normalized === body && !repeats) return { raw, body, mayReference: hasWatchedKey }
  return { raw: Buffer.from(JSON.stringify(normalized)), body: normalized, mayReference: hasWatchedKey }
}

/** Removes keys that differ from one of `names` only in case. Returns the same object if there are no such keys. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  if (!Object.keys(body).some((name) => isVariant(name, names))) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isVariant(name, names)))
}

const EVENT_KEYS = new Set(['type', 'session'])
const SESSION_KEYS = new Set(['model'])

/**
 * Returns the normalized frame of a realtime event. Only one field of an event affects the price: the session's model.
 */
export function normalizeFrame(frame: Buffer, event: Body): Buffer | string {
  const normalized = withoutVariants(event, EVENT_KEYS)
  const { session } = normalized
  const normalizedSession = isRecord(session) ? withoutVariants(session, SESSION_KEYS) : session
  if (normalized === event && normalizedSession === session && !repeatsKey(keysOf(frame), event)) return frame
  return JSON.stringify(normalizedSession === session ? normalized : { ...normalized, session: normalizedSession })
}
