import { isObject, wordOf } from '../../json.ts'
import type { PassingStream, RelayError, ReplyContext } from '../dialect.ts'
import { bareErrorEvent, failureOf, formatStep } from './failed.ts'
import { newId } from './items.ts'
import { responseObject } from './response.ts'

const LAST = new Set(['response.completed', 'response.incomplete', 'response.failed', 'response.cancelled', 'error'])

/** An upstream's own events on their way through: their bytes, but for the model's name where it was mapped. */
export function passingResponses(context: ReplyContext): PassingStream {
  /** The response as the upstream last told it, for an end that we have to write ourselves. */
  let told: Record<string, unknown> | undefined
  const output: unknown[] = []
  let sequence = 0
  return {
    contentType: 'text/event-stream; charset=utf-8',
    pass({ bytes, chunk, name }) {
      if (!chunk) return bytes
      sequence = typeof chunk.sequence_number === 'number' ? chunk.sequence_number + 1 : sequence
      if (chunk.type === 'response.output_item.done') output.push(chunk.item)
      if (!isObject(chunk.response)) return bytes
      const renames = context.renamesModel && 'model' in chunk.response && chunk.response.model !== context.model
      told = renames ? { ...chunk.response, model: context.model } : chunk.response
      if (!renames) return bytes
      const type = name || wordOf(chunk.type)
      return `event: ${type}\ndata: ${JSON.stringify({ ...chunk, response: told })}\n\n`
    },
    isLast: ({ chunk, done }) => done || (chunk !== undefined && LAST.has(wordOf(chunk.type))),
    end: () => '',
    broken: (error) =>
      told ? failedEvent(error, context, { told: { ...told, output }, sequence }) : bareErrorEvent(error),
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
