import Button from '@arco-design/web-react/es/Button'
import { useTranslation } from 'react-i18next'
import { resetModelRatios } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'
import { OPTION_KEY } from '../options/use-options.ts'

/** A button that restores the built-in model ratios. */
export function ResetRatios({ onReset }: { onReset: () => void }) {
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
