import Button from '@arco-design/web-react/es/Button'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { IconPlus } from '@arco-design/web-react/icon'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listNoticeDeliveries, listNoticeTargets, type NoticeTarget } from '../../api/notices.ts'
import { session } from '../../session.ts'
import { useStore } from '../../store.ts'
import { LoadFailure } from '../load-failure.tsx'
import { Deliveries } from './deliveries.tsx'
import './notices.css'
import { TargetDrawer } from './target-drawer.tsx'
import { TargetRow } from './target-row.tsx'
import { ThresholdEditor } from './thresholds.tsx'

const EVERY_MS = 10_000

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
    refetchInterval: EVERY_MS,
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
