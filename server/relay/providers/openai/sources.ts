import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, isObject, type Json, objectsOf, textOf } from '../../json.ts'

/** Whether a body has sources. A fast check for each chunk, because few vendors send sources. */
export function namesSources({ search_results, references, citations }: Json): boolean {
  return Boolean(search_results || references || citations)
}

/**
 * Returns citations of the sources in a body that are not in `seen`, and adds them to `seen`: each chunk may repeat them.
 * Perplexity: `search_results`, `citations`; xAI: `citations`; Ark's bots: `references`.
 */
export function newSources(body: Json, seen: Set<string>): ReplyEvent[] {
  const sourceObjects = [...objectsOf(body.search_results), ...objectsOf(body.references)]
  const sources = sourceObjects.length > 0 ? sourceObjects : arrayOf(body.citations)
  return sources.flatMap((source): ReplyEvent[] => {
    const { url, title }: Json = isObject(source) ? source : { url: source }
    const address = textOf(url)
    if (!address || seen.has(address)) return []
    seen.add(address)
    const name = textOf(title)
    return [{ kind: 'citation', citation: { url: address, ...(name && { title: name }) } }]
  })
}
