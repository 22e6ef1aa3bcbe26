import Button from '@arco-design/web-react/es/Button'
import DatePicker from '@arco-design/web-react/es/DatePicker'
import Form from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearLogs, resetModelRatios } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'
import type { AreaName } from '../options/area.ts'
import type { AreaParts } from '../options/area-card.tsx'
import { AreasPage } from '../options/areas-page.tsx'
import { OPTION_KEY } from '../options/use-options.ts'
import { operationAreas } from './areas.ts'
import { ModelPrices } from './model-prices/model-prices.tsx'
import './operation.css'

const PARTS: Partial<Record<AreaName, AreaParts>> = {
  logs: { after: <LogClearing /> },
  ratio: { body: (form) => <ModelPrices form={form} />, buttons: (form) => <ResetRatios onReset={form.discard} /> },
}

/** The operation settings, in ten areas. An eleventh area has the server's options that are in no area of any tab. */
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

/** A form that deletes the log rows from before a chosen time. */
function LogClearing() {
  const { t } = useTranslation()
  const confirm = useConfirm()
  const [time, setTime] = useState<string>()
  const clearAction = useAction({ run: clearLogs, done: (count) => t('operation.cleared', { count }), stale: ['log'] })

  function ask() {
    const milliseconds = Date.parse(time ?? '')
    if (time === undefined || Number.isNaN(milliseconds)) return void Message.error(t('operation.chooseTime'))
    confirm({
      title: t('operation.clearLogsQuestion', { time }),
      okText: t('operation.clearLogs'),
      danger: true,
      onOk: () => clearAction.mutateAsync(Math.floor(milliseconds / 1000)),
    })
  }

  return (
    <Form layout="vertical" className="log-clearing" onSubmit={ask}>
      <Form.Item label={t('operation.clearLogsBefore')}>
        <DatePicker
          showTime
          format="YYYY-MM-DD HH:mm:ss"
          value={time ?? ''}
          onChange={(text: string | undefined) => setTime(text || undefined)}
          aria-label={t('operation.clearLogsBefore')}
        />
      </Form.Item>
      <div>
        <Button status="danger" htmlType="submit" loading={clearAction.isPending}>
          {t('operation.clearLogs')}
        </Button>
      </div>
    </Form>
  )
}
