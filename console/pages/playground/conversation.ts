import type { ChatRequest, ContentPart } from '../../api/playground.ts'
import { type PlaygroundSettings, toolsOf } from './settings.ts'

/** `loading`: no data yet; `incomplete`: streaming. */
type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Message {
  id: string
  role: 'user' | 'assistant'
  content: string
  /** URLs of images, usually `data:`. */
  images: string[]
  /** The model's reasoning. */
  reasoning: string
  status: MessageStatus
  /** Why the reply ended early. */
  error?: string
  /** Stopped by the user. */
  stopped?: true
  usage?: { promptTokens: number; completionTokens: number; cachedTokens: number }
  /** For replies: the model and the group. */
  model?: string
  group?: string
  /** For parallel replies: the index among them. */
  lane?: number
  /** Milliseconds since the request was sent. */
  timing?: { firstMs?: number; totalMs?: number }
  requestId?: string
  /** Tool calls by the model. */
  calls?: { name: string; text: string }[]
}

export const userMessage = (content: string, images: string[]): Message => ({
  id: newId(),
  role: 'user',
  content,
  images,
  reasoning: '',
  status: 'complete',
})

export const emptyReply = (of: Pick<Message, 'model' | 'group' | 'lane'> = {}): Message => ({
  id: newId(),
  role: 'assistant',
  content: '',
  images: [],
  reasoning: '',
  status: 'loading',
  ...of,
})

// `randomUUID` requires https.
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')

export const isOpen = ({ status }: Message): boolean => status === 'loading' || status === 'incomplete'

/** Builds the request for these messages, without empty replies. */
export function requestFor(
  settings: PlaygroundSettings,
  messages: readonly Message[],
  /** The parallel reply that belongs to this conversation. */
  lane = 0,
): ChatRequest {
  const { model, group, maxTokens, temperature, topP, effort, json, systemPrompt } = settings
  const tools = toolsOf(settings.tools) ?? []
  const relevant = messages
    .filter((message) => message.lane === undefined || message.lane === lane)
    .filter(({ role, content, images }) => role === 'user' || content !== '' || images.length > 0)
    .map((message) => ({ role: message.role, content: contentOf(message) }))
  const system = systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]
  return {
    messages: [...system, ...relevant],
    model,
    group,
    max_tokens: maxTokens,
    ...(temperature !== null && { temperature }),
    ...(topP !== null && { top_p: topP }),
    ...(effort !== '' && { reasoning_effort: effort }),
    ...(json && { response_format: { type: 'json_object' as const } }),
    ...(tools.length > 0 && { tools }),
  }
}

function contentOf({ content, images }: Message): string | ContentPart[] {
  if (images.length === 0) return content
  const text: ContentPart[] = content === '' ? [] : [{ type: 'text', text: content }]
  return [...text, ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } }))]
}

/** Returns the messages with one of them changed. */
export const changed = (messages: readonly Message[], id: string, change: (message: Message) => Message): Message[] =>
  messages.map((message) => (message.id === id ? change(message) : message))

/** Returns the messages before a given one. */
export function before(messages: readonly Message[], id: string): Message[] {
  const index = messages.findIndex((message) => message.id === id)
  return index < 0 ? [...messages] : messages.slice(0, index)
}

/** Messages by displayed row: replies to the same prompt share a row. */
export function rows(messages: readonly Message[]): Message[][] {
  const groups: Message[][] = []
  for (const message of messages) {
    const last = groups.at(-1)
    if (message.lane !== undefined && message.lane > 0 && last?.every(({ lane }) => lane !== undefined))
      last.push(message)
    else groups.push([message])
  }
  return groups
}
