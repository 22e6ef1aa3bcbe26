import { useCallback, useRef, useState } from 'react'
import { LOG_TYPE, type Log } from '../../../core/logs/log.ts'
import { LOG_COLUMNS } from '../../columns/log.ts'
import { pageOf } from '../../output/listing.ts'
import { bindKey, type KeyBinding } from '../bindings.ts'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { LogSheet } from '../log-sheet.tsx'
import { useLogSource } from '../log-source.ts'
import { useUi } from '../ui-context.ts'

/** Maximum number of requests in memory. The logs screen shows older requests. */
const ROWS_MAX = 1000
/** Number of log rows to read at the start. */
const FIRST_ROWS = 50
/** Maximum number of consecutive calls that read new rows. */
const ROUNDS_MAX = 20

const isRequest = ({ type }: Log) => type === LOG_TYPE.consumption || type === LOG_TYPE.error
/** Columns that the list omits, to make room for the failure reason. The details of a row show these columns. */
const HIDDEN = ['id', 'token', 'prompt', 'output']
const COLUMNS = LOG_COLUMNS.filter(({ name }) => !HIDDEN.includes(name)).map((column) =>
  column.name === 'remark' ? { ...column, rank: 5 } : column,
)

/** Screen with the completed and failed requests, newest first. */
export function LiveScreen() {
  const { toolkit, actor, t, intervals } = useUi()
  const source = useLogSource()
  const [paused, setPaused] = useState(false)
  const [failedOnly, setFailedOnly] = useState(false)
  const feed = useRef<{ cursor?: string; rows: readonly Log[] }>({ rows: [] })
  const isPaused = useRef(paused)
  isPaused.current = paused

  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      // Only the first page reads new rows. Later pages use the loaded rows.
      if (paging.page === 1 && !isPaused.current) {
        for (let round = 0; round < ROUNDS_MAX; round += 1) {
          const { cursor } = feed.current
          const { items, ...next } = await toolkit.logs.follow(actor, {}, cursor ? { cursor } : { last: FIRST_ROWS })
          const rows = [...items.filter(isRequest).reverse(), ...feed.current.rows].slice(0, ROWS_MAX)
          feed.current = { cursor: next.cursor, rows }
          if (!next.more) break
        }
      }
      const word = keyword.toLowerCase()
      const matches = (log: Log) =>
        [log.model_name, log.username, log.token_name, log.channel_name, log.content].some((field) =>
          field?.toLowerCase().includes(word),
        )
      const rows = feed.current.rows
        .filter(({ type }) => !failedOnly || type === LOG_TYPE.error)
        .filter((log) => word === '' || matches(log))
      return pageOf(rows, paging)
    },
    [toolkit, actor, failedOnly],
  )

  function bindings(log: Log | undefined, list: RowControl<Log>): KeyBinding[] {
    return [
      bindKey(
        'enter',
        t('ui.open'),
        () => log && list.show(<LogSheet log={log} source={source} onClose={list.close} />),
      ),
      bindKey('x', failedOnly ? t('ui.allRequests') : t('ui.failedRequests'), () => setFailedOnly(!failedOnly)),
      bindKey('f', paused ? t('ui.follow') : t('ui.stopFollowing'), () => setPaused(!paused)),
      ...(log?.request_id ? [bindKey('y', t('ui.copyId'), () => list.copy(log.request_id, log.request_id))] : []),
    ]
  }
  return (
    <ListScreen
      title={t('ui.live')}
      columns={COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={t('ui.noRequestsYet')}
      searched={t('ui.partOfAModelUser')}
      note={[paused ? t('ui.stopped') : t('ui.following'), ...(failedOnly ? [t('ui.failedRequests')] : [])].join(' · ')}
      everyMs={paused ? undefined : intervals.fast}
      onClear={() => setFailedOnly(false)}
      bindings={bindings}
    />
  )
}
