import { isRecord } from '../../../../core/records.ts'
import { wordOf } from '../../json.ts'
import type { RelayError, ReplyContext, StreamForwarder } from '../dialect.ts'
import { bareErrorEvent, formatWireEvent, responseErrorOf } from './events.ts'
import { newId } from './items.ts'
import { responseObject, toResponseUsage } from './response.ts'

/** Last events of responses that are stored, because later requests may continue them. */
const STORED_TYPES = new Set(['response.completed', 'response.incomplete'])
const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled', 'error'])

/**
 * Forwards the bytes of an upstream's events. Rewrites an event only if the model name, storage fields or final output
 * must change. Clients require a last event with the response, so the gateway writes this event if the upstream sends
 * only `[DONE]`.
 */
export function responsesForwarder(context: ReplyContext): StreamForwarder {
  /** The upstream's last response object, in case the gateway must write the last event. */
  let lastResponse: Record<string, unknown> | undefined
  const output: unknown[] = []
  let sequence = 0
  let hasEnded = false
  return {
    contentType: 'text/event-stream; charset=utf-8',
    forward({ bytes, payload, name, done }) {
      if (!payload) return done && !hasEnded ? undefined : bytes
      const isFinal = LAST.has(wordOf(payload.type))
      hasEnded ||= isFinal
      sequence = typeof payload.sequence_number === 'number' ? payload.sequence_number + 1 : sequence
      if (payload.type === 'response.output_item.done') output.push(payload.item)
      if (!isRecord(payload.response)) return bytes
      const renames = context.renamesModel && 'model' in payload.response && payload.response.model !== context.model
      // Several clients crash if the response in the last event has no `output`.
      const lacksOutput = isFinal && !Array.isArray(payload.response.output)
      const stored = storedFields(payload.response, context)
      lastResponse = {
        ...payload.response,
        ...(renames && { model: context.model }),
        ...(lacksOutput && { output }),
        ...stored,
      }
      if (STORED_TYPES.has(wordOf(payload.type))) context.store?.(lastResponse)
      if (!renames && !lacksOutput && !stored) return bytes
      const type = name || wordOf(payload.type)
      return `event: ${type}\ndata: ${JSON.stringify({ ...payload, response: lastResponse })}\n\n`
    },
    isLast: ({ payload, done }) => done || (payload !== undefined && LAST.has(wordOf(payload.type))),
    end(usage) {
      if (hasEnded || !lastResponse) return ''
      const usageField = usage && { usage: toResponseUsage(usage) }
      const response = { ...finalResponse(lastResponse, context, 'completed'), output, ...usageField }
      context.store?.(response)
      return formatWireEvent('response.completed', sequence, { response })
    },
    broken: (error) =>
      lastResponse
        ? failedEvent(error, context, { lastResponse: { ...lastResponse, output }, sequence })
        : bareErrorEvent(error),
  }
}

/**
 * Returns the storage fields that must differ from the upstream's response, if any. Fields differ if the gateway added
 * earlier items to the input, or if the gateway itself stores the response.
 */
export function storedFields(
  response: Readonly<Record<string, unknown>>,
  { continuedFrom, store }: Pick<ReplyContext, 'continuedFrom' | 'store'>,
): Record<string, unknown> | undefined {
  const isStored = store !== undefined && response.store === false
  if (!continuedFrom && !isStored) return undefined
  const { previousId, conversationId } = continuedFrom ?? {}
  return {
    ...(isStored && { store: true }),
    ...(previousId !== undefined && { previous_response_id: previousId }),
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
  }
}

/** Returns the end of an interrupted stream: a `response.failed` event, which clients treat as final. */
export function failedEvent(
  error: RelayError,
  context: ReplyContext,
  { lastResponse, sequence }: { lastResponse?: Record<string, unknown> | undefined; sequence: number },
): string {
  const response = { ...finalResponse(lastResponse, context, 'failed'), error: responseErrorOf(error) }
  return formatWireEvent('response.failed', sequence, { response })
}

/** Returns the upstream's response, with its final status and with all fields that clients require. */
function finalResponse(
  lastResponse: Record<string, unknown> | undefined,
  context: ReplyContext,
  status: 'completed' | 'failed',
): Record<string, unknown> {
  const required = responseObject(context, { id: newId('resp'), status, output: [], usage: undefined })
  return { ...required, ...lastResponse, status, completed_at: required.completed_at }
}
