import { isRecord } from '../../records.ts'
import { session } from '../../session.ts'
import { readStored, writeStored } from '../../storage.ts'
import { isOpen, type PlaygroundMessage } from './conversation.ts'
import { DEFAULT_SETTINGS, type PlaygroundSettings } from './settings.ts'

/** The playground data of one user, as this browser stores it. */
interface StoredConversation {
  userId: number
  settings: PlaygroundSettings
  messages: PlaygroundMessage[]
}

/** Maximum length of the stored messages. Browsers store five million characters for the whole console. */
const CHARACTERS_MAX = 1_500_000

type Conversation = Omit<StoredConversation, 'userId'>

/** Returns the stored conversation. Unfinished replies of the last visit are marked as stopped. */
export function readConversation(userId: number): Conversation {
  const { settings, messages } = storedFor(userId)
  return { settings, messages: messages.map(ended) }
}

/** Calls `take` when another tab stores the conversation, which all tabs share. Returns the unsubscribe function. */
export function followConversation(userId: number, take: (conversation: Conversation) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === 'playground') take(storedFor(userId))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** Returns the user's stored conversation; an empty conversation if none is stored. */
function storedFor(userId: number): Conversation {
  const storedValue = readStored('playground', isStoredConversation)
  if (storedValue?.userId !== userId) return { settings: DEFAULT_SETTINGS, messages: [] }
  return { settings: { ...DEFAULT_SETTINGS, ...storedValue.settings }, messages: storedValue.messages }
}

export function storeConversation(conversation: StoredConversation): void {
  // A page that unloads during sign-out must not store the data again that sign-out has just removed.
  if (session.get().user?.id !== conversation.userId) return
  writeStored('playground', { ...conversation, messages: newest(conversation.messages, CHARACTERS_MAX) })
}

/** Returns the text that the user has not sent yet; empty if none. */
export function readDraft(userId: number): string {
  const draft = readStored('playground-draft', isDraft)
  return draft?.userId === userId ? draft.text : ''
}

export const keepDraft = (userId: number, text: string): void =>
  writeStored('playground-draft', text === '' ? undefined : { userId, text })

/** Returns as many of the newest messages as fit. If the images of a message do not fit, the message has no images. */
export function newest(messages: readonly PlaygroundMessage[], charactersMax: number): PlaygroundMessage[] {
  const storedMessages: PlaygroundMessage[] = []
  let remaining = charactersMax
  for (const message of messages.toReversed()) {
    const textLength = JSON.stringify({ ...message, images: [] }).length
    const imagesLength = message.images.reduce((sum, image) => sum + image.length, 0)
    if (textLength > remaining) break
    const fitsWithImages = textLength + imagesLength <= remaining
    remaining -= fitsWithImages ? textLength + imagesLength : textLength
    storedMessages.unshift(fitsWithImages ? message : { ...message, images: [] })
  }
  return storedMessages
}

/** Marks an unfinished reply as stopped and keeps its text. Returns other messages unchanged. */
export function ended(message: PlaygroundMessage): PlaygroundMessage {
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

function isMessage(value: unknown): value is PlaygroundMessage {
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
