import type { IBarChartSpec, ILineChartSpec, IPieChartSpec } from '@visactor/vchart'
import type { UsagePoint } from './usage-series.ts'

export type Metric = 'quota' | 'count' | 'tokens'

interface Looks {
  /** By name of the model. */
  colors: Record<string, string>
  format: (value: number) => string
  /** Beside the axis, where neighbours must differ. */
  axisFormat: (value: number) => string
}

interface Value {
  time: string
  model: string
  value: number
}

/** Lines with more points than these show none of them. */
const DOTS_MAX = 60

export function barSpec(points: readonly UsagePoint[], looks: Looks): IBarChartSpec {
  const [first] = points
  const values = valuesOf(points, 'quota')
    // Bars of nothing are left out, but for one: it keeps the place of a time without any.
    .filter(({ model, value }) => value > 0 || model === first?.model)
  return {
    type: 'bar',
    data: [{ id: 'usage', values }],
    xField: 'time',
    yField: 'value',
    seriesField: 'model',
    stack: true,
    bar: { style: { cornerRadius: 1 } },
    ...common(looks),
    tooltip: tooltip(looks, true),
  }
}

export function lineSpec(points: readonly UsagePoint[], metric: Metric, looks: Looks): ILineChartSpec {
  const values = valuesOf(points, metric)
  const times = new Set(values.map(({ time }) => time)).size
  return {
    type: 'line',
    data: [{ id: 'usage', values }],
    xField: 'time',
    yField: 'value',
    seriesField: 'model',
    line: { style: { lineWidth: 2 } },
    point: { visible: times <= DOTS_MAX, style: { size: 4 } },
    ...common(looks),
    tooltip: tooltip(looks, false),
  }
}

export function pieSpec(
  values: readonly { model: string; value: number }[],
  { colors, format }: Omit<Looks, 'axisFormat'>,
): IPieChartSpec {
  return {
    type: 'pie',
    data: [{ id: 'calls', values: [...values] }],
    categoryField: 'model',
    valueField: 'value',
    outerRadius: 0.85,
    innerRadius: 0.55,
    color: colorScale(colors),
    padding,
    legends: { visible: true, orient: 'bottom', maxRow: 3 },
    tooltip: {
      mark: { content: [{ key: (datum) => String(datum?.model), value: (datum) => format(Number(datum?.value)) }] },
    },
  }
}

function valuesOf(points: readonly UsagePoint[], metric: Metric): Value[] {
  return points.map((point) => ({ time: point.time, model: point.model, value: point[metric] }))
}

const colorScale = (colors: Record<string, string>) => ({
  type: 'ordinal' as const,
  domain: Object.keys(colors),
  range: Object.values(colors),
})

/** The frame around has room enough. */
const padding = { top: 4, right: 8, bottom: 0, left: 0 }

const common = ({ colors, axisFormat }: Looks) => ({
  color: colorScale(colors),
  padding,
  legends: { visible: true, orient: 'bottom' as const, maxRow: 2 },
  axes: [
    { orient: 'bottom' as const, label: { autoHide: true, autoLimit: true } },
    { orient: 'left' as const, label: { formatMethod: (value: string | string[]) => axisFormat(Number(value)) } },
  ],
})

/** The dearest first, nothing left out but what is nothing; for a stack with the sum of it. */
const tooltip = ({ format }: Looks, isStack: boolean): NonNullable<IBarChartSpec['tooltip']> => ({
  mark: { content: [{ key: (datum) => String(datum?.model), value: (datum) => format(Number(datum?.value)) }] },
  dimension: {
    content: [{ key: (datum) => String(datum?.model), value: (datum) => String(datum?.value) }],
    updateContent: (lines = []) => {
      const used = lines.filter(({ value }) => Number(value) > 0).sort((a, b) => Number(b.value) - Number(a.value))
      const shown = used.map((line) => ({ ...line, value: format(Number(line.value)) }))
      const sum = used.reduce((total, { value }) => total + Number(value), 0)
      return isStack && used.length > 1 ? [{ key: 'Σ', value: format(sum), hasShape: false }, ...shown] : shown
    },
  },
})
