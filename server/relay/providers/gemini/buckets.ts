import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { isRecord } from '../../../../core/records.ts'
import type { Part } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { ProviderRequest } from '../provider.ts'

const BUCKET = /^\s*gs:/i
const BUCKET_WITHIN = /"\s*gs:/i

/**
 * Returns the request. Throws REQUEST_MALFORMED if it names a file in Cloud Storage and the channel does not allow such
 * files, because Google would read the file with the operator's rights.
 */
export function withoutBuckets(ask: ProviderRequest, { settings }: Pick<LiveChannel, 'settings'>): ProviderRequest {
  if (settings.allowGoogleFiles || ask.operation !== 'chat' || !mayNameBucket(ask.raw)) return ask
  if (ask.dialect !== 'gemini') {
    if (ask.conversation().turns.some(({ parts }) => parts.some(namesBucket))) refuseBucket()
    return ask
  }
  if (hasBucketFile(ask.body)) refuseBucket()
  // Send the parsed body. In the client's bytes, a field may occur twice, and Google could read the unchecked value.
  return { ...ask, raw: Buffer.from(JSON.stringify(ask.body)) }
}

/** Whether the bytes may contain a bucket's URL. A fast check, after which most bodies need no other. */
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

/** Whether a value contains a file in Cloud Storage, at any depth. */
function hasBucketFile(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasBucketFile)
  if (!isRecord(value)) return false
  const files = [value.fileData, value.file_data].flatMap((file) =>
    isRecord(file) ? [file.fileUri, file.file_uri] : [],
  )
  return files.some((uri) => typeof uri === 'string' && BUCKET.test(uri)) || Object.values(value).some(hasBucketFile)
}
