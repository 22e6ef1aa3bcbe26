import Radio from '@arco-design/web-react/es/Radio'
import Skeleton from '@arco-design/web-react/es/Skeleton'
import { Suspense, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useStatus } from '../../api/status.ts'
import type { UsageRow } from '../../api/usage.ts'
import { formatAxisQuota, formatCount, formatQuota } from '../../components/amounts.ts'
import { inPlace } from '../../components/on-demand.tsx'
import { bucketStarts } from './buckets.ts'
import { barSpec, lineSpec, type Metric, pieSpec } from './chart-specs.ts'
import type { Asked } from './dashboard-filters.ts'
import { modelColors, OTHERS_COLOR } from './model-colors.ts'
import { MODELS_MAX, usageByModel } from './model-usage.ts'
import { Panel } from './panel.tsx'
import { TimeTable } from './time-table.tsx'
import { UsageBars } from './usage-bars.tsx'
import { usageSeries } from './usage-series.ts'

const UsageChart = inPlace(async () => (await import('./usage-chart.tsx')).default)

interface Props extends Asked {
  rows: UsageRow[]
  trend: 'count' | 'tokens'
  onTrend: (trend: 'count' | 'tokens') => void
}

/** Usage as pictures, and the same as tables below them. */
export function UsagePanels({ rows, range, granularity, trend, onTrend }: Props) {
  const { t } = useTranslation()
  const { data: status } = useStatus()
  const drawn = useMemo(() => {
    const { models, rest } = usageByModel(rows, MODELS_MAX)
    const own = new Set(models.map(({ model }) => model))
    const others = t('dashboard.otherModels', { count: rest?.modelCount ?? 0 })
    const nameOf = (model: string) => (own.has(model) ? model || t('dashboard.noModel') : others)
    const names = [...own].map(nameOf)
    const colors = Object.fromEntries([...modelColors(names), [others, OTHERS_COLOR]])
    // What has not come yet is not empty.
    const until = Math.min(range.end_timestamp, Date.now() / 1000)
    const starts = bucketStarts({ ...range, end_timestamp: until }, granularity)
    const points = usageSeries(rows, { starts, granularity, models: [...own], nameOf })
    const sums = [...models, ...(rest ? [{ ...rest, model: others }] : [])]
    return { points, colors, sums: sums.map((sum) => ({ ...sum, model: sum.model || t('dashboard.noModel') })) }
  }, [rows, range, granularity, t])

  const format = useMemo(
    () => ({
      quota: (value: number) => (status ? formatQuota(Math.round(value), status) : String(value)),
      axisQuota: (value: number) => (status ? formatAxisQuota(value, status) : String(value)),
      count: formatCount,
      tokens: formatCount,
    }),
    [status],
  )
  const specs = useMemo(() => {
    const { points, colors, sums } = drawn
    return {
      bar: barSpec(points, { colors, format: format.quota, axisFormat: format.axisQuota }),
      line: lineSpec(points, trend, { colors, format: format[trend], axisFormat: format[trend] }),
      pie: pieSpec(
        sums.map(({ model, count }) => ({ model, value: count })),
        { colors, format: format.count },
      ),
    }
  }, [drawn, format, trend])

  /** What a chart shows, in words: the sum, and each model. */
  function label(title: string, metric: Metric): string {
    const total = drawn.sums.reduce((sum, usage) => sum + usage[metric], 0)
    const models = drawn.sums.map((usage) =>
      t('dashboard.chartModel', { model: usage.model, value: format[metric](usage[metric]) }),
    )
    const summary = [t('dashboard.chartTotal', { total: format[metric](total) }), ...models].join(', ')
    return t('dashboard.chartLabel', { title, summary })
  }

  const waiting = <Skeleton animation text={{ rows: 7 }} className="usage-chart" />
  const done = { data: rows, isError: false }
  return (
    <>
      <Panel title={t('dashboard.quotaChart')} query={done}>
        {() => (
          <Suspense fallback={waiting}>
            <UsageChart spec={specs.bar} label={label(t('dashboard.quotaChart'), 'quota')} />
          </Suspense>
        )}
      </Panel>
      <div className="panel-pair">
        <Panel
          title={t('dashboard.trendChart')}
          query={done}
          extra={
            <Radio.Group
              type="button"
              size="small"
              value={trend}
              aria-label={t('dashboard.metric')}
              onChange={onTrend}
              options={[
                { value: 'count', label: t('dashboard.calls') },
                { value: 'tokens', label: t('dashboard.tokens') },
              ]}
            />
          }
        >
          {() => (
            <Suspense fallback={waiting}>
              <UsageChart spec={specs.line} label={label(t('dashboard.trendChart'), trend)} />
            </Suspense>
          )}
        </Panel>
        <Panel title={t('dashboard.callsChart')} query={done}>
          {() => (
            <Suspense fallback={waiting}>
              <UsageChart spec={specs.pie} label={label(t('dashboard.callsChart'), 'count')} />
            </Suspense>
          )}
        </Panel>
      </div>
      <div className="panel-pair panel-pair-even">
        <Panel title={t('dashboard.byModel')} query={done}>
          {() => <UsageBars sums={drawn.sums} colors={drawn.colors} />}
        </Panel>
        <Panel title={t('dashboard.byTime')} query={done}>
          {() => <TimeTable rows={rows} granularity={granularity} />}
        </Panel>
      </div>
    </>
  )
}
