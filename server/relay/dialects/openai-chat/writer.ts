import type { Usage } from '../../../../core/pricing/prices.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { ReplyContext, ReplyWriter } from '../dialect.ts'
import { openAiErrorEvent } from '../openai-error.ts'
import { usesLegacyFunctions } from './legacy-functions.ts'
import { chatFinishReason, chatImagePart, toAnnotation, toChatUsage } from './reply-parts.ts'

type Call = Extract<ReplyEvent, { kind: 'call' }>
type ChoiceEvent = Exclude<ReplyEvent, { kind: 'start' | 'usage' | 'hosted' | 'stored' | 'error' | 'end' }>

interface ChoiceState {
  hasBegun: boolean
  hasCalls: boolean
  stop: StopReason | undefined
  /** Calls without arguments so far. Not sent yet, because a strict client expects name and arguments in one delta. */
  waiting: Map<number, Call>
  /** Numbers of the calls whose arguments are free text. */
  custom: Set<number>
  /** Number of the only call that is sent in a legacy reply. */
  legacyCall?: number
}

/** Writes chat completion chunks: https://platform.openai.com/docs/api-reference/chat-streaming */
export function chatWriter(context: ReplyContext): ReplyWriter {
  const choices = new Map<number, ChoiceState>()
  let id = `chatcmpl-${context.requestId}`
  const isLegacy = usesLegacyFunctions(context.body)
  const wantsUsage = asksForUsage(context.body)

  const head = () => ({ id, object: 'chat.completion.chunk', created: context.created, model: context.model })
  const nullUsage = wantsUsage ? { usage: null } : {}

  function chunk(index: number, delta: Record<string, unknown>, more: Record<string, unknown> = {}): string {
    const choice = { index, delta, logprobs: null, finish_reason: null, ...more }
    return formatEvent({ ...head(), choices: [choice], ...nullUsage })
  }

  function stateOf(index: number): ChoiceState {
    const state = choices.get(index) ?? {
      hasBegun: false,
      hasCalls: false,
      stop: undefined,
      waiting: new Map<number, Call>(),
      custom: new Set<number>(),
    }
    choices.set(index, state)
    return state
  }

  function write(event: ChoiceEvent): string {
    const index = event.choice ?? 0
    const state = stateOf(index)
    if (event.kind === 'stop') {
      state.stop = event.reason
      return ''
    }
    if (event.kind === 'logprobs') return chunk(index, {}, { logprobs: event.logprobs })
    if (event.kind === 'call') {
      // A client of the legacy format reads only one call.
      if (isLegacy && state.hasCalls) return ''
      state.hasCalls = true
      if (isLegacy) state.legacyCall = event.call
      if (event.custom) state.custom.add(event.call)
      state.waiting.set(event.call, event)
      return ''
    }
    if (event.kind === 'arguments' && isLegacy && event.call !== state.legacyCall) return ''
    const first = state.hasBegun ? '' : chunk(index, { role: 'assistant', content: '' })
    state.hasBegun = true
    if (event.kind === 'arguments') return first + chunk(index, callDelta(event, state))
    return first + chunk(index, deltaOf(event))
  }

  function callDelta(
    { call, text }: { call: number; text: string },
    { waiting, custom }: ChoiceState,
  ): Record<string, unknown> {
    const pendingCall = waiting.get(call)
    waiting.delete(call)
    const name = pendingCall && { name: pendingCall.name }
    if (isLegacy) return { function_call: { ...name, arguments: text } }
    const called = custom.has(call) ? { custom: { ...name, input: text } } : { function: { ...name, arguments: text } }
    return { tool_calls: [{ index: call, ...(pendingCall && headOf(pendingCall)), ...called }] }
  }

  function closeChoice(index: number, state: ChoiceState): string {
    const callsWithoutArguments = [...state.waiting.keys()]
    const first = state.hasBegun ? '' : chunk(index, { role: 'assistant', content: '' })
    return (
      first +
      callsWithoutArguments
        .map((call) => chunk(index, callDelta({ call, text: state.custom.has(call) ? '' : '{}' }, state)))
        .join('') +
      chunk(index, {}, { finish_reason: chatFinishReason(state.stop, { hasCalls: state.hasCalls, isLegacy }) })
    )
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    write(event) {
      if (event.kind === 'start') {
        id = event.id ?? id
        return ''
      }
      if (event.kind === 'usage' || event.kind === 'error' || event.kind === 'end') return ''
      return event.kind === 'hosted' || event.kind === 'stored' ? '' : write(event)
    },
    end(usage: Usage) {
      if (choices.size === 0) stateOf(0)
      const ends = [...choices].map(([index, state]) => closeChoice(index, state)).join('')
      const usageChunk = wantsUsage ? formatEvent({ ...head(), choices: [], usage: toChatUsage(usage) }) : ''
      return ends + usageChunk + DONE_EVENT
    },
    interrupted: openAiErrorEvent,
  }
}

function deltaOf(
  event: Exclude<ChoiceEvent, { kind: 'stop' | 'logprobs' | 'call' | 'arguments' }>,
): Record<string, unknown> {
  switch (event.kind) {
    case 'text':
      return { content: event.text }
    case 'refusal':
      return { refusal: event.text }
    case 'reasoning':
      return { reasoning_content: event.text }
    case 'signature':
      return { reasoning_details: [{ type: 'reasoning.text', text: '', signature: event.signature }] }
    case 'redacted':
      return { reasoning_details: [{ type: 'reasoning.encrypted', data: event.data }] }
    case 'image':
      return { images: [chatImagePart(event)] }
    case 'audio':
      return { audio: event.audio }
    case 'citation':
      return { annotations: [toAnnotation(event.citation)] }
  }
}

/** Returns the fields of a call's first delta, without name and arguments. */
function headOf({ id, custom, signature }: Call): Record<string, unknown> {
  return {
    id,
    type: custom ? 'custom' : 'function',
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  }
}
