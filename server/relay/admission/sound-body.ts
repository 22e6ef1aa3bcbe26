import { keysOf } from '../../bodies/json-scan.ts'
import type { Body } from '../dialects/dialect.ts'
import { mayReference } from '../hosted/references.ts'
import { isObject } from '../json.ts'
import { FIELD, withoutFields } from './field-names.ts'
import { lookAtKeys, repeatsKey } from './repeated-key.ts'

/**
 * The request as it may go on. Of a key that stands twice, or of a priced one in another case, one program reads the first and
 * another the last: the upstream would do something else than what was priced and searched for words. Such a body is written
 * anew, with what was understood; every other keeps its bytes. `keys`: how many stand in `raw`, at any depth; `mayReference`: some
 * key may name an object of an upstream.
 */
export function soundBody(
  raw: Buffer,
  body: Body,
  keys = keysOf(raw),
): { raw: Buffer; body: Body; mayReference: boolean } {
  const sound = withoutFields(body, FIELD.variant)
  const { repeats, watched } = lookAtKeys(keys, body, mayReference)
  if (sound === body && !repeats) return { raw, body, mayReference: watched }
  return { raw: Buffer.from(JSON.stringify(sound)), body: sound, mayReference: watched }
}

/** Without keys that are one of `names` in another case; the very same event if it has none. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  // Go takes ſ for an s.
  const isVariant = (name: string) => !names.has(name) && names.has(name.toLowerCase().replaceAll('ſ', 's'))
  if (!Object.keys(body).some(isVariant)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isVariant(name)))
}

const EVENT_KEYS = new Set(['type', 'session'])
const SESSION_KEYS = new Set(['model'])

/** The same for an event of a realtime session, in which nothing is priced but the model. */
export function soundFrame(frame: Buffer, event: Body): Buffer | string {
  const sound = withoutVariants(event, EVENT_KEYS)
  const { session } = sound
  const soundSession = isObject(session) ? withoutVariants(session, SESSION_KEYS) : session
  if (sound === event && soundSession === session && !repeatsKey(keysOf(frame), event)) return frame
  return JSON.stringify(soundSession === session ? sound : { ...sound, session: soundSession })
}
