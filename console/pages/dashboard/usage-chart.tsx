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

/** A usage chart. The module is large: load it on demand. */
export default function UsageChart({ spec, label }: Props) {
  const shown = useStore(theme)
  const canvas = useRef<HTMLCanvasElement>(null)
  const drawn = useRef<{ chart: Chart; key: string; theme: string }>(undefined)

  useEffect(() => {
    // Each render creates a new spec: redraw the chart only if its data, colors or formats differ.
    const key = JSON.stringify([spec, samplesOf(spec), shown])
    if (drawn.current?.key === key || !canvas.current) return
    // A theme change shows the same data, so do not animate it.
    const still = reducesMotion() || (drawn.current !== undefined && drawn.current.theme !== shown)
    const config = chartConfig(spec, pageColors(canvas.current), still)
    const chart = drawn.current?.chart ?? new Chart(canvas.current, config)
    if (drawn.current) {
      chart.data = config.data
      chart.options = config.options ?? {}
      chart.update(still ? 'none' : undefined)
    }
    drawn.current = { chart, key, theme: shown }
  }, [spec, shown])

  useEffect(
    () => () => {
      drawn.current?.chart.destroy()
      drawn.current = undefined
    },
    [],
  )
  return (
    <div className="usage-chart" role="img" aria-label={label}>
      <canvas ref={canvas} />
    </div>
  )
}

/** Returns formatted samples, because functions cannot be compared: a changed currency shows in them. */
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
