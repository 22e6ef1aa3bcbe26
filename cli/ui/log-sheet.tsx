import { useCallback, useRef } from 'react'
import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import type { Receipt } from '../../core/logs/receipt.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { receiptLines } from '../receipt-lines.ts'
import { attemptText, traceOf } from '../trace.ts'
import { useCopy } from './app-lifecycle.ts'
import { bindKey, type KeyBinding } from './bindings.ts'
import type { LogSource } from './log-source.ts'
import { BLANK, Sheet, type SheetLine, useRecordLines } from './sheet.tsx'
import { type UiState, useUi } from './ui-context.ts'
import { useLoaded } from './use-loaded.ts'

/** Maximum number of rows to load. A request has at most one row for its charge and one for its failure. */
const ROWS_MAX = 10
/** Columns without the raw price inputs, which the receipt explains. */
const COLUMNS = LOG_COLUMNS.filter(({ name }) => name !== 'computed-from')

/** Details of a log row: for a charge the price calculation, for a failure each attempt. */
export function LogSheet({ log, source, onClose }: { log: Log; source: LogSource; onClose(): void }) {
  const ui = useUi()
  const { t, format } = ui
  // The format changes with the clock, which must not trigger a reload.
  const latest = useRef(ui)
  latest.current = ui
  const linesOf = useRecordLines()
  const copy = useCopy()
  const load = useCallback(async (): Promise<SheetLine[]> => {
    try {
      if (log.type === LOG_TYPE.consumption) {
        const receipt = await source.receipt(log)
        return receipt ? priceLines(receipt, latest.current) : []
      }
      if (log.type !== LOG_TYPE.error) return []
      const request = { request_id: log.request_id, page: 1, pageSize: ROWS_MAX }
      const { items } = log.request_id ? await source.list(request) : { items: [] }
      return traceLines(log, items, latest.current)
    } catch (error) {
      return [
        BLANK,
        { title: latest.current.t('ui.receipt'), text: sanitizeName(latest.current.reason(error)), tone: 'faint' },
      ]
    }
  }, [source, log])
  const { data = [] } = useLoaded(load)
  const timeLines: SheetLine[] = [{ title: t('ui.exactTime'), text: format.moment(log.created_at) }]
  const bindings: readonly KeyBinding[] = log.request_id
    ? [bindKey('y', t('ui.copyId'), () => copy(log.request_id, log.request_id))]
    : []
  return (
    <Sheet
      title={t('ui.logRow', { id: log.id })}
      lines={[...linesOf(log, COLUMNS), ...timeLines, ...data]}
      bindings={bindings}
      onClose={onClose}
    />
  )
}

const FACTORS_WIDTH = 16

/** Returns the lines of a price calculation. The last line says whether the computed price equals the charge. */
function priceLines(receipt: Receipt, { t, format }: UiState): SheetLine[] {
  const { equal, isCharged } = receipt
  return [
    BLANK,
    ...receiptLines(receipt, format).map(([title, value = '', result]) => ({
      title,
      text: result === undefined ? String(value) : `${String(value).padEnd(FACTORS_WIDTH)} = ${result}`,
    })),
    ...(isCharged ? [] : [{ title: t('ui.charged'), text: t('log.notCharged') }]),
    { title: t('ui.receipt'), text: equal ? t('ui.equal') : t('ui.notEqual'), tone: equal ? 'good' : 'bad' },
  ]
}

/** Returns the lines of a failed request: the client's error, each attempt, and the charge. */
function traceLines(failure: Log, rows: readonly Log[], { t, format }: UiState): SheetLine[] {
  const charge = rows.find(({ type }) => type === LOG_TYPE.consumption)
  const { status, code, tries, upstream_request_id: upstreamId } = traceOf(failure, { failure, charge })
  return [
    BLANK,
    { title: t('task.result'), text: sanitizeName(`${status ?? ''} ${code ?? ''}`.trim()) || '-', tone: 'bad' },
    ...(upstreamId === undefined ? [] : [{ title: t('task.upstreamId'), text: sanitizeName(String(upstreamId)) }]),
    ...tries.map((attempt, at): SheetLine => {
      return { title: t('log.try', { at: at + 1 }), text: sanitizeName(attemptText({ t }, attempt)), tone: 'bad' }
    }),
    {
      title: t('ui.charged'),
      text: charge ? format.quota(charge.quota) : t('server.nothing'),
      tone: charge ? 'money' : 'good',
    },
  ]
}
