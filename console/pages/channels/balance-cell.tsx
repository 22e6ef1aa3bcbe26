import Button from '@arco-design/web-react/es/Button'
import Tag from '@arco-design/web-react/es/Tag'
import Tooltip from '@arco-design/web-react/es/Tooltip'
import { useTranslation } from 'react-i18next'
import type { Channel } from '../../api/channels.ts'
import { Quota } from '../../components/quota.tsx'
import { localTime } from '../../components/times.ts'

/** Quota that a channel, or all of a tag, has used. */
export function UsedTag({ quota }: { quota: number }) {
  const { t } = useTranslation()
  return (
    <Tooltip content={t('channel.used')}>
      <Tag size="small">
        <Quota value={quota} />
      </Tag>
    </Tooltip>
  )
}

interface Props {
  channel: Channel
  busy: boolean
  onUpdate: () => void
}

/** What a channel has used, and what is left at its provider, in its currency: pressing that asks the provider. */
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
