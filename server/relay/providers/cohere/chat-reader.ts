import type { Usage } from '../../../../core/pricing/prices.ts'
import { recordOf } from '../../../../core/records.ts'
import { readUsage } from '../../charging/usage.ts'
import type { ReplyError, ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { countOf, type Json, lookup, numberOf, objectsOf, textOf } from '../../json.ts'
import type { ReplyReader } from '../provider.ts'
import { isReplyError, replyError } from '../reply-error.ts'
import { reasoningEvents, textEvents, usageEvents } from '../reply-events.ts'

const STOPS: Readonly<Record<string, StopReason>> = lookup({
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  TOOL_CALL: 'tools',
  ERROR_TOXIC: 'filter',
})
/** HTTP statuses by the finish reasons of failed replies. */
const FAILURE_STATUSES: Readonly<Record<string, number>> = lookup({ ERROR: 500, ERROR_LIMIT: 500, TIMEOUT: 504 })

/** Reads replies of version 2 of Cohere's Chat API, streamed or whole. https://docs.cohere.com/v2/docs/streaming */
export function cohereChatReader(): ReplyReader {
  /** Calls by the upstream's index. `call` is the call's number in the order of their start. */
  const calls = new Map<unknown, { call: number; empty: boolean }>()
  let hasEnded = false

  function begin(index: unknown, { id, function: called }: Json): ReplyEvent[] {
    const call = calls.size
    calls.set(index, { call, empty: true })
    const { name, arguments: first } = recordOf(called)
    const start: ReplyEvent = { kind: 'call', call, id: textOf(id) ?? `call_${call}`, name: textOf(name) ?? '' }
    return [start, ...argumentEvents(index, first)]
  }

  function argumentEvents(index: unknown, text: unknown): ReplyEvent[] {
    const openCall = calls.get(index)
    const piece = textOf(text)
    if (!openCall || !piece) return []
    openCall.empty = false
    return [{ kind: 'arguments', call: openCall.call, text: piece }]
  }

  function finish(index: unknown): ReplyEvent[] {
    const openCall = calls.get(index)
    return openCall?.empty ? [{ kind: 'arguments', call: openCall.call, text: '{}' }] : []
  }

  function end({ finish_reason, usage, error }: Json): ReplyEvent[] {
    const reason = textOf(finish_reason) ?? ''
    const status = FAILURE_STATUSES[reason]
    if (status || textOf(error)) return [...usageIn(usage), { kind: 'error', error: errorOf(error, reason, status) }]
    const stop = STOPS[reason] ?? 'stop'
    hasEnded = true
    return [
      { kind: 'stop', reason: stop === 'stop' && calls.size ? 'tools' : stop },
      ...usageIn(usage),
      { kind: 'end' },
    ]
  }

  const EVENTS: Readonly<Record<string, (message: Json, event: Json) => ReplyEvent[]>> = lookup({
    'message-start': (_, { id }) => [startOf(id)],
    'content-start': ({ content }) => contentEvents(recordOf(content)),
    'content-delta': ({ content }) => contentEvents(recordOf(content)),
    'tool-plan-delta': ({ tool_plan }) => reasoningEvents(tool_plan),
    'tool-call-start': ({ tool_calls }, { index }) => begin(index, recordOf(tool_calls)),
    'tool-call-delta': ({ tool_calls }, { index }) =>
      argumentEvents(index, recordOf(recordOf(tool_calls).function).arguments),
    'tool-call-end': (_, { index }) => finish(index),
    'citation-start': ({ citations }) => citationEvents(recordOf(citations)),
    'message-end': (_, { delta }) => end(recordOf(delta)),
  })

  return {
    event({ payload, done, name }) {
      if (done) return hasEnded ? [] : [{ kind: 'end' }]
      if (!payload) return []
      const message = recordOf(recordOf(payload.delta).message)
      const readEvent = EVENTS[textOf(payload.type) ?? name]
      if (readEvent) return readEvent(message, payload)
      if (isReplyError(payload)) return [{ kind: 'error', error: replyError(payload) }]
      // In a stream, an error may have only a message, without a type.
      return textOf(payload.message) && !payload.type
        ? [{ kind: 'error', error: errorOf(payload.message, '', undefined) }]
        : []
    },
    whole({ id, message, finish_reason, usage, error }) {
      const { content, tool_plan, tool_calls, citations } = recordOf(message)
      return [
        startOf(id),
        ...reasoningEvents(tool_plan),
        ...(typeof content === 'string' ? textEvents(content) : objectsOf(content).flatMap(contentEvents)),
        ...objectsOf(tool_calls).flatMap((call, at) => [...begin(at, call), ...finish(at)]),
        ...objectsOf(citations).flatMap(citationEvents),
        ...end({ finish_reason, usage, error }),
      ]
    },
  }
}

function startOf(id: unknown): ReplyEvent {
  return textOf(id) ? { kind: 'start', id: id as string } : { kind: 'start' }
}

function contentEvents({ text, thinking }: Json): ReplyEvent[] {
  return [...reasoningEvents(thinking), ...textEvents(text)]
}

/** Returns a citation for each source that has a URL. */
function citationEvents({ start, end, text, sources }: Json): ReplyEvent[] {
  return objectsOf(sources).flatMap(({ document }): ReplyEvent[] => {
    const { url, title } = recordOf(document)
    const address = textOf(url)
    if (!address) return []
    const name = textOf(title)
    const from = numberOf(start)
    const to = numberOf(end)
    const quote = textOf(text)
    return [
      {
        kind: 'citation',
        citation: {
          url: address,
          ...(name && { title: name }),
          ...(from !== undefined && { start: from }),
          ...(to !== undefined && { end: to }),
          ...(quote && { quote }),
        },
      },
    ]
  })
}

/** Converts the usage. Prefers billed units, because `tokens` also includes Cohere's own instructions. */
function usageIn(reported: unknown): ReplyEvent[] {
  const { billed_units, tokens, cached_tokens } = recordOf(reported)
  return usageEvents(countsIn(billed_units, cached_tokens) ?? countsIn(tokens, cached_tokens))
}

function countsIn(counts: unknown, cached_tokens: unknown): Usage | undefined {
  const { input_tokens, output_tokens } = recordOf(counts)
  const cached = Math.min(countOf(cached_tokens), countOf(input_tokens))
  return readUsage({
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    prompt_tokens_details: { cached_tokens: cached },
  })
}

function errorOf(error: unknown, reason: string, status: number | undefined): ReplyError {
  const message = textOf(error) ?? textOf(recordOf(error).message) ?? `The upstream ended its reply with ${reason}`
  return { message, code: reason || undefined, status: status ?? 500 }
}
