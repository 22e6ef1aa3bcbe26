import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogStat } from '../../api/logs.ts'
import type { UsageRow } from '../../api/usage.ts'
import type { User } from '../../api/users.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'

interface Props {
  self: User | undefined
  today: LogStat | undefined
  /** Of the chosen range; absent when usage is not counted. */
  usage: readonly UsageRow[] | undefined
  /** Whether spending and rate are everybody's. */
  ofAll: boolean
  loading: boolean
}

/** The numbers on top. One that could not be loaded is a dash, never a zero. */
export function Figures({ self, today, usage, ofAll, loading }: Props) {
  const { t } = useTranslation()
  const figure = (label: string, value: ReactNode) => (
    <div className="figure">
      <dt>{label}</dt>
      <dd>{value ?? (loading ? <Skeleton animation text={{ rows: 1, width: 96 }} /> : '–')}</dd>
    </div>
  )
  const sum = (measure: (row: UsageRow) => number) => usage?.reduce((total, row) => total + measure(row), 0)
  const tokens = sum((row) => row.token_used)
  const quota = sum((row) => row.quota)
  return (
    <dl className="figures" aria-busy={loading}>
      {figure(t('dashboard.balance'), self && <Quota value={self.quota} />)}
      {figure(t('dashboard.used'), self && <Quota value={self.used_quota} />)}
      {figure(t('dashboard.requests'), self && <Count value={self.request_count} />)}
      {figure(t(ofAll ? 'dashboard.todayAll' : 'dashboard.today'), today && <Quota value={today.quota} />)}
      {figure(t('dashboard.rpm'), today && <Count value={today.rpm} />)}
      {figure(t('dashboard.tpm'), today && <Count value={today.tpm} />)}
      {figure(t('dashboard.rangeTokens'), tokens === undefined ? undefined : <Count value={tokens} />)}
      {figure(t('dashboard.rangeQuota'), quota === undefined ? undefined : <Quota value={quota} />)}
    </dl>
  )
}
