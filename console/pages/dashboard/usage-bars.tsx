import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Totals, UsageGroup } from '../../api/dashboard.ts'
import { Count } from '../../components/count.tsx'
import { Quota } from '../../components/quota.tsx'
import { Link } from '../../router/link.tsx'
import type { Metric } from './chart-specs.ts'
import { durationText, shareText, successOf } from './figure-texts.ts'

export interface Bar extends UsageGroup {
  displayName: string
  color: string
  /** Path of its log rows; undefined if no filter matches them. */
  to: string | undefined
}

interface Props {
  /** Column heading of the names. */
  heading: string
  bars: readonly Bar[]
  metric: Metric
  /** Whether to show success rate and latency. */
  withQuality: boolean
}

/** Names sorted by the metric, each with a bar relative to the largest. */
export function UsageBars({ heading, bars, metric, withQuality }: Props) {
  const { t } = useTranslation()
  const largest = Math.max(...bars.map((bar) => bar[metric]))
  const isTimed = bars.some(({ latency_p95 }) => latency_p95 >= 0)
  const head = (text: ReactNode) => <th scope="col">{text}</th>
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
    <section className="scroll" tabIndex={0} aria-label={heading}>
      <table className="usage">
        <thead>
          <tr>
            {head(heading)}
            {head(t('dashboard.calls'))}
            {head(t('dashboard.tokens'))}
            {head(t('dashboard.quota'))}
            {withQuality && head(t('dashboard.successShort'))}
            {isTimed && head('p95')}
          </tr>
        </thead>
        <tbody>
          {bars.map((bar) => (
            <tr key={bar.displayName}>
              <th scope="row">
                <span className="usage-model">
                  {bar.to === undefined ? bar.displayName : <Link to={bar.to}>{bar.displayName}</Link>}
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
              {withQuality && <td className="number">{successText(bar)}</td>}
              {isTimed && <td className="number">{bar.latency_p95 < 0 ? '–' : durationText(bar.latency_p95)}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function successText(totals: Pick<Totals, 'ok' | 'failed'>): string {
  const share = successOf(totals)
  return share === undefined ? '–' : shareText(share)
}
