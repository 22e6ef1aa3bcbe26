import type { Citation, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { arrayOf, isObject, type Json, lookup, numberOf, objectOf, objectsOf, textOf, wordOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { createHostedItems } from './hosted-items.ts'
import { isResponseError, responseError, responseUsage } from './responses-end.ts'
import { sealReasoning } from './responses-reasoning.ts'

/** What was seen of one item: pieces of it are not told again when it comes whole. */
interface ItemState {
  call: number | undefined
  said: boolean
  /** Which of the two forms of a thought its text came in; the other repeats it. */
  thought: string | undefined
  signed: boolean
  cited: number
}

const STOPS: Readonly<Record<string, StopReason>> = lookup({ max_output_tokens: 'length', content_filter: 'filter' })
/** Terminal events, and the status of a response that has come to its end. */
const ENDS = new Set(['completed', 'incomplete', 'failed', 'cancelled'])

/**
 * Reads responses, event by event or whole: https://platform.openai.com/docs/api-reference/responses-streaming. Calls count in
 * the order of their items. What an upstream tells only at the end of an item, or of the response, is read there.
 */
export function responsesReader(): ReplyReader {
  const items = new Map<number, ItemState>()
  const hosted = createHostedItems()
  let partialImages = 0
  let begun = false
  let calls = 0
  let ended = false

  function stateOf(at: number): ItemState {
    const found = items.get(at) ?? { call: undefined, said: false, thought: undefined, signed: false, cited: 0 }
    items.set(at, found)
    return found
  }

  function read(chunk: Json, name: string): ReplyEvent[] {
    const type = textOf(chunk.type) ?? name
    if (type === 'error' || chunk.error) return [{ kind: 'error', error: responseError(chunk) }]
    if (isObject(chunk.response)) return readResponse(chunk.response, type.replace('response.', ''))
    const at = numberOf(chunk.output_index) ?? 0
    const state = stateOf(at)
    switch (type) {
      case 'response.output_item.added':
        return [...hosted.begun(objectOf(chunk.item), at), ...begin(objectOf(chunk.item), state)]
      case 'response.output_item.done':
        return [...hosted.done(objectOf(chunk.item), at), ...finish(objectOf(chunk.item), state)]
      case 'response.image_generation_call.partial_image':
        partialImages += 1
        return [{ kind: 'hosted', tool: 'image_generation_partial', calls: partialImages }]
      case 'response.output_text.delta':
        return said(state, [...words('text', chunk.delta), ...logprobsOf(chunk.logprobs)])
      case 'response.refusal.delta':
        return said(state, words('refusal', chunk.delta))
      case 'response.reasoning_summary_part.added':
        return (numberOf(chunk.summary_index) ?? 0) > 0 ? think(state, 'summary', '\n\n') : []
      case 'response.reasoning_summary_text.delta':
        return think(state, 'summary', chunk.delta)
      case 'response.reasoning_text.delta':
        return think(state, 'content', chunk.delta)
      case 'response.function_call_arguments.delta':
      case 'response.custom_tool_call_input.delta':
        return argue(state, chunk.delta)
      case 'response.function_call_arguments.done':
        return state.said ? [] : argue(state, chunk.arguments)
      case 'response.custom_tool_call_input.done':
        return state.said ? [] : argue(state, chunk.input)
      case 'response.output_text.annotation.added':
        state.cited += 1
        return citationOf(chunk.annotation)
      default:
        return []
    }
  }

  function readResponse(response: Json, event: string): ReplyEvent[] {
    const events: ReplyEvent[] = [...(begun ? [] : hosted.response(response)), ...start(response)]
    const status = ENDS.has(event) ? event : undefined
    const usage = responseUsage(response.usage)
    if (status) for (const [at, item] of arrayOf(response.output).entries()) events.push(...whole(item, at))
    if (usage) events.push({ kind: 'usage', usage })
    if (status) events.push(...end(response, status))
    return events
  }

  function start({ id, model }: Json): ReplyEvent[] {
    if (begun || !(textOf(id) ?? textOf(model))) return []
    begun = true
    return [{ kind: 'start', ...(textOf(id) && { id: String(id) }), ...(textOf(model) && { model: String(model) }) }]
  }

  function end(response: Json, event: string): ReplyEvent[] {
    // The event and the status have been seen to differ.
    const status = textOf(response.status) ?? event
    if (isResponseError(response) || status === 'cancelled') return [{ kind: 'error', error: responseError(response) }]
    ended = true
    return [{ kind: 'stop', reason: stopOf(response, status) }, { kind: 'end' }]
  }

  function stopOf(response: Json, status: string): StopReason {
    const reason = textOf(objectOf(response.incomplete_details).reason)
    if (status === 'incomplete' || reason) return STOPS[reason ?? ''] ?? 'length'
    return calls > 0 ? 'tools' : 'stop'
  }

  function whole(item: unknown, at: number): ReplyEvent[] {
    return isObject(item) ? [...hosted.done(item, at), ...finish(item, stateOf(at))] : []
  }

  /** A call is announced with its name; other items say nothing until their text comes. */
  function begin(item: Json, state: ItemState): ReplyEvent[] {
    const custom = item.type === 'custom_tool_call'
    if (state.call !== undefined || (!custom && item.type !== 'function_call')) return []
    const name = textOf(item.name)
    if (name === undefined) return []
    state.call = calls
    calls += 1
    const id = textOf(item.call_id) ?? textOf(item.id) ?? `call_${state.call}`
    const begun: ReplyEvent = { kind: 'call', call: state.call, id, name, ...(custom && { custom }) }
    return [begun, ...argue(state, custom ? item.input : item.arguments)]
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
        return state.said ? events : [...events, ...argue(state, item.arguments ?? item.input)]
      }
      case 'image_generation_call':
        return finishImage(item, state)
      default:
        return []
    }
  }

  function finishMessage({ content }: Json, state: ItemState): ReplyEvent[] {
    const parts = objectsOf(content)
    const spoken = state.said
      ? []
      : parts.flatMap((part) => [
          ...words('text', part.text),
          ...words('refusal', part.refusal),
          ...logprobsOf(part.logprobs),
        ])
    const citations = parts.flatMap((part) => arrayOf(part.annotations)).slice(state.cited)
    state.cited += citations.length
    return [...said(state, spoken), ...citations.flatMap(citationOf)]
  }

  function finishReasoning({ id, summary, content, encrypted_content }: Json, state: ItemState): ReplyEvent[] {
    const texts = (parts: unknown) => objectsOf(parts).flatMap(({ text }) => textOf(text) ?? [])
    const text = texts(summary).join('\n\n') || texts(content).join('')
    const thought = state.said ? [] : think(state, 'item', text)
    const encrypted = textOf(encrypted_content)
    if (encrypted === undefined || state.signed) return thought
    state.signed = true
    return [...thought, { kind: 'signature', signature: sealReasoning(textOf(id) ?? '', encrypted) }]
  }

  return {
    event({ chunk, done, name }: StreamEvent) {
      if (done) return ended ? [] : [{ kind: 'end' }]
      return chunk && !ended ? read(chunk, name) : []
    },
    whole(body) {
      if (isResponseError(body)) return [{ kind: 'error', error: responseError(body) }]
      const status = textOf(body.status)
      const events = readResponse(body, status ?? 'completed')
      // A response in the background is whole as far as this exchange goes.
      return ended || events.some(({ kind }) => kind === 'error') ? events : [...events, { kind: 'end' }]
    },
  }
}

function words(kind: 'text' | 'refusal', text: unknown): ReplyEvent[] {
  return textOf(text) === undefined ? [] : [{ kind, text: String(text) }]
}

function said(state: ItemState, events: ReplyEvent[]): ReplyEvent[] {
  if (events.length) state.said = true
  return events
}

function think(state: ItemState, form: string, text: unknown): ReplyEvent[] {
  if (textOf(text) === undefined || (state.thought ?? form) !== form) return []
  state.thought = form
  return said(state, [{ kind: 'reasoning', text: wordOf(text) }])
}

function argue(state: ItemState, text: unknown): ReplyEvent[] {
  if (textOf(text) === undefined || state.call === undefined) return []
  return said(state, [{ kind: 'arguments', call: state.call, text: wordOf(text) }])
}

function finishImage({ result, output_format }: Json, state: ItemState): ReplyEvent[] {
  const data = textOf(result)
  if (data === undefined || state.said) return []
  return said(state, [{ kind: 'image', data, mime: `image/${textOf(output_format) ?? 'png'}` }])
}

/** In the shape of chat completions. */
function logprobsOf(logprobs: unknown): ReplyEvent[] {
  const content = objectsOf(logprobs)
  return content.length ? [{ kind: 'logprobs', logprobs: { content } }] : []
}

function citationOf(annotation: unknown): ReplyEvent[] {
  const { type, url, title, start_index, end_index } = objectOf(annotation)
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
