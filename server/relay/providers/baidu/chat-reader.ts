import { isRecord, recordOf } from '../../../../core/records.ts'
import type { ReplyEvent, StopReason } from '../../conversation/conversation.ts'
import { countOf, type Json, lookup, textOf } from '../../json.ts'
import type { StreamEvent } from '../../transport/events.ts'
import type { ReplyReader } from '../provider.ts'
import { reasoningEvents, textEvents, tokenUsageEvents } from '../reply-events.ts'
import { replyErrorOf } from '../vendor-error.ts'
import { baiduError } from './errors.ts'

const STOPS: Readonly<Record<string, StopReason>> = lookup({
  normal: 'stop',
  stop: 'stop',
  length: 'length',
  function_call: 'tools',
  content_filter: 'filter',
})

/**
 * Reads replies of Baidu's chat endpoints. `is_end` marks the last chunk.
 * https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
export function baiduChatReader(): ReplyReader {
  let hasBegun = false
  let calls = 0

  function read(body: Json): ReplyEvent[] {
    const error = baiduError(body)
    if (error) return [{ kind: 'error', error: replyErrorOf(error) }]
    const events: ReplyEvent[] = []
    const id = textOf(body.id)
    if (!hasBegun && id) {
      hasBegun = true
      events.push({ kind: 'start', id })
    }
    events.push(...textEvents(body.result))
    if (isRecord(body.function_call)) events.push(...callEvents(body.function_call, id))
    return [...events, ...usageSoFar(body)]
  }

  function callEvents(called: Json, id: string | undefined): ReplyEvent[] {
    const name = textOf(called.name)
    if (!name) return []
    const call = calls++
    const args = textOf(called.arguments)
    return [
      ...reasoningEvents(called.thoughts),
      // Baidu's calls have no id, because Baidu matches results to calls by position.
      { kind: 'call', call, id: `call_${id ?? 'baidu'}_${call}`, name },
      ...(args ? [{ kind: 'arguments', call, text: args } as const] : []),
    ]
  }

  function endEvents(body: Json): ReplyEvent[] {
    return [{ kind: 'stop', reason: stopOf(body, calls) }, { kind: 'end' }]
  }

  return {
    event({ payload }: StreamEvent) {
      if (!payload) return []
      const events = read(payload)
      return payload.is_end === true ? [...events, ...endEvents(payload)] : events
    },
    whole(body) {
      const events = read(body)
      return events.some(({ kind }) => kind === 'error') ? events : [...events, ...endEvents(body)]
    },
  }
}

function stopOf(body: Json, calls: number): StopReason {
  if (body.need_clear_history === true) return 'filter'
  if (body.is_truncated === true) return 'length'
  const stop = STOPS[textOf(body.finish_reason) ?? ''] ?? 'stop'
  return stop === 'stop' && calls > 0 ? 'tools' : stop
}

/** Reads the usage, which is a running total in each chunk. The completion tokens are the rest of the total. */
function usageSoFar(body: Json): ReplyEvent[] {
  const { prompt_tokens, total_tokens } = recordOf(body.usage)
  return tokenUsageEvents(prompt_tokens, countOf(total_tokens) - countOf(prompt_tokens))
}
