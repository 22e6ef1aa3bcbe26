import { foldKey } from '../hosted/folded.ts'
import { isClientDefined } from '../hosted/references.ts'
import type { Json } from '../json.ts'
import { kindOfFile, type PromptFile, promptFile, promptImage } from './files.ts'
import type { PromptContents } from './prompt.ts'

/*
 * Finds stray files in a body: files in fields, or of types, for which the client's format defines no files. An
 * upstream may read these files, and the file at a short address can cost as much as a book.
 */

/** Patterns for normalized names of fields and types, with the media type that a match implies. */
const TYPE_PATTERNS: readonly (readonly [word: RegExp, type: string])[] = [
  [/video|movie|film/, 'video/'],
  [/audio|sound|recording|speech/, 'audio/'],
  [/image|img|picture|photo|screenshot|mask/, 'image/'],
  [/file|document|pdf|media|attachment|inlinedata/, 'application/pdf'],
]
/**
 * Normalized names of fields that contain the data or the address of a file. The name of the surrounding object
 * determines the type of the file.
 */
const CARRIERS = new Set(['url', 'uri', 'href', 'src', 'source', 'data', 'base64', 'b64', 'b64json', 'bytes', 'result'])
const MEDIA_TYPES = new Set(['mimetype', 'mediatype'])
/** Minimum and maximum length of a field name that can normalize to a name in `MEDIA_TYPES`. */
const [MEDIA_TYPE_MIN, MEDIA_TYPE_MAX] = [8, 10]
const ADDRESS = /^\s*(?:https?|gs|s3|oss|data):\S/i
/** Matches the start of base64, which is text without blanks that is too long for a word. */
const BASE64 = /^[\w+/-]{76}/

interface FoundFile {
  readonly kind: PromptFile['kind']
  readonly value: string
  readonly type: string
}

/**
 * Adds the stray files of a body to its contents. The walk also finds the files that the format has already counted. So
 * for n counted files of a kind, the n smallest found files of that kind are skipped.
 */
export function withStrayFiles(contents: PromptContents, body: Readonly<Json>): PromptContents {
  const foundFiles: FoundFile[] = []
  walk(body, { above: '', type: undefined, isHead: true }, foundFiles)
  const { files = [] } = contents
  if (foundFiles.length <= files.length) return contents
  const counted = new Map<PromptFile['kind'], number>()
  for (const { kind } of files) counted.set(kind, (counted.get(kind) ?? 0) + 1)
  const strays = foundFiles
    .sort((one, other) => one.value.length - other.value.length)
    .filter(({ kind }) => {
      const remaining = counted.get(kind) ?? 0
      counted.set(kind, remaining - 1)
      return remaining <= 0
    })
  return { ...contents, files: [...files, ...strays.map(fileOf)] }
}

function fileOf({ kind, value, type }: FoundFile): PromptFile {
  return kind === 'image' ? promptImage(value, { isCoarse: false }) : promptFile(value, type)
}

interface Place {
  /** The normalized name of the field that contains the object. */
  readonly above: string
  /** The media type that the names of the surrounding objects imply. */
  readonly type: string | undefined
  /** Whether the object is the whole body. */
  readonly isHead: boolean
}

function walk(object: Readonly<Json>, place: Place, foundFiles: FoundFile[]): void {
  const declaredType = mediaTypeIn(object)
  const mediaType =
    declaredType ?? (typeof object.type === 'string' ? meaningOf(object.type).type : undefined) ?? place.type
  for (const name in object) {
    const value = object[name]
    // Look up the name only if the value is an object or looks like a file, because a look-up is expensive.
    if (typeof value === 'string') {
      if (!isFile(value)) continue
    } else if (typeof value !== 'object' || value === null) continue
    const meaning = meaningOf(name)
    const type = meaning.type === undefined ? mediaType : (declaredType ?? meaning.type)
    const { key, mayBeFile } = meaning
    if (typeof value === 'string') {
      if (mayBeFile) addFile(value, type, foundFiles)
    } else if (!isClientDefined(object, name, place))
      walkValue(value, { above: key, type, isHead: false }, { mayBeFile, foundFiles })
  }
}

function walkValue(
  value: object,
  place: Place,
  { mayBeFile, foundFiles }: { mayBeFile: boolean; foundFiles: FoundFile[] },
): void {
  if (!Array.isArray(value)) {
    walk(value as Json, place, foundFiles)
    return
  }
  for (const item of value as unknown[]) {
    if (typeof item === 'string') {
      if (mayBeFile && isFile(item)) addFile(item, place.type, foundFiles)
    } else if (typeof item === 'object' && item !== null) walkValue(item, place, { mayBeFile, foundFiles })
  }
}

const isFile = (value: string): boolean => ADDRESS.test(value) || BASE64.test(value)

function addFile(value: string, type: string | undefined, foundFiles: FoundFile[]): void {
  if (type !== undefined) foundFiles.push({ kind: kindOfFile(value, type), value, type })
}

function mediaTypeIn(object: Readonly<Json>): string | undefined {
  for (const name in object) {
    const value = object[name]
    if (typeof value !== 'string' || name.length < MEDIA_TYPE_MIN || name.length > MEDIA_TYPE_MAX) continue
    if (MEDIA_TYPES.has(foldKey(name))) return value
  }
  return undefined
}

interface Meaning {
  readonly key: string
  /** The media type that the name implies, or undefined if it implies none. */
  readonly type: string | undefined
  /** Whether the value may be a file. */
  readonly mayBeFile: boolean
}

/** Cache of meanings, because many requests have the same names. */
const meaningCache = new Map<string, Meaning>()
const CACHED_NAMES_MAX = 1000
const CACHED_LENGTH_MAX = 64
const NO_MEANING: Meaning = { key: '', type: undefined, mayBeFile: false }

function meaningOf(name: string): Meaning {
  const cachedMeaning = meaningCache.get(name)
  if (cachedMeaning) return cachedMeaning
  if (name.length > CACHED_LENGTH_MAX) return NO_MEANING
  const key = foldKey(name)
  const type = TYPE_PATTERNS.find(([word]) => word.test(key))?.[1]
  const mayBeFile = type !== undefined || CARRIERS.has(key)
  const meaning = { key, type, mayBeFile }
  if (meaningCache.size < CACHED_NAMES_MAX) meaningCache.set(name, meaning)
  return meaning
}
