import { VChartSimple } from '@visactor/react-vchart/esm/VChartSimple'
import type { IBarChartSpec, ILineChartSpec, IPieChartSpec } from '@visactor/vchart'
import { arcoDesignDark } from '@visactor/vchart-arco-theme/esm/dark'
import { arcoDesignLight } from '@visactor/vchart-arco-theme/esm/light'
import { useMemo } from 'react'
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
  const themed = useMemo(
    () => ({
      ...spec,
      background: 'transparent',
      theme: shown === 'dark' ? arcoDesignDark : arcoDesignLight,
    }),
    [spec, shown],
  )
  return (
    <div className="usage-chart" role="img" aria-label={label}>
      <VChartSimple vchartConstructor={VChart} spec={themed} skipFunctionDiff />
    </div>
  )
}
