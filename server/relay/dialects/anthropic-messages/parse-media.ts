import { recordOf } from '../../../../core/records.ts'
import type { FilePart, ImagePart, TextPart } from '../../conversation/conversation.ts'
import { type Json, textOf } from '../../json.ts'
import { malformedRequest } from '../../malformed-request.ts'

/** Reads an image in base64 or by URL. */
export function readImage({ source: imageSource }: Json, field: string): ImagePart {
  const source = recordOf(imageSource)
  const url = source.type === 'url' ? textOf(source.url) : undefined
  if (url) return { kind: 'image', media: { url } }
  const data = source.type === 'base64' ? textOf(source.data) : undefined
  if (data) return { kind: 'image', media: { data, mime: mimeOf(source) ?? 'image/png' } }
  throw malformedRequest(`${field}.source must be base64 or url: this model cannot read uploaded files`)
}

/**
 * Reads a document and its context. If the document consists of blocks, `source` is absent, and the caller must read
 * the blocks.
 */
export function readDocument(block: Json, field: string): { parts: TextPart[]; source?: FilePart } {
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
  throw malformedRequest(`${field}.source must be base64, text, url or content`)
}

function mimeOf({ media_type }: Json): string | undefined {
  const mime = textOf(media_type)?.toLowerCase()
  return mime === 'image/jpg' ? 'image/jpeg' : mime
}
