import { useCallback } from 'react'
import { LOG_TYPE, type Log } from '../../core/logs/log.ts'
import { LOG_COLUMNS } from '../columns/log.ts'
import { printable } from '../printable.ts'
import { useDesk } from './desk.ts'
import { BLANK, Sheet, type SheetLine, useRecordLines } from './sheet.tsx'
import { useLoaded } from './use-loaded.ts'

/** All of a log row, and its price computed again. */
export function LogSheet({ log, onClose }: { log: Log; onClose(): void }) {
  const { toolkit, actor, say, text, format, reason } = useDesk()
  const linesOf = useRecordLines()
  const load = useCallback(async (): Promise<SheetLine[]> => {
    if (log.type !== LOG_TYPE.consumption) return []
    try {
      const { charged, recomputed, equal } = await toolkit.logs.receipt(actor, log.id)
      return [
        BLANK,
        { title: text('charged'), text: String(charged) },
        { title: text('computed'), text: String(recomputed) },
        { title: text('receipt'), text: equal ? text('equal') : text('NOT equal'), tone: equal ? 'good' : 'bad' },
      ]
    } catch (error) {
      return [BLANK, { title: text('receipt'), text: printable(reason(error)), tone: 'faint' }]
    }
  }, [toolkit, actor, log, text, reason])
  const { data = [] } = useLoaded(load)
  const more: SheetLine[] = [{ title: text('exact time'), text: format.moment(log.created_at) }]
  return (
    <Sheet title={say`Log row ${log.id}`} lines={[...linesOf(log, LOG_COLUMNS), ...more, ...data]} onClose={onClose} />
  )
}
