import { OTHER_COLOR } from './model-colors.ts'
import type { UsagePoint } from './usage-series.ts'

export type Metric = 'quota' | 'count' | 'tokens'

interface ChartStyle {
  /** Color by model name. */
  colors: Record<string, string>
  format: (value: number) => string
  /** Formats the labels of the axis, so that neighboring labels differ. */
  axisFormat: (value: number) => string
}

/** Values over time: one series per model, with one value for each entry of `times`. */
export interface SeriesSpec {
  type: 'line'
  times: string[]
  series: { name: string; color: string; values: number[] }[]
  format: (value: number) => string
  axisFormat: (value: number) => string
}

/** Parts of a whole. */
export interface PieSpec {
  type: 'pie'
  slices: { name: string; color: string; value: number }[]
  format: (value: number) => string
}

/** The input of `UsageChart`, independent of the chart library. */
export type ChartSpec = SeriesSpec | PieSpec

export function pieSpec(
  values: readonly { model: string; value: number }[],
  { colors, format }: Omit<ChartStyle, 'axisFormat'>,
): PieSpec {
  const slices = values.map(({ model, value }) => ({ name: model, color: colors[model] ?? OTHER_COLOR, value }))
  return { type: 'pie', slices, format }
}

export function lineSpec(
  points: readonly UsagePoint[],
  metric: Metric,
  { colors, format, axisFormat }: ChartStyle,
): SeriesSpec {
  const times = [...new Set(points.map(({ time }) => time))]
  const places = new Map(times.map((time, place) => [time, place]))
  const byModel = new Map<string, number[]>()
  for (const point of points) {
    const values = byModel.get(point.model) ?? times.map(() => 0)
    const index = places.get(point.time) ?? 0
    // When clocks are set back, a local hour repeats, so two buckets have the same label.
    values[index] = (values[index] ?? 0) + point[metric]
    byModel.set(point.model, values)
  }
  const series = Array.from(byModel, ([name, values]) => ({ name, color: colors[name] ?? OTHER_COLOR, values }))
  return { type: 'line', times, series, format, axisFormat }
}
