import { useState } from 'react'
import type { Column } from '../output/column.ts'
import type { Texts } from '../texts.ts'
import { bindKey, type KeyBinding } from './bindings.ts'
import type { RowOrder } from './use-window.ts'

/** Sort column of a list. Without a sort column, rows have the gateway's order. */
export function useOrder<T>(columns: readonly Column<T>[]) {
  const [order, setOrder] = useState<RowOrder<T>>()
  const visibleColumns = columns.filter(({ detail }) => !detail)
  const selectColumn = (by: number) => {
    const choices = [undefined, ...visibleColumns]
    const at = choices.findIndex((column) => column?.name === order?.column.name)
    const column = choices[(at + by + choices.length) % choices.length]
    setOrder(column && { column, sign: order?.sign ?? 1 })
  }
  return {
    current: order,
    clear: () => setOrder(undefined),
    bindings: (t: Texts['t'], onChange: () => void): KeyBinding[] => {
      const after = (change: () => void) => () => {
        change()
        onChange()
      }
      const next = after(() => selectColumn(1))
      const reverse = after(() => order && setOrder({ ...order, sign: order.sign === 1 ? -1 : 1 }))
      return [
        bindKey('s', t('ui.sortByTheNextColumn'), next, { quiet: true }),
        bindKey('S', t('ui.reverseTheSortOrder'), reverse, { quiet: true }),
      ]
    },
  }
}
