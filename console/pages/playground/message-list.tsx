import Button from '@arco-design/web-react/es/Button'
import { IconArrowDown } from '@arco-design/web-react/icon'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../components/empty-state.tsx'
import { messageRows, type PlaygroundMessage } from './conversation.ts'
import { MessageItem } from './message-item.tsx'
import type { PlaygroundSettings } from './settings.ts'
import type { Chat } from './use-chat.ts'

export function MessageList({ chat, settings }: { chat: Chat; settings: PlaygroundSettings }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { isScrolledUp, toEnd } = useFollowEnd(box, content)
  const { messages, busy } = chat

  // After the user sends a message, scroll to the reply, even if the user has scrolled up.
  const isWaiting = messages.at(-1)?.status === 'loading'
  useEffect(() => {
    if (isWaiting) toEnd()
  }, [isWaiting, toEnd])

  const firstUserMessage = messages.findIndex(({ role }) => role === 'user')
  const item = (message: PlaygroundMessage) => (
    <MessageItem
      key={message.id}
      message={message}
      locked={busy}
      canRegenerate={firstUserMessage >= 0 && messages.indexOf(message) >= firstUserMessage}
      onEdit={(text) => chat.edit(message.id, text)}
      onRegenerate={(changed) => chat.regenerate(changed, settings)}
      onDelete={() => chat.remove(message.id)}
    />
  )
  return (
    <div className="messages-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard */}
      <div ref={box} className="messages" role="log" tabIndex={0} aria-label={t('playground.conversation')}>
        <div ref={content}>
          {messages.length === 0 && <EmptyState title={t('playground.empty')} hint={t('playground.emptyHint')} />}
          {messageRows(messages).map((row) => (
            <div key={row[0]?.id} className={row.length > 1 ? 'message-lanes' : undefined}>
              {row.map(item)}
            </div>
          ))}
        </div>
      </div>
      {isScrolledUp && (
        <Button
          className="messages-end"
          shape="circle"
          icon={<IconArrowDown />}
          aria-label={t('playground.toEnd')}
          title={t('playground.toEnd')}
          onClick={toEnd}
        />
      )}
    </div>
  )
}

/** Distance from the end in pixels. While the user is closer to the end, the list scrolls to new content. */
const NEAR_PX = 48

/**
 * Keeps the end of a growing list in view, unless the user has scrolled up. Returns whether the user has scrolled up,
 * and a function that scrolls to the end.
 */
function useFollowEnd(box: RefObject<HTMLElement | null>, content: RefObject<HTMLElement | null>) {
  const isFollowing = useRef(true)
  const [isScrolledUp, setScrolledUp] = useState(false)

  const toEnd = useCallback(() => {
    isFollowing.current = true
    setScrolledUp(false)
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [box])

  useEffect(() => {
    const [outer, inner] = [box.current, content.current]
    if (!outer || !inner) return
    let height = outer.scrollHeight
    const onScroll = () => {
      // Growth also causes scroll events. The user has scrolled only if the height is unchanged.
      if (outer.scrollHeight !== height) return
      isFollowing.current = outer.scrollHeight - outer.scrollTop - outer.clientHeight < NEAR_PX
      setScrolledUp(!isFollowing.current)
    }
    const observer = new ResizeObserver(() => {
      height = outer.scrollHeight
      if (isFollowing.current) outer.scrollTo({ top: height })
    })
    observer.observe(inner)
    observer.observe(outer)
    outer.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      outer.removeEventListener('scroll', onScroll)
    }
  }, [box, content])

  return { isScrolledUp, toEnd }
}
