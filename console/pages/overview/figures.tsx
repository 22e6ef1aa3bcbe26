import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { LogStat } from '../../api/logs.ts'
import type { User } from '../../api/users.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'

interface Props {
  self: User | undefined
  today: LogStat | undefined
  loading: boolean
}

/** The six numbers on top. One that could not be loaded is a dash, never a zero. */
export function Figures({ self, today, loading }: Props) {
  const { t } = useTranslation()
  const figure = (label: string, value: ReactNode) => (
    <div className="figure">
      <dt>{label}</dt>
      <dd>{value ?? (loading ? <Skeleton animation text={{ rows: 1, width: 96 }} /> : '–')}</dd>
    </div>
  )
  return (
    <dl className="figures" aria-busy={loading}>
      {figure(t('overview.balance'), self && <Quota value={self.quota} />)}
      {figure(t('overview.used'), self && <Quota value={self.used_quota} />)}
      {figure(t('overview.requests'), self && <Count value={self.request_count} />)}
      {figure(t('overview.today'), today && <Quota value={today.quota} />)}
      {figure(t('overview.rpm'), today && <Count value={today.rpm} />)}
      {figure(t('overview.tpm'), today && <Count value={today.tpm} />)}
    </dl>
  )
}
