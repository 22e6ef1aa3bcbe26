import type { Body } from './dialects/dialect.ts'
import { isObject } from './json.ts'
import { repeatsKey } from './repeated-key.ts'

/** What a request costs stands in these keys of its top level. */
const PRICED = new Set([
  'model',
  'n',
  'best_of',
  'size',
  'quality',
  'max_tokens',
  'max_completion_tokens',
  'max_output_tokens',
  'stream',
  'service_tier',
])

/**
 * The request as it may go on. Of a key that stands twice, or of a priced one in another case, one program reads the first and
 * another the last: the upstream would do something else than what was priced and searched for words. Such a body is written
 * anew, with what was understood; every other keeps its bytes.
 */
export function soundBody(raw: Buffer, body: Body): { raw: Buffer; body: Body } {
  const sound = withoutVariants(body, PRICED)
  if (sound === body && !repeatsKey(raw, body)) return { raw, body }
  return { raw: Buffer.from(JSON.stringify(sound)), body: sound }
}

/** Without keys that are one of `names` in another case; the very same body if it has none. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  const isVariant = (name: string) => !names.has(name) && names.has(name.toLowerCase())
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
  if (sound === event && soundSession === session && !repeatsKey(frame, event)) return frame
  return JSON.stringify(soundSession === session ? sound : { ...sound, session: soundSession })
}
