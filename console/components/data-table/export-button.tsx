import Button from '@arco-design/web-react/es/Button'
import Message from '@arco-design/web-react/es/Message'
import { IconDownload } from '@arco-design/web-react/icon'
import { useTranslation } from 'react-i18next'
import { failureText } from '../../api/failure.ts'
import { useAction } from '../saving.ts'
import type { TableColumn } from './column.ts'
import { saveCsv, saveCsvParts } from './csv.ts'
import type { EveryPage } from './every-page.ts'

interface Props<Row> {
  /** File name without extension. */
  name: string
  columns: readonly TableColumn<Row>[]
  /** Loads all rows at once, or yields the rows in parts if there may be very many rows. */
  allRows: () => Promise<EveryPage<Row>> | AsyncIterable<Row[]>
  disabled: boolean
}

/** Exports the visible columns of all rows that match the filters. */
export function ExportButton<Row>({ name, columns, allRows, disabled }: Props<Row>) {
  const { t } = useTranslation()
  const exportAction = useAction({
    run: async () => {
      const result = allRows()
      if (Symbol.asyncIterator in result) return saveCsvParts(name, columns, result)
      const { rows, cut, failure } = await result
      saveCsv(name, columns, rows)
      const count = rows.length
      if (failure !== undefined) {
        Message.warning(t('table.exportBroken', { count, reason: failureText(t, failure) }))
      } else if (cut) Message.warning(t('table.exportCut', { count }))
    },
  })
  return (
    <Button
      icon={<IconDownload />}
      loading={exportAction.isPending}
      disabled={disabled}
      aria-label={t('table.export')}
      title={t('table.export')}
      onClick={() => exportAction.mutate()}
    />
  )
}
