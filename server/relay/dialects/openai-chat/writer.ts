import type { Usage } from '../../../../core/pricing/prices.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { asksForUsage } from '../../delivery/stream-options.ts'
import { DONE_EVENT, formatEvent } from '../../transport/sse.ts'
import type { ReplyContext, ReplyWriter } from '../dialect.ts'
import { openAiErrorEvent } from '../openai-error.ts'
import { chatUsage, FINISH, imagePart, toAnnotation } from './reply-parts.ts'

type OfChoice = Exclude<ReplyEvent, { kind: 'start' | 'usage' | 'hosted' | 'stored' | 'error' | 'end' }>

interface ChoiceState {
  begun: boolean
  calls: boolean
  stop: StopReason | undefined
  /** Functions that have no arguments so far: they get `{}` at the end. */
  bare: Set<number>
  /** Calls whose arguments are free text. */
  custom: Set<number>
}

/** Writes chat completion chunks: https://platform.openai.com/docs/api-reference/chat-streaming */
export function chatWriter(context: ReplyContext): ReplyWriter {
  const choices = new Map<number, ChoiceState>()
  let id = `chatcmpl-${context.requestId}`
  const wantsUsage = asksForUsage(context.body)

  const head = () => ({ id, object: 'chat.completion.chunk', created: context.created, model: context.model })
  const nullUsage = wantsUsage ? { usage: null } : {}

  function chunk(index: number, delta: Record<string, unknown>, more: Record<string, unknown> = {}): string {
    const choice = { index, delta, logprobs: null, finish_reason: null, ...more }
    return formatEvent({ ...head(), choices: [choice], ...nullUsage })
  }

  function stateOf(index: number): ChoiceState {
    const found = choices.get(index) ?? {
      begun: false,
      calls: false,
      stop: undefined,
      bare: new Set<number>(),
      custom: new Set<number>(),
    }
    choices.set(index, found)
    return found
  }

  function write(event: OfChoice): string {
    const index = event.choice ?? 0
    const state = stateOf(index)
    if (event.kind === 'stop') {
      state.stop = event.reason
      return ''
    }
    if (event.kind === 'logprobs') return chunk(index, {}, { logprobs: event.logprobs })
    if (event.kind === 'call') {
      state.calls = true
      const kind = event.custom ? state.custom : state.bare
      kind.add(event.call)
    }
    if (event.kind === 'arguments') state.bare.delete(event.call)
    const first = state.begun ? '' : chunk(index, { role: 'assistant', content: '' })
    state.begun = true
    return first + chunk(index, deltaOf(event, state))
  }

  function closed(index: number, state: ChoiceState): string {
    const bare = [...state.bare]
    const first = state.begun ? '' : chunk(index, { role: 'assistant', content: '' })
    const reason = state.calls && (state.stop ?? 'stop') === 'stop' ? 'tools' : (state.stop ?? 'stop')
    return (
      first +
      bare.map((call) => chunk(index, { tool_calls: [{ index: call, function: { arguments: '{}' } }] })).join('') +
      chunk(index, {}, { finish_reason: FINISH[reason] })
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
      if (event.kind === 'hosted' || event.kind === 'stored') return ''
      return write(event)
    },
    end(usage: Usage) {
      if (choices.size === 0) stateOf(0)
      const ends = [...choices].map(([index, state]) => closed(index, state)).join('')
      const used = wantsUsage ? formatEvent({ ...head(), choices: [], usage: chatUsage(usage) }) : ''
      return ends + used + DONE_EVENT
    },
    broken: openAiErrorEvent,
  }
}

function deltaOf(
  event: Exclude<OfChoice, { kind: 'stop' | 'logprobs' }>,
  { custom }: Pick<ChoiceState, 'custom'>,
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
    case 'call':
      return { tool_calls: [{ index: event.call, ...callOf(event) }] }
    case 'arguments':
      return { tool_calls: [{ index: event.call, ...argumentsOf(event, custom) }] }
    case 'image':
      return { images: [imagePart(event)] }
    case 'audio':
      return { audio: event.audio }
    case 'citation':
      return { annotations: [toAnnotation(event.citation)] }
  }
}

function argumentsOf({ call, text }: { call: number; text: string }, custom: ReadonlySet<number>): object {
  return custom.has(call) ? { custom: { input: text } } : { function: { arguments: text } }
}

function callOf({ id, name, custom, signature }: Extract<ReplyEvent, { kind: 'call' }>): Record<string, unknown> {
  const called = custom
    ? { type: 'custom', custom: { name, input: '' } }
    : { type: 'function', function: { name, arguments: '' } }
  return {
    id,
    ...called,
    ...(signature !== undefined && { extra_content: { google: { thought_signature: signature } } }),
  }
}
