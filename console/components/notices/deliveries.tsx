import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { type NoticeDelivery, retryNoticeDelivery } from '../../api/notices.ts'
import { DateTime } from '../date-time.tsx'
import { useAction } from '../saving.ts'
import { StatusTag } from '../status-tag.tsx'

const COLORS = { pending: 'blue', delivered: 'green', failed: 'red' } as const

/** Lists the last deliveries. Failed and pending deliveries have a retry button. */
export function Deliveries({ rows }: { rows: readonly NoticeDelivery[] }) {
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
                  row.event === 'test' ? t('notify.test') : t(`notify.event.${row.event as 'job.failed'}`),
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
