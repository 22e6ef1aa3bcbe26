import { createHash } from 'node:crypto'
import { markOfResult } from '../../conversation/cache-marks.ts'
import type { CallPart, FilePart, Media, Part, ResultPart, Turn } from '../../conversation/conversation.ts'
import { argumentsOf, pairResults, systemAsUser } from '../../conversation/turns.ts'
import { refuse } from '../../dialects/refuse.ts'
import { type Json, lookup, wordOf } from '../../json.ts'
import { imageType } from '../anthropic/media-blocks.ts'

export interface ConverseContentOptions {
  /** True if the model may need its earlier reasoning. */
  readonly sendsReasoning: boolean
  /** True if the model supports cache marks in instructions and messages. */
  readonly supportsCaching: boolean
}

const EMPTY_TEXT = '(empty)'

/**
 * Converts turns to messages. Their roles alternate, the first is the user's, results follow their calls, and no text
 * is blank. https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Message.html
 */
export function converseMessages(turns: readonly Turn[], options: ConverseContentOptions): Json[] {
  const write = contentWriter(options)
  const messages = pairResults(systemAsUser(turns)).map(({ role, parts }): Json => {
    const content = parts.flatMap(write)
    return { role, content: content.length ? withTextBesideDocuments(content) : [{ text: EMPTY_TEXT }] }
  })
  return messages[0]?.role === 'user' ? messages : [{ role: 'user', content: [{ text: '...' }] }, ...messages]
}

/** Converts system turns to text blocks. If the model supports caching, adds a cache point after each cache mark. */
export function converseSystem(turns: readonly Turn[], { supportsCaching }: ConverseContentOptions): Json[] {
  return turns
    .flatMap(({ parts }) => parts)
    .flatMap((part) => (part.kind === 'text' ? withCachePoint(textBlocks(part.text), part, supportsCaching) : []))
}

/** Appends a cache point if the part has a cache mark. A cache point covers all blocks before it. */
export function withCachePoint(blocks: Json[], { cache }: { cache?: unknown }, caching: boolean): Json[] {
  return caching && cache && blocks.length ? [...blocks, { cachePoint: { type: 'default' } }] : blocks
}

function contentWriter({ sendsReasoning, supportsCaching }: ConverseContentOptions): (part: Part) => Json[] {
  const usedNames = new Set<string>()
  const write = (part: Part): Json[] => {
    switch (part.kind) {
      case 'text':
        return withCachePoint(textBlocks(part.text), part, supportsCaching)
      case 'refusal':
        return textBlocks(part.text)
      case 'image':
        return withCachePoint([{ image: imageOf(part.media) }], part, supportsCaching)
      case 'file':
        return withCachePoint([{ document: documentOf(part, usedNames) }], part, supportsCaching)
      case 'call':
        return withCachePoint(
          [{ toolUse: { toolUseId: toolUseId(part.id), name: part.name, input: inputOf(part) } }],
          part,
          supportsCaching,
        )
      case 'result':
        return withCachePoint(
          [{ toolResult: resultOf(part, write) }],
          { cache: markOfResult(part, part.parts) },
          supportsCaching,
        )
      case 'reasoning':
        return sendsReasoning ? thoughtBlocks(part) : []
      default: {
        const kind = part.kind === 'audio' ? 'input_audio' : wordOf(part.part.type)
        return refuse(
          `messages.content: this model does not accept parts of type ${kind}; send text, images or documents`,
        )
      }
    }
  }
  return write
}

function textBlocks(text: string): Json[] {
  return text.trim() === '' ? [] : [{ text }]
}

/** Returns a block for signed or encrypted reasoning. Returns none for other reasoning, which Bedrock rejects. */
function thoughtBlocks({ text, signature, redacted }: Extract<Part, { kind: 'reasoning' }>): Json[] {
  if (redacted) return [{ reasoningContent: { redactedContent: redacted } }]
  return signature ? [{ reasoningContent: { reasoningText: { text, signature } } }] : []
}

function resultOf({ callId, parts, isError }: ResultPart, write: (part: Part) => Json[]): Json {
  // A cache point is not allowed among the contents of a result.
  const content = parts.flatMap(write).filter((block) => !('cachePoint' in block))
  return {
    toolUseId: toolUseId(callId),
    status: isError ? 'error' : 'success',
    content: content.length ? content : [{ text: EMPTY_TEXT }],
  }
}

/** Returns a call's arguments as an object. Free text becomes its property `input`, and invalid JSON `arguments`. */
function inputOf(call: CallPart): Json {
  if (call.custom) return { input: call.arguments }
  return argumentsOf(call) ?? { arguments: call.arguments }
}

const ID_LENGTH_MAX = 64

/** Returns an id with valid characters and length. Equal ids give equal results. */
function toolUseId(id: string): string {
  const validId = id.replace(/[^\w-]/g, '_')
  if (validId === id && id !== '' && id.length <= ID_LENGTH_MAX) return id
  const digest = createHash('sha256').update(id).digest('hex').slice(0, 16)
  return `${validId.slice(0, ID_LENGTH_MAX - digest.length - 1)}_${digest}`
}

const IMAGE_FORMATS: Readonly<Record<string, string>> = lookup({
  'image/png': 'png',
  'image/jpeg': 'jpeg',
  'image/jpg': 'jpeg',
  'image/gif': 'gif',
  'image/webp': 'webp',
})

function imageOf(media: Media): Json {
  const format = 'data' in media ? IMAGE_FORMATS[imageType(media)] : undefined
  if (!format || !('data' in media)) {
    const rejectedMedia = media.mime ?? 'an address of this kind'
    refuse(`messages.content: ${rejectedMedia} is no image that this model reads; send PNG, JPEG, GIF or WebP`)
  }
  return { format, source: { bytes: media.data } }
}

const DOCUMENT_FORMATS: Readonly<Record<string, string>> = lookup({
  'application/pdf': 'pdf',
  'text/csv': 'csv',
  'application/msword': 'doc',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.ms-excel': 'xls',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': 'xlsx',
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
})

function documentOf({ media, name }: FilePart, usedNames: Set<string>): Json {
  const document = 'text' in media ? { data: Buffer.from(media.text).toString('base64'), mime: 'text/plain' } : media
  const format = 'data' in document ? DOCUMENT_FORMATS[document.mime] : undefined
  if (!format || !('data' in document)) {
    const rejectedMedia = 'mime' in document && document.mime ? document.mime : 'a file by its id or address'
    refuse(`messages.content: ${rejectedMedia} is no document that this model reads; send PDF, office files or text`)
  }
  return { format, name: documentName(name ?? 'document', usedNames), source: { bytes: document.data } }
}

/**
 * Returns a valid document name. Bedrock allows only letters, digits, spaces, hyphens, parentheses and brackets. Each
 * name must be unique in a request.
 */
function documentName(name: string, usedNames: Set<string>): string {
  const validName = name
    .replace(/\.[a-z0-9]+$/i, '')
    .replace(/[^a-zA-Z0-9\s()[\]-]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
  const base = validName.slice(0, 180) || 'document'
  let uniqueName = base
  for (let copy = 2; usedNames.has(uniqueName); copy++) uniqueName = `${base} (${copy})`
  usedNames.add(uniqueName)
  return uniqueName
}

/** Adds a text if there are documents but no text, because Bedrock requires a text beside documents. */
function withTextBesideDocuments(content: Json[]): Json[] {
  const lacksText = content.some((block) => 'document' in block) && !content.some((block) => 'text' in block)
  return lacksText ? [...content, { text: '(document)' }] : content
}
