import Skeleton from '@arco-design/web-react/es/Skeleton'
import Tag from '@arco-design/web-react/es/Tag'
import { useTranslation } from 'react-i18next'
import type { LogStat } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { formatCount, formatQuota } from '../../components/amounts.ts'

/** The quota used in the selected range, and the requests and tokens of the last minute. */
export function StatBadges({ stat, failed }: { stat: LogStat | undefined; failed: boolean }) {
  const { t } = useTranslation()
  const { data: status, isError: statusFailed } = useStatus()
  if ((!stat && failed) || (!status && statusFailed)) return <Tag color="red">{t('log.stat.failed')}</Tag>
  if (!stat || !status) return <Skeleton animation text={{ rows: 1, width: 240 }} className="log-stat" />
  return (
    <section className="log-stat" aria-label={t('log.stat.label')}>
      <Tag size="large">{t('log.stat.quota', { value: formatQuota(stat.quota, status) })}</Tag>
      <Tag size="large">{t('log.stat.rpm', { value: formatCount(stat.rpm) })}</Tag>
      <Tag size="large">{t('log.stat.tpm', { value: formatCount(stat.tpm) })}</Tag>
    </section>
  )
}
