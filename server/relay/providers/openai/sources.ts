import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, isObject, type Json, objectsOf, textOf } from '../../json.ts'

/** Whether a body has sources. Few vendors send them, and this runs for each chunk. */
export function namesSources({ search_results, references, citations }: Json): boolean {
  return Boolean(search_results || references || citations)
}

/**
 * Returns citations of sources beside the choices, except those in `seen`: streams repeat all of them in each chunk.
 * Perplexity: `search_results`, `citations`; xAI: `citations`; Ark's bots: `references`.
 */
export function newSources(body: Json, seen: Set<string>): ReplyEvent[] {
  const described = [...objectsOf(body.search_results), ...objectsOf(body.references)]
  const sources = described.length > 0 ? described : arrayOf(body.citations)
  return sources.flatMap((source): ReplyEvent[] => {
    const { url, title }: Json = isObject(source) ? source : { url: source }
    const address = textOf(url)
    if (!address || seen.has(address)) return []
    seen.add(address)
    const name = textOf(title)
    return [{ kind: 'citation', citation: { url: address, ...(name && { title: name }) } }]
  })
}
