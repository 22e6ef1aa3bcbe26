import type { LiveChannel } from '../../../../core/channels/routing/directory.ts'
import { isRecord } from '../../../../core/records.ts'
import type { Part } from '../../conversation/conversation.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { ProviderRequest } from '../provider.ts'

const BUCKET = /^\s*gs:/i
const BUCKET_WITHIN = /"\s*gs:/i

/**
 * Throws REQUEST_MALFORMED if the request contains a file in Cloud Storage, because Google would read this file with
 * the operator's rights. Returns the request if the channel allows such files, or if the request has none.
 */
export function withoutBuckets(ask: ProviderRequest, { settings }: Pick<LiveChannel, 'settings'>): ProviderRequest {
  if (settings.allowGoogleFiles || ask.operation !== 'chat' || !mayNameBucket(ask.raw)) return ask
  if (ask.dialect !== 'gemini') {
    if (ask.conversation().turns.some(({ parts }) => parts.some(namesBucket))) refuseBucket()
    return ask
  }
  if (hasBucketFile(ask.body)) refuseBucket()
  // If the client's bytes contain a field twice, Google could read the unchecked value. So send the parsed body.
  return { ...ask, raw: Buffer.from(JSON.stringify(ask.body)) }
}

/** Whether the bytes may contain a bucket's URL. This check is fast, and most bodies need no further check. */
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
