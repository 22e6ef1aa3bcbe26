import { parseObject } from '../../../../core/input.ts'
import { isRecord, recordOf } from '../../../../core/records.ts'
import { usageEvent } from '../../charging/usage.ts'
import type { Citation, ReplyError, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { type Json, lookup, objectsOf, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents } from '../reply-events.ts'
import { createHostedBlocks } from './hosted-blocks.ts'
import { messagesUsage } from './messages-usage.ts'

const STOPS: Record<string, StopReason> = lookup({
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  refusal: 'filter',
})

const STATUS_OF_ERROR: Record<string, number> = lookup({
  invalid_request_error: 400,
  authentication_error: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  conflict: 409,
  conflict_error: 409,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
})

/** Returns the service tier. Fast mode counts as a tier, because it has its own price. */
const tierIn = ({ speed, service_tier }: Json): unknown => (speed === 'fast' ? speed : service_tier)

interface Block {
  readonly call?: { readonly number: number; readonly custom: boolean; input: unknown; json: string }
  /** Offset of the block in the text of the reply, in characters. */
  readonly from: number
  readonly citations: Citation[]
}

/**
 * Reads Messages replies, streamed or whole. https://platform.claude.com/docs/en/build-with-claude/streaming
 *
 * `customTools` names the tools whose only declared argument is free text. For their calls, the reader returns only
 * this text. `isStored` states whether the upstream stores the message for a thread.
 */
export function messagesReader({
  customTools,
  isStored = false,
}: {
  customTools?: ReadonlySet<string>
  isStored?: boolean
} = {}): ReplyReader {
  /** Open blocks by the upstream's index. The indexes may have gaps. */
  const blocks = new Map<unknown, Block>()
  const usage = messagesUsage()
  const hosted = createHostedBlocks()
  let calls = 0
  let textLength = 0

  function start(message: Json): ReplyEvent[] {
    const id = textOf(message.id)
    const model = textOf(message.model)
    return [
      { kind: 'start', ...(id && { id }), ...(model && { model }) },
      ...(isStored && id ? [{ kind: 'stored' as const, object: { kind: 'message' as const, id } }] : []),
      ...hosted.container(message.container),
      ...readUsage(message.usage),
    ]
  }

  function readUsage(reported: unknown): ReplyEvent[] {
    const usageSoFar = isRecord(reported) ? usage.read(reported) : undefined
    return [...hosted.reported(reported), ...(usageSoFar ? [usageEvent(usageSoFar, tierIn(recordOf(reported)))] : [])]
  }

  function text(value: unknown): ReplyEvent[] {
    const piece = textOf(value)
    if (piece === undefined) return []
    textLength += piece.length
    return [{ kind: 'text', text: piece }]
  }

  function openBlock(index: unknown, block: Json): ReplyEvent[] {
    const citations = objectsOf(block.citations).flatMap(citationOf)
    if (block.type !== 'tool_use') {
      blocks.set(index, { from: textLength, citations })
      return [...hosted.block(block), ...contentOf(block)]
    }
    const name = textOf(block.name) ?? ''
    const call = { number: calls++, custom: customTools?.has(name) ?? false, input: block.input, json: '' }
    blocks.set(index, { from: textLength, citations, call })
    const id = textOf(block.id) ?? `toolu_${call.number}`
    return [{ kind: 'call', call: call.number, id, name, ...(call.custom && { custom: true }) }]
  }

  function contentOf(block: Json): ReplyEvent[] {
    if (block.type === 'text') return text(block.text)
    if (block.type === 'thinking') return [...reasoningEvents(block.thinking), ...signature(block.signature)]
    const data = block.type === 'redacted_thinking' ? textOf(block.data) : undefined
    return data ? [{ kind: 'redacted', data }] : []
  }

  function readDelta(index: unknown, delta: Json): ReplyEvent[] {
    const block = blocks.get(index)
    if (delta.type === 'text_delta') return text(delta.text)
    if (delta.type === 'thinking_delta') return reasoningEvents(delta.thinking)
    if (delta.type === 'signature_delta') return signature(delta.signature)
    if (delta.type === 'citations_delta') block?.citations.push(...citationOf(recordOf(delta.citation)))
    const json = delta.type === 'input_json_delta' ? textOf(delta.partial_json) : undefined
    if (!block?.call || json === undefined) return []
    block.call.json += json
    return block.call.custom ? [] : [{ kind: 'arguments', call: block.call.number, text: json }]
  }

  function closeBlock(index: unknown): ReplyEvent[] {
    const block = blocks.get(index)
    blocks.delete(index)
    if (!block) return []
    const span = { start: block.from, end: textLength }
    const citationEvents = block.citations.map(
      (citation): ReplyEvent => ({ kind: 'citation', citation: { ...citation, ...span } }),
    )
    return [...citationEvents, ...lastArguments(block)]
  }

  function readStop(reason: unknown, sequence: unknown): ReplyEvent[] {
    const reasonName = textOf(reason)
    if (!reasonName) return []
    const stop = STOPS[reasonName] ?? 'stop'
    const text = textOf(sequence)
    // Some other vendors report `end_turn` even for a turn with tool calls.
    return [{ kind: 'stop', reason: stop === 'stop' && calls > 0 ? 'tools' : stop, ...(text && { sequence: text }) }]
  }

  function read(type: unknown, body: Json): ReplyEvent[] {
    if (isError(type, body)) return [{ kind: 'error', error: errorOf(body) }]
    switch (type) {
      case 'message_start':
        return start(recordOf(body.message))
      case 'content_block_start':
        return openBlock(body.index, recordOf(body.content_block))
      case 'content_block_delta':
        return readDelta(body.index, recordOf(body.delta))
      case 'content_block_stop':
        return closeBlock(body.index)
      case 'message_delta': {
        const delta = recordOf(body.delta)
        return [
          ...hosted.container(delta.container),
          ...readStop(delta.stop_reason, delta.stop_sequence),
          ...readUsage(body.usage),
        ]
      }
      case 'message_stop':
        return [{ kind: 'end' }]
      default:
        return []
    }
  }

  return {
    event: ({ payload, name }: StreamEvent) => (payload ? read(textOf(payload.type) ?? name, payload) : []),
    repeatText(event, newText) {
      if (event.kind === 'text') textLength += newText.length
      return [{ ...event, text: newText }]
    },
    whole(body) {
      if (isError(body.type, body)) return [{ kind: 'error', error: errorOf(body) }]
      return [
        ...start({ ...body, usage: undefined }),
        ...objectsOf(body.content).flatMap((block, index) => [...openBlock(index, block), ...closeBlock(index)]),
        ...readStop(body.stop_reason, body.stop_sequence),
        ...readUsage(body.usage),
        { kind: 'end' },
      ]
    },
  }
}

function signature(text: unknown): ReplyEvent[] {
  const signed = textOf(text)
  return signed === undefined ? [] : [{ kind: 'signature', signature: signed }]
}

/** Returns the arguments to send at a block's end: the text of a custom tool, or an input that was not streamed. */
function lastArguments({ call }: Block): ReplyEvent[] {
  if (!call || (call.json !== '' && !call.custom)) return []
  const json = call.json || JSON.stringify(isRecord(call.input) ? call.input : {})
  const input = call.custom ? parseObject(json)?.input : undefined
  return [{ kind: 'arguments', call: call.number, text: typeof input === 'string' ? input : json }]
}

/** Returns a web citation, or none for a citation of the client's documents, which has no URL. */
function citationOf({ url, title, cited_text }: Json): Citation[] {
  const address = textOf(url)
  if (address === undefined) return []
  const name = textOf(title)
  const quote = textOf(cited_text)
  return [{ url: address, ...(name && { title: name }), ...(quote && { quote }) }]
}

/** Whether a body is an error in this format. Some proxies omit the type. */
function isError(type: unknown, { error }: Json): boolean {
  return type === 'error' || (!type && isRecord(error))
}

function errorOf(body: Json): ReplyError {
  const error = recordOf(body.error)
  const type = textOf(error.type)
  return {
    message: textOf(error.message) ?? textOf(body.error) ?? textOf(body.message) ?? 'The upstream returned an error',
    type,
    code: textOf(error.code) ?? type,
    status: type ? STATUS_OF_ERROR[type] : undefined,
  }
}
