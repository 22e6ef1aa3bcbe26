import { isRecord, recordOf } from '../../../../core/records.ts'
import { usageEvent } from '../../charging/usage.ts'
import type { Citation, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { arrayOf, type Json, lookup, numberOf, objectsOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { createHostedItems } from './hosted-items.ts'
import { isResponseError, readResponseUsage, responseError } from './responses-end.ts'
import { encodeReasoning } from './responses-reasoning.ts'

/** State of an output item. Upstreams repeat content at the item's end, but clients must get it only once. */
interface ItemState {
  /** The number of the item's call, if the item is a call. */
  call: number | undefined
  /** Whether the item's content was sent. */
  isSent: boolean
  /** The form in which the reasoning arrived first. The reader ignores repetitions in other forms. */
  reasoningForm: string | undefined
  isSigned: boolean
  citationsSent: number
}

const STOPS: Readonly<Record<string, StopReason>> = lookup({ max_output_tokens: 'length', content_filter: 'filter' })
/** Names of the events that end a response, without `response.`. The final statuses have the same names. */
const ENDS = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

/**
 * Reads responses, streamed or whole. Numbers calls in the order of their items. Also reads content that arrives only
 * at the end of an item or response. https://platform.openai.com/docs/api-reference/responses-streaming
 */
export function responsesReader(): ReplyReader {
  const items = new Map<number, ItemState>()
  const hosted = createHostedItems()
  let partialImages = 0
  let hasBegun = false
  let calls = 0
  let hasEnded = false

  function stateOf(at: number): ItemState {
    const state = items.get(at) ?? {
      call: undefined,
      isSent: false,
      reasoningForm: undefined,
      isSigned: false,
      citationsSent: 0,
    }
    items.set(at, state)
    return state
  }

  function read(chunk: Json, name: string): ReplyEvent[] {
    const type = textOf(chunk.type) ?? name
    if (type === 'error' || chunk.error) return [{ kind: 'error', error: responseError(chunk) }]
    if (isRecord(chunk.response)) return readResponse(chunk.response, type.replace('response.', ''))
    const at = numberOf(chunk.output_index) ?? 0
    const state = stateOf(at)
    switch (type) {
      case 'response.output_item.added':
        return [...hosted.begun(recordOf(chunk.item), at), ...begin(recordOf(chunk.item), state)]
      case 'response.output_item.done':
        return [...hosted.done(recordOf(chunk.item), at), ...finish(recordOf(chunk.item), state)]
      case 'response.image_generation_call.partial_image':
        partialImages += 1
        return [{ kind: 'hosted', tool: 'image_generation_partial', calls: partialImages }]
      case 'response.output_text.delta':
        return markSent(state, [...textEvents('text', chunk.delta), ...logprobsOf(chunk.logprobs)])
      case 'response.refusal.delta':
        return markSent(state, textEvents('refusal', chunk.delta))
      case 'response.reasoning_summary_part.added':
        return (numberOf(chunk.summary_index) ?? 0) > 0 ? reasoningEvents(state, 'summary', '\n\n') : []
      case 'response.reasoning_summary_text.delta':
        return reasoningEvents(state, 'summary', chunk.delta)
      case 'response.reasoning_text.delta':
        return reasoningEvents(state, 'content', chunk.delta)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return argumentEvents(state, chunk.delta)
      case 'response.function_call_arguments.done':
        return state.isSent ? [] : argumentEvents(state, chunk.arguments)
      case 'response.custom_tool_call_input.done':
        return state.isSent ? [] : argumentEvents(state, chunk.input)
      case 'response.output_text.annotation.added':
        state.citationsSent += 1
        return citationOf(chunk.annotation)
      default:
        return []
    }
  }

  function readResponse(response: Json, event: string): ReplyEvent[] {
    const events: ReplyEvent[] = [...(hasBegun ? [] : hosted.response(response)), ...start(response)]
    const status = ENDS.has(event) ? event : undefined
    const usage = readResponseUsage(response.usage)
    if (status) for (const [at, item] of arrayOf(response.output).entries()) events.push(...whole(item, at))
    if (usage) events.push(usageEvent(usage, response.service_tier))
    if (status) events.push(...end(response, status))
    return events
  }

  function start({ id, model }: Json): ReplyEvent[] {
    if (hasBegun || !(textOf(id) ?? textOf(model))) return []
    hasBegun = true
    return [{ kind: 'start', ...(textOf(id) && { id: String(id) }), ...(textOf(model) && { model: String(model) }) }]
  }

  function end(response: Json, event: string): ReplyEvent[] {
    // The response's status takes precedence over the event's name.
    const status = textOf(response.status) ?? event
    if (isResponseError(response) || status === 'cancelled') return [{ kind: 'error', error: responseError(response) }]
    hasEnded = true
    return [{ kind: 'stop', reason: stopOf(response, status) }, { kind: 'end' }]
  }

  function stopOf(response: Json, status: string): StopReason {
    const reason = textOf(recordOf(response.incomplete_details).reason)
    if (status === 'incomplete' || reason) return STOPS[reason ?? ''] ?? 'length'
    return calls > 0 ? 'tools' : 'stop'
  }

  function whole(item: unknown, at: number): ReplyEvent[] {
    return isRecord(item) ? [...hosted.done(item, at), ...finish(item, stateOf(at))] : []
  }

  /** Announces a tool call. Other items cause no event until they have content. */
  function begin(item: Json, state: ItemState): ReplyEvent[] {
    const custom = item.type === 'custom_tool_call'
    if (state.call !== undefined || (!custom && item.type !== 'function_call')) return []
    const name = textOf(item.name)
    if (name === undefined) return []
    state.call = calls
    calls += 1
    const id = textOf(item.call_id) ?? textOf(item.id) ?? `call_${state.call}`
    const callEvent: ReplyEvent = { kind: 'call', call: state.call, id, name, ...(custom && { custom }) }
    return [callEvent, ...argumentEvents(state, custom ? item.input : item.arguments)]
  }

  function finish(item: Json, state: ItemState): ReplyEvent[] {
    switch (item.type) {
      case 'message':
        return finishMessage(item, state)
      case 'reasoning':
        return finishReasoning(item, state)
      case 'function_call':
      case 'custom_tool_call': {
        const events = begin(item, state)
        return state.isSent ? events : [...events, ...argumentEvents(state, item.arguments ?? item.input)]
      }
      case 'image_generation_call':
        return finishImage(item, state)
      default:
        return []
    }
  }

  function finishMessage({ content }: Json, state: ItemState): ReplyEvent[] {
    const parts = objectsOf(content)
    const contentEvents = state.isSent
      ? []
      : parts.flatMap((part) => [
          ...textEvents('text', part.text),
          ...textEvents('refusal', part.refusal),
          ...logprobsOf(part.logprobs),
        ])
    const citations = parts.flatMap((part) => arrayOf(part.annotations)).slice(state.citationsSent)
    state.citationsSent += citations.length
    return [...markSent(state, contentEvents), ...citations.flatMap(citationOf)]
  }

  function finishReasoning({ id, summary, content, encrypted_content }: Json, state: ItemState): ReplyEvent[] {
    const texts = (parts: unknown) => objectsOf(parts).flatMap(({ text }) => textOf(text) ?? [])
    const text = texts(summary).join('\n\n') || texts(content).join('')
    const events = state.isSent ? [] : reasoningEvents(state, 'item', text)
    const encrypted = textOf(encrypted_content)
    if (encrypted === undefined || state.isSigned) return events
    state.isSigned = true
    return [...events, { kind: 'signature', signature: encodeReasoning(textOf(id) ?? '', encrypted) }]
  }

  return {
    event({ payload, done, name }: StreamEvent) {
      if (done) return hasEnded ? [] : [{ kind: 'end' }]
      return payload && !hasEnded ? read(payload, name) : []
    },
    whole(body) {
      if (isResponseError(body)) return [{ kind: 'error', error: responseError(body) }]
      const status = textOf(body.status)
      const events = readResponse(body, status ?? 'completed')
      // A background response may still be running.
      return hasEnded || events.some(({ kind }) => kind === 'error') ? events : [...events, { kind: 'end' }]
    },
  }
}

function textEvents(kind: 'text' | 'refusal', text: unknown): ReplyEvent[] {
  return textOf(text) === undefined ? [] : [{ kind, text: String(text) }]
}

function markSent(state: ItemState, events: ReplyEvent[]): ReplyEvent[] {
  if (events.length) state.isSent = true
  return events
}

function reasoningEvents(state: ItemState, form: string, text: unknown): ReplyEvent[] {
  if (textOf(text) === undefined || (state.reasoningForm ?? form) !== form) return []
  state.reasoningForm = form
  return markSent(state, [{ kind: 'reasoning', text: wordOf(text) }])
}

function argumentEvents(state: ItemState, text: unknown): ReplyEvent[] {
  if (textOf(text) === undefined || state.call === undefined) return []
  return markSent(state, [{ kind: 'arguments', call: state.call, text: wordOf(text) }])
}

function finishImage({ result, output_format }: Json, state: ItemState): ReplyEvent[] {
  const data = textOf(result)
  if (data === undefined || state.isSent) return []
  return markSent(state, [{ kind: 'image', data, mime: `image/${textOf(output_format) ?? 'png'}` }])
}

/** Returns log probabilities in the format of chat completions. */
function logprobsOf(logprobs: unknown): ReplyEvent[] {
  const content = objectsOf(logprobs)
  return content.length ? [{ kind: 'logprobs', logprobs: { content } }] : []
}

function citationOf(annotation: unknown): ReplyEvent[] {
  const { type, url, title, start_index, end_index } = recordOf(annotation)
  if (type !== 'url_citation' || textOf(url) === undefined) return []
  const start = numberOf(start_index)
  const end = numberOf(end_index)
  const citation: Citation = {
    url: wordOf(url),
    ...(textOf(title) && { title: String(title) }),
    ...(start !== undefined && { start }),
    ...(end !== undefined && { end }),
  }
  return [{ kind: 'citation', citation }]
}
