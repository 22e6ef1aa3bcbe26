import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, isObject, type Json, objectOf, objectsOf, textOf } from '../../json.ts'

/**
 * Counts the queries of Gemini's searches, of all candidates: each event may tell all queries of its candidate again. Empty ones
 * cost nothing. https://ai.google.dev/gemini-api/docs/google-search
 */
export function hostedCalls(): (candidate: Json) => ReplyEvent[] {
  const queries = new Map<string, Set<string>>()
  let hasRunCode = false

  return (candidate) => {
    const events: ReplyEvent[] = []
    const grounding = candidate.groundingMetadata
    if (isObject(grounding)) {
      const tool = toolOf(grounding)
      const asked = queries.get(tool) ?? new Set<string>()
      queries.set(tool, asked)
      for (const query of arrayOf(grounding.webSearchQueries)) if (textOf(query)) asked.add(String(query))
      const isGrounded = asked.size > 0 || objectsOf(grounding.groundingChunks).length > 0
      if (isGrounded) events.push({ kind: 'hosted', tool, calls: Math.max(1, asked.size) })
    }
    if (!hasRunCode && objectsOf(objectOf(candidate.content).parts).some(({ executableCode }) => executableCode)) {
      hasRunCode = true
      events.push({ kind: 'hosted', tool: 'code_execution', calls: 1 })
    }
    return events
  }
}

/** Places come from maps; what was retrieved comes out of the operator's stores. */
function toolOf({ groundingChunks, googleMapsWidgetContextToken }: Json): string {
  const chunks = objectsOf(groundingChunks)
  if (googleMapsWidgetContextToken || chunks.some(({ maps }) => maps)) return 'google_maps'
  return chunks.length > 0 && chunks.every(({ retrievedContext }) => retrievedContext) ? 'file_search' : 'google_search'
}
