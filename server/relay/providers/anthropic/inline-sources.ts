import { readDataUrl } from '../../conversation/media.ts'
import { arrayOf, isObject, type Json } from '../../json.ts'
import type { ProviderContext } from '../provider.ts'

/**
 * Replaces each URL source by its data, tool results included, because only Anthropic's own API reads URLs. Throws MEDIA_REFUSED
 * and MEDIA_UNAVAILABLE.
 */
export async function withInlineSources(value: unknown, means: Pick<ProviderContext, 'media'>): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map((item) => withInlineSources(item, means)))
  if (!isObject(value)) return value
  const { source } = value
  if (isObject(source) && source.type === 'url' && typeof source.url === 'string') {
    return { ...value, source: await inlineSource(source.url, means) }
  }
  const nested = ['messages', 'content'].filter((name) => arrayOf(value[name]).length > 0)
  const inlined = await Promise.all(nested.map(async (name) => [name, await withInlineSources(value[name], means)]))
  return { ...value, ...Object.fromEntries(inlined) }
}

async function inlineSource(url: string, means: Pick<ProviderContext, 'media'>): Promise<Json> {
  const inline = readDataUrl(url)
  if (inline) return { type: 'base64', media_type: inline.mime, data: inline.data }
  const { data, mime } = await means.media(url)
  return { type: 'base64', media_type: mime, data: data.toString('base64') }
}
