import type { StopReason } from '../../conversation/conversation.ts'
import { arrayOf } from '../../json.ts'
import type { Body } from '../dialect.ts'

const REASONS: Record<StopReason, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tools: 'tool_use',
  filter: 'refusal',
}

/** Returns how a reply ended. Names a stop sequence only if the client sent it. */
export function stopFields(
  { stop, sequence }: { stop: StopReason | undefined; sequence: string | undefined },
  { calls, refused, body }: { calls: number; refused: boolean; body: Body },
): { stop_reason: string; stop_sequence: string | null } {
  const ended = stop ?? 'stop'
  if (ended === 'stop' && calls > 0) return { stop_reason: REASONS.tools, stop_sequence: null }
  if (ended === 'stop' && refused) return { stop_reason: REASONS.filter, stop_sequence: null }
  if (ended === 'stop' && sequence !== undefined && arrayOf(body.stop_sequences).includes(sequence)) {
    return { stop_reason: 'stop_sequence', stop_sequence: sequence }
  }
  return { stop_reason: REASONS[ended], stop_sequence: null }
}
