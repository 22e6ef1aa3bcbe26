import { registerBarChart } from '@visactor/vchart/esm/chart/bar'
import { registerLineChart } from '@visactor/vchart/esm/chart/line'
import { registerPieChart } from '@visactor/vchart/esm/chart/pie'
import { registerCartesianBandAxis } from '@visactor/vchart/esm/component/axis/cartesian/band-axis'
import { registerCartesianLinearAxis } from '@visactor/vchart/esm/component/axis/cartesian/linear-axis'
import { registerCartesianCrossHair } from '@visactor/vchart/esm/component/crosshair/cartesian'
import { registerDiscreteLegend } from '@visactor/vchart/esm/component/legend/discrete/legend'
import { registerTooltip } from '@visactor/vchart/esm/component/tooltip/tooltip'
import { VChart } from '@visactor/vchart/esm/core'
import { registerDomTooltipHandler } from '@visactor/vchart/esm/plugin/components/tooltip-handler'

// The whole library is more than twice as large as these parts of it.
// biome-ignore lint/correctness/useHookAtTopLevel: a method of the library, no hook of React
VChart.useRegisters([
  registerBarChart,
  registerLineChart,
  registerPieChart,
  registerCartesianBandAxis,
  registerCartesianLinearAxis,
  registerCartesianCrossHair,
  registerDiscreteLegend,
  registerTooltip,
  registerDomTooltipHandler,
])

export { VChart }
