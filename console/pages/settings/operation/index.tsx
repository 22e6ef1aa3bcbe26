import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { resetModelRatios } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'
import type { AreaName } from '../options/area.ts'
import type { AreaParts } from '../options/area-card.tsx'
import { AreasPage } from '../options/areas-page.tsx'
import { OPTION_KEY } from '../options/use-options.ts'
import { operationAreas } from './areas.ts'
import { LogClearing } from './log-clearing.tsx'
import { ModelPrices } from './model-prices/model-prices.tsx'
import './operation.css'

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

/** A button that restores the built-in model ratios. */
function ResetRatios({ onReset }: { onReset: () => void }) {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const resetAction = useAction({
    run: resetModelRatios,
    done: t('operation.ratiosReset'),
    stale: [OPTION_KEY, 'pricing'],
    after: onReset,
  })
  return (
    <Button
      status="danger"
      onClick={() =>
        confirm({
          title: t('operation.resetRatiosQuestion'),
          content: t('operation.resetRatiosHint'),
          okText: t('action.reset'),
          danger: true,
          onOk: () => resetAction.mutateAsync(),
        })
      }
    >
      {t('operation.resetRatios')}
    </Button>
  )
}
