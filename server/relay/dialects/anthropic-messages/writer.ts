import { parseObject } from '../../../../core/input.ts'
import type { Usage } from '../../../../core/pricing/prices.ts'
import { plainUsage } from '../../charging/usage.ts'
import { plainCallId } from '../../conversation/call-ids.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import type { RelayError, ReplyContext, ReplyWriter } from '../dialect.ts'
import { citationOf, imageLink, messageId, redactedBlock, textBlock, thinkingBlock, toolUseBlock } from './blocks.ts'
import { anthropicErrorEvent, formatNamedEvent } from './error.ts'
import { stopFields } from './stop-reason.ts'
import { deltaUsage, messageUsage } from './usage.ts'

type Piece = Extract<ReplyEvent, { kind: 'text' | 'refusal' | 'reasoning' | 'signature' | 'redacted' | 'citation' }>

/** A call whose block is open, or that waits in the queue. */
interface Call {
  readonly kind: 'call'
  readonly number: number
  readonly id: string
  readonly name: string
  json: string
}

/**
 * Writes a reply as Messages events. https://platform.claude.com/docs/en/build-with-claude/streaming
 *
 * Clients require that each block ends before the next block begins, and that the indexes of blocks are consecutive.
 * Upstreams may interleave calls. So while a call is open, all other content waits in `queue`.
 */
export function messagesWriter(context: ReplyContext): ReplyWriter {
  let upstreamId: string | undefined
  let usage: Usage = plainUsage(context.promptTokens, 0)
  let hasBegun = false
  let blockIndex = 0
  let open: 'thinking' | 'text' | Call | undefined
  let queue: (Piece | Call)[] = []
  let callCount = 0
  let hasRefusal = false
  let stop: StopReason | undefined
  let sequence: string | undefined

  function begin(): string {
    if (hasBegun) return ''
    hasBegun = true
    const message = {
      id: messageId(upstreamId, context.requestId),
      type: 'message',
      role: 'assistant',
      model: context.model,
      content: [],
      container: null,
      diagnostics: null,
      stop_reason: null,
      stop_sequence: null,
      stop_details: null,
      usage: { ...messageUsage(usage), output_tokens: 0 },
    }
    return formatNamedEvent({ type: 'message_start', message })
  }

  function start(block: object): string {
    return begin() + formatNamedEvent({ type: 'content_block_start', index: blockIndex, content_block: block })
  }

  function delta(change: object): string {
    return formatNamedEvent({ type: 'content_block_delta', index: blockIndex, delta: change })
  }

  function close(): string {
    if (open === undefined) return ''
    // Even if a call has no arguments, clients require a JSON object.
    const emptyInput =
      typeof open === 'object' && open.json === '' ? delta({ type: 'input_json_delta', partial_json: '{}' }) : ''
    open = undefined
    return `${emptyInput}${formatNamedEvent({ type: 'content_block_stop', index: blockIndex++ })}`
  }

  function openBlock(kind: 'thinking' | 'text'): string {
    if (open === kind) return ''
    const closed = close()
    open = kind
    return closed + start(kind === 'text' ? textBlock('') : thinkingBlock(''))
  }

  function writePiece(piece: Piece): string {
    switch (piece.kind) {
      case 'text':
      case 'refusal':
        return piece.text === '' ? '' : openBlock('text') + delta({ type: 'text_delta', text: piece.text })
      case 'reasoning':
        return piece.text === '' ? '' : openBlock('thinking') + delta({ type: 'thinking_delta', thinking: piece.text })
      case 'signature':
        // A signature ends its block. Later thinking gets a new block with its own signature.
        return openBlock('thinking') + delta({ type: 'signature_delta', signature: piece.signature }) + close()
      case 'redacted': {
        const before = close()
        const block = start(redactedBlock(piece.data))
        return before + block + formatNamedEvent({ type: 'content_block_stop', index: blockIndex++ })
      }
      case 'citation':
        return open === 'text' ? delta({ type: 'citations_delta', citation: citationOf(piece.citation) }) : ''
    }
  }

  function writeCall(call: Call): string {
    const before = close()
    open = call
    const block = start(toolUseBlock(call, {}))
    return before + block + (call.json && delta({ type: 'input_json_delta', partial_json: call.json }))
  }

  /** Writes the queue up to and including the next incomplete call. With `last`, writes the whole queue. */
  function writeQueue({ last }: { last: boolean }): string {
    let out = ''
    let at = 0
    while (at < queue.length && (last || !isIncomplete(open))) {
      const item = queue[at++]
      if (item) out += item.kind === 'call' ? writeCall(item) : writePiece(item)
    }
    queue = queue.slice(at)
    return out
  }

  function add(item: Piece | Call): string {
    queue.push(item)
    return writeQueue({ last: false })
  }

  function addArguments(number: number, text: string): string {
    if (typeof open === 'object' && open.number === number) {
      open.json += text
      return text && delta({ type: 'input_json_delta', partial_json: text })
    }
    const waiting = queue.find((item): item is Call => item.kind === 'call' && item.number === number)
    if (waiting) waiting.json += text
    return ''
  }

  return {
    contentType: 'text/event-stream; charset=utf-8',
    write(event) {
      // A Messages reply has only one choice.
      if ('choice' in event && event.choice) return ''
      switch (event.kind) {
        case 'start':
          upstreamId ??= event.id
          return ''
        case 'usage':
          usage = event.usage
          return ''
        case 'stop':
          stop = event.reason
          sequence = event.sequence
          return ''
        case 'call':
          callCount++
          return add({ kind: 'call', number: event.call, id: plainCallId(event.id), name: event.name, json: '' })
        case 'arguments':
          return addArguments(event.call, event.text)
        case 'refusal':
          hasRefusal = true
          return add(event)
        case 'image':
          return add({ kind: 'text', text: imageLink(event) })
        case 'audio':
          return typeof event.audio.transcript === 'string' ? add({ kind: 'text', text: event.audio.transcript }) : ''
        case 'text':
        case 'reasoning':
        case 'signature':
        case 'redacted':
        case 'citation':
          return add(event)
        default:
          return ''
      }
    },
    end(charged) {
      const queuedBlocks = writeQueue({ last: true }) + close()
      const emptyBlock = blockIndex === 0 ? openBlock('text') + close() : ''
      const stopReason = stopFields({ stop, sequence }, { calls: callCount, refused: hasRefusal, body: context.body })
      return (
        queuedBlocks +
        emptyBlock +
        formatNamedEvent({
          type: 'message_delta',
          delta: { ...stopReason, container: null },
          usage: deltaUsage(charged),
        }) +
        formatNamedEvent({ type: 'message_stop' })
      )
    },
    interrupted: (error: RelayError) => anthropicErrorEvent(error),
  }
}

/** Whether the open call may still receive arguments. */
function isIncomplete(open: 'thinking' | 'text' | Call | undefined): boolean {
  return typeof open === 'object' && parseObject(open.json) === undefined
}
