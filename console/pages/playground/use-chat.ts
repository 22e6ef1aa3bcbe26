import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { type PlaygroundRequest, type ReplyPart, streamChat } from '../../api/playground.ts'
import {
  emptyReply,
  isOpen,
  messagesBefore,
  type PlaygroundMessage,
  requestFor,
  userMessage,
  withChange,
} from './conversation.ts'
import { addRaw, startRaw } from './raw-exchanges.ts'
import type { PlaygroundSettings } from './settings.ts'
import { ended, followConversation, readConversation, storeConversation } from './stored-conversation.ts'

/** The replies that this tab has requested last. Only this tab changes these replies. */
interface Running {
  /** Ids of all these replies. */
  ids: readonly string[]
  stop: AbortController
  /** Ids of the replies that are unfinished. */
  writing: Set<string>
}

type Update = (message: PlaygroundMessage) => PlaygroundMessage

/** Returns the conversation with its settings and actions. The browser stores the conversation for all of its tabs. */
export function useChat(userId: number) {
  const { t } = useTranslation()
  const [settingsChosen, setSettingsChosen] = useState(false)
  const [replyIds, setReplyIds] = useState<readonly string[]>([])
  const running = useRef<Running>(undefined)
  const { settings, setSettings, messages, setMessages } = useStoredConversation(userId, replyIds, running)
  const busy = messages.some((message) => replyIds.includes(message.id) && isOpen(message))

  const change = useCallback(
    (id: string, update: Update) => setMessages((messages) => withChange(messages, id, update)),
    [setMessages],
  )

  /** Requests replies to these messages, one reply per selected model. Stops the replies that are still streaming. */
  async function requestReplies(history: PlaygroundMessage[], settings: PlaygroundSettings) {
    running.current?.stop.abort()
    const models = [settings.model, ...settings.others]
    const replies = models.map((model, lane) =>
      emptyReply({ model, group: settings.group, ...(models.length > 1 && { lane }) }),
    )
    const stop = new AbortController()
    const replyRun: Running = { ids: replies.map(({ id }) => id), stop, writing: new Set(replies.map(({ id }) => id)) }
    running.current = replyRun
    setReplyIds(replyRun.ids)
    setMessages(() => [...history, ...replies])
    await Promise.all(
      replies.map(async (reply, lane) => {
        const laneSettings = { ...settings, model: models[lane] ?? settings.model }
        await receive(reply.id, requestFor(laneSettings, history, lane), stop.signal)
        replyRun.writing.delete(reply.id)
      }),
    )
  }

  /** Sends a request and adds the parts of its reply to the message with this id. */
  async function receive(id: string, request: PlaygroundRequest, signal: AbortSignal) {
    const startedAt = performance.now()
    const elapsedMs = () => Math.round(performance.now() - startedAt)
    const addPart = (part: ReplyPart) => change(id, (message) => withPart(message, part, elapsedMs()))
    startRaw(id, request)
    try {
      let lastPart: ReplyPart | undefined
      for await (const part of streamChat(request, signal)) {
        if (part.kind === 'raw') addRaw(id, part.text)
        else addPart(part)
        lastPart = part
      }
      if (lastPart?.kind !== 'done' && lastPart?.kind !== 'error')
        addPart({ kind: 'error', text: t('playground.brokenOff') })
    } catch (error) {
      if (signal.aborted)
        change(id, (message) => ({ ...ended(message), timing: { ...message.timing, totalMs: elapsedMs() } }))
      else addPart({ kind: 'error', text: failureText(t, error) })
    }
  }

  return {
    settings,
    /** Whether the user has changed settings since the page opened. */
    settingsChosen,
    setSettings(settings: PlaygroundSettings) {
      setSettingsChosen(true)
      setSettings(settings)
    },
    messages,
    busy,
    send: (text: string, images: string[], settings: PlaygroundSettings) =>
      void requestReplies([...messages, userMessage(text, images)], settings),
    /**
     * Requests new replies, which replace the given reply and all later messages. If the given message is from the
     * user, the new replies replace only the later messages.
     */
    regenerate(message: PlaygroundMessage, settings: PlaygroundSettings) {
      const earlier = messagesBefore(messages, message.id)
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

/** The state of the conversation, which this browser stores and all tabs share. */
function useStoredConversation(userId: number, replyIds: readonly string[], running: RefObject<Running | undefined>) {
  const [stored] = useState(() => readConversation(userId))
  const [settings, showSettings] = useState(stored.settings)
  const [messages, showMessages] = useState(stored.messages)
  // Changes from another tab are already stored. Storing them again could overwrite newer changes.
  const hasUnstored = useRef(false)
  const latest = useRef({ userId, settings, messages })
  latest.current = { userId, settings, messages }

  const writing = messages.some(({ id, status }) => replyIds.includes(id) && status === 'incomplete')
  const setMessages = useCallback((next: (messages: PlaygroundMessage[]) => PlaygroundMessage[]) => {
    hasUnstored.current = true
    showMessages(next)
  }, [])
  const storeChanges = useCallback(() => {
    if (hasUnstored.current) storeConversation(latest.current)
    hasUnstored.current = false
  }, [])

  // Stores a reply when it ends or the page unloads, not after each part.
  // biome-ignore lint/correctness/useExhaustiveDependencies: stores the state after each render
  useEffect(() => {
    if (!writing) storeChanges()
  }, [messages, settings, writing, storeChanges])

  useEffect(() => {
    function storeBeforeLeaving() {
      const replyRun = running.current
      if (replyRun && replyRun.writing.size > 0) {
        hasUnstored.current = true
        const messages = latest.current.messages.map((message) =>
          replyRun.writing.has(message.id) ? ended(message) : message,
        )
        latest.current = { ...latest.current, messages }
      }
      storeChanges()
    }
    window.addEventListener('pagehide', storeBeforeLeaving)
    return () => {
      window.removeEventListener('pagehide', storeBeforeLeaving)
      storeBeforeLeaving()
      running.current?.stop.abort()
    }
  }, [storeChanges, running])

  useEffect(
    () =>
      followConversation(userId, (stored) => {
        const replyRun = running.current
        const isRequestedHere = ({ id }: PlaygroundMessage) => replyRun?.ids.includes(id) ?? false
        if (!stored.messages.some(isRequestedHere)) replyRun?.stop.abort() // another tab has deleted the replies
        showSettings(stored.settings)
        showMessages((messages) =>
          stored.messages.map((message) => {
            const currentMessage = messages.find(({ id }) => id === message.id)
            // For these replies, other tabs have only the last stored state.
            if (currentMessage && isRequestedHere(message) && (replyRun?.writing.has(message.id) || isOpen(message)))
              return currentMessage
            // The stored message may have no images, because storage is limited.
            return { ...message, images: currentMessage?.images ?? message.images }
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

function withPart(message: PlaygroundMessage, part: ReplyPart, elapsedMs: number): PlaygroundMessage {
  const timing = { firstMs: elapsedMs, ...message.timing }
  const endTiming = { timing: { ...message.timing, totalMs: elapsedMs } }
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
      return { ...message, ...endTiming, status: 'error', error: part.text }
    case 'done':
      return { ...message, ...endTiming, status: 'complete' }
  }
}

/** Adds a piece of a tool call. The first piece has the name; the arguments are in any pieces. */
function withCall(
  calls: NonNullable<PlaygroundMessage['calls']>,
  { place, name, text }: Extract<ReplyPart, { kind: 'tool' }>,
): NonNullable<PlaygroundMessage['calls']> {
  const previous = calls[place] ?? { name: '', text: '' }
  const next = [...calls]
  next[place] = { name: previous.name + name, text: previous.text + text }
  return next
}
