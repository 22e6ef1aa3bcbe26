import Descriptions from '@arco-design/web-react/es/Descriptions'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { RequestTrace } from '../../api/traces.ts'
import { DateTime } from '../../components/date-time.tsx'
import { Quota } from '../../components/quota.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import type { Catalogue } from '../../language.ts'
import { useNarrow } from '../../layout/narrow.ts'
import { Link } from '../../router/link.tsx'
import { inSeconds } from '../logs/latency.ts'
import { endText } from '../logs/log-details.ts'

const COLORS = { complete: 'green', incomplete: 'orange', failed: 'red' } as const

interface Props {
  trace: RequestTrace
  forAdmin: boolean
}

/** A summary of the request, with its outcome and the reason, what to do, and facts such as model and user. */
export function Summary({ trace, forAdmin }: Props) {
  const { t } = useTranslation()
  const narrow = useNarrow()
  const hint = advice(t, trace, forAdmin)
  return (
    <section className="panel" aria-labelledby="request-outcome">
      <h2 id="request-outcome" className="request-outcome">
        <StatusTag color={COLORS[trace.outcome]} text={t(`request.outcome.${trace.outcome}`)} />
        <span>{headline(t, trace)}</span>
      </h2>
      {trace.message !== '' && <p className="request-message">{trace.message}</p>}
      {hint !== undefined && <p className="request-advice">{hint}</p>}
      {trace.suppressed > 0 && <p className="request-advice">{t('request.suppressed', { count: trace.suppressed })}</p>}
      <Descriptions
        size="small"
        column={narrow ? 1 : 3}
        data={facts(t, trace, forAdmin).map(([label, value]) => ({ key: label, label, value }))}
      />
    </section>
  )
}

function headline(t: TFunction, { outcome, status, code, end_reason, use_time }: RequestTrace): string {
  if (outcome === 'failed') return [status || '', code].filter(Boolean).join(' · ')
  if (outcome === 'incomplete') return endText(t, end_reason)
  return t('request.replied', { seconds: use_time })
}

function facts(t: TFunction, trace: RequestTrace, forAdmin: boolean): [label: string, value: ReactNode][] {
  const firstTokenMs = trace.first_token_ms
  const allFacts: [string, ReactNode][] = [
    [t('request.ended'), <DateTime key="time" seconds={trace.created_at} />],
    [t('field.model'), trace.model_name],
    [t('log.token'), trace.token_name],
    [t('log.user'), forAdmin && <UserLink username={trace.username} />],
    [t('field.group'), trace.group],
    [t('log.seconds'), t(trace.is_stream ? 'log.stream' : 'task.seconds', { seconds: trace.use_time })],
    [t('log.row.firstToken'), firstTokenMs >= 0 && t('log.secondsShort', { seconds: inSeconds(firstTokenMs) })],
    [t('log.row.charged'), <Quota key="quota" value={trace.charged} />],
    [t('request.upstreamId'), trace.upstream_request_id && <code>{trace.upstream_request_id}</code>],
  ]
  return allFacts.filter(([, value]) => value !== '' && value !== false)
}

const UserLink = ({ username }: { username: string }) =>
  username === '' ? '–' : <Link to={`/user?keyword=${encodeURIComponent(username)}`}>{username}</Link>

/** The subject of each error code. Each subject has advice for administrators and advice for users. */
const SUBJECT_OF: Readonly<Record<string, Subject>> = {
  insufficient_user_quota: 'balance',
  insufficient_token_quota: 'budget',
  token_exhausted: 'budget',
  invalid_api_key: 'key',
  token_disabled: 'key',
  token_expired: 'key',
  token_ip: 'limits',
  token_model: 'limits',
  token_group: 'group',
  group_retired: 'group',
  model_not_found: 'model',
  no_channel: 'model',
  model_price_error: 'price',
  no_available_channel: 'channels',
  upstream_saturated: 'saturated',
  client_gone: 'client',
  request_malformed: 'body',
  sensitive_words_detected: 'words',
}
type Subject = keyof Catalogue['request']['advice']['user']

/** Returns advice about a failure; undefined without a failure, or for an unknown code if no channel was tried. */
function advice(
  t: TFunction,
  { outcome, code, status, attempts, attempt_count }: RequestTrace,
  forAdmin: boolean,
): string | undefined {
  if (outcome !== 'failed') return undefined
  const lastAttempt = attempts.at(-1)
  const subject = SUBJECT_OF[code] ?? (attempt_count > 0 ? upstreamSubject(lastAttempt?.status ?? status) : undefined)
  return subject && t(`request.advice.${forAdmin ? 'admin' : 'user'}.${subject}`)
}

/** Returns the subject of an upstream's status: the channel's account, its rate limit, the request, or the upstream. */
function upstreamSubject(status: number): Subject {
  if (status === 401 || status === 403) return 'account'
  if (status === 429) return 'saturated'
  if (status >= 400 && status < 500) return 'body'
  return 'upstream'
}
