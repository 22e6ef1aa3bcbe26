import Skeleton from '@arco-design/web-react/es/Skeleton'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { getSelf } from '../../api/users.ts'
import { Count } from '../../components/count.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { Quota } from '../../components/quota.tsx'
import { useUsableGroups } from './use-wallet.ts'

/** The user's balance, total usage and group. If loading fails, shows dashes instead of zeros. */
export function BalancePanel() {
  const { t } = useTranslation()
  const {
    data: self,
    error,
    isPending,
  } = useQuery({
    queryKey: ['user', 'self'],
    queryFn: ({ signal }) => getSelf(signal),
  })
  const groups = useUsableGroups()
  const ratio = groups.data?.find(({ name }) => name === self?.group)?.ratio
  const figure = (label: string, value: ReactNode) => (
    <div>
      <dt>{label}</dt>
      <dd>{value ?? (isPending ? <Skeleton animation text={{ rows: 1, width: 96 }} /> : '–')}</dd>
    </div>
  )
  return (
    <>
      <dl className="wallet-figures" aria-busy={isPending}>
        {figure(t('wallet.balance'), self && <Quota value={self.quota} />)}
        {figure(t('wallet.used'), self && <Quota value={self.used_quota} />)}
        {figure(t('wallet.requests'), self && <Count value={self.request_count} />)}
        {figure(
          t('wallet.group'),
          self && (
            <>
              {self.group} {ratio !== undefined && <GroupRatio ratio={ratio} />}
            </>
          ),
        )}
      </dl>
      {error && (
        <p role="alert" className="danger-text">
          {failureText(t, error)}
        </p>
      )}
    </>
  )
}
