import Button from '@arco-design/web-react/es/Button'
import { IconArrowDown } from '@arco-design/web-react/icon'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../components/empty-state.tsx'
import { useFollow } from './follow.ts'
import { MessageItem } from './message-item.tsx'
import type { PlaygroundSettings } from './settings.ts'
import type { Chat } from './use-chat.ts'

export function MessageList({ chat, settings }: { chat: Chat; settings: PlaygroundSettings }) {
  const { t } = useTranslation()
  const box = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const { away, toEnd } = useFollow(box, content)
  const { messages, busy } = chat

  // Who has just sent something wants to see the answer, wherever they had been reading.
  const waiting = messages.at(-1)?.status === 'loading'
  useEffect(() => {
    if (waiting) toEnd()
  }, [waiting, toEnd])

  const firstAsked = messages.findIndex(({ role }) => role === 'user')
  return (
    <div className="messages-box">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <div ref={box} className="messages" role="log" tabIndex={0} aria-label={t('playground.conversation')}>
        <div ref={content}>
          {messages.length === 0 && <EmptyState title={t('playground.empty')} hint={t('playground.emptyHint')} />}
          {messages.map((message, place) => (
            <MessageItem
              key={message.id}
              message={message}
              locked={busy}
              answers={firstAsked >= 0 && place >= firstAsked}
              onEdit={(text) => chat.edit(message.id, text)}
              onRegenerate={(changed) => chat.regenerate(changed, settings)}
              onDelete={() => chat.remove(message.id)}
            />
          ))}
        </div>
      </div>
      {away && (
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
