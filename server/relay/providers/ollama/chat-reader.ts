import { randomBytes } from 'node:crypto'
import { recordOf } from '../../../../core/records.ts'
import type { ReplyEvent } from '../../conversation/conversation.ts'
import { arrayOf, type Json, objectsOf, textOf, wordOf } from '../../json.ts'
import type { ReplyReader } from '../provider.ts'
import { isReplyError, replyError } from '../reply-error.ts'
import { reasoningEvents, textEvents, tokenUsageEvents } from '../reply-events.ts'

/**
 * Reads Ollama's own chat format, whole or streamed in lines: https://github.com/ollama/ollama/blob/main/docs/api.md.
 * Each call is complete and has no id. Its arguments are an object.
 */
export function ollamaReader(): ReplyReader {
  let hasBegun = false
  let calls = 0

  function read(body: Json): ReplyEvent[] {
    if (isReplyError(body)) return [{ kind: 'error', error: replyError(body) }]
    const events: ReplyEvent[] = []
    const model = textOf(body.model)
    if (!hasBegun && model) events.push({ kind: 'start', model })
    hasBegun = true
    const { thinking, content, tool_calls } = recordOf(body.message)
    events.push(...reasoningEvents(thinking), ...textEvents(content))
    for (const { function: called } of objectsOf(tool_calls)) events.push(...readCall(recordOf(called)))
    const logprobs = objectsOf(body.logprobs)
    if (logprobs.length > 0)
      events.push({ kind: 'logprobs', logprobs: { content: logprobs.map(withTop), refusal: null } })
    if (body.done === true) events.push(...readEnd(body))
    return events
  }

  function readCall({ name, arguments: args }: Json): ReplyEvent[] {
    const call = calls++
    const id = `call_${randomBytes(12).toString('hex')}`
    return [
      { kind: 'call', call, id, name: wordOf(name) },
      { kind: 'arguments', call, text: typeof args === 'string' ? args : JSON.stringify(recordOf(args)) },
    ]
  }

  /** Returns the last events. If the whole prompt is cached, Ollama reports no token count for the prompt. */
  function readEnd({ done_reason, prompt_eval_count, eval_count }: Json): ReplyEvent[] {
    const reason = done_reason === 'length' ? 'length' : calls > 0 ? 'tools' : 'stop'
    return [{ kind: 'stop', reason }, ...tokenUsageEvents(prompt_eval_count, eval_count), { kind: 'end' }]
  }

  return {
    event: ({ payload }) => (payload ? read(payload) : []),
    whole: read,
  }
}

/** Adds the list of alternatives, which OpenAI's clients require. */
function withTop(logprob: Json): Json {
  return { ...logprob, top_logprobs: arrayOf(logprob.top_logprobs) }
}
