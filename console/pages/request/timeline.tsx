import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestTrace } from '../../api/traces.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Link } from '../../router/link.tsx'
import { inSeconds } from '../logs/latency.ts'
import { endText } from '../logs/log-details.ts'

interface Props {
  trace: RequestTrace
  /** True for administrators, who also see the channels. */
  forAdmin: boolean
}

type Mark = 'start' | 'good' | 'bad' | 'half'
type Attempt = RequestTrace['attempts'][number]

interface Step {
  mark: Mark
  title: ReactNode
  detail?: ReactNode
}

/** The timeline of a request, with its arrival, each tried channel, and its end. */
export function Timeline({ trace, forAdmin }: Props) {
  const { t } = useTranslation()
  const steps = [startOf(t, trace), ...attemptsOf(t, trace, forAdmin), endOf(t, trace)]
  return (
    <section className="panel" aria-labelledby="request-timeline">
      <h2 id="request-timeline">{t('request.timeline')}</h2>
      <ol className="timeline">
        {steps.map(({ mark, title, detail }, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: past steps keep their index
          <li key={index} className={`timeline-${mark}`}>
            <div className="timeline-title">{title}</div>
            {detail && <div className="timeline-detail">{detail}</div>}
          </li>
        ))}
      </ol>
    </section>
  )
}

function startOf(t: TFunction, { created_at, use_time, token_name }: RequestTrace): Step {
  return {
    mark: 'start',
    title: t('request.received'),
    detail: (
      <>
        <DateTime seconds={created_at - use_time} /> {token_name !== '' && `· ${token_name}`}
      </>
    ),
  }
}

function attemptsOf(t: TFunction, trace: RequestTrace, forAdmin: boolean): Step[] {
  const { attempts, attempt_count, outcome } = trace
  if (attempt_count === 0 && outcome === 'failed') {
    return [{ mark: 'bad', title: t('request.notTried'), detail: t('request.notTriedHint') }]
  }
  if (!forAdmin) {
    const mark = outcome === 'failed' ? 'bad' : 'good'
    return attempt_count > 0 ? [{ mark, title: t('request.tried', { count: attempt_count }) }] : []
  }
  return attempts.map((attempt, index) => stepOf(t, attempt, { index, isLast: index === attempts.length - 1 }))
}

function stepOf(t: TFunction, attempt: Attempt, { index, isLast }: { index: number; isLast: boolean }): Step {
  const { channel, channel_name, key_number, answered, status, code, ms, message } = attempt
  const facts = [status > 0 && `HTTP ${status}`, code, ms >= 0 && t('request.after', { seconds: inSeconds(ms) })]
  const reason = facts.filter(Boolean).join(' · ')
  return {
    mark: answered ? 'good' : 'bad',
    title: (
      <>
        {t('request.attempt', { number: index + 1 })}{' '}
        <Link to={`/channel/edit/${channel}`}>{channel_name ? `#${channel} ${channel_name}` : `#${channel}`}</Link>
        {key_number !== undefined && ` · ${t('request.key', { number: key_number })}`}
      </>
    ),
    detail: (
      <>
        {answered ? t('request.answered') : reason || t('request.noReason')}
        {message !== '' && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
          <p className="timeline-message" tabIndex={0}>
            {message}
          </p>
        )}
        {!answered && !isLast && <p className="timeline-next">{t('request.next')}</p>}
      </>
    ),
  }
}

function endOf(t: TFunction, { outcome, status, use_time, end_reason }: RequestTrace): Step {
  if (outcome === 'complete') return { mark: 'good', title: t('request.replied', { seconds: use_time }) }
  if (outcome === 'incomplete') {
    return { mark: 'half', title: t('request.cut', { seconds: use_time }), detail: endText(t, end_reason) }
  }
  return { mark: 'bad', title: t('request.rejected', { seconds: use_time, status }) }
}
