import type { ChatRequest, ContentPart } from '../../api/playground.ts'
import type { PlaygroundSettings } from './settings.ts'

/** `loading`: nothing has come yet; `incomplete`: it is being written. */
type MessageStatus = 'loading' | 'incomplete' | 'complete' | 'error'

export interface Message {
  id: string
  role: 'user' | 'assistant'
  content: string
  /** Addresses of pictures, as a rule `data:`. */
  images: string[]
  /** What a model thought before it spoke. */
  reasoning: string
  status: MessageStatus
  /** Why there is no more of it. */
  error?: string
  /** Ended by the reader. */
  stopped?: true
  usage?: { promptTokens: number; completionTokens: number }
}

export const userMessage = (content: string, images: string[]): Message => ({
  id: newId(),
  role: 'user',
  content,
  images,
  reasoning: '',
  status: 'complete',
})

export const emptyReply = (): Message => ({
  id: newId(),
  role: 'assistant',
  content: '',
  images: [],
  reasoning: '',
  status: 'loading',
})

// Not `randomUUID`: it needs an address with https.
const newId = (): string => Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('')

export const isOpen = ({ status }: Message): boolean => status === 'loading' || status === 'incomplete'

/** What is sent for these messages: a reply of which nothing came is left out. */
export function requestFor(
  { model, group, maxTokens, temperature, systemPrompt }: PlaygroundSettings,
  messages: readonly Message[],
): ChatRequest {
  const said = messages
    .filter(({ role, content, images }) => role === 'user' || content !== '' || images.length > 0)
    .map((message) => ({ role: message.role, content: contentOf(message) }))
  const system = systemPrompt.trim() === '' ? [] : [{ role: 'system' as const, content: systemPrompt }]
  return { messages: [...system, ...said], model, group, max_tokens: maxTokens, temperature }
}

function contentOf({ content, images }: Message): string | ContentPart[] {
  if (images.length === 0) return content
  const text: ContentPart[] = content === '' ? [] : [{ type: 'text', text: content }]
  return [...text, ...images.map((url) => ({ type: 'image_url' as const, image_url: { url } }))]
}

/** Changes one message of a conversation. */
export const changed = (messages: readonly Message[], id: string, change: (message: Message) => Message): Message[] =>
  messages.map((message) => (message.id === id ? change(message) : message))

/** The conversation up to a message, without it. */
export function before(messages: readonly Message[], id: string): Message[] {
  const at = messages.findIndex((message) => message.id === id)
  return at < 0 ? [...messages] : messages.slice(0, at)
}
