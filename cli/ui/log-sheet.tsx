import { useCallback, useRef } from 'react'
import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import type { Receipt } from '../../core/logs/receipt.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { sanitizeName } from '../output/sanitize.ts'
import { receiptLines } from '../receipt-lines.ts'
import { traceOf } from '../trace.ts'
import type { KeyBinding } from './bindings.ts'
import { BLANK, Sheet, type SheetLine, useRecordLines } from './sheet.tsx'
import { type UiState, useUi } from './ui-context.ts'
import { useCopy } from './use-copy.ts'
import { useLoaded } from './use-loaded.ts'

/** A request has at most one row for its charge and one for its failure. */
const ROWS_MAX = 10
/** Without the raw price inputs, which the receipt explains. */
const COLUMNS = LOG_COLUMNS.filter(({ title }) => title !== 'computed from')

/** Details of a log row: for a charge the price calculation, for a failure each attempt. */
export function LogSheet({ log, onClose }: { log: Log; onClose(): void }) {
  const ui = useUi()
  const { toolkit, actor, say, text, format } = ui
  // The format changes with the clock, which must not trigger a reload.
  const latest = useRef(ui)
  latest.current = ui
  const linesOf = useRecordLines()
  const copy = useCopy()
  const load = useCallback(async (): Promise<SheetLine[]> => {
    try {
      if (log.type === LOG_TYPE.consumption) {
        return priceLines(await toolkit.logs.receipt(actor, log.id), latest.current)
      }
      if (log.type !== LOG_TYPE.error) return []
      const request = { request_id: log.request_id, page: 1, pageSize: ROWS_MAX }
      const { items } = log.request_id ? await toolkit.logs.list(actor, request) : { items: [] }
      return traceLines(log, items, latest.current)
    } catch (error) {
      return [
        BLANK,
        { title: latest.current.text('receipt'), text: sanitizeName(latest.current.reason(error)), tone: 'faint' },
      ]
    }
  }, [toolkit, actor, log])
  const { data = [] } = useLoaded(load)
  const more: SheetLine[] = [{ title: text('exact time'), text: format.moment(log.created_at) }]
  const bindings: readonly KeyBinding[] = log.request_id
    ? [{ keys: ['y'], shown: 'y', label: text('copy id'), run: () => copy(log.request_id, log.request_id) }]
    : []
  return (
    <Sheet
      title={say`Log row ${log.id}`}
      lines={[...linesOf(log, COLUMNS), ...more, ...data]}
      bindings={bindings}
      onClose={onClose}
    />
  )
}

const FACTORS_WIDTH = 16

/** Price calculation of a row, and whether it equals the charge. */
function priceLines(receipt: Receipt, { text, format }: UiState): SheetLine[] {
  const { equal, isCharged } = receipt
  return [
    BLANK,
    ...receiptLines(receipt, format).map(([title, value = '', result]) => ({
      title: text(title),
      text: result === undefined ? String(value) : `${String(value).padEnd(FACTORS_WIDTH)} = ${result}`,
    })),
    ...(isCharged ? [] : [{ title: text('charged'), text: text('not charged: a channel test') }]),
    { title: text('receipt'), text: equal ? text('equal') : text('NOT equal'), tone: equal ? 'good' : 'bad' },
  ]
}

/** A failed request: the client's error, each attempt, and the charge. */
function traceLines(failure: Log, rows: readonly Log[], { say, text, format }: UiState): SheetLine[] {
  const charge = rows.find(({ type }) => type === LOG_TYPE.consumption)
  const { status, code, tries, upstream_request_id: upstreamId } = traceOf(failure, { failure, charge })
  return [
    BLANK,
    { title: text('result'), text: sanitizeName(`${status ?? ''} ${code ?? ''}`.trim()) || '-', tone: 'bad' },
    ...(upstreamId === undefined ? [] : [{ title: text('upstream id'), text: sanitizeName(String(upstreamId)) }]),
    ...tries.map((attempt, at): SheetLine => {
      const key = attempt.key === undefined ? '' : say`, key ${attempt.key}`
      const result = [attempt.status || '', attempt.code ?? ''].filter(String).join(' ')
      return {
        title: say`try ${at + 1}`,
        text: sanitizeName(say`channel ${attempt.channel}${key}: ${result} after ${attempt.ms} ms: ${attempt.message}`),
        tone: 'bad',
      }
    }),
    {
      title: text('charged'),
      text: charge ? format.quota(charge.quota) : text('nothing'),
      tone: charge ? 'money' : 'good',
    },
  ]
}
