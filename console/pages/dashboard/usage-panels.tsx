import Skeleton from '@arco-design/web-react/es/Skeleton'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard, Grouping, UsageGroup } from '../../api/dashboard.ts'
import { LOG_TYPE } from '../../api/logs.ts'
import { useStatus } from '../../api/status.ts'
import { formatAxisQuota, formatCount, formatQuota } from '../../components/amounts.ts'
import { Count } from '../../components/count.tsx'
import { inPlace } from '../../components/on-demand.tsx'
import { WhenNear } from '../../components/when-near.tsx'
import { Link } from '../../router/link.tsx'
import { bucketEnd, bucketLabel, bucketStarts } from './buckets.ts'
import { type ChartSpec, lineSpec, pieSpec } from './chart-specs.ts'
import type { DashboardSelection } from './dashboard-filters.ts'
import { type DashboardSpan, type LogScope, logPath, nameGroups, usageRowsOf } from './groups.ts'
import { modelColors, OTHER_COLOR } from './model-colors.ts'
import { Panel } from './panel.tsx'
import { TimeTable } from './time-table.tsx'
import { type Bar, UsageBars } from './usage-bars.tsx'
import { UsageLinks } from './usage-links.tsx'
import { usageSeries } from './usage-series.ts'

const UsageChart = inPlace(async () => (await import('./usage-chart.tsx')).default)

interface Props {
  data: Dashboard
  selection: DashboardSelection
  /** Selects the relays that the log links show. Must be the same object on each render until its content changes. */
  scope: LogScope
}

/** Usage charts, and tables with the same data. */
export function UsagePanels({ data, selection, scope }: Props) {
  const { t } = useTranslation()
  const { granularity, metric } = selection
  const { by } = data
  const span: DashboardSpan = { from: data.start, to: data.end }
  const { usage, metricFormat, stacks, specs, label } = useUsageCharts({ data, selection, scope })
  const bars = (groups: readonly (UsageGroup & { displayName: string })[], kind: Grouping): Bar[] =>
    groups.map((group) => ({
      ...group,
      color: kind === by ? (usage.colors[group.displayName] ?? OTHER_COLOR) : 'rgb(var(--primary-6))',
      logsPath: group.name === '' ? undefined : logPath(span, { ...scope, by: kind, group }),
    }))
  const tops = (['user', 'member', 'token', 'channel'] as const)
    .filter((kind) => kind !== by)
    .map((kind) => ({ kind, groups: data[`${kind}s`] }))
    .filter(({ groups }) => groups.length > 0)
  const barTitle = t(`dashboard.chart.${by}`, { metric: t(`dashboard.metrics.${metric}`) })
  return (
    <>
      <Panel title={barTitle}>
        <UsageLinks
          stacks={stacks}
          label={label(barTitle)}
          format={metricFormat.value}
          axisFormat={metricFormat.axis}
        />
      </Panel>
      <div className="panel-pair panel-pair-even">
        <Panel title={t(`dashboard.byName.${by}`)}>
          <UsageBars
            heading={t(`dashboard.grouping.${by}`)}
            bars={bars(usage.groups, by)}
            metric={metric}
            hasSuccessRate={hasResults(usage.groups)}
          />
        </Panel>
        <Panel title={t('dashboard.errors')}>
          <Errors errors={data.errors} span={span} scope={scope} />
        </Panel>
        {tops.map(({ kind, groups }) => (
          <Panel key={kind} title={t(`dashboard.tops.${kind}`)}>
            <UsageBars
              heading={t(`dashboard.grouping.${kind}`)}
              bars={bars(nameGroups(t, { ...data, by: kind, groups }), kind)}
              metric={metric}
              hasSuccessRate={hasResults(groups)}
            />
          </Panel>
        ))}
        <Panel title={t('dashboard.byTime')}>
          <TimeTable rows={usage.rows} granularity={granularity} scope={scope} />
        </Panel>
      </div>
      <div className="panel-pair">
        <ChartPanel title={t('dashboard.trendChart')} spec={specs.line} label={label} />
        <ChartPanel title={t('dashboard.shareChart')} spec={specs.pie} label={label} />
      </div>
    </>
  )
}

const hasResults = (groups: readonly UsageGroup[]) => groups.some(({ ok, failed }) => ok + failed > 0)

interface ChartPanelProps {
  title: string
  spec: ChartSpec
  label: (title: string) => string
}

function ChartPanel({ title, spec, label }: ChartPanelProps) {
  const placeholder = <Skeleton animation text={{ rows: 7 }} className="usage-chart" />
  return (
    <Panel title={title}>
      <WhenNear fallback={placeholder}>
        <Suspense fallback={placeholder}>
          <UsageChart spec={spec} label={label(title)} />
        </Suspense>
      </WhenNear>
    </Panel>
  )
}

/** Returns the data of the charts, and a function for their text alternatives. */
function useUsageCharts({ data, selection, scope }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { granularity, metric } = selection
  const usage = useMemo(() => {
    const groups = nameGroups(t, data)
    const colors = Object.fromEntries([
      ...modelColors(groups.filter(({ isOther }) => !isOther).map(({ displayName }) => displayName)),
      ...groups.filter(({ isOther }) => isOther).map(({ displayName }) => [displayName, OTHER_COLOR] as const),
    ])
    const rows = usageRowsOf(data, groups)
    const starts = bucketStarts({ start_timestamp: data.start, end_timestamp: data.end }, granularity)
    const names = groups.map(({ displayName }) => displayName)
    const points = usageSeries(rows, { starts, granularity, models: names })
    return { groups, colors, rows, starts, names, points }
  }, [data, granularity, t])

  const format = useMemo(() => {
    const count = { value: formatCount, axis: formatCount }
    const quota = status
      ? {
          value: (value: number) => formatQuota(Math.round(value), status),
          axis: (value: number) => formatAxisQuota(value, status),
        }
      : { value: String, axis: String }
    return { quota, count, tokens: count }
  }, [status])
  const metricFormat = format[metric]

  const stacks = useMemo(() => {
    const { starts, names, points, colors } = usage
    return starts.map((start, index) => ({
      key: start,
      time: bucketLabel(start, granularity),
      to: logPath({ from: start, to: bucketEnd(start, granularity) }, scope),
      parts: names.map((name, place) => ({
        name,
        color: colors[name] ?? OTHER_COLOR,
        value: points[index * names.length + place]?.[metric] ?? 0,
      })),
    }))
  }, [usage, granularity, metric, scope])

  const specs = useMemo(() => {
    const { groups, colors, points } = usage
    const style = { colors, format: metricFormat.value, axisFormat: metricFormat.axis }
    return {
      line: lineSpec(points, metric, style),
      pie: pieSpec(
        groups.map((group) => ({ model: group.displayName, value: group[metric] })),
        style,
      ),
    }
  }, [usage, metricFormat, metric])

  /** Returns a chart's text alternative: the sum and the value of each group. */
  function label(title: string): string {
    const total = usage.groups.reduce((sum, group) => sum + group[metric], 0)
    const parts = usage.groups.map((group) =>
      t('dashboard.chartModel', { model: group.displayName, value: metricFormat.value(group[metric]) }),
    )
    const summary = [t('dashboard.chartTotal', { total: metricFormat.value(total) }), ...parts].join(', ')
    return t('dashboard.chartLabel', { title, summary })
  }

  return { usage, metricFormat, stacks, specs, label }
}

/** A table of the failures by error code. */
function Errors({ errors, span, scope }: { errors: Dashboard['errors']; span: DashboardSpan; scope: LogScope }) {
  const { t } = useTranslation()
  if (errors.length === 0) return <p className="panel-empty">{t('dashboard.noErrors')}</p>
  const largest = Math.max(...errors.map(({ count }) => count))
  return (
    <table className="usage">
      <thead>
        <tr>
          <th scope="col">{t('dashboard.errorCode')}</th>
          <th scope="col">{t('dashboard.errorCount')}</th>
        </tr>
      </thead>
      <tbody>
        {errors.map(({ code, count }) => (
          <tr key={code}>
            <th scope="row">
              <span className="usage-model">
                <Link to={logPath(span, { ...scope, type: LOG_TYPE.error })}>{code}</Link>
              </span>
              <span
                className="usage-bar"
                style={{ width: `${(count / largest) * 100}%`, background: 'rgb(var(--red-6))' }}
              />
            </th>
            <td>
              <Count value={count} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
