import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import {
  listNoticeDeliveries,
  listNoticeTargets,
  type NoticeDelivery,
  type NoticeTarget,
  retryNoticeDelivery,
} from '../../api/notices.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { DateTime } from '../date-time.tsx'
import { LoadFailure } from '../load-failure.tsx'
import { useAction } from '../saving.ts'
import { StatusTag } from '../status-tag.tsx'
import './notices.css'
import { TargetDrawer } from './target-drawer.tsx'
import { TargetRow } from './target-row.tsx'
import { ThresholdEditor } from './thresholds.tsx'

const REFRESH_MS = 10_000

interface Props {
  /** Shows the gateway's targets instead of the current user's targets. */
  gateway?: boolean
  /** Whether the user can add and remove targets and change their settings. */
  editable?: boolean
}

/** Notice targets with the results of the last deliveries. */
export function NoticeTargetList({ gateway = false, editable = true }: Props) {
  const { t } = useTranslation()
  const { user } = useStore(session)
  const [openTarget, setOpenTarget] = useState<NoticeTarget | 'new'>()
  const targets = useQuery({
    queryKey: ['notice', 'targets', gateway],
    queryFn: ({ signal }) => listNoticeTargets(gateway, signal),
  })
  const deliveries = useQuery({
    queryKey: ['notice', 'deliveries', gateway],
    queryFn: ({ signal }) => listNoticeDeliveries(gateway, signal),
    refetchInterval: REFRESH_MS,
  })
  return (
    <section className="panel notices">
      <div className="notices-head">
        <h3>{t(gateway ? 'notify.gatewayTitle' : 'notify.title')}</h3>
        {editable && (
          <Button size="small" icon={<IconPlus />} onClick={() => setOpenTarget('new')}>
            {t(gateway ? 'notify.addGateway' : 'notify.add')}
          </Button>
        )}
      </div>
      <p className="panel-note">{t(gateway ? 'notify.gatewayHint' : 'notify.ownHint')}</p>
      {targets.isPending && <Skeleton animation text={{ rows: 2, width: '100%' }} />}
      {targets.isError && <LoadFailure error={targets.error} onRetry={() => void targets.refetch()} />}
      {targets.data?.length === 0 && <p>{t('notify.none')}</p>}
      <ul className="notice-targets">
        {targets.data?.map((target) => (
          <TargetRow key={target.id} target={target} editable={editable} onEdit={() => setOpenTarget(target)} />
        ))}
      </ul>
      {!gateway && user && <ThresholdEditor subject="user" subject_id={user.id} />}
      {deliveries.data && deliveries.data.length > 0 && <Deliveries rows={deliveries.data} />}
      <TargetDrawer
        opened={openTarget}
        gateway={gateway}
        editable={editable}
        onClose={() => setOpenTarget(undefined)}
      />
    </section>
  )
}

const COLORS = { pending: 'blue', delivered: 'green', failed: 'red' } as const

/** Lists the last deliveries. Failed and pending deliveries have a retry button. */
function Deliveries({ rows }: { rows: readonly NoticeDelivery[] }) {
  const { t } = useTranslation()
  const retryAction = useAction({ run: retryNoticeDelivery, done: t('action.done'), stale: ['notice'] })
  return (
    <>
      <h4>{t('notify.deliveries')}</h4>
      <ul className="notice-deliveries">
        {rows.map((row) => (
          <li key={row.id}>
            <StatusTag text={t(`notify.state.${row.state}`)} color={COLORS[row.state]} />
            <div className="notice-what">
              <div>
                {[
                  row.target,
                  row.event === 'test' ? t('channel.test') : t(`notify.event.${row.event as 'job.failed'}`),
                ].join(' · ')}
              </div>
              {row.error !== '' && (
                <div className="notice-more">{row.status > 0 ? `${row.status} ${row.error}` : row.error}</div>
              )}
            </div>
            <DateTime seconds={row.created_at} />
            {row.state !== 'delivered' && (
              <Button
                size="small"
                aria-label={t('notify.retryOf', { id: row.id })}
                onClick={() => retryAction.mutate({ id: row.id })}
              >
                {t('notify.retry')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  )
}
