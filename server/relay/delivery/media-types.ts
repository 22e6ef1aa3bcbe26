import type { Operation } from '../../../core/channels/routing/operations.ts'

/** The content type that the client gets. */
interface ReplyType {
  readonly type: string
  /**
   * Whether the upstream declared a type that the operation cannot produce. If so, browsers must save the bytes instead
   * of showing them.
   */
  readonly isReplaced: boolean
}

/** Image types that browsers never execute. SVG is not among them, because it can contain scripts. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const JSON_TYPE = 'application/json'
const COMMON_TYPES = [JSON_TYPE, 'text/event-stream', 'application/octet-stream']
const TEXT_TYPES = ['text/plain', 'text/vtt', 'application/x-subrip']

/** Content types that each operation can produce. A type with a trailing slash includes all subtypes. */
const TYPES: Record<Operation, readonly string[]> = {
  chat: COMMON_TYPES,
  embeddings: COMMON_TYPES,
  images: [...COMMON_TYPES, ...PICTURE_TYPES],
  'image-edits': [...COMMON_TYPES, ...PICTURE_TYPES],
  'image-variations': [...COMMON_TYPES, ...PICTURE_TYPES],
  speech: [...COMMON_TYPES, 'audio/'],
  transcriptions: [...COMMON_TYPES, ...TEXT_TYPES],
  translations: [...COMMON_TYPES, ...TEXT_TYPES],
  moderations: COMMON_TYPES,
  rerank: COMMON_TYPES,
  realtime: COMMON_TYPES,
}
/** Content types of the relay's Fastify routes: the common types, and the types of images, which tasks create. */
const ROUTE_TYPES = [...COMMON_TYPES, ...PICTURE_TYPES]

const DOWNLOAD: ReplyType = { type: 'application/octet-stream', isReplaced: true }
const TOKEN = "[a-z0-9!#$&^_.+'-]+"
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(?:[ \\t]*;|$)`)
const PARAMETERS = new RegExp(`^(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[a-z0-9 ._+-]*"))*$`, 'i')

/** Content types that the gateway writes itself. Nearly all replies have one of these types and need no check. */
const GATEWAY_TYPES: ReadonlyMap<string, ReplyType> = new Map(
  [
    'application/json',
    'application/json; charset=utf-8',
    'text/event-stream; charset=utf-8',
    // The type of Ollama's streams.
    'application/x-ndjson',
  ].map((type) => [type, { type, isReplaced: false }]),
)

/**
 * Returns the content type to send for a type that an upstream declared. `operation` is undefined for a reply of a
 * Fastify route.
 */
export function replyType(operation: Operation | undefined, declared: string): ReplyType {
  return GATEWAY_TYPES.get(declared) ?? checkType(declared, operation === undefined ? ROUTE_TYPES : TYPES[operation])
}

/**
 * Whether a type is XML. Browsers show every type with this ending as a document, which can run scripts:
 * https://mimesniff.spec.whatwg.org/#xml-mime-type
 */
const isXml = (essence: string): boolean => essence.endsWith('+xml')

/**
 * Returns the content type to send for a declared type. If a header has several types (`audio/mpeg, text/html`),
 * browsers use the last. So a header is accepted only if it has one type with simple parameters.
 * https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
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
