import Skeleton from '@arco-design/web-react/es/Skeleton'
import type { TFunction } from 'i18next'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { useUsableGroups } from '../../api/models.ts'
import { useStatus } from '../../api/status.ts'
import { useSelf } from '../../api/users.ts'
import { listOrders, type Order } from '../../api/wallet.ts'
import { Count } from '../../components/count.tsx'
import type { TableColumn } from '../../components/data-table/column.ts'
import { quotaColumn, timeColumn } from '../../components/data-table/columns.tsx'
import { DataTable } from '../../components/data-table/data-table.tsx'
import { everyPage } from '../../components/data-table/every-page.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { GroupRatio } from '../../components/group-ratio.tsx'
import { PageFrame } from '../../components/page.tsx'
import { usePaging } from '../../components/paging.ts'
import { Quota } from '../../components/quota.tsx'
import { StatusTag } from '../../components/status-tag.tsx'
import { PaymentPanel } from './payment-panel.tsx'
import { RedeemPanel } from './redeem-panel.tsx'
import { useOrders } from './use-wallet.ts'
import './wallet.css'

export default function WalletPage() {
  const { t } = useTranslation()
  const { data: status, error, refetch } = useStatus()
  return (
    <PageFrame title={t('screen.wallet')}>
      <BalancePanel />
      <div className="wallet-panels">
        <RedeemPanel />
        <PaymentPanel status={status} error={error} onRetry={() => void refetch()} />
      </div>
      <Orders />
    </PageFrame>
  )
}

/** The user's balance, total usage and group. If loading fails, shows dashes instead of zeros. */
function BalancePanel() {
  const { t } = useTranslation()
  const { data: self, error, isPending } = useSelf()
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
        {figure(t('field.requests'), self && <Count value={self.request_count} />)}
        {figure(
          t('field.group'),
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

/** The user's orders of online top-ups. The orders reload when the user returns from the payment page. */
function Orders() {
  const { t } = useTranslation()
  const paging = usePaging()
  const listing = useOrders(paging)
  const columns = useMemo(() => orderColumns(t), [t])
  return (
    <DataTable
      title={t('wallet.orders')}
      name="order"
      rowKey="id"
      columns={columns}
      listing={listing}
      paging={paging}
      allRows={() => everyPage(listOrders)}
      toolbar={<h2 className="wallet-orders">{t('wallet.orders')}</h2>}
      empty={<EmptyState title={t('wallet.noOrders')} hint={t('wallet.noOrdersHint')} />}
    />
  )
}

function orderColumns(t: TFunction): TableColumn<Order>[] {
  const method = ({ payment_method }: Order) =>
    payment_method === 'zfb' || payment_method === 'wx' ? t(`wallet.methods.${payment_method}`) : payment_method || '–'
  const paid = ({ status }: Order) => (status === 'success' ? t('wallet.paid') : t('wallet.pending'))
  return [
    timeColumn({ key: 'create_time', width: 150, fixed: 'left', title: t('wallet.ordered') }, (row) => row.create_time),
    {
      key: 'trade_no',
      width: 220,
      grow: true,
      rank: 2,
      title: t('wallet.tradeNo'),
      render: ({ trade_no }) => <code>{trade_no}</code>,
      value: ({ trade_no }) => trade_no,
    },
    quotaColumn({ key: 'quota', width: 110, title: t('wallet.quota') }, (row) => row.quota),
    {
      key: 'money',
      width: 110,
      title: t('wallet.toPay'),
      align: 'right',
      render: ({ money }) => <span className="number">{t('wallet.money', { money: money.toFixed(2) })}</span>,
      value: ({ money }) => money,
    },
    { key: 'payment_method', title: t('wallet.method'), rank: 1, value: method },
    {
      key: 'status',
      width: 100,
      title: t('field.status'),
      render: (order) => <StatusTag color={order.status === 'success' ? 'green' : 'orange'} text={paid(order)} />,
      value: paid,
    },
  ]
}
