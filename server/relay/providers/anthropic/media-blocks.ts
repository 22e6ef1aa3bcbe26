import type { FilePart, ImagePart, Media } from '../../conversation/conversation.ts'
import { readDataUrl } from '../../conversation/media.ts'
import { refuse } from '../../dialects/refuse.ts'
import type { Json } from '../../json.ts'

/** Image types that Claude supports, with the first characters of their base64. */
const IMAGE_TYPES: readonly (readonly [beginning: string, mime: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
]
const PDF = 'application/pdf'

/** Whether the upstream accepts only base64 (`base64`), or also URLs (`url`). */
export type ImageForm = 'base64' | 'url'

/** Returns an image block. Throws REQUEST_MALFORMED for image types and addresses that are not supported. */
export function imageBlock({ media, cache }: Pick<ImagePart, 'media' | 'cache'>, form: ImageForm): Json {
  return { type: 'image', source: imageSource(media, form), ...(cache && { cache_control: cache }) }
}

function imageSource(media: Media, form: ImageForm): Json {
  const inline = inlineMedia(media)
  if (!inline) return urlSource(media, form)
  const mime = imageType(inline)
  if (!IMAGE_TYPES.some(([, type]) => type === mime)) {
    refuse(`messages: Claude reads no images of type ${mime}. Send JPEG, PNG, GIF or WebP`)
  }
  return { type: 'base64', media_type: mime, data: inline.data }
}

/** Returns an image's media type by its first bytes, because the client's type may be wrong and upstreams check it. */
export function imageType({ data, mime }: { readonly data: string; readonly mime: string }): string {
  return IMAGE_TYPES.find(([beginning]) => data.startsWith(beginning))?.[1] ?? mime
}

/**
 * Returns a block for a PDF, a plain text or an image. Throws REQUEST_MALFORMED for other types, and for file ids of
 * other vendors.
 */
export function fileBlock({ media, name, cache }: FilePart, form: ImageForm): Json {
  const marks = { ...(name && { title: name }), ...(cache && { cache_control: cache }) }
  if ('text' in media) return { type: 'document', source: textSource(media.text), ...marks }
  if ('id' in media) {
    if (!media.id.startsWith('file_')) {
      refuse(`messages: the file ${media.id} is stored at another vendor. Send its content as file_data`)
    }
    return { type: 'document', source: { type: 'file', file_id: media.id }, ...marks }
  }
  const inline = inlineMedia(media)
  if (!inline) return { type: 'document', source: urlSource(media, form), ...marks }
  if (inline.mime.startsWith('image/')) return imageBlock({ media: inline, ...(cache && { cache }) }, form)
  if (inline.mime === PDF || inline.data.startsWith('JVBERi')) {
    return { type: 'document', source: { type: 'base64', media_type: PDF, data: inline.data }, ...marks }
  }
  if (!isText(inline.mime)) refuse(`messages: Claude reads no files of type ${inline.mime}. Send PDF or text`)
  return { type: 'document', source: textSource(Buffer.from(inline.data, 'base64').toString('utf8')), ...marks }
}

function isText(mime: string): boolean {
  return mime.startsWith('text/') || /^application\/(json|xml|yaml|x-yaml|javascript)$/.test(mime)
}

function textSource(text: string): Json {
  return { type: 'text', media_type: 'text/plain', data: text }
}

function inlineMedia(media: Media): { data: string; mime: string } | undefined {
  return 'data' in media ? media : readDataUrl(media.url)
}

function urlSource(media: Media, form: ImageForm): Json {
  const url = 'url' in media ? media.url : ''
  if (form === 'base64' || !/^https?:/i.test(url)) {
    refuse(`messages: an image or file has an address that cannot be read: ${url.slice(0, 100)}`)
  }
  return { type: 'url', url }
}
