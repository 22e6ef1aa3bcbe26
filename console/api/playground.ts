import { ApiError, openStream } from './client.ts'
import { readEvents } from './event-stream.ts'

/** A part of what is said, as OpenAI's chat format has it. */
export type ContentPart = { type: 'text'; text: string } | { type: 'image_url'; image_url: { url: string } }

export interface ChatRequest {
  messages: { role: 'system' | 'user' | 'assistant'; content: string | ContentPart[] }[]
  model: string
  /** Empty: the user's own. */
  group: string
  /** 0 is no limit. */
  max_tokens: number
  temperature: number
}

/** What a moment of the stream brought. */
export type ReplyPart =
  | { kind: 'text' | 'reasoning'; text: string }
  | { kind: 'usage'; promptTokens: number; completionTokens: number }
  | { kind: 'error'; text: string }
  | { kind: 'done' }

/** A model may think for long before it speaks, and speak for long. */
const REPLY_TIMEOUT_MS = 3_600_000

/** A reply, in parts as they come. Ends with `done` or `error`; one that ends otherwise has broken off. */
export async function* chat(request: ChatRequest, signal: AbortSignal): AsyncGenerator<ReplyPart> {
  const { body } = await openStream('POST /pg/chat/completions', {
    body: { ...request, stream: true },
    signal,
    timeoutMs: REPLY_TIMEOUT_MS,
  })
  if (!body) return
  try {
    for await (const data of readEvents(body)) {
      for (const part of replyParts(data)) {
        yield part
        if (part.kind === 'done' || part.kind === 'error') return
      }
    }
  } catch (error) {
    signal.throwIfAborted() // stopped by the reader: not a failure
    throw new ApiError('unreachable', '', { cause: error })
  }
}

/** What one event says. An event that is no JSON, or none that is known, says nothing or is an error. */
export function replyParts(data: string): ReplyPart[] {
  if (data.trim() === '[DONE]') return [{ kind: 'done' }]
  const event = parsed(data)
  if (!isRecord(event)) return [{ kind: 'error', text: data }]
  if (event.error !== undefined && event.error !== null) return [{ kind: 'error', text: errorText(event.error) }]
  return [...deltaParts(event), ...usageParts(event)]
}

function deltaParts({ choices }: Record<string, unknown>): ReplyPart[] {
  const [choice]: unknown[] = Array.isArray(choices) ? choices : []
  if (!isRecord(choice) || !isRecord(choice.delta)) return []
  const { content, reasoning_content, reasoning } = choice.delta
  return [...textParts('reasoning', reasoning_content ?? reasoning), ...textParts('text', content)]
}

function textParts(kind: 'text' | 'reasoning', text: unknown): ReplyPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : []
}

function usageParts({ usage }: Record<string, unknown>): ReplyPart[] {
  if (!isRecord(usage)) return []
  const { prompt_tokens, completion_tokens } = usage
  if (typeof prompt_tokens !== 'number' || typeof completion_tokens !== 'number') return []
  return [{ kind: 'usage', promptTokens: prompt_tokens, completionTokens: completion_tokens }]
}

function errorText(error: unknown): string {
  if (isRecord(error) && typeof error.message === 'string') return error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

function parsed(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
