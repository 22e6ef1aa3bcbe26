import Spin from '@arco-design/web-react/es/Spin'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { usePriceDetails, usePrices } from '../../api/pricing.ts'
import { useQuotaPerUnit } from '../../api/status.ts'
import { RequestText } from '../../components/request-link.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { Link } from '../../router/link.tsx'
import { formatPrice, modelPriceOf } from '../pricing/prices.ts'
import { isOpen, type PlaygroundMessage } from './conversation.ts'
import { Pictures } from './pictures.tsx'

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

const MILLION = 1_000_000

/** A reply's tokens, cost, duration and request id, as far as they are known. */
function ReplyFacts({ message }: { message: PlaygroundMessage }) {
  const { t } = useTranslation()
  const { usage, timing, requestId } = message
  const cost = useCost(message)
  const seconds = (ms: number) => t('playground.seconds', { value: (ms / 1000).toFixed(2) })
  const facts = [
    usage && t('playground.usage', { prompt: usage.promptTokens, completion: usage.completionTokens }),
    cost !== undefined && t('playground.cost', { cost: formatPrice(cost) }),
    timing?.firstMs !== undefined && t('playground.firstToken', { time: seconds(timing.firstMs) }),
    timing?.totalMs !== undefined && t('playground.total', { time: seconds(timing.totalMs) }),
  ].filter((fact) => typeof fact === 'string')
  if (facts.length === 0) return null
  return (
    <span className="message-note number">
      {facts.join(' · ')}
      {requestId && (
        <>
          {' · '}
          <Link to={`/request/${requestId}`}>{t('playground.request')}</Link>
        </>
      )}
    </span>
  )
}

/** Returns the cost in dollars at current prices. Undefined if the usage, the model's price or the group is unknown. */
function useCost({ model, group, usage }: PlaygroundMessage): number | undefined {
  const quotaPerUnit = useQuotaPerUnit()
  const enabled = model !== undefined && usage !== undefined
  const prices = usePrices({ enabled })
  const details = usePriceDetails({ enabled })
  const row = prices.data?.prices.find(({ model_name }) => model_name === model)
  const ratio = prices.data?.groups.find(({ name }) => name === group)?.ratio
  if (!row || !usage || model === undefined || ratio === undefined) return undefined
  const price = modelPriceOf(row, { groupRatio: ratio, quotaPerUnit, detail: details.data?.get(model) })
  if ('perCall' in price) return price.perCall
  const cached = Math.min(usage.cachedTokens, usage.promptTokens)
  const prompt = (usage.promptTokens - cached) * price.prompt + cached * (price.cached ?? price.prompt)
  return (prompt + usage.completionTokens * price.completion) / MILLION
}
