import { useState } from 'react'
import type { Column } from '../output/column.ts'
import type { Texts } from '../texts.ts'
import type { KeyBinding } from './bindings.ts'
import type { Order } from './use-window.ts'

/** Sort column of a list; by default the gateway's order. */
export function useOrder<T>(columns: readonly Column<T>[]) {
  const [order, setOrder] = useState<Order<T>>()
  const listed = columns.filter(({ detail }) => !detail)
  const turn = (by: number) => {
    const places = [undefined, ...listed]
    const at = places.findIndex((column) => column?.name === order?.column.name)
    const column = places[(at + by + places.length) % places.length]
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
      return [
        { keys: ['s'], shown: 's', label: t('ui.sortByTheNextColumn'), run: after(() => turn(1)), quiet: true },
        {
          keys: ['S'],
          shown: 'S',
          label: t('ui.reverseTheSortOrder'),
          run: after(() => order && setOrder({ ...order, sign: order.sign === 1 ? -1 : 1 })),
          quiet: true,
        },
      ]
    },
  }
}
