import Skeleton from '@arco-design/web-react/es/Skeleton'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Dashboard, Grouping, UsageGroup } from '../../api/dashboard.ts'
import { useStatus } from '../../api/status.ts'
import { formatAxisQuota, formatCount, formatQuota } from '../../components/amounts.ts'
import { inPlace } from '../../components/on-demand.tsx'
import { WhenNear } from '../../components/when-near.tsx'
import { bucketEnd, bucketLabel, bucketStarts } from './buckets.ts'
import { lineSpec, pieSpec } from './chart-specs.ts'
import type { Asked } from './dashboard-filters.ts'
import { Errors } from './errors-panel.tsx'
import { type LogScope, logPath, nameGroups, rowsOf, type Span } from './groups.ts'
import { modelColors, OTHERS_COLOR } from './model-colors.ts'
import { Panel } from './panel.tsx'
import { TimeTable } from './time-table.tsx'
import { type Bar, UsageBars } from './usage-bars.tsx'
import { UsageLinks } from './usage-links.tsx'
import { usageSeries } from './usage-series.ts'

const UsageChart = inPlace(async () => (await import('./usage-chart.tsx')).default)

interface Props {
  data: Dashboard
  asked: Asked
  /** The relays for the log links; the same object until it changes. */
  scope: LogScope
}

/** Usage charts, with the same data as tables below. */
export function UsagePanels({ data, asked, scope }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const { granularity, metric } = asked
  const { by } = data
  const span: Span = { from: data.start, to: data.end }
  const drawn = useMemo(() => {
    const groups = nameGroups(t, data)
    const colors = Object.fromEntries([
      ...modelColors(groups.filter(({ isOthers }) => !isOthers).map(({ shown }) => shown)),
      ...groups.filter(({ isOthers }) => isOthers).map(({ shown }) => [shown, OTHERS_COLOR] as const),
    ])
    const rows = rowsOf(data, groups)
    const starts = bucketStarts({ start_timestamp: data.start, end_timestamp: data.end }, granularity)
    const names = groups.map(({ shown }) => shown)
    const points = usageSeries(rows, { starts, granularity, models: names, nameOf: (name) => name })
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
  const shown = format[metric]

  const stacks = useMemo(() => {
    const { starts, names, points, colors } = drawn
    return starts.map((start, at) => ({
      key: start,
      time: bucketLabel(start, granularity),
      to: logPath({ from: start, to: bucketEnd(start, granularity) }, scope),
      parts: names.map((name, place) => ({
        name,
        color: colors[name] ?? OTHERS_COLOR,
        value: points[at * names.length + place]?.[metric] ?? 0,
      })),
    }))
  }, [drawn, granularity, metric, scope])

  const specs = useMemo(() => {
    const { groups, colors, points } = drawn
    const looks = { colors, format: shown.value, axisFormat: shown.axis }
    return {
      line: lineSpec(points, metric, looks),
      pie: pieSpec(
        groups.map((group) => ({ model: group.shown, value: group[metric] })),
        looks,
      ),
    }
  }, [drawn, shown, metric])

  /** Returns a chart's text alternative: the sum, and each group. */
  function label(title: string): string {
    const total = drawn.groups.reduce((sum, group) => sum + group[metric], 0)
    const parts = drawn.groups.map((group) =>
      t('dashboard.chartModel', { model: group.shown, value: shown.value(group[metric]) }),
    )
    const summary = [t('dashboard.chartTotal', { total: shown.value(total) }), ...parts].join(', ')
    return t('dashboard.chartLabel', { title, summary })
  }

  const bars = (groups: readonly (UsageGroup & { shown: string })[], kind: Grouping): Bar[] =>
    groups.map((group) => ({
      ...group,
      color: kind === by ? (drawn.colors[group.shown] ?? OTHERS_COLOR) : 'rgb(var(--primary-6))',
      to: group.name === '' ? undefined : logPath(span, { ...scope, by: kind, group }),
    }))
  const tops = (['user', 'member', 'token', 'channel'] as const)
    .filter((kind) => kind !== by)
    .map((kind) => ({ kind, groups: data[`${kind}s`] }))
    .filter(({ groups }) => groups.length > 0)
  const titles = { bar: t(`dashboard.chart.${by}`, { metric: t(`dashboard.metrics.${metric}`) }) }
  const waiting = <Skeleton animation text={{ rows: 7 }} className="usage-chart" />
  const done = { data, isError: false }
  return (
    <>
      <Panel title={titles.bar} query={done}>
        {() => <UsageLinks stacks={stacks} label={label(titles.bar)} format={shown.value} axisFormat={shown.axis} />}
      </Panel>
      <div className="panel-pair panel-pair-even">
        <Panel title={t(`dashboard.byName.${by}`)} query={done}>
          {() => (
            <UsageBars
              heading={t(`dashboard.grouping.${by}`)}
              bars={bars(drawn.groups, by)}
              metric={metric}
              withQuality={hasQuality(drawn.groups)}
            />
          )}
        </Panel>
        <Panel title={t('dashboard.errors')} query={done}>
          {() => <Errors errors={data.errors} span={span} scope={scope} />}
        </Panel>
        {tops.map(({ kind, groups }) => (
          <Panel key={kind} title={t(`dashboard.tops.${kind}`)} query={done}>
            {() => (
              <UsageBars
                heading={t(`dashboard.grouping.${kind}`)}
                bars={bars(nameGroups(t, { ...data, by: kind, groups }), kind)}
                metric={metric}
                withQuality={hasQuality(groups)}
              />
            )}
          </Panel>
        ))}
        <Panel title={t('dashboard.byTime')} query={done}>
          {() => <TimeTable rows={drawn.rows} granularity={granularity} scope={scope} />}
        </Panel>
      </div>
      <div className="panel-pair">
        <Panel title={t('dashboard.trendChart')} query={done}>
          {() => (
            <WhenNear fallback={waiting}>
              <Suspense fallback={waiting}>
                <UsageChart spec={specs.line} label={label(t('dashboard.trendChart'))} />
              </Suspense>
            </WhenNear>
          )}
        </Panel>
        <Panel title={t('dashboard.shareChart')} query={done}>
          {() => (
            <WhenNear fallback={waiting}>
              <Suspense fallback={waiting}>
                <UsageChart spec={specs.pie} label={label(t('dashboard.shareChart'))} />
              </Suspense>
            </WhenNear>
          )}
        </Panel>
      </div>
    </>
  )
}

const hasQuality = (groups: readonly UsageGroup[]) => groups.some(({ ok, failed }) => ok + failed > 0)
