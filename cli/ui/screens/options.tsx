import { useCallback, useState } from 'react'
import { OPTIONS } from '../../../core/options/registry.ts'
import { OPTION_COLUMNS, type OptionRow, optionAreas, optionRows } from '../../columns/option.ts'
import type { KeyBinding } from '../bindings.ts'
import { OptionForm } from '../forms/option.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { useUi } from '../ui-context.ts'

const ALL = Object.values(OPTIONS)
/** Secrets are write-only. */
const HIDDEN = '********'

/** Runtime options by area. */
export function OptionsScreen() {
  const { toolkit, actor, text } = useUi()
  const [area, setArea] = useState<string>()
  const load = useCallback(
    async ({ keyword, page, pageSize }: ListQuery) => {
      const stored = new Map((await toolkit.options.list(actor)).map(({ key, value }) => [key, value]))
      const values = ALL.map(({ key, secret, default: usual }) => ({
        key,
        value: secret ? HIDDEN : (stored.get(key) ?? usual),
      }))
      const word = keyword.toLowerCase()
      const rows = optionRows(values)
        .filter((row) => area === undefined || row.area === area)
        .map((row) => ({ row, rank: rankOf(row, word) }))
        .filter(({ rank }) => rank >= 0)
        .sort((a, b) => a.rank - b.rank)
        .map(({ row }) => row)
      const items = rows.slice((page - 1) * pageSize, page * pageSize)
      return { items, total: rows.length, page, page_size: pageSize }
    },
    [toolkit, actor, area],
  )
  /** Cycles through the areas and the list of all. */
  const turn = (by: number) => {
    const places = [undefined, ...optionAreas()]
    setArea(places[(places.indexOf(area) + by + places.length) % places.length])
  }

  function bindings(option: OptionRow | undefined, list: RowControl<OptionRow>): KeyBinding[] {
    const edit = () => option && list.show(<OptionForm row={option} list={list} />)
    return [
      { keys: ['enter', 'e'], shown: 'Enter', label: text('edit'), run: edit },
      { keys: [']', 'right'], shown: '→', label: text('next area'), run: () => turn(1) },
      { keys: ['[', 'left'], shown: '←', label: text('previous area'), run: () => turn(-1) },
      ...(option
        ? [
            {
              keys: ['y'],
              shown: 'y',
              label: text('copy key'),
              run: () => list.copy(option.key, option.key),
              quiet: true as const,
            },
          ]
        : []),
    ]
  }

  return (
    <ListScreen
      title={text('Options')}
      columns={OPTION_COLUMNS}
      load={load}
      keyOf={({ key }) => key}
      empty={text('No matching options.')}
      searched={text('Part of a key or description')}
      note={area === undefined ? text('all areas') : text(area)}
      onClear={() => setArea(undefined)}
      bindings={bindings}
    />
  )
}

/** Rank of an option for a search: matches of the name before matches of the description; -1: no match. */
function rankOf({ key, description }: OptionRow, word: string): number {
  const name = key.toLowerCase()
  return [name === word, name.startsWith(word), name.includes(word), description.toLowerCase().includes(word)].indexOf(
    true,
  )
}
