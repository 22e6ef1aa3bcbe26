import { isRecord, recordOf } from '../../../../core/records.ts'
import { readUsage } from '../../charging/usage.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { countOf, type Json, lookup, numeric, objectsOf, textOf } from '../../json.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents, textEvents, usageEvents } from '../reply-events.ts'
import { exceptionIn } from './failure.ts'

const STOPS: Readonly<Record<string, StopReason>> = lookup({
  end_turn: 'stop',
  stop_sequence: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tools',
  guardrail_intervened: 'filter',
  content_filtered: 'filter',
})

/**
 * Reads replies of Converse and ConverseStream. The usage is the last event, after the stop.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ConverseStreamOutput.html
 */
export function converseReader(): ReplyReader {
  /** Calls by block index. `call` is the number of the call, because indexes also count text and reasoning. */
  const calls = new Map<number, { call: number; empty: boolean }>()

  function begin(block: number, tool: Json): ReplyEvent[] {
    const call = calls.size
    const id = textOf(tool.toolUseId) ?? `call_${call}`
    calls.set(block, { call, empty: true })
    return [{ kind: 'call', call, id, name: textOf(tool.name) ?? '' }]
  }

  function delta(block: number, { text, toolUse, reasoningContent }: Json): ReplyEvent[] {
    if (textOf(text)) return textEvents(text)
    if (isRecord(reasoningContent)) return thoughtEvents(reasoningContent)
    const openCall = calls.get(block)
    const input = textOf(recordOf(toolUse).input)
    if (!openCall || !input) return []
    openCall.empty = false
    return [{ kind: 'arguments', call: openCall.call, text: input }]
  }

  /** Returns the arguments `{}` for a call that had no argument deltas. */
  function finish(block: number): ReplyEvent[] {
    const openCall = calls.get(block)
    return openCall?.empty ? [{ kind: 'arguments', call: openCall.call, text: '{}' }] : []
  }

  function stop(reason: unknown): ReplyEvent[] {
    const stopReason = STOPS[textOf(reason) ?? ''] ?? 'stop'
    return [{ kind: 'stop', reason: stopReason === 'stop' && calls.size ? 'tools' : stopReason }]
  }

  const EVENTS: Readonly<Record<string, (event: Json) => ReplyEvent[]>> = lookup({
    messageStart: () => [{ kind: 'start' }],
    contentBlockStart({ contentBlockIndex, start }) {
      const tool = recordOf(start).toolUse
      return isRecord(tool) ? begin(numeric(contentBlockIndex), tool) : []
    },
    contentBlockDelta: (event) => delta(numeric(event.contentBlockIndex), recordOf(event.delta)),
    contentBlockStop: ({ contentBlockIndex }) => finish(numeric(contentBlockIndex)),
    messageStop: ({ stopReason }) => stop(stopReason),
    metadata: ({ usage }) => [...usageIn(usage), { kind: 'end' }],
  })

  function wholeBlock(block: Json, at: number): ReplyEvent[] {
    const { toolUse, reasoningContent, text } = block
    if (isRecord(toolUse)) {
      const input = isRecord(toolUse.input) ? JSON.stringify(toolUse.input) : ''
      return [...begin(at, toolUse), ...delta(at, { toolUse: { input } }), ...finish(at)]
    }
    if (isRecord(reasoningContent))
      return thoughtEvents({ ...recordOf(reasoningContent.reasoningText), ...reasoningContent })
    return delta(at, { text })
  }

  return {
    event(event) {
      const error = exceptionIn(event)
      if (error) return [{ kind: 'error', error }]
      return event.payload ? (EVENTS[event.name]?.(event.payload) ?? []) : []
    },
    whole({ output, stopReason, usage }) {
      const blocks = objectsOf(recordOf(recordOf(output).message).content)
      return [{ kind: 'start' }, ...blocks.flatMap(wholeBlock), ...stop(stopReason), ...usageIn(usage), { kind: 'end' }]
    },
  }
}

function thoughtEvents({ text, signature, redactedContent }: Json): ReplyEvent[] {
  const events = reasoningEvents(text)
  if (textOf(signature)) events.push({ kind: 'signature', signature: signature as string })
  if (textOf(redactedContent)) events.push({ kind: 'redacted', data: redactedContent as string })
  return events
}

/** Converts the usage. Unlike Bedrock's input tokens, the gateway's prompt tokens include cached tokens. */
function usageIn(reported: unknown): ReplyEvent[] {
  const { inputTokens, outputTokens, cacheReadInputTokens, cacheWriteInputTokens } = recordOf(reported)
  const usage = readUsage({
    prompt_tokens: countOf(inputTokens) + countOf(cacheReadInputTokens) + countOf(cacheWriteInputTokens),
    completion_tokens: outputTokens,
    prompt_tokens_details: { cached_tokens: cacheReadInputTokens, cache_write_tokens: cacheWriteInputTokens },
  })
  return usageEvents(usage)
}
