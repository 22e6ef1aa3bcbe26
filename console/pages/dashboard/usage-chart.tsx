import { useEffect, useRef } from 'react'
import { useStore } from '../../store.ts'
import { theme } from '../../theme.ts'
import { Chart, type ChartColors, chartConfig } from './chart-engine.ts'
import type { ChartSpec } from './chart-specs.ts'

interface Props {
  spec: ChartSpec
  /** The chart's content as text, for screen readers. */
  label: string
}

/** A usage chart. Load this large module on demand. */
export default function UsageChart({ spec, label }: Props) {
  const currentTheme = useStore(theme)
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawnChart = useRef<{ chart: Chart; key: string; theme: string }>(undefined)

  useEffect(() => {
    // Each render has a new spec, so redraw the chart only if its data, colors or formats differ.
    const key = JSON.stringify([spec, samplesOf(spec), currentTheme])
    if (drawnChart.current?.key === key || !canvas.current) return
    // After a theme change, the data is the same, so do not animate the change.
    const isStatic = reducesMotion() || (drawnChart.current !== undefined && drawnChart.current.theme !== currentTheme)
    const config = chartConfig(spec, pageColors(canvas.current), isStatic)
    const chart = drawnChart.current?.chart ?? new Chart(canvas.current, config)
    if (drawnChart.current) {
      chart.data = config.data
      chart.options = config.options ?? {}
      chart.update(isStatic ? 'none' : undefined)
    }
    drawnChart.current = { chart, key, theme: currentTheme }
  }, [spec, currentTheme])

  useEffect(
    () => () => {
      drawnChart.current?.chart.destroy()
      drawnChart.current = undefined
    },
    [],
  )
  return (
    <div className="usage-chart" role="img" aria-label={label}>
      <canvas ref={canvas} />
    </div>
  )
}

/** Returns formatted sample values, because functions cannot be compared. Other format functions give other samples. */
const samplesOf = (spec: ChartSpec) => [spec.format(1234.5), spec.type === 'pie' ? '' : spec.axisFormat(1234.5)]

const reducesMotion = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches

/** Reads the current colors from the style sheets, because a canvas cannot use CSS variables. */
function pageColors(element: HTMLElement): ChartColors {
  const styles = getComputedStyle(element)
  const color = (name: string) => styles.getPropertyValue(name).trim()
  return {
    text: color('--color-text-2'),
    lines: color('--color-border-2'),
    surface: color('--color-bg-2'),
    tooltip: color('--color-bg-popup'),
    tooltipText: color('--color-text-1'),
  }
}
