import type { Citation } from '../../conversation/conversation.ts'
import { arrayOf, defined, type Json, numberOf, objectOf, objectsOf, textOf } from '../../json.ts'

/**
 * The sources of `groundingMetadata`: one citation for each place in the text and each source of it; sources that no place
 * names stand alone. `text`: the reply so far; Gemini counts in its bytes.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export function citationsIn(metadata: Json, text: string): Citation[] {
  const sources = objectsOf(metadata.groundingChunks).map(({ web }) => sourceOf(objectOf(web)))
  const used = new Set<number>()
  const placed = objectsOf(metadata.groundingSupports).flatMap((support) =>
    arrayOf(support.groundingChunkIndices).flatMap((index): Citation[] => {
      const source = typeof index === 'number' ? sources[index] : undefined
      if (!source) return []
      used.add(index as number)
      return [{ ...source, ...placeOf(objectOf(support.segment), text) }]
    }),
  )
  return [...placed, ...sources.flatMap((source, at) => (source && !used.has(at) ? [source] : []))]
}

function sourceOf(web: Json): Citation | undefined {
  const url = textOf(web.uri)
  const title = textOf(web.title)
  return url ? { url, ...(title && { title }) } : undefined
}

function placeOf(segment: Json, text: string): Partial<Citation> {
  return defined({
    start: charactersBefore(text, numberOf(segment.startIndex) ?? 0),
    end: charactersBefore(text, numberOf(segment.endIndex)),
    quote: textOf(segment.text),
  }) as Partial<Citation>
}

function charactersBefore(text: string, bytes: number | undefined): number | undefined {
  if (bytes === undefined || bytes > Buffer.byteLength(text)) return undefined
  return Buffer.from(text).subarray(0, bytes).toString('utf8').length
}
