import type { Usage } from '../../../../core/pricing/prices.ts'
import type { CallPart, Citation, StopReason } from '../../conversation/conversation.ts'
import { argumentsObject } from '../../conversation/turns.ts'
import { type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { encodeSignature } from './signatures.ts'

const REASONS: Record<StopReason, string> = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }

export function finishReason(stop: StopReason | undefined): string {
  return REASONS[stop ?? 'stop']
}

/** Returns a call and its signature as one part, because this format does not stream calls. */
export function callPart(call: CallPart): Json {
  return {
    functionCall: { id: call.id, name: call.name, args: argumentsObject(call) },
    ...(call.signature !== undefined && { thoughtSignature: encodeSignature(call.signature) }),
  }
}

export function geminiImagePart({ data, mime }: { data: string; mime: string }): Json {
  return { inlineData: { mimeType: mime, data } }
}

/** Converts audio output in OpenAI's format to a part with the audio and a part with the transcript. */
export function audioParts(audio: Readonly<Json>): Json[] {
  const data = textOf(audio.data)
  const transcript = textOf(audio.transcript)
  const mime = textOf(audio.format) ?? 'audio/pcm'
  return [
    ...(data ? [{ inlineData: { mimeType: mime.includes('/') ? mime : `audio/${mime}`, data } }] : []),
    ...(transcript ? [{ text: transcript }] : []),
  ]
}

/**
 * Returns usage in Google's format, where candidate tokens do not include reasoning.
 * https://ai.google.dev/api/generate-content#UsageMetadata
 */
export function usageMetadata({ promptTokens, completionTokens, reasoningTokens, cachedTokens }: Usage): Json {
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: Math.max(completionTokens - reasoningTokens, 0),
    totalTokenCount: promptTokens + completionTokens,
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
  }
}

/** Returns each source once, and the text ranges that cite a source. The ends of ranges are offsets in UTF-8 bytes. */
export function groundingMetadata(citations: readonly Citation[], text: string): Json | undefined {
  if (citations.length === 0) return undefined
  const sources = [...new Map(citations.map(({ url, title }) => [url, { web: { uri: url, title: title ?? url } }]))]
  const supports = citations.flatMap(({ url, start, end, quote }) => {
    if (end === undefined) return []
    const segment = {
      startIndex: Buffer.byteLength(text.slice(0, start ?? 0)),
      endIndex: Buffer.byteLength(text.slice(0, end)),
      text: quote ?? text.slice(start ?? 0, end),
    }
    return [{ segment, groundingChunkIndices: [sources.findIndex(([sourceUrl]) => sourceUrl === url)] }]
  })
  return {
    groundingChunks: sources.map(([, source]) => source),
    ...(supports.length > 0 && { groundingSupports: supports }),
  }
}

/** Converts OpenAI's log probabilities to `logprobsResult`. */
export function logprobsResult(pieces: readonly Readonly<Json>[]): Json | undefined {
  const tokens = pieces.flatMap(({ content }) => objectsOf(content))
  if (tokens.length === 0) return undefined
  return {
    chosenCandidates: tokens.map(candidate),
    topCandidates: tokens.map(({ top_logprobs }) => ({ candidates: objectsOf(top_logprobs).map(candidate) })),
  }
}

function candidate({ token, logprob }: Json): Json {
  return { token: textOf(token) ?? '', logProbability: numberOf(logprob) ?? 0 }
}
