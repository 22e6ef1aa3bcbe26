import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { PageFrame } from '../../components/page.tsx'
import { BalancePanel } from './balance.tsx'
import { Orders } from './orders.tsx'
import { PaymentPanel } from './payment-panel.tsx'
import { RedeemPanel } from './redeem-panel.tsx'
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
