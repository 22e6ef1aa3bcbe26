import { GatewayError } from '../../../core/errors.ts'
import type { ProviderContext } from '../providers/provider.ts'
import type { Conversation, Media, Part, Turn } from './conversation.ts'

/** Maximum number of files that are downloaded for one request. All these files are in memory at once. */
const URLS_MAX = 64

/**
 * Downloads every image and file that has a web address, for formats that accept only base64. Requests each address
 * once. `keep` returns true for an address that the upstream reads itself. Throws the errors of
 * `ProviderContext.download`, and MEDIA_REFUSED for too many addresses.
 */
export async function withInlineMedia(
  conversation: Conversation,
  context: Pick<ProviderContext, 'download'>,
  { keep = () => false }: { keep?: (url: string) => boolean } = {},
): Promise<Conversation> {
  const usesByUrl = new Map<string, number>()
  for (const url of conversation.turns.flatMap(({ parts }) => parts.flatMap(urlsIn))) {
    if (!keep(url)) usesByUrl.set(url, (usesByUrl.get(url) ?? 0) + 1)
  }
  if (usesByUrl.size === 0) return conversation
  const loaded = await downloadAll(usesByUrl, context)
  return { ...conversation, turns: conversation.turns.map((turn) => withLoadedMedia(turn, loaded)) }
}

type LoadedMedia = Extract<Media, { readonly data: string }>

/**
 * Downloads all files of one request, each once, and returns them by URL. Throws the errors of
 * `ProviderContext.download`, and MEDIA_REFUSED for too many URLs.
 */
export async function downloadAll(
  usesByUrl: ReadonlyMap<string, number>,
  context: Pick<ProviderContext, 'download'>,
): Promise<ReadonlyMap<string, LoadedMedia>> {
  if (usesByUrl.size > URLS_MAX) {
    const reason = `one request may name ${URLS_MAX} files, not ${usesByUrl.size}`
    throw new GatewayError('MEDIA_REFUSED', { reason })
  }
  const loaded = new Map<string, LoadedMedia>()
  await Promise.all(
    [...usesByUrl].map(async ([url, uses]) => {
      const { data, mime } = await context.download(url, uses)
      loaded.set(url, { data: data.toString('base64'), mime })
    }),
  )
  return loaded
}

function urlsIn(part: Part): string[] {
  if (part.kind === 'result') return part.parts.flatMap(urlsIn)
  if ((part.kind === 'image' || part.kind === 'file') && 'url' in part.media && /^https?:/i.test(part.media.url))
    return [part.media.url]
  return []
}

function withLoadedMedia(turn: Turn, loaded: ReadonlyMap<string, Media>): Turn {
  const inline = (part: Part): Part => {
    if (part.kind === 'result') return { ...part, parts: part.parts.map(inline) }
    if ((part.kind !== 'image' && part.kind !== 'file') || !('url' in part.media)) return part
    const media = loaded.get(part.media.url)
    return media ? { ...part, media } : part
  }
  return { ...turn, parts: turn.parts.map(inline) }
}

/**
 * Returns the content of a `data:` URL in base64. Returns undefined for any other URL and for an invalid `data:` URL.
 * The media type is in lower case, without parameters. The default is `text/plain`.
 */
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

export function urlOfMedia(media: Media): string {
  return 'url' in media ? media.url : `data:${media.mime};base64,${media.data}`
}
