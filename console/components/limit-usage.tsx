import Progress from '@arco-design/web-react/es/Progress'
import Tooltip from '@arco-design/web-react/es/Tooltip'
import { useTranslation } from 'react-i18next'
import type { Limit, LimitStatus } from '../api/limits.ts'
import { useStatus } from '../api/status.ts'
import { formatQuota } from './amounts.ts'
import { DateTime } from './date-time.tsx'
import './limit-usage.css'

const PERCENT = 100
const WARNING_PERCENT = 80

/** An amount in the limit's unit. */
export function LimitAmount({ measure, amount }: { measure: Limit['measure']; amount: number }) {
  const { data: status } = useStatus()
  const text = measure === 'quota' ? (status ? formatQuota(amount, status) : '–') : amount.toLocaleString('en-US')
  return <span className="number">{text}</span>
}

/** A progress bar with the usage and amount of a limit. The tooltip has the time of the reset, if there is one. */
export function LimitUsage({ status, named = true }: { status: LimitStatus; named?: boolean }) {
  const { t } = useTranslation()
  const { limit, used, resets_at } = status
  const percent = Math.min(PERCENT, Math.floor((used / limit.amount) * PERCENT))
  const measure = t(`limit.measure.${limit.measure}`)
  const window = t(`limit.per.${limit.period}`)
  const bar = (
    <div className="limit-usage">
      <div className="limit-usage-text">
        {named && <span>{limit.period === 'none' ? measure : t('limit.measured', { measure, window })}</span>}
        <span>
          <LimitAmount measure={limit.measure} amount={used} /> /{' '}
          <LimitAmount measure={limit.measure} amount={limit.amount} />
        </span>
      </div>
      {/* The bar is hidden from screen readers, because the text has the same content. */}
      <div aria-hidden="true">
        <Progress
          percent={percent}
          size="small"
          showText={false}
          status={percent >= PERCENT ? 'error' : percent >= WARNING_PERCENT ? 'warning' : 'normal'}
        />
      </div>
    </div>
  )
  if (resets_at === 0 || limit.period === 'none') return bar
  return (
    <Tooltip
      content={
        <>
          {t('limit.resets')} <DateTime seconds={resets_at} />
        </>
      }
    >
      {bar}
    </Tooltip>
  )
}
