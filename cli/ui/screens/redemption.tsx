import { useCallback } from 'react'
import { REDEMPTION_STATUS, type Redemption } from '../../../core/redemption/redemption.ts'
import { REDEMPTION_COLUMNS } from '../../columns/redemption.ts'
import type { KeyBinding } from '../bindings.ts'
import { RedemptionForm } from '../forms/redemption.tsx'
import { type ListQuery, ListScreen, type RowControl } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'
import { useUi } from '../ui-context.ts'

/** Codes that turn into quota, newest first. */
export function RedemptionScreen() {
  const { toolkit, actor, say, text } = useUi()
  const several = useSeveralCodes()
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.redemption.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )

  function bindings(code: Redemption | undefined, list: RowControl<Redemption>): KeyBinding[] {
    const create = {
      keys: ['a'],
      shown: 'a',
      label: text('create'),
      run: () => list.show(<RedemptionForm list={list} />),
    }
    if (!code) return [create]
    const { id } = code
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () =>
          list.show(<Sheet title={say`Code ${id}`} lines={linesOf(code, REDEMPTION_COLUMNS)} onClose={list.close} />),
      },
      ...several(list),
      create,
      {
        keys: ['y'],
        shown: 'y',
        label: text('copy code'),
        run: () => list.copy(say`code ${id}`, code.key),
        quiet: true,
      },
    ]
  }

  return (
    <ListScreen
      title={text('Codes')}
      columns={REDEMPTION_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No codes yet. Press a to create some.')}
      searched={text('Start of a name, or an id')}
      markable
      bindings={bindings}
    />
  )
}

function useSeveralCodes() {
  const { toolkit, actor, say, text, confirm } = useUi()
  return (list: RowControl<Redemption>): KeyBinding[] => {
    const { chosen, several } = list
    const { id = 0, name = '' } = chosen[0] ?? {}
    const disables = chosen.some(({ status }) => status === REDEMPTION_STATUS.unused)
    const status = disables ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
    const setStatus = () =>
      list.each({
        doing: several ? say`Updating ${chosen.length} codes …` : say`Updating code ${id} …`,
        one: async (code) => toolkit.redemption.setStatus(actor, code.id, status),
        done: (count) =>
          several
            ? disables
              ? say`Disabled ${count} codes.`
              : say`Enabled ${count} codes.`
            : disables
              ? say`Disabled code ${id}.`
              : say`Enabled code ${id}.`,
      })
    const remove = () =>
      list.each({
        doing: several ? say`Deleting ${chosen.length} codes …` : say`Deleting code ${id} …`,
        one: async (code) => toolkit.redemption.delete(actor, code.id),
        done: (count) => (several ? say`Deleted ${count} codes.` : say`Deleted code ${id}.`),
      })
    return [
      { keys: [' '], shown: 'Space', label: disables ? text('disable') : text('enable'), run: setStatus },
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          confirm(
            several
              ? say`Delete ${chosen.length} codes? They can then no longer be redeemed.`
              : say`Delete code ${id}, ${name}? It can then no longer be redeemed.`,
            remove,
          ),
      },
    ]
  }
}
