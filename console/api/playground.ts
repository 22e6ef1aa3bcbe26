import { isRecord } from '../records.ts'
import { ApiError, openStream } from './client.ts'
import { readEvents } from './event-stream.ts'

/** A part of a message's content, in OpenAI's chat format. */
export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface PlaygroundRequest {
  messages: { role: 'system' | 'user' | 'assistant'; content: string | ContentPart[] }[]
  model: string
  /** Empty for the user's group. */
  group: string
  /** 0 for no limit. */
  max_tokens: number
  temperature?: number
  top_p?: number
  reasoning_effort?: string
  response_format?: { type: 'json_object' }
  tools?: object[]
}

/** Part of a streamed reply. */
export type ReplyPart =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'usage'; promptTokens: number; completionTokens: number; cachedTokens: number }
  /** The next piece of a tool call. `place` is the index of the call in the reply. */
  | { kind: 'tool'; place: number; name: string; text: string }
  /** The reply has started. The gateway logs the request under this id; empty if the gateway sent no id. */
  | { kind: 'opened'; requestId: string }
  /** The unchanged data of an event. */
  | { kind: 'raw'; text: string }
  | { kind: 'error'; text: string }
  | { kind: 'done' }

/** Time limit of a reply. A model may need a long time before its first output, and may write long replies. */
const REPLY_TIMEOUT_MS = 3_600_000

/**
 * Yields the parts of a streamed reply. If the last part is neither `done` nor `error`, the reply broke off. Throws an
 * ApiError; if `signal` aborts the reply, throws the signal's reason.
 */
export async function* streamChat(request: PlaygroundRequest, signal: AbortSignal): AsyncGenerator<ReplyPart> {
  const { body, headers } = await openStream('POST /pg/chat/completions', {
    body: { ...request, stream: true },
    signal,
    timeoutMs: REPLY_TIMEOUT_MS,
  })
  if (!body) return
  yield { kind: 'opened', requestId: headers.get('x-oneapi-request-id') ?? '' }
  try {
    for await (const data of readEvents(body)) {
      yield { kind: 'raw', text: data }
      for (const part of replyParts(data)) {
        yield part
        if (part.kind === 'done' || part.kind === 'error') return
      }
    }
  } catch (error) {
    signal.throwIfAborted() // the user stopped the reply: not a failure
    throw new ApiError('unreachable', '', { cause: error })
  }
}

/** Returns the parts of one event. For an event that is not a JSON object, returns an `error`. */
export function replyParts(data: string): ReplyPart[] {
  if (data.trim() === '[DONE]') return [{ kind: 'done' }]
  const event = parseJson(data)
  if (!isRecord(event)) return [{ kind: 'error', text: data }]
  if (event.error !== undefined && event.error !== null) return [{ kind: 'error', text: errorText(event.error) }]
  return [...deltaParts(event), ...usageParts(event)]
}

function deltaParts({ choices }: Record<string, unknown>): ReplyPart[] {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : []
  if (!isRecord(choice) || !isRecord(choice.delta)) return []
  const { content, reasoning_content, reasoning, tool_calls } = choice.delta
  return [
    ...textParts('reasoning', reasoning_content ?? reasoning),
    ...textParts('text', content),
    ...toolParts(tool_calls),
  ]
}

function textParts(kind: 'text' | 'reasoning', text: unknown): ReplyPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : []
}

function toolParts(calls: unknown): ReplyPart[] {
  if (!Array.isArray(calls)) return []
  return calls.filter(isRecord).map(({ index, function: called }, place) => {
    const { name, arguments: text } = isRecord(called) ? called : {}
    return {
      kind: 'tool',
      place: typeof index === 'number' ? index : place,
      name: typeof name === 'string' ? name : '',
      text: typeof text === 'string' ? text : '',
    }
  })
}

function usageParts({ usage }: Record<string, unknown>): ReplyPart[] {
  if (!isRecord(usage)) return []
  const { prompt_tokens, completion_tokens } = usage
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return []
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {}
  const cachedTokens = typeof details.cached_tokens === 'number' ? details.cached_tokens : 0
  return [{ kind: 'usage', promptTokens: prompt_tokens, completionTokens: completion_tokens, cachedTokens }]
}

function errorText(error: unknown): string {
  if (isRecord(error) && typeof error.message === 'string') return error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

function parseJson(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}
