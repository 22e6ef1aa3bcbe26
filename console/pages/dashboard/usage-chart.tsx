import type { IBarChartSpec, ILineChartSpec, IPieChartSpec } from '@visactor/vchart'
import { arcoDesignDark } from '@visactor/vchart-arco-theme/esm/dark'
import { arcoDesignLight } from '@visactor/vchart-arco-theme/esm/light'
import { useEffect, useRef } from 'react'
import { useStore } from '../../store.ts'
import { theme } from '../../theme.ts'
import { VChart } from './chart-engine.ts'

interface Props {
  spec: IBarChartSpec | ILineChartSpec | IPieChartSpec
  /** What the picture says, for those who cannot see it. */
  label: string
}

/** A picture of usage. Its module is large: load it when it is needed. */
export default function UsageChart({ spec, label }: Props) {
  const shown = useStore(theme)
  const place = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ chart: InstanceType<typeof VChart>; key: string }>(undefined)

  useEffect(() => {
    const themed = { ...spec, background: 'transparent', theme: shown === 'dark' ? arcoDesignDark : arcoDesignLight }
    // A spec is rebuilt with each render: the chart animates again only if its data or colors differ.
    const key = JSON.stringify([spec, shown])
    if (drawn.current?.key === key || !place.current) return
    if (drawn.current) drawn.current.chart.updateSpecSync(themed)
    else drawn.current = { chart: drawChart(themed, place.current), key }
    drawn.current.key = key
  }, [spec, shown])

  useEffect(
    () => () => {
      drawn.current?.chart.release()
      drawn.current = undefined
    },
    [],
  )
  return <div className="usage-chart" role="img" aria-label={label} ref={place} />
}

function drawChart(spec: Props['spec'], dom: HTMLElement): InstanceType<typeof VChart> {
  const chart = new VChart(spec, { dom, autoFit: true })
  chart.renderSync()
  return chart
}
