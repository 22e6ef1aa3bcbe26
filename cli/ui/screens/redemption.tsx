import { useCallback } from 'react'
import { REDEMPTION_STATUS, type Redemption } from '../../../core/redemption/redemption.ts'
import { REDEMPTION_COLUMNS } from '../../columns/redemption.ts'
import type { Binding } from '../bindings.ts'
import { useDesk } from '../desk.ts'
import { RedemptionForm } from '../forms/redemption.tsx'
import { type ListControl, type ListQuery, ListScreen } from '../list-screen.tsx'
import { Sheet, useRecordLines } from '../sheet.tsx'

/** Codes that turn into quota, newest first. */
export function RedemptionScreen() {
  const { toolkit, actor, say, text, ask } = useDesk()
  const linesOf = useRecordLines()
  const load = useCallback(
    async ({ keyword, ...paging }: ListQuery) =>
      toolkit.redemption.list(actor, { ...paging, ...(keyword && { keyword }) }),
    [toolkit, actor],
  )

  function bindings(code: Redemption | undefined, list: ListControl): Binding[] {
    const create = {
      keys: ['a'],
      shown: 'a',
      label: text('create'),
      run: () => list.show(<RedemptionForm list={list} />),
    }
    if (!code) return [create]
    const { id, name } = code
    const unused = code.status === REDEMPTION_STATUS.unused
    return [
      {
        keys: ['enter'],
        shown: 'Enter',
        label: text('open'),
        run: () =>
          list.show(<Sheet title={say`Code ${id}`} lines={linesOf(code, REDEMPTION_COLUMNS)} onClose={list.close} />),
      },
      {
        keys: [' '],
        shown: 'Space',
        label: unused ? text('disable') : text('enable'),
        run: () =>
          list.act(say`Changing code ${id} …`, async () => {
            const status = unused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused
            await toolkit.redemption.setStatus(actor, id, status)
            return unused ? say`Code ${id} is disabled.` : say`Code ${id} is enabled.`
          }),
      },
      create,
      {
        keys: ['d'],
        shown: 'd',
        label: text('delete'),
        run: () =>
          ask(say`Delete code ${id}, ${name}? Nobody can redeem it then.`, () =>
            list.act(say`Deleting code ${id} …`, async () => {
              await toolkit.redemption.delete(actor, id)
              return say`Code ${id} is deleted.`
            }),
          ),
      },
    ]
  }

  return (
    <ListScreen
      title={text('Codes')}
      columns={REDEMPTION_COLUMNS}
      load={load}
      keyOf={({ id }) => id}
      empty={text('No codes yet: a creates some.')}
      searched={text('Start of a name, or an id')}
      bindings={bindings}
    />
  )
}
