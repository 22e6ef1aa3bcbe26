import type { Operation } from '../../../core/channels/routing/operations.ts'

/** The content type of a reply for its client. */
export interface ReplyType {
  readonly type: string
  /** The upstream declared a type that the operation cannot produce: browsers must save the bytes, not show them. */
  readonly isReplaced: boolean
}

/** Image types that browsers never execute. SVG is excluded: it can contain scripts. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const JSON_TYPE = 'application/json'
const ALWAYS = [JSON_TYPE, 'text/event-stream', 'application/octet-stream']
const TEXT_TYPES = ['text/plain', 'text/vtt', 'application/x-subrip']

/** Types that each operation can produce. A name that ends in a slash covers all its subtypes. */
const TYPES: Record<Operation, readonly string[]> = {
  chat: ALWAYS,
  embeddings: ALWAYS,
  images: [...ALWAYS, ...PICTURE_TYPES],
  'image-edits': [...ALWAYS, ...PICTURE_TYPES],
  'image-variations': [...ALWAYS, ...PICTURE_TYPES],
  speech: [...ALWAYS, 'audio/'],
  transcriptions: [...ALWAYS, ...TEXT_TYPES],
  translations: [...ALWAYS, ...TEXT_TYPES],
  moderations: ALWAYS,
  rerank: ALWAYS,
  realtime: ALWAYS,
}
/** Types of the relay's own routes: JSON, and images of image tasks. */
const ROUTE_TYPES = [...ALWAYS, ...PICTURE_TYPES]

const DOWNLOAD: ReplyType = { type: 'application/octet-stream', isReplaced: true }
const TOKEN = "[a-z0-9!#$&^_.+'-]+"
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(?:[ \\t]*;|$)`)
const PARAMETERS = new RegExp(`^(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[a-z0-9 ._+-]*"))*$`, 'i')

/** The types that the gateway writes itself: nearly all replies have one and need no check. */
const OWN_TYPES: ReadonlyMap<string, ReplyType> = new Map(
  [
    'application/json',
    'application/json; charset=utf-8',
    'text/event-stream; charset=utf-8',
    // Ollama's streams.
    'application/x-ndjson',
  ].map((type) => [type, { type, isReplaced: false }]),
)

/** Returns the type under which an upstream's bytes may be sent for this operation, or for a relay route (`undefined`). */
export function replyType(operation: Operation | undefined, declared: string): ReplyType {
  return OWN_TYPES.get(declared) ?? checkedType(declared, operation === undefined ? ROUTE_TYPES : TYPES[operation])
}

/**
 * Browsers show every type with this ending as a document that can run scripts:
 * https://mimesniff.spec.whatwg.org/#xml-mime-type
 */
const isXml = (essence: string): boolean => essence.endsWith('+xml')

/**
 * Browsers use the last of several types in one header (`audio/mpeg, text/html`), so only a plain type with plain parameters is
 * sent. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
function checkedType(declared: string, allowed: readonly string[]): ReplyType {
  const essence = MEDIA_TYPE.exec(declared.trim().toLowerCase())?.[1]
  const isAllowed =
    essence &&
    !isXml(essence) &&
    allowed.some((type) => (type.endsWith('/') ? essence.startsWith(type) : essence === type))
  if (!isAllowed) return DOWNLOAD
  const parameters = declared.trim().slice(essence.length)
  return { type: PARAMETERS.test(parameters) ? essence + parameters : essence, isReplaced: false }
}
