import type { Operation } from '../../../core/channels/operations.ts'

/** The content type of a reply as its client gets it. */
export interface ReplyType {
  readonly type: string
  /** The upstream declared a type that the operation cannot produce: browsers must save the bytes, not show them. */
  readonly isReplaced: boolean
}

/** Types that no browser runs. An SVG is a document with scripts, and so is no picture here. */
export const PICTURE_TYPES: readonly string[] = ['image/png', 'image/jpeg', 'image/webp', 'image/gif']
const JSON_TYPE = 'application/json'
const ALWAYS = [JSON_TYPE, 'text/event-stream', 'application/octet-stream']
const TEXT_TYPES = ['text/plain', 'text/vtt', 'application/x-subrip']

/** What each operation can produce. A name that ends in a slash stands for all types of that kind. */
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
/** What the relay's routes answer themselves: JSON, and pictures of drawings. */
const ROUTE_TYPES = [...ALWAYS, ...PICTURE_TYPES]

const DOWNLOAD: ReplyType = { type: 'application/octet-stream', isReplaced: true }
const TOKEN = "[a-z0-9!#$&^_.+'-]+"
const MEDIA_TYPE = new RegExp(`^(${TOKEN}/${TOKEN})(?:[ \\t]*;|$)`)
const PARAMETERS = new RegExp(`^(?:[ \\t]*;[ \\t]*${TOKEN}=(?:${TOKEN}|"[a-z0-9 ._+-]*"))*$`, 'i')

/** The types that the gateway writes itself, which nearly all replies have: they need no check. */
const OWN_TYPES: ReadonlyMap<string, ReplyType> = new Map(
  [
    'application/json',
    'application/json; charset=utf-8',
    'text/event-stream; charset=utf-8',
    // Ollama's streams.
    'application/x-ndjson',
  ].map((type) => [type, { type, isReplaced: false }]),
)

/**
 * Returns the type under which an upstream's bytes may go to a client of this operation, or the type that a route of the
 * relay declares (`undefined`).
 */
export function replyType(operation: Operation | undefined, declared: string): ReplyType {
  return OWN_TYPES.get(declared) ?? checkedType(declared, operation === undefined ? ROUTE_TYPES : TYPES[operation])
}

/** Browsers show each type of this ending as a document with scripts: https://mimesniff.spec.whatwg.org/#xml-mime-type */
const isXml = (essence: string): boolean => essence.endsWith('+xml')

/**
 * A browser takes the last of several types in one header (`audio/mpeg, text/html`), so a text that is not a plain type with
 * plain parameters is not sent. https://fetch.spec.whatwg.org/#concept-header-extract-mime-type
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
