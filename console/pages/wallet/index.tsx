import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import { Page } from '../../components/page.tsx'
import { Balance } from './balance.tsx'
import { Orders } from './orders.tsx'
import { PaymentPanel } from './payment-panel.tsx'
import { RedeemPanel } from './redeem-panel.tsx'
import './wallet.css'

export default function WalletPage() {
  const { t } = useTranslation()
  const { data: status, error, refetch } = useStatus()
  return (
    <Page title={t('screen.wallet')}>
      <Balance />
      <div className="wallet-panels">
        <RedeemPanel />
        <PaymentPanel status={status} error={error} onRetry={() => void refetch()} />
      </div>
      <Orders />
    </Page>
  )
}
