import type { ReplyRules } from '../../../../core/channels/settings/quirks.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { CallOrder } from '../../attempt/call-order.ts'
import { usageEvent } from '../../charging/usage.ts'
import type { Citation, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { arrayOf, countOf, type Json, lookup, numberOf, objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader, TextEvent } from '../provider.ts'
import { isReplyError, replyError } from '../reply-error.ts'
import { readChatUsage } from './reply-usage.ts'

const STOPS: Record<string, StopReason> = lookup({
  stop: 'stop',
  length: 'length',
  tool_calls: 'tools',
  function_call: 'tools',
  content_filter: 'filter',
})

/** A tool call of a choice. */
interface OpenCall {
  /** The call's number among the choice's calls. */
  call: number
  id: string
  name: string
  custom: boolean
  /** Arguments that arrived before the tool's name. */
  earlyArguments: string
  isAnnounced: boolean
  signature: string | undefined
}
interface ChoiceState {
  readonly index: number
  calls: OpenCall[]
  /** Undefined until the choice's first tool call. */
  order: CallOrder | undefined
  /** Whether the choice has had content. */
  isSent: boolean
}

/**
 * Reads chat completions, streamed or whole. `rules` are the vendor's deviations from OpenAI's format.
 * https://platform.openai.com/docs/api-reference/chat-streaming
 *
 * Numbers tool calls in the order of their start. An upstream's indexes may be missing, start at 1, have gaps, or be
 * the same for two calls.
 */
export function chatReader(rules: ReplyRules = {}): ReplyReader {
  return new ChatReader(rules)
}

class ChatReader implements ReplyReader {
  /** The choice that was read last. Most replies have only one choice, and so need no map. */
  private latestChoice: ChoiceState | undefined
  /** All choices. Undefined until the reply has a second choice. */
  private choices: Map<number, ChoiceState> | undefined
  private citedUrls: Set<string> | undefined
  private hasBegun = false

  constructor(private readonly rules: ReplyRules) {}

  event({ payload, done, name }: StreamEvent): ReplyEvent[] {
    if (done) return [{ kind: 'end' }]
    const { events } = this.rules
    const isKnownEvent = name === '' || name === 'error' || !events || events.includes(name)
    return payload && isKnownEvent ? this.read(payload) : []
  }

  repeatText(event: TextEvent, text: string): ReplyEvent[] {
    return [{ ...event, text }]
  }

  whole(body: Json): ReplyEvent[] {
    const events = this.read(body)
    if (!events.some(isError)) events.push({ kind: 'end' })
    return events
  }

  private read(body: Json): ReplyEvent[] {
    const { rules } = this
    if (isReplyError(body)) return [{ kind: 'error', error: replyError(body, rules.errorStatus) }]
    const events: ReplyEvent[] = []
    if (!this.hasBegun && (textOf(body.id) || textOf(body.model))) {
      this.hasBegun = true
      events.push(startOf(body))
    }
    for (const choice of arrayOf(body.choices)) if (isRecord(choice)) this.readChoice(choice, events)
    if (hasSources(body)) {
      this.citedUrls ??= new Set()
      events.push(...newSources(body, this.citedUrls))
    }
    if (isRecord(body.usage)) addSearches(body.usage, events)
    const usage = readChatUsage(body, rules)
    if (usage) events.push(usageEvent(usage, body.service_tier))
    return events
  }

  private readChoice(choice: Json, events: ReplyEvent[]): void {
    const index = typeof choice.index === 'number' ? choice.index : 0
    const state = this.stateOf(index)
    const whole = isRecord(choice.delta) ? undefined : isRecord(choice.message) ? choice.message : undefined
    // Some vendors repeat the whole message at the end of a stream.
    const message = whole && state.isSent ? {} : (whole ?? recordOf(choice.delta))
    const before = events.length
    readMessage(message, state, events)
    if (typeof choice.text === 'string' && choice.text !== '')
      events.push({ kind: 'text', text: choice.text, choice: index })
    if (isRecord(choice.logprobs)) events.push({ kind: 'logprobs', logprobs: choice.logprobs, choice: index })
    if (events.length > before) state.isSent = true
    // Some vendors send an empty string or the word "null" as the finish reason of an unfinished choice.
    const reason = textOf(choice.finish_reason)
    if (reason && reason !== 'null') this.finish(choice, reason, state, events)
  }

  private stateOf(index: number): ChoiceState {
    const { latestChoice } = this
    if (latestChoice?.index === index) return latestChoice
    const created: ChoiceState = { index, calls: [], order: undefined, isSent: false }
    if (!latestChoice) {
      this.latestChoice = created
      return created
    }
    this.choices ??= new Map([[latestChoice.index, latestChoice]])
    const state = this.choices.get(index) ?? created
    this.choices.set(index, state)
    this.latestChoice = state
    return state
  }

  private finish(choice: Json, reason: string, { index, calls }: ChoiceState, events: ReplyEvent[]): void {
    // OpenRouter reports the failure of its upstream in the choice.
    const stop = STOPS[reason] ?? this.rules.stops?.[reason] ?? (reason === 'error' ? reason : 'stop')
    if (stop === 'error') {
      const message = textOf(recordOf(choice.error).message) ?? `The upstream broke the reply off: ${reason}`
      events.push({ kind: 'error', error: { message, code: reason } })
      return
    }
    for (const call of calls) announce(call, index, events)
    const sequence = textOf(choice.stop_sequence) ?? textOf(choice.matched_stop)
    events.push({
      kind: 'stop',
      reason: stop === 'stop' && calls.length ? 'tools' : stop,
      ...(sequence && { sequence }),
      choice: index,
    })
  }
}

function isError({ kind }: ReplyEvent): boolean {
  return kind === 'error'
}

function readMessage(message: Json, state: ChoiceState, events: ReplyEvent[]): void {
  const { index } = state
  readReasoning(message, index, events)
  readContent(message.content, index, events)
  const refusal = textOf(message.refusal)
  if (refusal) events.push({ kind: 'refusal', text: refusal, choice: index })
  for (const image of arrayOf(message.images)) if (isRecord(image)) readImage(image, index, events)
  if (isRecord(message.audio)) events.push({ kind: 'audio', audio: message.audio, choice: index })
  for (const annotation of arrayOf(message.annotations))
    if (isRecord(annotation)) readCitation(annotation, index, events)
  // One vendor sends a single call instead of a list.
  if (isRecord(message.tool_calls)) readCall(message.tool_calls, state, events)
  else for (const call of arrayOf(message.tool_calls)) if (isRecord(call)) readCall(call, state, events)
  if (isRecord(message.function_call)) readCall({ index: 0, function: message.function_call }, state, events)
}

function readReasoning(message: Json, index: number, events: ReplyEvent[]): void {
  const text = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  const details = Array.isArray(message.reasoning_details) ? objectsOf(message.reasoning_details) : undefined
  const reasoning = text ?? details?.map((detail) => textOf(detail.text) ?? textOf(detail.summary) ?? '').join('')
  if (reasoning) events.push({ kind: 'reasoning', text: reasoning, choice: index })
  if (!details) return
  for (const detail of details) {
    const data = textOf(detail.data)
    const signature = textOf(detail.signature)
    if (data) events.push({ kind: 'redacted', data, choice: index })
    if (signature) events.push({ kind: 'signature', signature, choice: index })
  }
}

function readCall(wire: Json, state: ChoiceState, events: ReplyEvent[]): void {
  const custom = isRecord(wire.custom)
  const called = recordOf(custom ? wire.custom : wire.function)
  const id = textOf(wire.id)
  const name = textOf(called.name)
  const text = custom ? called.input : called.arguments
  const args = typeof text === 'string' ? text : isRecord(text) ? JSON.stringify(text) : ''
  state.order ??= new CallOrder()
  const number = state.order.numberOf({ index: numberOf(wire.index), id, name, hasArguments: args !== '' })
  const call = state.calls[number] ?? openCall(number, custom)
  state.calls[number] = call
  if (!call.isAnnounced) {
    call.id ||= id ?? ''
    call.name += name ?? ''
    call.signature ??= textOf(recordOf(recordOf(wire.extra_content).google).thought_signature)
  }
  // The name may be incomplete until an id or arguments arrive.
  if (args === '' && call.id === '') return
  if (call.name === '') {
    call.earlyArguments += args
    return
  }
  announce(call, state.index, events)
  if (args) events.push({ kind: 'arguments', call: call.call, text: args, choice: state.index })
}

/** Reads the number of web searches (OpenRouter, Perplexity), and of the sources of a live search (xAI). */
function addSearches({ server_tool_use, num_sources_used, num_search_queries }: Json, events: ReplyEvent[]): void {
  const searches = countOf(recordOf(server_tool_use).web_search_requests) || countOf(num_search_queries)
  if (searches > 0) events.push({ kind: 'hosted', tool: 'web_search', calls: searches })
  const sources = countOf(num_sources_used)
  if (sources > 0) events.push({ kind: 'hosted', tool: 'live_search', calls: sources })
}

function openCall(call: number, custom: boolean): OpenCall {
  return { call, id: '', name: '', custom, earlyArguments: '', isAnnounced: false, signature: undefined }
}

/** Adds the event `call`, and the arguments so far, unless they were already sent or the name is unknown. */
function announce(call: OpenCall, choice: number, events: ReplyEvent[]): void {
  if (call.isAnnounced || call.name === '') return
  call.isAnnounced = true
  call.id ||= `call_${choice}_${call.call}`
  events.push({
    kind: 'call',
    call: call.call,
    id: call.id,
    name: call.name,
    choice,
    ...(call.custom && { custom: true }),
    ...(call.signature !== undefined && { signature: call.signature }),
  })
  if (call.earlyArguments) events.push({ kind: 'arguments', call: call.call, text: call.earlyArguments, choice })
}

function startOf({ id, model }: Json): ReplyEvent {
  return { kind: 'start', ...(textOf(id) && { id: id as string }), ...(textOf(model) && { model: model as string }) }
}

/** Reads content, which is a string, or a list as from Mistral. */
function readContent(content: unknown, choice: number, events: ReplyEvent[]): void {
  if (typeof content === 'string' && content !== '') events.push({ kind: 'text', text: content, choice })
  for (const part of arrayOf(content)) {
    if (!isRecord(part)) continue
    if (part.type === 'thinking') {
      const text =
        textOf(part.thinking) ??
        objectsOf(part.thinking)
          .map((piece) => textOf(piece.text) ?? '')
          .join('')
      if (text) events.push({ kind: 'reasoning', text, choice })
    } else if (part.type === 'image_url') readImage(part, choice, events)
    else if (textOf(part.text)) events.push({ kind: 'text', text: part.text as string, choice })
  }
}

function readImage(image: Json, choice: number, events: ReplyEvent[]): void {
  const url = textOf(recordOf(image.image_url).url) ?? textOf(image.url) ?? ''
  const [head = '', data = ''] = url.startsWith('data:') ? url.split(',', 2) : []
  if (data) events.push({ kind: 'image', data, mime: head.slice('data:'.length).split(';')[0] || 'image/png', choice })
}

function readCitation(annotation: Json, choice: number, events: ReplyEvent[]): void {
  const source = isRecord(annotation.url_citation) ? annotation.url_citation : annotation
  const url = textOf(source.url)
  if (!url) return
  const citation: Citation = {
    url,
    ...(textOf(source.title) && { title: source.title as string }),
    ...(typeof source.start_index === 'number' && { start: source.start_index }),
    ...(typeof source.end_index === 'number' && { end: source.end_index }),
  }
  events.push({ kind: 'citation', citation, choice })
}

/** Whether a body has sources. A fast check, because it runs for each chunk. */
function hasSources({ search_results, references, citations }: Json): boolean {
  return Boolean(search_results || references || citations)
}

/**
 * Returns citations of a body's sources whose URLs are not in `seen`, and adds the URLs to `seen`. Vendors may repeat a
 * source in each chunk.
 *
 * Perplexity sends `search_results` and `citations`, xAI `citations`, and Ark's bots `references`.
 */
function newSources(body: Json, seen: Set<string>): ReplyEvent[] {
  const sourceObjects = [...objectsOf(body.search_results), ...objectsOf(body.references)]
  const sources = sourceObjects.length > 0 ? sourceObjects : arrayOf(body.citations)
  return sources.flatMap((source): ReplyEvent[] => {
    const { url, title }: Json = isRecord(source) ? source : { url: source }
    const address = textOf(url)
    if (!address || seen.has(address)) return []
    seen.add(address)
    const name = textOf(title)
    return [{ kind: 'citation', citation: { url: address, ...(name && { title: name }) } }]
  })
}
