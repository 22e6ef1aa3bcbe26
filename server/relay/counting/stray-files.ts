import { folded } from '../hosted/folded.ts'
import { isClients } from '../hosted/references.ts'
import type { Json } from '../json.ts'
import { kindOfFile, type PromptFile, promptFile, promptImage } from './files.ts'
import type { PromptSize } from './prompt.ts'

/*
 * Files where a format does not define them, or of a type that it does not know. An upstream may read them there, and a short
 * address can cost as much as a book.
 */

/** Words in folded names of fields and types, with the media type that they stand for. */
const WORDS: readonly (readonly [word: RegExp, type: string])[] = [
  [/video|movie|film/, 'video/'],
  [/audio|sound|recording|speech/, 'audio/'],
  [/image|img|picture|photo|screenshot|mask/, 'image/'],
  [/file|document|pdf|media|attachment|inlinedata/, 'application/pdf'],
]
/** Folded names of fields with the data or the address of what their object is named for. */
const CARRIERS = new Set(['url', 'uri', 'href', 'src', 'source', 'data', 'base64', 'b64', 'b64json', 'bytes', 'result'])
const MEDIA_TYPES = new Set(['mimetype', 'mediatype'])
/** Of their names in any spelling. */
const [MEDIA_TYPE_MIN, MEDIA_TYPE_MAX] = [8, 10]
const ADDRESS = /^\s*(?:https?|gs|s3|oss|data):\S/i
/** A text without a blank that is too long for a word. */
const BASE64 = /^[\w+/-]{76}/

interface Found {
  readonly kind: PromptFile['kind']
  readonly value: string
  readonly type: string
}

/** Adds the files of a body that the count of its format did not find: of those of one kind, the largest. */
export function withStrayFiles(size: PromptSize, body: Readonly<Json>): PromptSize {
  const found: Found[] = []
  walk(body, { above: '', type: undefined, isHead: true }, found)
  const { files = [] } = size
  if (found.length <= files.length) return size
  const counted = new Map<PromptFile['kind'], number>()
  for (const { kind } of files) counted.set(kind, (counted.get(kind) ?? 0) + 1)
  const strays = found
    .sort((one, other) => one.value.length - other.value.length)
    .filter(({ kind }) => {
      const left = counted.get(kind) ?? 0
      counted.set(kind, left - 1)
      return left <= 0
    })
  return { ...size, files: [...files, ...strays.map(fileOf)] }
}

function fileOf({ kind, value, type }: Found): PromptFile {
  return kind === 'image' ? promptImage(value, { isCoarse: false }) : promptFile(value, type)
}

interface Place {
  /** The folded name of the object's field. */
  readonly above: string
  /** The media type that names above stand for. */
  readonly type: string | undefined
  readonly isHead: boolean
}

function walk(object: Readonly<Json>, place: Place, found: Found[]): void {
  const declared = mediaTypeIn(object)
  const typed = declared ?? (typeof object.type === 'string' ? meaningOf(object.type).type : undefined) ?? place.type
  for (const name in object) {
    const value = object[name]
    // Only few texts, and no more objects than a body may have, need the meaning of their names.
    if (typeof value === 'string') {
      if (!isFile(value)) continue
    } else if (typeof value !== 'object' || value === null) continue
    const meaning = meaningOf(name)
    const type = meaning.type === undefined ? typed : (declared ?? meaning.type)
    const { key, carries } = meaning
    if (typeof value === 'string') {
      if (carries) take(value, type, found)
    } else if (!isClients(object, name, place))
      walkValue(value, { above: key, type, isHead: false }, { carries, found })
  }
}

function walkValue(value: object, place: Place, { carries, found }: { carries: boolean; found: Found[] }): void {
  if (!Array.isArray(value)) {
    walk(value as Json, place, found)
    return
  }
  for (const item of value as unknown[]) {
    if (typeof item === 'string') {
      if (carries && isFile(item)) take(item, place.type, found)
    } else if (typeof item === 'object' && item !== null) walkValue(item, place, { carries, found })
  }
}

const isFile = (value: string): boolean => ADDRESS.test(value) || BASE64.test(value)

function take(value: string, type: string | undefined, found: Found[]): void {
  if (type !== undefined) found.push({ kind: kindOfFile(value, type), value, type })
}

function mediaTypeIn(object: Readonly<Json>): string | undefined {
  for (const name in object) {
    const value = object[name]
    if (typeof value !== 'string' || name.length < MEDIA_TYPE_MIN || name.length > MEDIA_TYPE_MAX) continue
    if (MEDIA_TYPES.has(folded(name))) return value
  }
  return undefined
}

/** The meaning of a name of a field, or of a type. */
interface Meaning {
  readonly key: string
  /** The media type that it stands for. */
  readonly type: string | undefined
  /** Whether the value may be a file. */
  readonly carries: boolean
}

/** Cached, since names repeat from request to request. */
const known = new Map<string, Meaning>()
const KNOWN_MAX = 1000
const LENGTH_MAX = 64
const NONE: Meaning = { key: '', type: undefined, carries: false }

function meaningOf(name: string): Meaning {
  const remembered = known.get(name)
  if (remembered) return remembered
  if (name.length > LENGTH_MAX) return NONE
  const key = folded(name)
  const type = WORDS.find(([word]) => word.test(key))?.[1]
  const carries = type !== undefined || CARRIERS.has(key)
  const meaning = { key, type, carries }
  if (known.size < KNOWN_MAX) known.set(name, meaning)
  return meaning
}
