import type { StopReason } from '../../conversation/conversation.ts'
import { arrayOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

const REASONS: Record<StopReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  filter: 'refusal',
}

/** Details of a refusal. Only Anthropic reports the category and the explanation, so these are null. */
const REFUSAL = { type: 'refusal' as const, category: null, explanation: null }

interface StopFields {
  stop_reason: string
  stop_sequence: string | null
  stop_details: typeof REFUSAL | null
}

/**
 * Returns the fields that state why a reply ended. Reports a stop sequence only if the client's request contains it.
 */
export function stopFields(
  { stop, sequence }: { stop: StopReason | undefined; sequence: string | undefined },
  { calls, refused, body }: { calls: number; refused: boolean; body: Body },
): StopFields {
  const reason = reasonOf(stop ?? 'stop', { calls, refused })
  const isSequence = reason === 'stop' && sequence !== undefined && arrayOf(body.stop_sequences).includes(sequence)
  return {
    stop_reason: isSequence ? 'stop_sequence' : REASONS[reason],
    stop_sequence: isSequence ? sequence : null,
    stop_details: reason === 'filter' ? REFUSAL : null,
  }
}

function reasonOf(stop: StopReason, { calls, refused }: { calls: number; refused: boolean }): StopReason {
  if (stop !== 'stop') return stop
  if (calls > 0) return 'tools'
  return refused ? 'filter' : 'stop'
}
