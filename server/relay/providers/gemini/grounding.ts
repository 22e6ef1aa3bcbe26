import { defined, recordOf } from '../../../../core/records.ts'
import type { Citation } from '../../conversation/conversation.ts'
import { arrayOf, type Json, numberOf, objectsOf, textOf } from '../../json.ts'

/**
 * Returns the citations in `groundingMetadata`: one for each text range and source, then one for each source without a
 * range. `text` is the reply so far. Gemini's ranges count UTF-8 bytes, but citations count characters.
 * https://ai.google.dev/api/generate-content#GroundingMetadata
 */
export function citationsIn(metadata: Json, text: string): Citation[] {
  const sources = objectsOf(metadata.groundingChunks).map(({ web }) => sourceOf(recordOf(web)))
  const citedSources = new Set<number>()
  const citations = objectsOf(metadata.groundingSupports).flatMap((support) =>
    arrayOf(support.groundingChunkIndices).flatMap((index): Citation[] => {
      const source = typeof index === 'number' ? sources[index] : undefined
      if (!source) return []
      citedSources.add(index as number)
      return [{ ...source, ...spanOf(recordOf(support.segment), text) }]
    }),
  )
  return [...citations, ...sources.flatMap((source, at) => (source && !citedSources.has(at) ? [source] : []))]
}

function sourceOf(web: Json): Citation | undefined {
  const url = textOf(web.uri)
  const title = textOf(web.title)
  return url ? { url, ...(title && { title }) } : undefined
}

function spanOf(segment: Json, text: string): Partial<Citation> {
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
