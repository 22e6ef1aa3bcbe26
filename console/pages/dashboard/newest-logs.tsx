import Table, { type ColumnProps } from '@arco-design/web-react/es/Table'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { LOG_TYPE, type LogRow } from '../../api/logs.ts'
import { Count } from '../../components/count.tsx'
import { DateTime } from '../../components/date-time.tsx'
import { LogType } from '../../components/log-type.tsx'
import { Quota } from '../../components/quota.tsx'
import { requestPath } from '../../components/request-link.tsx'
import { Link } from '../../router/link.tsx'
import { tokenText } from '../logs/token-text.ts'

export function NewestLogs({ rows }: { rows: LogRow[] }) {
  const { t } = useTranslation()
  if (rows.length === 0) return <p className="panel-empty">{t('dashboard.noLogs')}</p>
  // The index is the key, because the ids that users get are not unique.
  const data = rows.map((row, place) => ({ ...row, place }))
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable regions must be reachable by keyboard
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
    { title: t('field.time'), width: 130, render: (_, row) => <Moment row={row} /> },
    { title: t('field.type'), width: 80, render: (_, row) => <LogType type={row.type} /> },
    { title: t('field.model'), ellipsis: true, render: (_, row) => (isCharge(row) ? row.model_name : row.content) },
    { title: t('log.token'), width: 110, ellipsis: true, render: (_, row) => tokenText(t, row) || '–' },
    numberColumn(t('log.prompt'), 64, (row) => <Count value={row.prompt_tokens} />),
    numberColumn(t('log.completion'), 92, (row) => <Count value={row.completion_tokens} />),
    numberColumn(t('log.seconds'), 110, (row) => (
      <span className="number">{t(row.is_stream ? 'log.stream' : 'task.seconds', { seconds: row.use_time })}</span>
    )),
    numberColumn(t('log.cost'), 92, (row) => <Quota value={row.quota} />),
  ]
}

/** The time of a row. If the row has a request id, the time is a link to the request's page. */
function Moment({ row }: { row: LogRow }) {
  const time = <DateTime seconds={row.created_at} />
  return row.request_id ? <Link to={requestPath(row.request_id)}>{time}</Link> : time
}

const isCharge = (row: LogRow) => row.type === LOG_TYPE.consume

/** Returns a column that shows a dash in rows other than charges. */
const numberColumn = (title: string, width: number, render: (row: LogRow) => ReactNode): ColumnProps<LogRow> => ({
  title,
  width,
  align: 'right',
  render: (_, row) => (isCharge(row) ? render(row) : '–'),
})
