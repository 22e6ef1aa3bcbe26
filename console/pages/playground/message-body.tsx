import Spin from '@arco-design/web-react/es/Spin'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { StatusTag } from '../../components/status-tag.tsx'
import { isOpen, type Message } from './conversation.ts'
import { Pictures } from './pictures.tsx'

const Plain = ({ text }: { text: string; foreign?: boolean }) => <div className="message-plain">{text}</div>

// Without its code a reply can still be read.
const Markdown = lazy(() => import('../../components/markdown.tsx').catch(() => ({ default: Plain })))

/** What a message says: the user's own words as they were typed, the model's as Markdown. */
export function MessageBody({ message }: { message: Message }) {
  const { t } = useTranslation()
  const { role, content, images, reasoning, status, error, stopped, usage } = message
  return (
    <div className="message-body">
      <Pictures images={images} />
      {reasoning !== '' && (
        <details className="message-reasoning">
          <summary>{t(isOpen(message) && content === '' ? 'playground.thinking' : 'playground.thought')}</summary>
          <Plain text={reasoning} />
        </details>
      )}
      {role === 'user' ? (
        <Plain text={content} />
      ) : (
        content !== '' && (
          <Suspense fallback={<Plain text={content} />}>
            <Markdown text={content} foreign />
          </Suspense>
        )
      )}
      {status === 'loading' && (
        <span className="message-note">
          <Spin size={14} /> {t('playground.writing')}
        </span>
      )}
      {error !== undefined && <p className="message-error">{error}</p>}
      {status === 'error' && <StatusTag color="red" text={t('playground.failed')} />}
      {stopped && <StatusTag color="gray" text={t('playground.stopped')} />}
      {usage && (
        <span className="message-note number">
          {t('playground.usage', { prompt: usage.promptTokens, completion: usage.completionTokens })}
        </span>
      )}
    </div>
  )
}
