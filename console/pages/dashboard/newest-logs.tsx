import Table, { type ColumnProps } from '@arco-design/web-react/es/Table'
import type { TFunction } from 'i18next'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE, type LogRow } from '../../api/logs.ts'
import { Count } from '../../components/count.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { LogType } from '../../components/log-type.tsx'
import { Quota } from '../../components/quota.tsx'

export function NewestLogs({ rows }: { rows: LogRow[] }) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className="panel-note">{t('dashboard.noLogs')}</p>
  // The place in the list is the key: ids that users get to see repeat.
  const data = rows.map((row, place) => ({ ...row, place }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable with the keyboard
    <section className="scroll" tabIndex={0} aria-label={t('dashboard.logTable')}>
      <Table
        className="newest-logs"
        rowKey="place"
        size="small"
        border={false}
        pagination={false}
        data={data}
        columns={columns(t)}
      />
    </section>
  )
}

function columns(t: TFunction): ColumnProps<LogRow>[] {
  return [
    { title: t('log.time'), width: 140, render: (_, row) => <DateTime seconds={row.created_at} /> },
    { title: t('log.kind'), width: 110, render: (_, row) => <LogType type={row.type} /> },
    { title: t('log.model'), ellipsis: true, render: (_, row) => (isCharge(row) ? row.model_name : row.content) },
    { title: t('log.token'), width: 130, ellipsis: true, render: (_, row) => row.token_name || '–' },
    { title: t('log.prompt'), width: 80, align: 'right', render: (_, row) => chargeOnly(row, row.prompt_tokens) },
    {
      title: t('log.completion'),
      width: 110,
      align: 'right',
      render: (_, row) => chargeOnly(row, row.completion_tokens),
    },
    {
      title: t('log.seconds'),
      width: 120,
      align: 'right',
      render: (_, row) => (isCharge(row) ? duration(t, row) : '–'),
    },
    {
      title: t('log.cost'),
      width: 110,
      align: 'right',
      render: (_, row) => (isCharge(row) ? <Quota value={row.quota} /> : '–'),
    },
  ]
}

const isCharge = (row: LogRow) => row.type === LOG_TYPE.consume
const chargeOnly = (row: LogRow, count: number) => (isCharge(row) ? <Count value={count} /> : '–')
const duration = (t: TFunction, row: LogRow) => (
  <span className="number">{t(row.is_stream ? 'log.stream' : 'log.whole', { seconds: row.use_time })}</span>
)
