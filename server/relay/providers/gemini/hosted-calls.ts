import { isRecord, recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, type Json, objectsOf, textOf } from '../../json.ts'

/**
 * Returns a function that counts search queries by tool, for all candidates together. Each different query counts once,
 * because an event may repeat all queries of its candidate. Empty queries are free. Code execution counts once per
 * reply. https://ai.google.dev/gemini-api/docs/google-search
 */
export function createHostedCallCounter(): (candidate: Json) => ReplyEvent[] {
  const queries = new Map<string, Set<string>>()
  let hasRunCode = false

  return (candidate) => {
    const events: ReplyEvent[] = []
    const grounding = candidate.groundingMetadata
    if (isRecord(grounding)) {
      const tool = toolOf(grounding)
      const toolQueries = queries.get(tool) ?? new Set<string>()
      queries.set(tool, toolQueries)
      for (const query of arrayOf(grounding.webSearchQueries)) if (textOf(query)) toolQueries.add(String(query))
      const isGrounded = toolQueries.size > 0 || objectsOf(grounding.groundingChunks).length > 0
      if (isGrounded) events.push({ kind: 'hosted', tool, calls: Math.max(1, toolQueries.size) })
    }
    if (!hasRunCode && objectsOf(recordOf(candidate.content).parts).some(({ executableCode }) => executableCode)) {
      hasRunCode = true
      events.push({ kind: 'hosted', tool: 'code_execution', calls: 1 })
    }
    return events
  }
}

/** Returns the hosted tool that found the sources. Retrieved contexts come from file stores. */
function toolOf({ groundingChunks, googleMapsWidgetContextToken }: Json): string {
  const chunks = objectsOf(groundingChunks)
  if (googleMapsWidgetContextToken || chunks.some(({ maps }) => maps)) return 'google_maps'
  return chunks.length > 0 && chunks.every(({ retrievedContext }) => retrievedContext) ? 'file_search' : 'google_search'
}
