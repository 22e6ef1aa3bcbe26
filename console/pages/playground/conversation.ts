import type { ContentPart, PlaygroundRequest } from '../../api/playground.ts'
import { randomKey } from '../../api/request-keys.ts'
import { type PlaygroundSettings, parseTools } from './settings.ts'

/** `loading`: no data has arrived. `incomplete`: the reply is streaming. */
type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface PlaygroundMessage {
  id: string
  role: 'user' | 'assistant'
  content: string
  /** URLs of images, usually `data:` URLs. */
  images: string[]
  /** The model's reasoning. */
  reasoning: string
  status: MessageStatus
  /** The error text, if the reply failed or broke off. */
  error?: string
  /** True if the reply was stopped before its end. */
  stopped?: true
  usage?: { promptTokens: number; completionTokens: number; cachedTokens: number }
  /** The requested model of a reply. `group` is the requested group. */
  model?: string
  group?: string
  /** Index of the reply among parallel replies of several models. Absent for a single reply. */
  lane?: number
  /** Milliseconds from the request to the first and to the last part of the reply. */
  timing?: { firstMs?: number; totalMs?: number }
  requestId?: string
  /** Tool calls of the model. `text` is the arguments. */
  calls?: { name: string; text: string }[]
}

export const userMessage = (content: string, images: string[]): PlaygroundMessage => ({
  id: randomKey(),
  role: 'user',
  content,
  images,
  reasoning: '',
  status: 'complete',
})

export const emptyReply = (of: Pick<PlaygroundMessage, 'model' | 'group' | 'lane'> = {}): PlaygroundMessage => ({
  id: randomKey(),
  role: 'assistant',
  content: '',
  images: [],
  reasoning: '',
  status: 'loading',
  ...of,
})

export const isOpen = ({ status }: PlaygroundMessage): boolean => status === 'loading' || status === 'incomplete'

/** Returns the request for these messages. Omits empty replies, and parallel replies of other lanes. */
export function requestFor(
  settings: PlaygroundSettings,
  messages: readonly PlaygroundMessage[],
  /** Of parallel replies, the request contains only the replies of this lane. */
  lane = 0,
): PlaygroundRequest {
  const { model, group, maxTokens, temperature, topP, effort, json, systemPrompt } = settings
  const tools = parseTools(settings.tools) ?? []
  const sentMessages = messages
    .filter((message) => message.lane === undefined || message.lane === lane)
    .filter(({ role, content, images }) => role === 'user' || content !== '' || images.length > 0)
    .map((message) => ({ role: message.role, content: contentOf(message) }))
  const system = systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]
  return {
    messages: [...system, ...sentMessages],
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

function contentOf({ content, images }: PlaygroundMessage): string | ContentPart[] {
  if (images.length === 0) return content
  const text: ContentPart[] = content === '' ? [] : [{ type: 'text', text: content }]
  return [...text, ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } }))]
}

/** Returns the messages with the change applied to the message with this id. */
export const withChange = (
  messages: readonly PlaygroundMessage[],
  id: string,
  change: (message: PlaygroundMessage) => PlaygroundMessage,
): PlaygroundMessage[] => messages.map((message) => (message.id === id ? change(message) : message))

/** Returns the messages before the message with this id; all messages if no message has the id. */
export function messagesBefore(messages: readonly PlaygroundMessage[], id: string): PlaygroundMessage[] {
  const index = messages.findIndex((message) => message.id === id)
  return index < 0 ? [...messages] : messages.slice(0, index)
}

/** Groups the messages into the displayed rows. Parallel replies to the same prompt share a row. */
export function messageRows(messages: readonly PlaygroundMessage[]): PlaygroundMessage[][] {
  const groups: PlaygroundMessage[][] = []
  for (const message of messages) {
    const lastRow = groups.at(-1)
    if (message.lane !== undefined && message.lane > 0 && lastRow?.every(({ lane }) => lane !== undefined))
      lastRow.push(message)
    else groups.push([message])
  }
  return groups
}
