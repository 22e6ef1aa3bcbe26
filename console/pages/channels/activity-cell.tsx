import { useTranslation } from 'react-i18next'
import type { ChannelActivity } from '../../api/channels.ts'

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
