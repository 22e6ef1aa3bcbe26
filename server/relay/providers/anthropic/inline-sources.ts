import { isRecord } from '../../../../core/records.ts'
import { downloadAll, readDataUrl } from '../../conversation/media.ts'
import { arrayOf, type Json } from '../../json.ts'
import type { ProviderContext } from '../provider.ts'

/**
 * Replaces each URL source by its data, because only Anthropic's own API reads URLs. Also replaces sources in tool
 * results, and in documents that consist of blocks. Throws the errors of `downloadAll`.
 */
export async function withInlineSources(value: unknown, context: Pick<ProviderContext, 'download'>): Promise<unknown> {
  const usesByUrl = new Map<string, number>()
  countUrls(value, usesByUrl)
  const loaded = await downloadAll(usesByUrl, context)
  return withSources(value, (url) => readDataUrl(url) ?? loaded.get(url))
}

/** Counts the uses of each URL that must be downloaded. */
function countUrls(value: unknown, usesByUrl: Map<string, number>): void {
  if (Array.isArray(value)) for (const item of value) countUrls(item, usesByUrl)
  if (!isRecord(value)) return
  countUrls(arrayOf(value.messages), usesByUrl)
  countUrls(arrayOf(value.content), usesByUrl)
  const { source } = value
  if (!isRecord(source)) return
  if (source.type !== 'url' || typeof source.url !== 'string') countUrls(source, usesByUrl)
  else if (!readDataUrl(source.url)) usesByUrl.set(source.url, (usesByUrl.get(source.url) ?? 0) + 1)
}

type FindFile = (url: string) => { readonly data: string; readonly mime: string } | undefined

/** Replaces the URL sources in a value by the data that `find` returns. */
function withSources(value: unknown, find: FindFile): unknown {
  if (Array.isArray(value)) return value.map((item) => withSources(item, find))
  if (!isRecord(value)) return value
  const nested: [string, unknown][] = ['messages', 'content']
    .filter((name) => arrayOf(value[name]).length > 0)
    .map((name) => [name, withSources(value[name], find)])
  const source = isRecord(value.source) ? { source: withSource(value.source, find) } : {}
  return { ...value, ...Object.fromEntries(nested), ...source }
}

function withSource(source: Json, find: FindFile): unknown {
  if (source.type !== 'url' || typeof source.url !== 'string') return withSources(source, find)
  const file = find(source.url)
  return file ? { type: 'base64', media_type: file.mime, data: file.data } : source
}
