import type { Usage } from '../../../../core/pricing/prices.ts'
import type { Reply, ReplyChoice } from '../../conversation/collect.ts'
import type { CallPart, ReasoningPart } from '../../conversation/conversation.ts'
import type { ReplyContext } from '../dialect.ts'
import { usesLegacyFunctions } from './legacy-functions.ts'
import { chatFinishReason, chatImagePart, toAnnotation, toChatUsage } from './reply-parts.ts'

/** Returns a whole chat completion: https://platform.openai.com/docs/api-reference/chat/object */
export function wholeChat(
  reply: Reply,
  usage: Usage,
  { requestId, model, created, body }: ReplyContext,
): Record<string, unknown> {
  const isLegacy = usesLegacyFunctions(body)
  return {
    id: reply.id ?? `chatcmpl-${requestId}`,
    object: 'chat.completion',
    created,
    model,
    choices: reply.choices.map((choice) => toChoice(choice, isLegacy)),
    usage: toChatUsage(usage),
  }
}

function toChoice(choice: ReplyChoice, isLegacy: boolean): Record<string, unknown> {
  const { index, text, refusal, calls, reasoning, images, audio, citations, logprobs, stop } = choice
  const reasoningText = reasoning.map((part) => part.text).join('')
  const details = reasoning.flatMap(toDetail)
  const message = {
    role: 'assistant',
    content: text === '' && (calls.length > 0 || audio) ? null : text,
    refusal: refusal || null,
    ...(reasoningText && { reasoning_content: reasoningText }),
    ...(details.length > 0 && { reasoning_details: details }),
    ...(calls.length > 0 && (isLegacy ? { function_call: toFunctionCall(calls) } : { tool_calls: calls.map(toCall) })),
    ...(images.length > 0 && { images: images.map(chatImagePart) }),
    ...(audio && { audio }),
    ...(citations.length > 0 && { annotations: citations.map(toAnnotation) }),
  }
  return {
    index,
    message,
    logprobs: logprobs ?? null,
    finish_reason: chatFinishReason(stop, { hasCalls: calls.length > 0, isLegacy }),
  }
}

/**
 * Returns signed or encrypted reasoning, which a later request must send back. Unsigned reasoning is only in
 * `reasoning_content`.
 */
function toDetail({ text, signature, redacted }: ReasoningPart): Record<string, unknown>[] {
  if (redacted !== undefined) return [{ type: 'reasoning.encrypted', data: redacted }]
  return signature === undefined ? [] : [{ type: 'reasoning.text', text, signature }]
}

/** Returns the first call, because the legacy format can contain only one call. */
function toFunctionCall(calls: readonly CallPart[]): Record<string, unknown> {
  const call = calls.find((candidate) => candidate !== undefined)
  return { name: call?.name ?? '', arguments: call?.arguments || '{}' }
}

function toCall({ id, name, arguments: args, custom, signature }: CallPart): Record<string, unknown> {
  const called = custom
    ? { type: 'custom', custom: { name, input: args } }
    : { type: 'function', function: { name, arguments: args === '' ? '{}' : args } }
  return {
    id,
    ...called,
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  }
}
