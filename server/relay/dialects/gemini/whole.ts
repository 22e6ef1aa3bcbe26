import type { Usage } from '../../../../core/pricing/prices.ts'
import { isRecord } from '../../../../core/records.ts'
import type { Reply, ReplyChoice } from '../../conversation/collect.ts'
import type { ReasoningPart } from '../../conversation/conversation.ts'
import type { Json } from '../../json.ts'
import type { ReplyContext } from '../dialect.ts'
import { wantsThoughts } from './parse-config.ts'
import {
  audioParts,
  callPart,
  finishReason,
  geminiImagePart,
  groundingMetadata,
  logprobsResult,
  usageMetadata,
} from './reply-parts.ts'
import { encodeSignature } from './signatures.ts'

/** Converts a reply to JSON: https://ai.google.dev/api/generate-content#generatecontentresponse */
export function wholeContent({ id, choices }: Reply, usage: Usage, context: ReplyContext): Json {
  const includesThoughts = wantsThoughts(context.body)
  return {
    candidates: choices.map((choice) => candidateOf(choice, includesThoughts)),
    usageMetadata: usageMetadata(usage),
    modelVersion: context.model,
    responseId: id ?? context.requestId,
  }
}

function candidateOf(choice: ReplyChoice, includesThoughts: boolean): Json {
  const { index, text, refusal, reasoning, calls, images, audio, citations, logprobs, stop } = choice
  const visibleText = text + refusal
  const parts = [
    ...(includesThoughts ? reasoning.flatMap(thoughtPart) : []),
    ...(visibleText ? [{ text: visibleText }] : []),
    ...images.map(geminiImagePart),
    ...(audio ? audioParts(audio) : []),
    // Skip calls that never began, whose positions in the list are empty.
    ...calls.flatMap((call) => (call ? [callPart(call)] : [])),
  ]
  const grounding = groundingMetadata(citations, text)
  const probabilities = isRecord(logprobs) ? logprobsResult([logprobs]) : undefined
  return {
    content: { role: 'model', parts: parts.length ? parts : [{ text: '' }] },
    finishReason: finishReason(stop),
    index,
    ...(grounding && { groundingMetadata: grounding }),
    ...(probabilities && { logprobsResult: probabilities }),
  }
}

function thoughtPart({ text, signature }: ReasoningPart): Json[] {
  if (text === '' && signature === undefined) return []
  return [{ text, thought: true, ...(signature !== undefined && { thoughtSignature: encodeSignature(signature) }) }]
}
