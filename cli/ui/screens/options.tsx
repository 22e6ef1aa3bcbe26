import { useCallback, useState } from 'react'
import { OPTIONS } from '../../../core/options/registry.ts'
import type { Option } from '../../../core/options/rows.ts'
import { OPTION_COLUMNS, type OptionRow } from '../../columns/option.ts'
import type { Binding } from '../bindings.ts'
import { useDesk } from '../desk.ts'
import { OptionForm } from '../forms/option.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'

const FIRST = ['key', 'value', 'description', 'area']
const ROWS: readonly Option<unknown>[] = Object.values(OPTIONS)
const AREAS = [...new Set(ROWS.map(({ area }) => area))]
/** Secrets are written, never read. */
const HIDDEN = '********'

/** What can be changed while the gateway runs, by area. */
export function OptionsScreen() {
  const { toolkit, actor, text } = useDesk()
  const [area, setArea] = useState<string>()
  const load = useCallback(
    async ({ keyword, page, pageSize }: ListQuery) => {
      const values = new Map((await toolkit.options.list(actor)).map(({ key, value }) => [key, value]))
      const word = keyword.toLowerCase()
      const rows = ROWS.filter((option) => area === undefined || option.area === area)
        .filter(({ key, description }) => `${key} ${description}`.toLowerCase().includes(word))
        .map((option): OptionRow => rowOf(option, values.get(option.key)))
      const items = rows.slice((page - 1) * pageSize, page * pageSize)
      return { items, total: rows.length, page, page_size: pageSize }
    },
    [toolkit, actor, area],
  )
  /** Before the first and after the last area stand all of them. */
  const turn = (by: number) => {
    const places = [undefined, ...AREAS]
    setArea(places[(places.findIndex((each) => each === area) + by + places.length) % places.length])
  }

  function bindings(option: OptionRow | undefined, list: ListControl): Binding[] {
    const edit = () => option && list.show(<OptionForm row={option} list={list} />)
    return [
      { keys: ['enter', 'e'], shown: 'Enter', label: text('edit'), run: edit },
      { keys: [']', 'right'], shown: '→', label: text('next area'), run: () => turn(1) },
      { keys: ['[', 'left'], shown: '←', label: text('area before'), run: () => turn(-1) },
    ]
  }

  return (
    <ListScreen
      title={text('Options')}
      columns={OPTION_COLUMNS}
      first={FIRST}
      load={load}
      keyOf={({ key }) => key}
      empty={text('No such options.')}
      searched={text('Part of a key or description')}
      note={area ?? text('all areas')}
      bindings={bindings}
    />
  )
}

function rowOf(
  { key, area, type, default: usual, description, secret }: Option<unknown>,
  value: string | undefined,
): OptionRow {
  return { key, value: secret ? HIDDEN : (value ?? usual), area, type, default: usual, description }
}
