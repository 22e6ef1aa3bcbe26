import Button from '@arco-design/web-react/es/Button'
import Input from '@arco-design/web-react/es/Input'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import Tag from '@arco-design/web-react/es/Tag'
import { IconCopy } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isAdmin } from '../../access.ts'
import { useStatus } from '../../api/status.ts'
import { getTrace, isMissingRequest, type RequestTrace } from '../../api/traces.ts'
import { useCopy } from '../../components/copy.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { LoadFailure } from '../../components/load-failure.tsx'
import { PageFrame } from '../../components/page.tsx'
import { requestPath } from '../../components/request-link.tsx'
import { parseWholeNumber } from '../../components/task-list/time-filter.ts'
import { useNavigate, useParams, useSearchParams } from '../../router/hooks.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { useExactQuota } from '../logs/exact-quota.ts'
import { readDetails } from '../logs/log-details.ts'
import { rowPriceOf } from '../logs/price.ts'
import { priceComputationText } from '../logs/price-text.ts'
import './request.css'
import { Summary } from './summary.tsx'
import { Timeline } from './timeline.tsx'

/** Delay before a retry. The log row of a failed request is written at most this long after the reply. */
const RETRY_DELAY_MS = 800

/** The page of one request, with its outcome, the tried channels, and its cost. */
export default function RequestPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const [search] = useSearchParams()
  const team = parseWholeNumber(search.get('team') ?? '')
  const forAdmin = isAdmin(useStore(session).user)
  const trace = useQuery({
    queryKey: ['trace', id, team],
    queryFn: ({ signal }) => getTrace(id, team, signal),
    enabled: id !== '',
    // Retry after any error, because the log row may not exist yet.
    retry: 2,
    retryDelay: RETRY_DELAY_MS,
  })
  return (
    <PageFrame title={t('screen.request')}>
      <RequestFinder key={id} id={id} onFind={(next) => void navigate(requestPath(next, team))} />
      {id === '' && (
        <section className="panel">
          <EmptyState title={t('request.which')} hint={t('request.whichHint')} />
        </section>
      )}
      {trace.isLoading && (
        <section className="panel">
          <Skeleton animation text={{ rows: 8 }} />
        </section>
      )}
      {trace.isError &&
        (isMissingRequest(trace.error) ? (
          <section className="panel">
            <EmptyState title={t('request.missing')} hint={t('request.missingHint')} />
          </section>
        ) : (
          <LoadFailure error={trace.error} onRetry={() => void trace.refetch()} />
        ))}
      {trace.data && !trace.isError && (
        <>
          <Summary trace={trace.data} forAdmin={forAdmin} />
          <div className="request-parts">
            <Timeline trace={trace.data} forAdmin={forAdmin} />
            <ReceiptPanel trace={trace.data} />
          </div>
        </>
      )}
    </PageFrame>
  )
}

/** A field with the id of the open request. The user can enter another id to open that request. */
function RequestFinder({ id, onFind }: { id: string; onFind: (id: string) => void }) {
  const { t } = useTranslation()
  const copy = useCopy()
  const [text, setText] = useState(id)
  const requestId = text.trim()

  function submit(event: FormEvent) {
    event.preventDefault()
    if (requestId !== '') onFind(requestId)
  }

  return (
    <search>
      <form className="request-finder" onSubmit={submit}>
        <Input
          value={text}
          onChange={setText}
          aria-label={t('request.id')}
          placeholder={t('request.id')}
          maxLength={64}
          spellCheck={false}
        />
        <Button htmlType="submit" type="primary" disabled={requestId === ''}>
          {t('request.find')}
        </Button>
        {id !== '' && (
          <Button icon={<IconCopy />} aria-label={t('log.copyRequest')} onClick={() => void copy(id)}>
            {t('action.copy')}
          </Button>
        )}
      </form>
    </search>
  )
}

/** The cost of a request, and the computation of the cost if there is a receipt. */
function ReceiptPanel({ trace: { receipt, charged } }: { trace: RequestTrace }) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const formatQuota = useExactQuota()
  const price = receipt && status && rowPriceOf(receipt.log, readDetails(receipt.log.other), status.quota_per_unit)
  return (
    <section className="panel" aria-labelledby="request-receipt">
      <h2 id="request-receipt">{t('request.receipt')}</h2>
      {!receipt && <p className="panel-note">{charged === 0 ? t('request.free') : formatQuota(charged)}</p>}
      {receipt && (
        <dl className="request-receipt">
          <dt>{t('log.prompt')}</dt>
          <dd className="number">{receipt.usage.promptTokens.toLocaleString('en-US')}</dd>
          <dt>{t('log.completion')}</dt>
          <dd className="number">{receipt.usage.completionTokens.toLocaleString('en-US')}</dd>
          {price && (
            <>
              <dt>{t('log.row.price')}</dt>
              <dd>{priceComputationText(t, price)}</dd>
            </>
          )}
          <dt>{t('log.row.charged')}</dt>
          <dd>
            <span className="number">{formatQuota(receipt.charged)}</span>{' '}
            <Tag size="small" color={receipt.equal ? 'green' : 'red'}>
              {t(receipt.equal ? 'log.receipt.equal' : 'log.receipt.different', {
                recomputed: formatQuota(receipt.recomputed),
                charged: formatQuota(receipt.charged),
              })}
            </Tag>
          </dd>
        </dl>
      )}
    </section>
  )
}
