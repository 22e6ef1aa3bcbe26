import type { LiveChannel } from '../../../../core/channels/directory.ts'
import type { Part } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import { isObject } from '../../json.ts'
import type { Ask } from '../provider.ts'

const BUCKET = /^\s*gs:/i
const BUCKET_WITHIN = /"\s*gs:/i

/**
 * The request, once it names no file in Cloud Storage: Google would read it with the operator's rights, whoever asks. Nothing is
 * looked at where the channel allows it. Throws REQUEST_MALFORMED.
 */
export function withoutBuckets(ask: Ask, { settings }: Pick<LiveChannel, 'settings'>): Ask {
  if (settings.allowGoogleFiles || ask.operation !== 'chat' || !mayNameBucket(ask.raw)) return ask
  if (ask.dialect !== 'gemini') {
    if (ask.conversation().turns.some(({ parts }) => parts.some(namesBucket))) refuseBucket()
    return ask
  }
  if (hasBucketFile(ask.body)) refuseBucket()
  // A name may stand twice in the client's bytes, and Google need not read the one that was looked at.
  return { ...ask, raw: Buffer.from(JSON.stringify(ask.body)) }
}

/** Cheap: most bodies have neither the letters nor an escape that may stand for one of them. */
function mayNameBucket(raw: Buffer): boolean {
  return ['gs:', 'GS:', 'Gs:', 'gS:', '\\u00'].some((letters) => raw.includes(letters))
}

function refuseBucket(): never {
  refuse('files of Cloud Storage (gs://) are not read here; send the file itself, or a web address')
}

function namesBucket(part: Part): boolean {
  if (part.kind === 'result') return part.parts.some(namesBucket)
  if (part.kind === 'other') return BUCKET_WITHIN.test(JSON.stringify(part.part))
  return (part.kind === 'image' || part.kind === 'file') && 'url' in part.media && BUCKET.test(part.media.url)
}

/** Wherever it stands: in contents, instructions, results of functions, or a request inside another. */
function hasBucketFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasBucketFile)
  if (!isObject(value)) return false
  const files = [value.fileData, value.file_data].flatMap((file) =>
    isObject(file) ? [file.fileUri, file.file_uri] : [],
  )
  return files.some((uri) => typeof uri === 'string' && BUCKET.test(uri)) || Object.values(value).some(hasBucketFile)
}
