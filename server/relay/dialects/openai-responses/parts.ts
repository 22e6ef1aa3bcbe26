import { isRecord, recordOf } from '../../../../core/records.ts'
import type { FilePart, ImagePart, Part } from '../../conversation/conversation.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { type Json, textOf } from '../../json.ts'
import { refuse } from '../refuse.ts'

/** Reads a text or a list of parts. `at` is the name of the field in errors. */
export function responsesPartsOf(content: unknown, at: string): Part[] {
  if (content === undefined || content === null) return []
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return refuse(`${at} must be a text or an array of parts`)
  return content.map((part, index) =>
    isRecord(part) ? partOf(part, `${at}[${index}]`) : refuse(`${at}[${index}] must be an object`),
  )
}

function partOf(part: Json, at: string): Part {
  if (part.type === 'refusal') return { kind: 'refusal', text: textOf(part.refusal) ?? '' }
  if (typeof part.text === 'string') return { kind: 'text', text: part.text }
  if (part.type === 'input_image' || part.type === 'image_url' || part.type === 'computer_screenshot')
    return imageOf(part, at)
  if (part.type === 'input_file') return fileOf(part)
  if (part.type === 'input_audio') {
    const { data, format } = recordOf(part.input_audio)
    return { kind: 'audio', data: textOf(data) ?? '', format: textOf(format) ?? 'wav' }
  }
  return { kind: 'other', part }
}

function imageOf(part: Json, at: string): ImagePart {
  const url = textOf(recordOf(part.image_url).url) ?? textOf(part.image_url)
  if (url === undefined) return refuse(`${at} needs image_url: an uploaded file cannot be looked up for this model`)
  const detail = textOf(part.detail)
  return {
    kind: 'image',
    media: readDataUrl(url) ?? { url },
    // Other formats have no detail level above `high`.
    ...(detail && { detail: detail === 'original' ? 'high' : detail }),
  }
}

function fileOf(part: Json): FilePart {
  const name = textOf(part.filename)
  return { kind: 'file', media: fileMedia(part), ...(name && { name }) }
}

function fileMedia(part: Json): FilePart['media'] {
  const id = textOf(part.file_id)
  const url = textOf(part.file_url)
  const data = textOf(part.file_data) ?? ''
  if (id) return { id }
  if (url) return { url }
  return readDataUrl(data) ?? { data, mime: 'application/pdf' }
}
