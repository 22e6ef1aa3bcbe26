import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { DashboardTotals, UsageGroup } from '../../api/dashboard.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { Link } from '../../router/link.tsx'
import type { Metric } from './chart-specs.ts'
import { formatDuration, percentText, successOf } from './figure-texts.ts'

export interface Bar extends UsageGroup {
  displayName: string
  color: string
  /** Path of the log page for the bar; undefined for all other names, because the log filters by one name. */
  logsPath: string | undefined
}

interface Props {
  /** Column heading of the names. */
  heading: string
  bars: readonly Bar[]
  metric: Metric
  /** Whether to show the success rate. */
  hasSuccessRate: boolean
}

/** Shows the usage of each group, such as a model. The length of a bar is relative to the metric's largest value. */
export function UsageBars({ heading, bars, metric, hasSuccessRate }: Props) {
  const { t } = useTranslation()
  const largest = Math.max(...bars.map((bar) => bar[metric]))
  const hasLatency = bars.some(({ latency_p95 }) => latency_p95 >= 0)
  const headCell = (text: ReactNode) => <th scope="col">{text}</th>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={heading}>
      <table className="usage">
        <thead>
          <tr>
            {headCell(heading)}
            {headCell(t('dashboard.metrics.count'))}
            {headCell(t('dashboard.metrics.tokens'))}
            {headCell(t('dashboard.metrics.quota'))}
            {hasSuccessRate && headCell(t('dashboard.successShort'))}
            {hasLatency && headCell('p95')}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.displayName}>
              <th scope="row">
                <span className="usage-model">
                  {bar.logsPath === undefined ? bar.displayName : <Link to={bar.logsPath}>{bar.displayName}</Link>}
                </span>
                <span
                  className="usage-bar"
                  style={{ width: `${largest ? (bar[metric] / largest) * 100 : 0}%`, background: bar.color }}
                />
              </th>
              <td>
                <Count value={bar.count} />
              </td>
              <td>
                <Count value={bar.tokens} />
              </td>
              <td>
                <Quota value={bar.quota} />
              </td>
              {hasSuccessRate && <td className="number">{successText(bar)}</td>}
              {hasLatency && <td className="number">{bar.latency_p95 < 0 ? '–' : formatDuration(bar.latency_p95)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function successText(totals: Pick<DashboardTotals, 'ok' | 'failed'>): string {
  const rate = successOf(totals)
  return rate === undefined ? '–' : percentText(rate)
}
