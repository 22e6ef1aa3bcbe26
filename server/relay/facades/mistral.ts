import { defined, recordOf } from '../../../core/records.ts'
import { type Json, objectsOf, textOf } from '../json.ts'
import type { Facade, FacadeStream } from './facade.ts'

export const mistralError = (status: number, message: string): Json => ({
  object: 'error',
  message,
  type: status < 500 ? 'invalid_request_error' : 'server_error',
  param: null,
  code: null,
})

/** Converts a request for the text between two texts: https://docs.mistral.ai/api/endpoint/fim */
export function mistralFill(body: Json): Facade {
  const { random_seed: seed, suffix, ...fields } = body
  const isStream = body.stream === true
  return {
    path: '/v1/completions',
    body: defined({
      ...fields,
      suffix: textOf(suffix) ?? (typeof suffix === 'string' || suffix === null ? undefined : suffix),
      seed: seed ?? undefined,
      ...(isStream && { stream_options: { include_usage: true } }),
    }),
    whole: (reply) =>
      toChat(reply, 'chat.completion', ({ text, ...choice }) => ({ ...choice, message: assistantMessage(text) })),
    ...(isStream && { stream: fillStream() }),
  }
}

const assistantMessage = (text: unknown): Json => ({ role: 'assistant', content: textOf(text) ?? '', tool_calls: null })

function fillStream(): FacadeStream {
  const format = (payload: Json) => `data: ${JSON.stringify(payload)}\n\n`
  return {
    contentType: 'text/event-stream; charset=utf-8',
    chunk: (chunk) =>
      format(
        toChat(chunk, 'chat.completion.chunk', ({ text, ...choice }) => ({
          ...choice,
          delta: { role: 'assistant', content: textOf(text) ?? '' },
        })),
      ),
    end: (error) => (error ? format(error) : 'data: [DONE]\n\n'),
  }
}

function toChat({ id, created, model, choices, usage }: Json, object: string, choiceOf: (choice: Json) => Json): Json {
  return defined({
    id,
    object,
    created,
    model,
    choices: objectsOf(choices).map(({ index, text, finish_reason }) =>
      choiceOf({ index, text, finish_reason: finish_reason ?? null }),
    ),
    usage: usage ? plainUsage(recordOf(usage)) : undefined,
  })
}

function plainUsage({ prompt_tokens, completion_tokens, total_tokens }: Json): Json {
  return { prompt_tokens, completion_tokens, total_tokens }
}
