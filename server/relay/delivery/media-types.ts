import type { Operation } from '../../../core/channels/routing/operations.ts'

/** The content type that the client gets. */
export interface ReplyType {
  readonly type: string
  /** True if the upstream declared a type that the operation cannot produce. Then browsers must save the bytes, not show them. */
  readonly isReplaced: boolean
}

/** Image types that browsers never execute. SVG is excluded: it can contain scripts. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const JSON_TYPE = 'application/json'
const ALWAYS = [JSON_TYPE, 'text/event-stream', 'application/octet-stream']
const TEXT_TYPES = ['text/plain', 'text/vtt', 'application/x-subrip']

/** Types that each operation can produce. A name that ends with a slash includes all subtypes. */
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
/** Types that the relay's Fastify routes can produce: those that every operation can produce, and images of tasks. */
const ROUTE_TYPES = [...ALWAYS, ...PICTURE_TYPES]

const DOWNLOAD: ReplyType = { type: 'application/octet-stream', isReplaced: true }
const TOKEN = "[a-z0-9!#$&^_.+'-]+"
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(?:[ \\t]*;|$)`)
const PARAMETERS = new RegExp(`^(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[a-z0-9 ._+-]*"))*$`, 'i')

/** Types that the gateway itself writes. Nearly all replies have one of them and need no check. */
const OWN_TYPES: ReadonlyMap<string, ReplyType> = new Map(
  [
    'application/json',
    'application/json; charset=utf-8',
    'text/event-stream; charset=utf-8',
    // The type of Ollama's streams.
    'application/x-ndjson',
  ].map((type) => [type, { type, isReplaced: false }]),
)

/** Returns the type with which bytes of a declared type may be sent. `operation` is undefined for a reply of a Fastify route. */
export function replyType(operation: Operation | undefined, declared: string): ReplyType {
  return OWN_TYPES.get(declared) ?? checkType(declared, operation === undefined ? ROUTE_TYPES : TYPES[operation])
}

/**
 * Whether a type is XML. Browsers show every type with this ending as a document that can run scripts:
 * https://mimesniff.spec.whatwg.org/#xml-mime-type
 */
const isXml = (essence: string): boolean => essence.endsWith('+xml')

/**
 * Returns the type to send for a declared type. If a header has several types (`audio/mpeg, text/html`), browsers use the last.
 * So only one type with simple parameters is sent. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
 */
function checkType(declared: string, allowed: readonly string[]): ReplyType {
  const essence = MEDIA_TYPE.exec(declared.trim().toLowerCase())?.[1]
  const isAllowed =
    essence &&
    !isXml(essence) &&
    allowed.some((type) => (type.endsWith('/') ? essence.startsWith(type) : essence === type))
  if (!isAllowed) return DOWNLOAD
  const parameters = declared.trim().slice(essence.length)
  return { type: PARAMETERS.test(parameters) ? essence + parameters : essence, isReplaced: false }
}
