import Button from '@arco-design/web-react/es/Button'
import Tooltip from '@arco-design/web-react/es/Tooltip'
import { useTranslation } from 'react-i18next'
import type { Channel } from '../../api/channels.ts'
import { Quota } from '../../components/quota.tsx'
import { localTime } from '../../components/times.ts'

/** The used quota of a channel, or of all channels of a tag. */
export function UsedTag({ quota }: { quota: number }) {
  const { t } = useTranslation()
  return (
    <Tooltip content={t('channel.used')}>
      <span>
        <Quota value={quota} />
      </span>
    </Tooltip>
  )
}

interface Props {
  channel: Channel
  busy: boolean
  onUpdate: () => void
}

/** A channel's used quota and its balance at the provider. A click on the balance queries the provider. */
export function BalanceCell({ channel, busy, onUpdate }: Props) {
  const { t } = useTranslation()
  const { name, used_quota, balance_updated_time: updated } = channel
  const balance = `$${channel.balance.toFixed(2)}`
  return (
    <span className="balance-cell">
      <UsedTag quota={used_quota} />
      <Tooltip
        content={
          <>
            {t('channel.balanceHint', { balance })}
            {updated > 0 && <div>{t('channel.balanceUpdated', { time: localTime(updated) })}</div>}
          </>
        }
      >
        <Button
          size="mini"
          className="number"
          loading={busy}
          aria-label={t('channel.balanceOf', { name, balance })}
          onClick={onUpdate}
        >
          {balance}
        </Button>
      </Tooltip>
    </span>
  )
}
