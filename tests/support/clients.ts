import { parseObject } from '../../core/input.ts'
import { recordOf } from '../../core/records.ts'
import type { Json } from '../../server/relay/json.ts'
import { objectsOf } from '../../server/relay/json.ts'
import { tokensOf } from './count.ts'
import { payloads } from './reply-context.ts'

export type ClientName = 'chat' | 'completions' | 'responses' | 'messages' | 'gemini'

/** A reply as parsed by a client of some dialect. */
export interface Got {
  content: string
  /** Whether the client regards the reply as complete. */
  ended: boolean
  /** The stop reason in the dialect's terms. */
  stop: unknown
  error: string | undefined
  /** Prompt and completion tokens, as reported in the dialect. */
  used: [prompt: number, completion: number] | undefined
}

/** A client that sends hello in one dialect. */
export interface Client {
  ask(model: string, stream: boolean): { path: string; body: Json }
  /** Tokens of that prompt in this dialect. */
  readonly promptTokens: number
  /** This dialect's stop reason for a truncated reply. */
  readonly cut: string
  read(text: string, stream: boolean): Got
}

const hello = tokensOf('hello')
const messages = [{ role: 'user', content: 'hello' }]
const bodies = (text: string, stream: boolean): Json[] => (stream ? payloads(text) : [parseObject(text) ?? {}])
const errorIn = (found: readonly Json[]) => {
  const error = found.map(({ error }) => recordOf(error).message).find(Boolean)
  return error === undefined ? undefined : String(error)
}
const counts = (usage: unknown, [prompt, completion]: [string, string]): Got['used'] => {
  const report = recordOf(usage)
  return prompt in report ? [Number(report[prompt]), Number(report[completion])] : undefined
}
const lastOf = <T>(found: readonly T[]): T | undefined => found.findLast((one) => one !== undefined && one !== null)

function readChoices(text: string, stream: boolean, content: (choice: Json) => unknown): Got {
  const parsed = bodies(text, stream)
  const choices = parsed.flatMap(({ choices }) => objectsOf(choices))
  return {
    content: choices.map((choice) => content(choice) ?? '').join(''),
    ended: stream ? text.endsWith('data: [DONE]\n\n') : choices.length > 0,
    stop: lastOf(choices.map(({ finish_reason }) => finish_reason)),
    error: errorIn(parsed),
    used: counts(lastOf(parsed.map(({ usage }) => usage)), ['prompt_tokens', 'completion_tokens']),
  }
}

const withUsage = (stream: boolean) => (stream ? { stream, stream_options: { include_usage: true } } : {})

export const CLIENTS: Record<ClientName, Client> = {
  chat: {
    ask: (model, stream) => ({ path: '/v1/chat/completions', body: { model, messages, ...withUsage(stream) } }),
    promptTokens: hello + 4 + 3,
    cut: 'length',
    read: (text, stream) =>
      readChoices(text, stream, ({ delta, message }) => recordOf(delta).content ?? recordOf(message).content),
  },
  completions: {
    ask: (model, stream) => ({ path: '/v1/completions', body: { model, prompt: 'hello', ...withUsage(stream) } }),
    promptTokens: hello,
    cut: 'length',
    read: (text, stream) => readChoices(text, stream, (choice) => choice.text),
  },
  responses: {
    ask: (model, stream) => ({ path: '/v1/responses', body: { model, input: 'hello', stream } }),
    promptTokens: hello + 4 + 3,
    cut: 'incomplete',
    read(text, stream) {
      const parsed = bodies(text, stream)
      const last = stream ? recordOf(lastOf(parsed.map(({ response }) => response))) : (parsed[0] ?? {})
      const deltas = parsed.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta)
      const whole = objectsOf(last.output).flatMap(({ content }) => objectsOf(content).map((part) => part.text))
      const bare = parsed.find(({ type }) => type === 'error')
      return {
        content: (stream ? deltas : whole).join(''),
        ended: last.status === 'completed' || last.status === 'incomplete',
        stop: last.status,
        error: errorIn([last]) ?? (bare && String(bare.message)),
        used: counts(last.usage, ['input_tokens', 'output_tokens']),
      }
    },
  },
  messages: {
    ask: (model, stream) => ({ path: '/v1/messages', body: { model, max_tokens: 500, messages, stream } }),
    promptTokens: hello + 4,
    cut: 'max_tokens',
    read(text, stream) {
      const parsed = bodies(text, stream)
      const wholes = parsed.flatMap(({ content }) => objectsOf(content))
      const texts = stream ? parsed.map(({ delta }) => recordOf(delta).text) : wholes.map((block) => block.text)
      const used = recordOf(lastOf(parsed.map(({ usage }) => usage)))
      const number = (name: string) => Number(used[name] ?? 0)
      const prompt = number('input_tokens') + number('cache_read_input_tokens') + number('cache_creation_input_tokens')
      return {
        content: texts.join(''),
        ended: stream ? parsed.at(-1)?.type === 'message_stop' : wholes.length > 0,
        stop: lastOf(parsed.map(({ delta, stop_reason }) => recordOf(delta).stop_reason ?? stop_reason)),
        error: errorIn(parsed),
        used: 'output_tokens' in used ? [prompt, number('output_tokens')] : undefined,
      }
    },
  },
  gemini: {
    ask: (model, stream) => ({
      path: `/v1beta/models/${model}:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
      body: { contents: [{ role: 'user', parts: [{ text: 'hello' }] }] },
    }),
    promptTokens: hello + 4,
    cut: 'MAX_TOKENS',
    read(text, stream) {
      const parsed = bodies(text, stream)
      const candidates = parsed.flatMap(({ candidates }) => objectsOf(candidates))
      const used = recordOf(lastOf(parsed.map(({ usageMetadata }) => usageMetadata)))
      const [prompt, completion] = counts(used, ['promptTokenCount', 'candidatesTokenCount']) ?? []
      const stop = lastOf(candidates.map(({ finishReason }) => finishReason))
      return {
        content: candidates
          .flatMap(({ content }) => objectsOf(recordOf(content).parts))
          .map((part) => part.text ?? '')
          .join(''),
        ended: stop !== undefined,
        stop,
        error: errorIn(parsed),
        used: prompt === undefined ? undefined : [prompt, Number(completion) + Number(used.thoughtsTokenCount ?? 0)],
      }
    },
  },
}
