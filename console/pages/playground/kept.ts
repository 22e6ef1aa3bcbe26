import { session } from '../../session.ts'
import { readStored, writeStored } from '../../storage.ts'
import { isOpen, type Message } from './conversation.ts'
import { DEFAULT_SETTINGS, type PlaygroundSettings } from './settings.ts'

/** What this browser keeps of the playground, for one user. */
interface Kept {
  userId: number
  settings: PlaygroundSettings
  messages: Message[]
}

/** Browsers keep five million characters for the whole console. */
const CHARACTERS_MAX = 1_500_000

type Conversation = Omit<Kept, 'userId'>

/** The conversation of that user's last visit. */
export function readKept(userId: number): Conversation {
  const { settings, messages } = storedFor(userId)
  return { settings, messages: messages.map(ended) }
}

/** Tells what another tab keeps: a user has one conversation, in however many tabs. Answers the function that ends it. */
export function followKept(userId: number, take: (kept: Conversation) => void): () => void {
  const onStorage = ({ key }: StorageEvent) => {
    if (key === 'playground') take(storedFor(userId))
  }
  window.addEventListener('storage', onStorage)
  return () => window.removeEventListener('storage', onStorage)
}

/** What another user left behind is not theirs to see. */
function storedFor(userId: number): Conversation {
  const kept = readStored('playground', isKept)
  if (kept?.userId !== userId) return { settings: DEFAULT_SETTINGS, messages: [] }
  return { settings: { ...DEFAULT_SETTINGS, ...kept.settings }, messages: kept.messages }
}

export function keep(kept: Kept): void {
  // A page that goes because its user signs out must not bring back what signing out has removed.
  if (session.get().user?.id !== kept.userId) return
  writeStored('playground', { ...kept, messages: newest(kept.messages, CHARACTERS_MAX) })
}

/** What that user had typed and not sent. */
export function readDraft(userId: number): string {
  const draft = readStored('playground-draft', isDraft)
  return draft?.userId === userId ? draft.text : ''
}

export const keepDraft = (userId: number, text: string): void =>
  writeStored('playground-draft', text === '' ? undefined : { userId, text })

/** As many of the newest messages as there is room for; pictures of older ones go first. */
export function newest(messages: readonly Message[], charactersMax: number): Message[] {
  const kept: Message[] = []
  let room = charactersMax
  for (const message of messages.toReversed()) {
    const bare = JSON.stringify({ ...message, images: [] }).length
    const images = message.images.reduce((sum, image) => sum + image.length, 0)
    if (bare > room) break
    const withImages = bare + images <= room
    room -= withImages ? bare + images : bare
    kept.unshift(withImages ? message : { ...message, images: [] })
  }
  return kept
}

/** The page was left while the reply was written: what had come stays. */
export function ended(message: Message): Message {
  return isOpen(message) ? { ...message, status: 'complete', stopped: true } : message
}

function isKept(value: unknown): value is Kept {
  if (!isRecord(value) || typeof value.userId !== 'number' || !isRecord(value.settings)) return false
  return areSettings(value.settings) && Array.isArray(value.messages) && value.messages.every(isMessage)
}

function isDraft(value: unknown): value is { userId: number; text: string } {
  return isRecord(value) && typeof value.userId === 'number' && isText(value.text)
}

function areSettings({ model, group, temperature, maxTokens, systemPrompt }: Record<string, unknown>): boolean {
  return [model, group, systemPrompt].every(isText) && typeof temperature === 'number' && typeof maxTokens === 'number'
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
