import { GatewayError } from '../../../core/errors.ts'
import type { Means } from '../providers/provider.ts'
import type { Conversation, Media, Part, Turn } from './conversation.ts'

/** All that one request names is held in memory at once. */
const ADDRESSES_MAX = 64

/**
 * The conversation with every image and file that is named by a web address downloaded, for formats that take nothing but
 * base64. Each address is asked once. `keep`: addresses that the upstream reads itself. Throws what `Means.media`
 * does, and MEDIA_REFUSED for more addresses than are downloaded for one request.
 */
export async function withInlineMedia(
  conversation: Conversation,
  means: Pick<Means, 'media'>,
  { keep = () => false }: { keep?: (url: string) => boolean } = {},
): Promise<Conversation> {
  const wanted = new Map<string, number>()
  for (const url of conversation.turns.flatMap(({ parts }) => parts.flatMap(urlsIn))) {
    if (!keep(url)) wanted.set(url, (wanted.get(url) ?? 0) + 1)
  }
  if (wanted.size === 0) return conversation
  if (wanted.size > ADDRESSES_MAX) {
    throw new GatewayError('MEDIA_REFUSED', {
      reason: `one request may name ${ADDRESSES_MAX} files, not ${wanted.size}`,
    })
  }
  const loaded = new Map<string, Media>()
  await Promise.all(
    [...wanted].map(async ([url, uses]) => {
      const { data, mime } = await means.media(url, uses)
      loaded.set(url, { data: data.toString('base64'), mime })
    }),
  )
  return { ...conversation, turns: conversation.turns.map((turn) => inlined(turn, loaded)) }
}

function urlsIn(part: Part): string[] {
  if (part.kind === 'result') return part.parts.flatMap(urlsIn)
  if ((part.kind === 'image' || part.kind === 'file') && 'url' in part.media && /^https?:/i.test(part.media.url))
    return [part.media.url]
  return []
}

function inlined(turn: Turn, loaded: ReadonlyMap<string, Media>): Turn {
  const inline = (part: Part): Part => {
    if (part.kind === 'result') return { ...part, parts: part.parts.map(inline) }
    if ((part.kind !== 'image' && part.kind !== 'file') || !('url' in part.media)) return part
    const media = loaded.get(part.media.url)
    return media ? { ...part, media } : part
  }
  return { ...turn, parts: turn.parts.map(inline) }
}

/** What a `data:` URL holds; undefined for any other address, and for one that is broken. The type is in lower case, without parameters. */
export function readDataUrl(url: string): { data: string; mime: string } | undefined {
  const comma = url.startsWith('data:') ? url.indexOf(',') : -1
  if (comma < 0) return undefined
  const [mime = '', ...parameters] = url.slice('data:'.length, comma).split(';')
  const payload = url.slice(comma + 1)
  const data = parameters.includes('base64') ? payload : textAsBase64(payload)
  if (data === undefined) return undefined
  const type = mime.trim().toLowerCase()
  return { data, mime: type === 'image/jpg' ? 'image/jpeg' : type || 'text/plain' }
}

function textAsBase64(payload: string): string | undefined {
  try {
    return Buffer.from(decodeURIComponent(payload)).toString('base64')
  } catch {
    return undefined
  }
}

/** Media as the address that an OpenAI-shaped request has. */
export function urlOfMedia(media: Media): string {
  return 'url' in media ? media.url : `data:${media.mime};base64,${media.data}`
}
