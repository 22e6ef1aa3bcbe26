import Skeleton from '@arco-design/web-react/es/Skeleton'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard } from '../../api/dashboard.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { changeOf, formatDuration, percentText, successOf } from './figure-texts.ts'

interface Props {
  title: string
  data: Dashboard | undefined
  loading: boolean
}

interface FigureProps {
  label: string
  /** Undefined while loading, or if loading failed. */
  value: ReactNode
  loading: boolean
  note?: ReactNode
}

function Figure({ label, value, loading, note }: FigureProps) {
  return (
    <div className="figure">
      <dt>{label}</dt>
      <dd>
        {value ?? (loading ? <Skeleton animation text={{ rows: 1, width: 96 }} /> : '–')}
        {note}
      </dd>
    </div>
  )
}

/** The account's balance and its total usage. */
export function AccountFigures({ title, data, loading }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const account = data?.account
  const figure = (label: string, value: ReactNode) => <Figure label={label} value={value} loading={loading} />
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="figures-title">
        {title}
      </h2>
      <dl className="figures figures-account" aria-busy={loading}>
        {figure(t('field.balance'), account && <Quota value={account.quota} />)}
        {figure(t('field.used'), account && <Quota value={account.used_quota} />)}
        {figure(t('field.requests'), account && <Count value={account.request_count} />)}
      </dl>
    </section>
  )
}

/** Totals of the chosen period, and their changes from the previous period. */
export function UsageFigures({ title, data, loading }: Props) {
  const { t } = useTranslation()
  const id = useId()
  const { totals, compared, previous } = data ?? {}
  const change = (key: 'quota' | 'count' | 'tokens') => (
    <Change text={compared && previous && changeOf(compared[key], previous[key])} />
  )
  const figure = (label: string, value: ReactNode, note?: ReactNode) => (
    <Figure label={label} value={value} note={note} loading={loading} />
  )
  const success = totals && successOf(totals)
  const previousSuccess = previous && successOf(previous)
  return (
    <section aria-labelledby={id}>
      <h2 id={id} className="figures-title">
        {title}
      </h2>
      <dl className="figures" aria-busy={loading}>
        {figure(t('dashboard.rangeQuota'), totals && <Quota value={totals.quota} />, change('quota'))}
        {figure(t('dashboard.metrics.count'), totals && <Count value={totals.count} />, change('count'))}
        {figure(t('dashboard.rangeTokens'), totals && <Count value={totals.tokens} />, change('tokens'))}
        {figure(
          t('dashboard.success'),
          totals && (success === undefined ? '–' : <span className="number">{percentText(success)}</span>),
          <Before text={previousSuccess === undefined ? undefined : percentText(previousSuccess)} />,
        )}
        {figure(
          t('dashboard.latency'),
          totals && <Pair first={totals.latency_p50} second={totals.latency_p95} />,
          <Before text={previous && pairText(previous.latency_p50, previous.latency_p95)} />,
        )}
        {figure(
          t('dashboard.firstToken'),
          totals && <Pair first={totals.first_token_p50} second={totals.first_token_p95} />,
          <Before text={previous && pairText(previous.first_token_p50, previous.first_token_p95)} />,
        )}
        {figure(t('dashboard.rpm'), data && <Count value={data.rpm} />)}
        {figure(t('dashboard.tpm'), data && <Count value={data.tpm} />)}
      </dl>
    </section>
  )
}

// An empty note also has the height of a line, so that the figures below do not move when the data arrives.
function Change({ text }: { text: string | undefined }) {
  const { t } = useTranslation()
  return (
    <span className="figure-note" title={text && t('dashboard.changeHint')}>
      {text && t('dashboard.change', { change: text })}
    </span>
  )
}

function Before({ text }: { text: string | undefined }) {
  const { t } = useTranslation()
  return <span className="figure-note">{text && t('dashboard.before', { value: text })}</span>
}

/** Formats a median and a 95th percentile in milliseconds. Returns undefined for -1, which means no measurements. */
const pairText = (first: number, second: number) =>
  first < 0 ? undefined : `${formatDuration(first)} / ${formatDuration(second)}`

function Pair({ first, second }: { first: number; second: number }) {
  return <span className="number">{pairText(first, second) ?? '–'}</span>
}
