import {
  ArcElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js'
import type { ChartSpec, PieSpec, SeriesSpec } from './chart-specs.ts'

// Registers only the parts that are used, because the whole library is twice as large.
Chart.register(
  ArcElement,
  CategoryScale,
  DoughnutController,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
)

export { Chart }

type Options = NonNullable<ChartConfiguration['options']>

/** Colors of the page, for the parts of a chart that show no data. */
export interface ChartColors {
  text: string
  lines: string
  /** The chart's background, which separates the slices of a pie. */
  surface: string
  tooltip: string
  tooltipText: string
}

/** Maximum number of points for which a line has dots. */
const DOTS_MAX = 60
const ANIMATION_MS = 300

/** Returns the chart library's configuration for a spec. `isStatic` disables the animation. */
export function chartConfig(spec: ChartSpec, colors: ChartColors, isStatic: boolean): ChartConfiguration {
  return spec.type === 'pie' ? pieConfig(spec, colors, isStatic) : seriesConfig(spec, colors, isStatic)
}

function seriesConfig(spec: SeriesSpec, colors: ChartColors, isStatic: boolean): ChartConfiguration {
  const datasets = spec.series.map(({ name, color, values }) => ({
    label: name,
    data: values,
    backgroundColor: color,
    borderColor: color,
    borderWidth: 2,
    pointRadius: spec.times.length <= DOTS_MAX ? 2 : 0,
    pointHitRadius: 8,
  }))
  const ticks = { color: colors.text }
  return {
    type: spec.type,
    data: { labels: spec.times, datasets },
    options: {
      ...commonOptions(colors, isStatic),
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: { grid: { display: false }, ticks: { ...ticks, maxRotation: 0, autoSkipPadding: 16 } },
        y: {
          beginAtZero: true,
          border: { display: false },
          grid: { color: colors.lines },
          ticks: { ...ticks, maxTicksLimit: 6, callback: (value) => spec.axisFormat(Number(value)) },
        },
      },
      plugins: {
        legend: legend(colors),
        tooltip: {
          ...tooltip(colors),
          // Shows the largest value first, and no zero values.
          filter: ({ raw }) => Number(raw) > 0,
          itemSort: (a, b) => Number(b.raw) - Number(a.raw),
          callbacks: { label: ({ dataset, raw }) => ` ${dataset.label}: ${spec.format(Number(raw))}` },
        },
      },
    },
  }
}

function pieConfig({ slices, format }: PieSpec, colors: ChartColors, isStatic: boolean): ChartConfiguration {
  return {
    type: 'doughnut',
    data: {
      labels: slices.map(({ name }) => name),
      datasets: [
        {
          data: slices.map(({ value }) => value),
          backgroundColor: slices.map(({ color }) => color),
          borderColor: colors.surface,
          borderWidth: 1,
        },
      ],
    },
    options: {
      ...commonOptions(colors, isStatic),
      cutout: '62%',
      plugins: {
        legend: legend(colors),
        tooltip: { ...tooltip(colors), callbacks: { label: ({ label, raw }) => ` ${label}: ${format(Number(raw))}` } },
      },
    } as Options,
  }
}

const commonOptions = ({ text }: ChartColors, isStatic: boolean): Options => ({
  responsive: true,
  maintainAspectRatio: false,
  color: text,
  animation: isStatic ? false : { duration: ANIMATION_MS },
  // Redraws only after a pause, because a redraw at each step of a window resize is slow.
  resizeDelay: 100,
  layout: { padding: { top: 4, right: 8 } },
})

const legend = ({ text }: ChartColors) => ({
  position: 'bottom' as const,
  maxHeight: 72,
  labels: { color: text, boxWidth: 10, boxHeight: 10, padding: 12 },
})

const tooltip = ({ tooltip: backgroundColor, tooltipText, lines }: ChartColors) => ({
  backgroundColor,
  borderColor: lines,
  borderWidth: 1,
  titleColor: tooltipText,
  bodyColor: tooltipText,
  padding: 10,
  boxPadding: 4,
  usePointStyle: true,
})
