import type { AreaName } from '../options/area.ts'
import type { AreaParts } from '../options/area-card.tsx'
import { AreasPage } from '../options/areas-page.tsx'
import { operationAreas } from './areas.ts'
import { LogClearing } from './log-clearing.tsx'
import { ModelPrices } from './model-prices/model-prices.tsx'
import './operation.css'
import { ResetRatios } from './reset-ratios.tsx'

const PARTS: Partial<Record<AreaName, AreaParts>> = {
  logs: { after: <LogClearing /> },
  ratio: {
    body: (form) => <ModelPrices form={form} />,
    buttons: (form) => <ResetRatios onReset={form.discard} />,
  },
}

/** The operation settings: ten areas, and server options that are in no area. */
export default function OperationSettings() {
  return <AreasPage areas={operationAreas} parts={PARTS} />
}
