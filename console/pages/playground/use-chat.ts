import { useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { chat, type ReplyPart } from '../../api/playground.ts'
import { before, changed, emptyReply, isOpen, type Message, requestFor, userMessage } from './conversation.ts'
import { ended, followKept, keep, readKept } from './kept.ts'
import type { PlaygroundSettings } from './settings.ts'

/** A reply that this tab is asking for; it is written here and nowhere else. */
interface Running {
  id: string
  stop: AbortController
  over: boolean
}

/** The conversation and its settings, kept in this browser and the same in all its tabs, and what can be done with them. */
export function useChat(userId: number) {
  const { t } = useTranslation()
  const [kept] = useState(() => readKept(userId))
  const [settings, showSettings] = useState(kept.settings)
  const [messages, showMessages] = useState(kept.messages)
  const [replyId, setReplyId] = useState<string>()
  const running = useRef<Running>(undefined)
  // What comes from another tab is kept already; to keep it once more would undo what that tab has done since.
  const unkept = useRef(false)
  const latest = useRef({ userId, settings, messages })
  latest.current = { userId, settings, messages }

  const reply = messages.find(({ id }) => id === replyId)
  const busy = reply !== undefined && isOpen(reply)
  const writing = reply?.status === 'incomplete'
  const setMessages = useCallback((next: (messages: Message[]) => Message[]) => {
    unkept.current = true
    showMessages(next)
  }, [])
  const keepNews = useCallback(() => {
    if (unkept.current) keep(latest.current)
    unkept.current = false
  }, [])

  // Each word of a reply is not worth writing down: what has come is kept when it ends, or when the page goes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept is what was rendered last
  useEffect(() => {
    if (!writing) keepNews()
  }, [messages, settings, writing, keepNews])

  useEffect(() => {
    function leave() {
      const mine = running.current
      if (mine && !mine.over) {
        unkept.current = true
        latest.current = { ...latest.current, messages: changed(latest.current.messages, mine.id, ended) }
      }
      keepNews()
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      leave()
      running.current?.stop.abort()
    }
  }, [keepNews])

  useEffect(
    () =>
      followKept(userId, (kept) => {
        const mine = running.current
        const isMine = ({ id }: Message) => id === mine?.id
        if (!kept.messages.some(isMine)) mine?.stop.abort() // taken away there
        showSettings(kept.settings)
        showMessages((messages) =>
          kept.messages.map((message) => {
            const shown = messages.find(({ id }) => id === message.id)
            // Other tabs know of a reply what was kept last.
            if (shown && isMine(message) && (!mine?.over || isOpen(message))) return shown
            // There may have been no room for the pictures.
            return { ...message, images: shown?.images ?? message.images }
          }),
        )
      }),
    [userId],
  )

  const change = useCallback(
    (id: string, how: (message: Message) => Message) => setMessages((messages) => changed(messages, id, how)),
    [setMessages],
  )

  /** Has the model answer these messages, with what is set now. */
  async function ask(said: Message[], chosen: PlaygroundSettings) {
    running.current?.stop.abort()
    const reply = emptyReply()
    const stop = new AbortController()
    const mine = { id: reply.id, stop, over: false }
    running.current = mine
    setReplyId(reply.id)
    setMessages(() => [...said, reply])
    const add = (part: ReplyPart) => change(reply.id, (message) => withPart(message, part))
    try {
      let last: ReplyPart | undefined
      for await (const part of chat(requestFor(chosen, said), stop.signal)) {
        add(part)
        last = part
      }
      if (last?.kind !== 'done' && last?.kind !== 'error') add({ kind: 'error', text: t('playground.brokenOff') })
    } catch (error) {
      if (stop.signal.aborted) change(reply.id, (message) => ({ ...message, status: 'complete', stopped: true }))
      else add({ kind: 'error', text: failureText(t, error) })
    }
    mine.over = true
  }

  return {
    settings,
    setSettings(settings: PlaygroundSettings) {
      unkept.current = true
      showSettings(settings)
    },
    messages,
    busy,
    send: (text: string, images: string[], chosen: PlaygroundSettings) =>
      void ask([...messages, userMessage(text, images)], chosen),
    /** A reply is given anew; after a message of the user's, all that follows it is. */
    regenerate(message: Message, chosen: PlaygroundSettings) {
      const earlier = before(messages, message.id)
      void ask(message.role === 'user' ? [...earlier, message] : earlier, chosen)
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

export type Chat = ReturnType<typeof useChat>

function withPart(message: Message, part: ReplyPart): Message {
  switch (part.kind) {
    case 'text':
      return { ...message, status: 'incomplete', content: message.content + part.text }
    case 'reasoning':
      return { ...message, status: 'incomplete', reasoning: message.reasoning + part.text }
    case 'usage':
      return { ...message, usage: { promptTokens: part.promptTokens, completionTokens: part.completionTokens } }
    case 'error':
      return { ...message, status: 'error', error: part.text }
    case 'done':
      return { ...message, status: 'complete' }
  }
}
