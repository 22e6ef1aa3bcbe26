import { session } from '../../session.ts'
import { readStored, writeStored } from '../../storage.ts'
import { isOpen, type Message } from './conversation.ts'
import { DEFAULT_SETTINGS, type PlaygroundSettings } from './settings.ts'

/** One user's playground data, stored in this browser. */
interface StoredConversation {
  userId: number
  settings: PlaygroundSettings
  messages: Message[]
}

/** Browsers store five million characters for the whole console. */
const CHARACTERS_MAX = 1_500_000

type Conversation = Omit<StoredConversation, 'userId'>

/** Returns the conversation of the user's last visit. */
export function readConversation(userId: number): Conversation {
  const { settings, messages } = storedFor(userId)
  return { settings, messages: messages.map(ended) }
}

/** Calls `take` when another tab stores the conversation: a user has one, shared by all tabs. Returns the unsubscribe function. */
export function followConversation(userId: number, take: (conversation: Conversation) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === 'playground') take(storedFor(userId))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Returns the stored conversation, or an empty one if it belongs to another user. */
function storedFor(userId: number): Conversation {
  const stored = readStored('playground', isStoredConversation)
  if (stored?.userId !== userId) return { settings: DEFAULT_SETTINGS, messages: [] }
  return { settings: { ...DEFAULT_SETTINGS, ...stored.settings }, messages: stored.messages }
}

export function storeConversation(conversation: StoredConversation): void {
  // A page that unloads during sign-out must not restore the data that sign-out has removed.
  if (session.get().user?.id !== conversation.userId) return
  writeStored('playground', { ...conversation, messages: newest(conversation.messages, CHARACTERS_MAX) })
}

/** Returns the user's unsent text. */
export function readDraft(userId: number): string {
  const draft = readStored('playground-draft', isDraft)
  return draft?.userId === userId ? draft.text : ''
}

export const keepDraft = (userId: number, text: string): void =>
  writeStored('playground-draft', text === '' ? undefined : { userId, text })

/** Returns as many of the newest messages as fit; images of older ones are dropped first. */
export function newest(messages: readonly Message[], charactersMax: number): Message[] {
  const fitting: Message[] = []
  let room = charactersMax
  for (const message of messages.toReversed()) {
    const bare = JSON.stringify({ ...message, images: [] }).length
    const images = message.images.reduce((sum, image) => sum + image.length, 0)
    if (bare > room) break
    const withImages = bare + images <= room
    room -= withImages ? bare + images : bare
    fitting.unshift(withImages ? message : { ...message, images: [] })
  }
  return fitting
}

/** Marks a reply whose page was left during streaming as stopped; its text stays. */
export function ended(message: Message): Message {
  return isOpen(message) ? { ...message, status: 'complete', stopped: true } : message
}

function isStoredConversation(value: unknown): value is StoredConversation {
  if (!isRecord(value) || typeof value.userId !== 'number' || !isRecord(value.settings)) return false
  return areSettings(value.settings) && Array.isArray(value.messages) && value.messages.every(isMessage)
}

function isDraft(value: unknown): value is { userId: number; text: string } {
  return isRecord(value) && typeof value.userId === 'number' && isText(value.text)
}

function areSettings({ model, group, temperature, maxTokens, systemPrompt }: Record<string, unknown>): boolean {
  return (
    [model, group, systemPrompt].every(isText) &&
    (temperature === null || typeof temperature === 'number') &&
    typeof maxTokens === 'number'
  )
}

function isMessage(value: unknown): value is Message {
  if (!isRecord(value)) return false
  const { id, role, content, images, reasoning, status } = value
  return (
    [id, content, reasoning, status].every(isText) &&
    (role === 'user' || role === 'assistant') &&
    Array.isArray(images) &&
    images.every(isText)
  )
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}
