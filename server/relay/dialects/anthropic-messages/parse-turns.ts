import { isRecord, recordOf } from '../../../../core/records.ts'
import { cacheOf, withCacheMark } from '../../conversation/cache-marks.ts'
import type { FilePart, ImagePart, Part, ReasoningPart, TextPart, Turn } from '../../conversation/conversation.ts'
import { arrayOf, type Json, lookup, textOf, wordOf } from '../../json.ts'
import { refuse } from '../refuse.ts'

/**
 * Start of a text that coding clients put first in the system prompt. The gateway drops the text, which differs in each
 * request, so that prompt caches of upstreams match.
 */
const BILLING_HEADER = 'x-anthropic-billing-header'

export function readSystem(system: unknown): Turn[] {
  const parts = textParts(system, 'system').filter(
    ({ text }, at) => text !== '' && !(at === 0 && Array.isArray(system) && text.startsWith(BILLING_HEADER)),
  )
  return parts.length ? [{ role: 'system', parts }] : []
}

/** Reads a message. Moves tool results to the front, because they belong to the calls of the preceding turn. */
export function readTurn(message: unknown, at: number): Turn {
  const field = `messages[${at}]`
  if (!isRecord(message)) refuse(`${field} must be an object`)
  const { role, content } = message
  if (role === 'system') return { role, parts: textParts(content, `${field}.content`) }
  if (role !== 'user' && role !== 'assistant') refuse(`${field}.role must be user, assistant or system`)
  const parts = readContent(content, `${field}.content`)
  const results = parts.filter(({ kind }) => kind === 'result')
  return { role, parts: [...results, ...parts.filter(({ kind }) => kind !== 'result')] }
}

function textParts(content: unknown, field: string): TextPart[] {
  return readContent(content ?? [], field).flatMap((part) => (part.kind === 'text' ? [part] : []))
}

/** Reads a text or a list of blocks. For an unknown block, returns only the readable text. */
function readContent(content: unknown, field: string): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) refuse(`${field} must be a text or an array of blocks`)
  return content.flatMap((block, at) => {
    if (!isRecord(block)) refuse(`${field}[${at}] must be an object`)
    return readBlock(block, `${field}[${at}]`)
  })
}

type BlockReader = (block: Json, field: string) => Part[]

const READERS: Readonly<Record<string, BlockReader>> = lookup({
  text: readText,
  input_text: readText,
  image: (block, field) => [{ ...readImage(block, field), ...cacheOf(block) }],
  document: (block, field) => {
    const { parts, source } = readDocument(block, field)
    const contents = source ? [source] : readContent(recordOf(block.source).content, field)
    return [...parts, ...withCacheMark(contents, cacheOf(block))]
  },
  thinking: (block) => readThought({ text: block.thinking, signature: block.signature }),
  redacted_thinking: (block) => readThought({ redacted: block.data }),
  tool_use: readCall,
  tool_result: readResult,
})

function readBlock(block: Json, field: string): Part[] {
  const reader = READERS[wordOf(block.type)]
  if (reader) return reader(block, field)
  const type = wordOf(block.type)
  const text = textsIn(block).join('\n')
  if (!text && !HOSTED_BLOCK.test(type)) refuse(`${field}: a block of type "${type}" means nothing to this model`)
  return text ? [{ kind: 'text', text, ...cacheOf(block) }] : []
}

/** Matches block types of calls and results of Anthropic's hosted tools. These blocks may have no readable text. */
const HOSTED_BLOCK = /tool_use$|tool_result$/

function readText(block: Json, field: string): Part[] {
  if (typeof block.text !== 'string') refuse(`${field}.text must be a text`)
  return [{ kind: 'text', text: block.text, ...cacheOf(block) }]
}

function readThought({
  text,
  signature,
  redacted,
}: {
  text?: unknown
  signature?: unknown
  redacted?: unknown
}): Part[] {
  const part: ReasoningPart = {
    kind: 'reasoning',
    text: textOf(text) ?? '',
    ...(textOf(signature) && { signature: String(signature) }),
    ...(textOf(redacted) && { redacted: String(redacted) }),
  }
  return [part]
}

function readCall(block: Json, field: string): Part[] {
  const { id, name, input } = block
  const callId = textOf(id)
  const toolName = textOf(name)
  if (!callId || !toolName) refuse(`${field} must have an id and a name`)
  return [{ kind: 'call', id: callId, name: toolName, arguments: JSON.stringify(input ?? {}), ...cacheOf(block) }]
}

function readResult(block: Json, field: string): Part[] {
  const callId = textOf(block.tool_use_id)
  if (!callId) refuse(`${field}.tool_use_id is required`)
  const parts = readContent(block.content ?? [], `${field}.content`)
  return [{ kind: 'result', callId, parts, ...(block.is_error === true && { isError: true }), ...cacheOf(block) }]
}

const TEXT_FIELDS = ['title', 'source', 'url', 'text', 'query', 'stdout', 'stderr', 'error_code']

/**
 * Returns the readable texts in a block of a hosted tool, such as queries, results and program output. Skips ids and
 * encrypted data, which only Anthropic can use.
 */
function textsIn(block: Json): string[] {
  const texts = TEXT_FIELDS.flatMap((name) => textOf(block[name]) ?? [])
  const nested = [block.input, block.content, ...arrayOf(block.content)].filter(isRecord)
  return [...texts, ...nested.flatMap(textsIn)]
}

function readImage({ source: imageSource }: Json, field: string): ImagePart {
  const source = recordOf(imageSource)
  const url = source.type === 'url' ? textOf(source.url) : undefined
  if (url) return { kind: 'image', media: { url } }
  const data = source.type === 'base64' ? textOf(source.data) : undefined
  if (data) return { kind: 'image', media: { data, mime: mimeOf(source) ?? 'image/png' } }
  refuse(`${field}.source must be base64 or url: this model cannot read uploaded files`)
}

/**
 * Reads a document and its context. If the document consists of blocks, `source` is absent, and the caller must read
 * the blocks.
 */
function readDocument(block: Json, field: string): { parts: TextPart[]; source?: FilePart } {
  const context = textOf(block.context)
  const parts: TextPart[] = context ? [{ kind: 'text', text: context }] : []
  const source = recordOf(block.source)
  if (source.type === 'content') {
    const title = textOf(block.title)
    return { parts: [...(title ? [{ kind: 'text', text: title } as const] : []), ...parts] }
  }
  const name = textOf(block.title)
  return { parts, source: { kind: 'file', media: mediaOf(source, field), ...(name && { name }) } }
}

function mediaOf(source: Json, field: string): FilePart['media'] {
  const data = textOf(source.data)
  if (source.type === 'base64' && data) return { data, mime: mimeOf(source) ?? 'application/pdf' }
  if (source.type === 'text' && typeof source.data === 'string') return { text: source.data }
  const url = source.type === 'url' ? textOf(source.url) : undefined
  if (url) return { url, mime: 'application/pdf' }
  const id = source.type === 'file' ? textOf(source.file_id) : undefined
  if (id) return { id }
  refuse(`${field}.source must be base64, text, url or content`)
}

function mimeOf({ media_type }: Json): string | undefined {
  const mime = textOf(media_type)?.toLowerCase()
  return mime === 'image/jpg' ? 'image/jpeg' : mime
}
