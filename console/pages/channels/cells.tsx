import Button from '@arco-design/web-react/es/Button'
import Tooltip from '@arco-design/web-react/es/Tooltip'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import type { Channel, ChannelActivity } from '../../api/channels.ts'
import { Quota } from '../../components/quota.tsx'
import { type BadgeStyle, StatusTag } from '../../components/status-tag.tsx'
import { localTime } from '../../components/times.ts'
import type { KindName } from './kinds.ts'
import { CHILDREN_MAX, type ChannelTableRow, isTagRow, type TagRow } from './rows.ts'
import { statusBadge } from './status.ts'

/** A channel's tag. A click filters the list by this tag. */
export function TagButton({ tag, onTag }: { tag: string; onTag: (tag: string) => void }) {
  const { t } = useTranslation()
  return (
    <Button size="mini" type="text" aria-label={t('channel.onlyTag', { tag })} onClick={() => onTag(tag)}>
      {tag}
    </Button>
  )
}

/** A tag above its channels. If some of its channels have no row, a button lists all channels of the tag. */
export function TagName({ row: { tag, count }, onTag }: { row: TagRow; onTag: (tag: string) => void }) {
  const { t } = useTranslation()
  return (
    <span className="tag-name">
      <strong className="channel-name">{tag}</strong>
      {count > CHILDREN_MAX ? (
        <Button size="mini" type="text" onClick={() => onTag(tag)}>
          {t('channel.showAllOf', { tag, count })}
        </Button>
      ) : (
        <span>{t('channel.channels', { count })}</span>
      )}
    </span>
  )
}

/** A channel's status, with the gateway's reason for disabling it. For a tag, the number of enabled channels. */
export function StateCell({ row }: { row: ChannelTableRow }) {
  const { t } = useTranslation()
  if (isTagRow(row)) return <StatusTag {...enabledBadge(t, row)} />
  const { reason, ...style } = statusBadge(t, row)
  return (
    <div className="state-cell">
      <StatusTag {...style} />
      {reason && (
        <span className="clamp state-reason" title={reason.slice(0, 300)}>
          {reason}
        </span>
      )}
    </div>
  )
}

/** The type of a channel and the number of its keys. For a tag, the types of its channels. */
export function Kinds({ row, nameOf }: { row: ChannelTableRow; nameOf: KindName }) {
  const { t } = useTranslation()
  const keys = isTagRow(row) ? undefined : row.multi_key
  return (
    <span className="tags">
      <span>{(isTagRow(row) ? row.types : [row.type]).map((type) => nameOf(type)).join(', ')}</span>
      {keys && (
        <span
          className="muted"
          title={t('channel.keysHint', { mode: t(`channel.keyMode.${keys.mode}`), out: keys.set_aside.length })}
        >
          {t('channel.keys', { count: keys.keys })}
        </span>
      )}
    </span>
  )
}

/** Returns a label for how many channels of a tag are enabled. */
export function enabledBadge(t: TFunction, { enabled, count }: TagRow): BadgeStyle {
  const color = enabled === count ? 'green' : enabled === 0 ? 'red' : 'orange'
  return { text: t('channel.enabledOf', { enabled, count }), color }
}

const GOOD_RATE_MIN = 0.95
const BAR_PX = 3
const HEIGHT_PX = 14

/** A channel's success rate, median latency and share of traffic in 24 hours, and the models that only it serves. */
export function ActivityCell({ activity }: { activity: ChannelActivity | undefined }) {
  const { t } = useTranslation()
  if (!activity) return null
  const { ok, failed, share, latency_p50, hours, sole_models, sole_count } = activity
  const total = ok + failed
  const successRate = total > 0 ? ok / total : 0
  return (
    <span className="activity-cell">
      {total > 0 ? (
        <>
          <span className={successRate < GOOD_RATE_MIN ? 'number activity-bad' : 'number'}>
            {t('channel.activity.success', { percent: (successRate * 100).toFixed(1) })}
            {latency_p50 >= 0 && ` · ${t('task.seconds', { seconds: (latency_p50 / 1000).toFixed(1) })}`}
          </span>
          <span className="activity-share number muted">
            <Bars hours={hours} />
            {t('channel.activity.share', { percent: (share * 100).toFixed(share < 0.1 ? 1 : 0) })}
          </span>
        </>
      ) : (
        <span className="muted">{t('channel.activity.none')}</span>
      )}
      {sole_count > 0 && (
        <span className="activity-sole" title={sole_models.join(', ')}>
          {t('channel.activity.sole', { count: sole_count })}
        </span>
      )}
    </span>
  )
}

/** Bars for the number of replies per hour, oldest first. Screen readers ignore the bars. */
function Bars({ hours }: { hours: readonly number[] }) {
  const largest = Math.max(1, ...hours)
  return (
    <svg width={hours.length * BAR_PX} height={HEIGHT_PX} aria-hidden="true">
      {hours.map((count, hour) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / largest) * HEIGHT_PX))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the index is the hour
          <rect key={hour} x={hour * BAR_PX} y={HEIGHT_PX - height} width={BAR_PX - 1} height={height} />
        )
      })}
    </svg>
  )
}

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

interface BalanceCellProps {
  channel: Channel
  busy: boolean
  onUpdate: () => void
}

/** A channel's used quota and its balance at the provider. A click on the balance queries the provider. */
export function BalanceCell({ channel, busy, onUpdate }: BalanceCellProps) {
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
