import Spin from '@arco-design/web-react/es/Spin'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { RequestText } from '../../components/request-link.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { isOpen, type PlaygroundMessage } from './conversation.ts'
import { Pictures } from './pictures.tsx'
import { ReplyFacts } from './reply-facts.tsx'

const Plain = ({ text }: { text: string; untrusted?: boolean }) => <div className="message-plain">{text}</div>

// If the Markdown code fails to load, replies are shown as plain text.
const Markdown = lazy(() => import('../../components/markdown.tsx').catch(() => ({ default: Plain })))

/** The content of a message. Texts of the user are plain text; texts of the model are Markdown. */
export function MessageBody({ message }: { message: PlaygroundMessage }) {
  const { t } = useTranslation()
  const { role, content, images, reasoning, status, error, stopped, calls = [] } = message
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
            <Markdown text={content} untrusted />
          </Suspense>
        )
      )}
      {calls.map(({ name, text }, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: calls have no other id and keep their order
        <div key={place} className="message-call">
          <span className="muted">{t('playground.calls', { name })}</span>
          <pre>{text}</pre>
        </div>
      ))}
      {status === 'loading' && (
        <span className="message-note">
          <Spin size={14} /> {t('playground.writing')}
        </span>
      )}
      {error !== undefined && (
        <p className="message-error">
          <RequestText text={error} />
        </p>
      )}
      {status === 'error' && <StatusTag color="red" text={t('playground.failed')} />}
      {stopped && <StatusTag color="gray" text={t('playground.stopped')} />}
      {role === 'assistant' && <ReplyFacts message={message} />}
    </div>
  )
}
