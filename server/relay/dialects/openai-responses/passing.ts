import { isObject, wordOf } from '../../json.ts'
import type { PassingStream, RelayError, ReplyContext } from '../dialect.ts'
import { bareErrorEvent, failureOf, formatStep } from './failed.ts'
import { newId } from './items.ts'
import { responseObject, responseUsage } from './response.ts'

/** Ends of responses that later requests may go on from. */
const STORED = new Set(['response.completed', 'response.incomplete'])
const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled', 'error'])

/**
 * An upstream's own events on their way through: their bytes, but for the model's name where it was mapped. Clients take a
 * stream for whole at its final response alone: one is put together where the upstream ended with nothing but `[DONE]`.
 */
export function passingResponses(context: ReplyContext): PassingStream {
  /** The response as the upstream last told it, for an end that we have to write ourselves. */
  let told: Record<string, unknown> | undefined
  const output: unknown[] = []
  let sequence = 0
  let ended = false
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass({ bytes, chunk, name, done }) {
      if (!chunk) return done && !ended ? undefined : bytes
      const isFinal = LAST.has(wordOf(chunk.type))
      ended ||= isFinal
      sequence = typeof chunk.sequence_number === 'number' ? chunk.sequence_number + 1 : sequence
      if (chunk.type === 'response.output_item.done') output.push(chunk.item)
      if (!isObject(chunk.response)) return bytes
      const renames = context.renamesModel && 'model' in chunk.response && chunk.response.model !== context.model
      // Several clients crash at a final response that does not repeat its items.
      const lacksOutput = isFinal && !Array.isArray(chunk.response.output)
      const stored = storedFields(chunk.response, context)
      told = {
        ...chunk.response,
        ...(renames && { model: context.model }),
        ...(lacksOutput && { output }),
        ...stored,
      }
      if (STORED.has(wordOf(chunk.type))) context.keep?.(told)
      if (!renames && !lacksOutput && !stored) return bytes
      const type = name || wordOf(chunk.type)
      return `event: ${type}\ndata: ${JSON.stringify({ ...chunk, response: told })}\n\n`
    },
    isLast: ({ chunk, done }) => done || (chunk !== undefined && LAST.has(wordOf(chunk.type))),
    end(usage) {
      if (ended || !told) return ''
      const used = usage && { usage: responseUsage(usage) }
      const response = { ...told, status: 'completed', output, ...used }
      context.keep?.(response)
      return formatStep('response.completed', sequence, { response })
    },
    broken: (error) =>
      told ? failedEvent(error, context, { told: { ...told, output }, sequence }) : bareErrorEvent(error),
  }
}

/**
 * What an upstream's response says of storage, as far as it differs from what the client is to read: earlier items may have been
 * put into the input here, and the response be stored here. Undefined: nothing.
 */
export function storedFields(
  response: Readonly<Record<string, unknown>>,
  { continued, keep }: Pick<ReplyContext, 'continued' | 'keep'>,
): Record<string, unknown> | undefined {
  const isStored = keep !== undefined && response.store === false
  if (!continued && !isStored) return undefined
  const { previousId, conversationId } = continued ?? {}
  return {
    ...(isStored && { store: true }),
    ...(previousId !== undefined && { previous_response_id: previousId }),
    ...(conversationId !== undefined && { conversation: { id: conversationId } }),
  }
}

/** The end of a stream that broke off: `response.failed`, which clients take for the final response. */
export function failedEvent(
  error: RelayError,
  context: ReplyContext,
  { told, sequence }: { told?: Record<string, unknown> | undefined; sequence: number },
): string {
  const state = { id: newId('resp'), status: 'failed', output: [], usage: undefined, error: failureOf(error) } as const
  const response = told ? { ...told, status: state.status, error: state.error } : responseObject(context, state)
  return formatStep('response.failed', sequence, { response })
}
