import type { Body } from './dialects/dialect.ts'
import { isObject } from './json.ts'

/** What a request costs stands in these keys of its top level. */
const PRICED = [
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
]
const NAMES = new Set(PRICED)
const KEY = new RegExp(`"(${PRICED.join('|')})"\\s*:`, 'gi')
/** Such a key may be hidden by letters that are written as escapes. */
const ESCAPED_LETTER = /\\u00[4-7]/
const ESCAPED_KEY = /"(?=[a-z_]*\\)(?:[a-z_]|\\u00[4-7][0-9a-f]){1,32}"\s*:/i

/**
 * The request as it may go on. Of a key that stands twice, or in another case, one program reads the first and another the
 * last: the upstream would do something else than what was priced. Such a body is written anew, with what was understood;
 * every other keeps its bytes.
 */
export function soundBody(raw: Buffer, body: Body): { raw: Buffer; body: Body } {
  if (!isAmbiguous(raw.toString('latin1'))) return { raw, body }
  const sound = withoutVariants(body, NAMES)
  return { raw: Buffer.from(JSON.stringify(sound)), body: sound }
}

function isAmbiguous(text: string): boolean {
  const seen = new Set<string>()
  for (const [, name = ''] of text.matchAll(KEY)) {
    if (!NAMES.has(name) || seen.has(name)) return true
    seen.add(name)
  }
  return hasEscapedKey(text)
}

function hasEscapedKey(text: string): boolean {
  return ESCAPED_LETTER.test(text) && ESCAPED_KEY.test(text)
}

/** Without keys that are one of `names` in another case. */
function withoutVariants(body: Body, names: ReadonlySet<string>): Body {
  const isVariant = (name: string) => !names.has(name) && names.has(name.toLowerCase())
  if (!Object.keys(body).some(isVariant)) return body
  return Object.fromEntries(Object.entries(body).filter(([name]) => !isVariant(name)))
}

const MODEL = /"model"\s*:/i
const EVENT_KEYS = new Set(['type', 'session'])
const SESSION_KEYS = new Set(['model'])

/** The same for an event of a realtime session, of which nothing but a model could make the upstream do something else. */
export function soundFrame(frame: Buffer, event: Body): Buffer | string {
  const text = frame.toString('latin1')
  if (!MODEL.test(text) && !hasEscapedKey(text)) return frame
  const sound = withoutVariants(event, EVENT_KEYS)
  if (!isObject(sound.session)) return JSON.stringify(sound)
  return JSON.stringify({ ...sound, session: withoutVariants(sound.session, SESSION_KEYS) })
}
