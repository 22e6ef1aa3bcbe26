import type { Usage } from '../../../../core/pricing/prices.ts'
import { argumentsObject } from '../../conversation/arguments.ts'
import type { CallPart, Citation, StopReason } from '../../conversation/conversation.ts'
import { type Json, numberOf, objectsOf, textOf } from '../../json.ts'
import { encodeSignature } from './signatures.ts'

const FINISH: Record<StopReason, string> = { stop: 'STOP', tools: 'STOP', length: 'MAX_TOKENS', filter: 'SAFETY' }

export function finishReason(stop: StopReason | undefined): string {
  return FINISH[stop ?? 'stop']
}

/** A whole call: this API knows no half ones. Its signature stands beside it. */
export function callPart(call: CallPart): Json {
  return {
    functionCall: { id: call.id, name: call.name, args: argumentsObject(call) },
    ...(call.signature !== undefined && { thoughtSignature: encodeSignature(call.signature) }),
  }
}

export function imagePart({ data, mime }: { data: string; mime: string }): Json {
  return { inlineData: { mimeType: mime, data } }
}

/** Spoken output of OpenAI's shape: its sound, and the words of it. */
export function audioParts(audio: Readonly<Json>): Json[] {
  const data = textOf(audio.data)
  const transcript = textOf(audio.transcript)
  const mime = textOf(audio.format) ?? 'audio/pcm'
  return [
    ...(data ? [{ inlineData: { mimeType: mime.includes('/') ? mime : `audio/${mime}`, data } }] : []),
    ...(transcript ? [{ text: transcript }] : []),
  ]
}

/** Thoughts are counted beside the candidates here. https://ai.google.dev/api/generate-content#UsageMetadata */
export function usageMetadata({ promptTokens, completionTokens, reasoningTokens, cachedTokens }: Usage): Json {
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: Math.max(completionTokens - reasoningTokens, 0),
    totalTokenCount: promptTokens + completionTokens,
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
  }
}

/** Sources, each once, and the places in the text that rest on them; places are counted in bytes. */
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
    return [{ segment, groundingChunkIndices: [sources.findIndex(([known]) => known === url)] }]
  })
  return {
    groundingChunks: sources.map(([, source]) => source),
    ...(supports.length > 0 && { groundingSupports: supports }),
  }
}

/** Log probabilities of OpenAI's shape as `logprobsResult`. */
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
