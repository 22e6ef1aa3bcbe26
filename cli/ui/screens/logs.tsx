import { useCallback, useRef, useState } from 'react'
import type { Log } from '../../../core/logs/log.ts'
import { LOG_COLUMNS } from '../../columns/log.ts'
import { type LogFilterOptions, toLogFilter } from '../../log-filter.ts'
import type { Binding } from '../bindings.ts'
import { useDesk } from '../desk.ts'
import { LogFilterForm } from '../forms/log-filter.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'
import { LogSheet } from '../log-sheet.tsx'

/** What a tail that has run for days still holds. */
const TAIL_MAX = 1000

/** What was relayed and what else happened, newest first; it follows until it is told not to. */
export function LogsScreen() {
  const { toolkit, actor, say, text, format, pace } = useDesk()
  const [follow, setFollow] = useState(true)
  const [filter, setFilter] = useState<LogFilterOptions>({})
  const tail = useRef<{ of: unknown; rows: Log[] }>({ of: undefined, rows: [] })

  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) => {
      const wanted = { ...filter, ...(keyword && { model: patternOf(keyword) }) }
      const answer = await toolkit.logs.list(actor, { ...(await toLogFilter(wanted)), ...paging })
      if (!follow || paging.page > 1) return answer
      // Rows that have been seen stay, also when more come at once than one page has.
      const of = JSON.stringify(wanted)
      const before = tail.current.of === of ? tail.current.rows : []
      const known = new Set(answer.items.map(({ id }) => id))
      const rows = [...answer.items, ...before.filter(({ id }) => !known.has(id))].slice(0, TAIL_MAX)
      tail.current = { of, rows }
      return { ...answer, items: rows }
    },
    [toolkit, actor, follow, filter],
  )

  function bindings(log: Log | undefined, list: ListControl): Binding[] {
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () => log && list.show(<LogSheet log={log} onClose={list.close} />),
      },
      {
        keys: ['f'],
        shown: 'f',
        label: follow ? text('stop following') : text('follow'),
        run: () => setFollow(!follow),
      },
      {
        keys: ['l'],
        shown: 'l',
        label: text('filters'),
        run: () => list.show(<LogFilterForm filter={filter} onFilter={setFilter} onClose={list.close} />),
      },
      {
        keys: ['c'],
        shown: 'c',
        label: text('clear filters'),
        run: () => {
          list.clearSearch()
          setFilter({})
        },
      },
    ]
  }

  const filters = Object.entries(filter).map(
    ([name, value]) => `${text(name)}=${name === 'since' ? format.moment(Number(value)) : value}`,
  )
  return (
    <ListScreen
      title={text('Logs')}
      columns={LOG_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No log rows.')}
      searched={text('Part of a model')}
      note={[follow ? say`following` : say`stopped`, ...filters].join(' · ')}
      everyMs={follow ? pace.fast : undefined}
      bindings={bindings}
    />
  )
}

/** A model by a part of its name, unless it is a pattern already. */
function patternOf(keyword: string): string {
  return keyword.includes('%') ? keyword : `%${keyword}%`
}
