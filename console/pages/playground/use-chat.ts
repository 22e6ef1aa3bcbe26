import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { type ChatRequest, chat, type ReplyPart } from '../../api/playground.ts'
import { before, changed, emptyReply, isOpen, type Message, requestFor, userMessage } from './conversation.ts'
import { addRaw, startRaw } from './raw-exchanges.ts'
import type { PlaygroundSettings } from './settings.ts'
import { ended, followConversation, readConversation, storeConversation } from './stored-conversation.ts'

/** Replies requested by this tab; only this tab writes them. */
interface Running {
  ids: readonly string[]
  stop: AbortController
  /** Ids of unfinished replies. */
  writing: Set<string>
}

/** The conversation with its settings and actions. Stored in this browser and shared by all its tabs. */
export function useChat(userId: number) {
  const { t } = useTranslation()
  const [settingsChosen, setSettingsChosen] = useState(false)
  const [replyIds, setReplyIds] = useState<readonly string[]>([])
  const running = useRef<Running>(undefined)
  const { settings, setSettings, messages, setMessages } = useStoredConversation(userId, replyIds, running)
  const busy = messages.some((message) => replyIds.includes(message.id) && isOpen(message))

  const change = useCallback(
    (id: string, update: (message: Message) => Message) => setMessages((messages) => changed(messages, id, update)),
    [setMessages],
  )

  /** Requests replies to these messages with the current settings, one lane per model. */
  async function requestReplies(history: Message[], settings: PlaygroundSettings) {
    running.current?.stop.abort()
    const models = [settings.model, ...settings.others]
    const replies = models.map((model, lane) =>
      emptyReply({ model, group: settings.group, ...(models.length > 1 && { lane }) }),
    )
    const stop = new AbortController()
    const mine: Running = { ids: replies.map(({ id }) => id), stop, writing: new Set(replies.map(({ id }) => id)) }
    running.current = mine
    setReplyIds(mine.ids)
    setMessages(() => [...history, ...replies])
    await Promise.all(
      replies.map(async (reply, lane) => {
        const ofLane = { ...settings, model: models[lane] ?? settings.model }
        await receive(reply.id, requestFor(ofLane, history, lane), stop.signal)
        mine.writing.delete(reply.id)
      }),
    )
  }

  /** Adds the parts of one reply as they arrive. */
  async function receive(id: string, request: ChatRequest, signal: AbortSignal) {
    const startedAt = performance.now()
    const passed = () => Math.round(performance.now() - startedAt)
    const add = (part: ReplyPart) => change(id, (message) => withPart(message, part, passed()))
    startRaw(id, request)
    try {
      let last: ReplyPart | undefined
      for await (const part of chat(request, signal)) {
        if (part.kind === 'raw') addRaw(id, part.text)
        else add(part)
        last = part
      }
      if (last?.kind !== 'done' && last?.kind !== 'error') add({ kind: 'error', text: t('playground.brokenOff') })
    } catch (error) {
      if (signal.aborted)
        change(id, (message) => ({ ...ended(message), timing: { ...message.timing, totalMs: passed() } }))
      else add({ kind: 'error', text: failureText(t, error) })
    }
  }

  return {
    settings,
    /** Whether the user has changed settings since the page was opened. */
    settingsChosen,
    setSettings(settings: PlaygroundSettings) {
      setSettingsChosen(true)
      setSettings(settings)
    },
    messages,
    busy,
    send: (text: string, images: string[], settings: PlaygroundSettings) =>
      void requestReplies([...messages, userMessage(text, images)], settings),
    /** Regenerates a reply; for a user's message, replaces everything after it. */
    regenerate(message: Message, settings: PlaygroundSettings) {
      const earlier = before(messages, message.id)
      void requestReplies(message.role === 'user' ? [...earlier, message] : earlier, settings)
    },
    stop: () => running.current?.stop.abort(),
    edit: (id: string, content: string) => change(id, (message) => ({ ...message, content })),
    remove: (id: string) => setMessages((messages) => messages.filter((message) => message.id !== id)),
    clear() {
      running.current?.stop.abort()
      setMessages(() => [])
    },
  }
}

/** The state of the conversation, stored in this browser and shared with other tabs. */
function useStoredConversation(userId: number, replyIds: readonly string[], running: RefObject<Running | undefined>) {
  const [stored] = useState(() => readConversation(userId))
  const [settings, showSettings] = useState(stored.settings)
  const [messages, showMessages] = useState(stored.messages)
  // Changes from another tab are stored already: storing them again could overwrite newer ones.
  const hasUnstored = useRef(false)
  const latest = useRef({ userId, settings, messages })
  latest.current = { userId, settings, messages }

  const writing = messages.some(({ id, status }) => replyIds.includes(id) && status === 'incomplete')
  const setMessages = useCallback((next: (messages: Message[]) => Message[]) => {
    hasUnstored.current = true
    showMessages(next)
  }, [])
  const storeChanges = useCallback(() => {
    if (hasUnstored.current) storeConversation(latest.current)
    hasUnstored.current = false
  }, [])

  // Store a reply when it ends or the page unloads, not on each word.
  // biome-ignore lint/correctness/useExhaustiveDependencies: stores the state after each render
  useEffect(() => {
    if (!writing) storeChanges()
  }, [messages, settings, writing, storeChanges])

  useEffect(() => {
    function leave() {
      const mine = running.current
      if (mine && mine.writing.size > 0) {
        hasUnstored.current = true
        const messages = latest.current.messages.map((message) =>
          mine.writing.has(message.id) ? ended(message) : message,
        )
        latest.current = { ...latest.current, messages }
      }
      storeChanges()
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
      running.current?.stop.abort()
    }
  }, [storeChanges, running])

  useEffect(
    () =>
      followConversation(userId, (stored) => {
        const mine = running.current
        const isMine = ({ id }: Message) => mine?.ids.includes(id) ?? false
        if (!stored.messages.some(isMine)) mine?.stop.abort() // the other tab has deleted the replies
        showSettings(stored.settings)
        showMessages((messages) =>
          stored.messages.map((message) => {
            const current = messages.find(({ id }) => id === message.id)
            // Other tabs have only the last stored state of these replies.
            if (current && isMine(message) && (mine?.writing.has(message.id) || isOpen(message))) return current
            // The stored copy may lack the images for want of space.
            return { ...message, images: current?.images ?? message.images }
          }),
        )
      }),
    [userId, running],
  )

  return {
    settings,
    setSettings(settings: PlaygroundSettings) {
      hasUnstored.current = true
      showSettings(settings)
    },
    messages,
    setMessages,
  }
}

export type Chat = ReturnType<typeof useChat>

function withPart(message: Message, part: ReplyPart, passedMs: number): Message {
  const timing = { firstMs: passedMs, ...message.timing }
  const over = { timing: { ...message.timing, totalMs: passedMs } }
  switch (part.kind) {
    case 'text':
      return { ...message, timing, status: 'incomplete', content: message.content + part.text }
    case 'reasoning':
      return { ...message, timing, status: 'incomplete', reasoning: message.reasoning + part.text }
    case 'tool':
      return { ...message, timing, status: 'incomplete', calls: withCall(message.calls ?? [], part) }
    case 'usage': {
      const { promptTokens, completionTokens, cachedTokens } = part
      return { ...message, usage: { promptTokens, completionTokens, cachedTokens } }
    }
    case 'opened':
      return part.requestId === '' ? message : { ...message, requestId: part.requestId }
    case 'raw':
      return message
    case 'error':
      return { ...message, ...over, status: 'error', error: part.text }
    case 'done':
      return { ...message, ...over, status: 'complete' }
  }
}

/** Tool calls arrive in pieces: the name in the first, arguments in any. */
function withCall(
  calls: NonNullable<Message['calls']>,
  { place, name, text }: Extract<ReplyPart, { kind: 'tool' }>,
): NonNullable<Message['calls']> {
  const before = calls[place] ?? { name: '', text: '' }
  const next = [...calls]
  next[place] = { name: before.name + name, text: before.text + text }
  return next
}
