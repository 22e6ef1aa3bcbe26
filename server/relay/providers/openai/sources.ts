import { isRecord } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, type Json, objectsOf, textOf } from '../../json.ts'

/** Whether a body has sources. A fast check, because it runs for each chunk. */
export function hasSources({ search_results, references, citations }: Json): boolean {
  return Boolean(search_results || references || citations)
}

/**
 * Returns citations of a body's sources whose URLs are not in `seen`, and adds the URLs to `seen`. Vendors may repeat a
 * source in each chunk.
 *
 * Perplexity sends `search_results` and `citations`, xAI `citations`, and Ark's bots `references`.
 */
export function newSources(body: Json, seen: Set<string>): ReplyEvent[] {
  const sourceObjects = [...objectsOf(body.search_results), ...objectsOf(body.references)]
  const sources = sourceObjects.length > 0 ? sourceObjects : arrayOf(body.citations)
  return sources.flatMap((source): ReplyEvent[] => {
    const { url, title }: Json = isRecord(source) ? source : { url: source }
    const address = textOf(url)
    if (!address || seen.has(address)) return []
    seen.add(address)
    const name = textOf(title)
    return [{ kind: 'citation', citation: { url: address, ...(name && { title: name }) } }]
  })
}
