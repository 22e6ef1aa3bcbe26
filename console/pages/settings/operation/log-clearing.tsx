import Button from '@arco-design/web-react/es/Button'
import DatePicker from '@arco-design/web-react/es/DatePicker'
import Form from '@arco-design/web-react/es/Form'
import Message from '@arco-design/web-react/es/Message'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { clearLogs } from '../../../api/options.ts'
import { useConfirm } from '../../../components/confirm.tsx'
import { useAction } from '../../../components/saving.ts'

/** A form that deletes the log rows from before a chosen time. */
export function LogClearing() {
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
