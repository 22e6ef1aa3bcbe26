import { isRecord } from '../../../core/records.ts'
import type { ObjectKind, StoredObject } from '../../../core/stored-objects.ts'
import { isGatewayThought } from '../conversation/envelope.ts'
import { refuse } from '../dialects/refuse.ts'
import { type Json, objectsOf, textOf } from '../json.ts'
import { foldKey, valuesOfSpellings } from './folded.ts'

/** A stored object of an upstream's account that a request names. */
export interface ObjectReference extends StoredObject {
  /** The client's field that names the object. */
  readonly field: string
}

/** Normalized keys (`foldKey`) that name objects, with the kind of the objects. */
const KINDS: ReadonlyMap<string, ObjectKind> = new Map([
  ['fileid', 'file'],
  ['fileids', 'file'],
  ['fileuri', 'file'],
  ['previousresponseid', 'response'],
  ['previousmessageid', 'message'],
  ['conversation', 'conversation'],
  ['conversationid', 'conversation'],
  ['prompt', 'prompt'],
  ['container', 'container'],
  ['containerid', 'container'],
  ['cachedcontent', 'cache'],
  ['vectorstoreid', 'store'],
  ['vectorstoreids', 'store'],
  ['filesearchstorenames', 'store'],
  ['datastore', 'store'],
  ['engine', 'store'],
  ['ragcorpus', 'store'],
  ['knowledgeid', 'store'],
  ['datasources', 'store'],
  ['skillid', 'skill'],
  ['audio', 'audio'],
  ['voice', 'voice'],
])
/** Keys that name an object only if their value has an `id`. A text as the value has another meaning. */
const ONLY_WITH_ID = new Set<string>(['prompt', 'audio', 'voice'])
/** Keys of Azure's search indexes and databases, which no request created. Azure reads them with operator rights. */
const OPERATOR_OBJECTS = new Set<string>(['datasources'])
/** Keys that name an object only at the top level of a request. */
const TOP_LEVEL_ONLY = new Set<string>(['previousresponseid', 'conversation', 'conversationid', 'prompt'])
/** Normalized `extra_body`, whose fields another gateway, as the upstream, copies into the body. */
const EXTRA = 'extrabody'
/** Keys that name a store only if their value is a path. Other values are engines of OpenRouter's plugins. */
const ONLY_AS_PATH = new Set<string>(['engine', 'datastore'])

/** Keys of schemas, which describe the client's own data. */
const SCHEMAS = new Set(
  `parameters parametersJsonSchema parameters_json_schema input_schema schema responseSchema response_schema responseJsonSchema
  response_json_schema`.split(/\s+/),
)
const CALLS = new Set(['tool_use', 'server_tool_use', 'mcp_tool_use'])

/** Matches the beginning of a text that names a file of Moonshot or Alibaba. */
const FILE_ADDRESS = /^\s*(?:ms|fileid):\/\//i
/** The bit that distinguishes lower-case from upper-case ASCII letters. */
const LETTER_CASE = 0x20
/** Length of the part of a text in which an address must begin, after blanks. */
const BLANKS_MAX = 1000
/** Maximum number of references in one request, because each is looked up in the database. */
export const REFERENCES_MAX = 1000
/** Frequent keys that name no object, and are not normalized, to save time. */
const FREQUENT_KEYS = new Set(
  'model messages content stream temperature function parameters properties description'.split(' '),
)

/** Whether a key or its value may name an upstream's object. Must be fast, because it runs for each key. */
export function mayReference(name: string, value: unknown): boolean {
  if (name.length >= 5 && !FREQUENT_KEYS.has(name) && KINDS.has(foldKey(name))) return true
  return typeof value === 'string' && isFileAddress(value)
}

function isFileAddress(text: string): boolean {
  const first = text.charCodeAt(0) | LETTER_CASE
  // For most texts, the first character decides: it is neither m nor f nor a blank, of which some are beyond ASCII.
  const isPossible = first === 0x6d || first === 0x66 || first <= LETTER_CASE + 0xd || first > 0x7f
  return isPossible && FILE_ADDRESS.test(text.slice(0, BLANKS_MAX))
}

/** Returns the stored upstream objects that a request names, without duplicates. Throws REQUEST_MALFORMED. */
export function referencesIn(body: Readonly<Json>): ObjectReference[] {
  const references = new Map<string, ObjectReference>()
  let count = 0
  walk(body, { above: '', isHead: true }, (reference) => {
    if (++count > REFERENCES_MAX) refuseTooMany()
    references.set(`${reference.kind} ${reference.id}`, reference)
  })
  return [...references.values()]
}

/**
 * Returns references to the items of a Responses request that the upstream must look up, which are item references,
 * and reasoning and images without content. Throws REQUEST_MALFORMED.
 */
export function itemReferences(body: Readonly<Json>): ObjectReference[] {
  const items = valuesOfSpellings(body, 'input').flatMap(objectsOf)
  const references = items.flatMap((item): ObjectReference[] => {
    const id = valuesOfSpellings(item, 'id').map(textOf).find(Boolean)
    return id !== undefined && mustBeLookedUp(item) ? [{ kind: 'item', id, field: 'input' }] : []
  })
  if (references.length > REFERENCES_MAX) refuseTooMany()
  return references
}

function refuseTooMany(): never {
  refuse(`it names more than ${REFERENCES_MAX} stored objects`)
}

function mustBeLookedUp(item: Json): boolean {
  // The type of a reference may be null.
  const types = valuesIn(item, 'type')
  if (types.includes('reasoning')) return !textOf(item.encrypted_content) && !isGatewayThought(item)
  if (types.includes('image_generation_call')) return !textOf(item.result)
  const isNamed = types.length > 0 || valuesIn(item, 'content').length > 0 || valuesIn(item, 'role').length > 0
  return types.includes('item_reference') || !isNamed
}

const valuesIn = (item: Json, key: string): unknown[] =>
  valuesOfSpellings(item, key).filter((value) => value !== null && value !== undefined)

type Report = (reference: ObjectReference) => void

function walk(object: Readonly<Json>, { above, isHead }: { above: string; isHead: boolean }, report: Report): void {
  for (const name in object) {
    const value = object[name]
    if (value === null || value === undefined || isClientDefined(object, name, { above, isHead })) continue
    const key = foldKey(name)
    const kind = KINDS.get(key)
    const isElsewhere = (!isHead && TOP_LEVEL_ONLY.has(key)) || (kind === 'message' && above !== 'thread')
    if (kind && !isElsewhere && !(kind === 'skill' && isAnthropicSkill(object))) {
      for (const id of OPERATOR_OBJECTS.has(key) ? [name] : idsIn(value, key)) report({ kind, id, field: name })
    }
    if (typeof value === 'string') reportAddress(value, name, report)
    else if (typeof value === 'object') walkValue(value, { above: key, field: name, isHead: key === EXTRA }, report)
  }
}

function walkValue(
  value: object,
  { above, field, isHead = false }: { above: string; field: string; isHead?: boolean },
  report: Report,
): void {
  if (!Array.isArray(value)) {
    walk(value as Json, { above, isHead }, report)
    return
  }
  for (const item of value as unknown[]) {
    if (typeof item === 'string') reportAddress(item, field, report)
    else if (typeof item === 'object' && item !== null) walkValue(item, { above, field }, report)
  }
}

function reportAddress(text: string, field: string, report: Report): void {
  if (!isFileAddress(text)) return
  for (const id of text.split(',', REFERENCES_MAX + 1))
    report({ kind: 'file', id: id.replace(FILE_ADDRESS, '').trim(), field })
}

/** Whether a skill is Anthropic's own. */
const isAnthropicSkill = (skill: Readonly<Json>): boolean =>
  valuesOfSpellings(skill, 'type').every((type) => type === 'anthropic')

/**
 * Whether the client defines what a value contains, as in metadata, and in arguments, results and schemas of its
 * functions. Upstreams look up no objects in such a value. `above` is the normalized key of the object, and `isHead`
 * states whether the object is the body or its `extra_body`.
 */
export function isClientDefined(
  object: Readonly<Json>,
  name: string,
  { above, isHead }: { above: string; isHead: boolean },
): boolean {
  if (isHead) return name === 'metadata'
  if (name === 'input') return CALLS.has(object.type as string)
  if (name === 'args') return above === 'functioncall'
  if (name === 'response') return above === 'functionresponse'
  return SCHEMAS.has(name)
}

function idsIn(value: unknown, key: string): string[] {
  if (Array.isArray(value)) {
    // Numbers name no objects, and a prompt of token ids is a long list of numbers.
    return value.filter((item) => typeof item !== 'number').flatMap((item) => idsIn(item, key))
  }
  if (isRecord(value)) return valuesOfSpellings(value, 'id').flatMap((id) => textOf(id) ?? [])
  const id = textOf(value)
  if (id === undefined || ONLY_WITH_ID.has(key)) return []
  if (key === 'fileuri') return uploadedFileNames(id)
  if (ONLY_AS_PATH.has(key)) return id.includes('/') ? [id] : []
  return [id]
}

/** The base URL for a relative file name. */
const GOOGLE_BASE_URL = 'https://generativelanguage.googleapis.com'
const GOOGLE_HOST = /(^|\.)googleapis\.com\.?$/i
const FILE_NAME = /(?:^|\/)(files\/[^/?#:]+)/i

/**
 * Returns the name of a file in Google's file API, or an empty list for other addresses. Public addresses are no stored
 * objects. A channel's setting allows buckets.
 */
function uploadedFileNames(uri: string): string[] {
  const address = uri.trim()
  const url = URL.canParse(address, GOOGLE_BASE_URL) ? new URL(address, GOOGLE_BASE_URL) : undefined
  if (url && !GOOGLE_HOST.test(url.hostname)) return []
  const name = FILE_NAME.exec(decodePath(url?.pathname ?? address))?.[1]
  return name === undefined ? [] : [name]
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}
