import { useMemo, useState } from 'react'
import { readStored, writeStored } from '../../storage.ts'
import { rankOf, type TableColumn, widthOf } from './column.ts'

interface Space {
  /** Width in pixels for all columns together; undefined until measured. */
  width: number | undefined
  /** True if each record is a card, in which fields need no width. */
  cards: boolean
}

/** On cards, columns with a higher rank are hidden by default. */
const CARD_RANK_MAX = 1

/** Returns the visible columns of a table: this browser's stored choice, else the columns that fit the width. */
export function useVisibleColumns<Row>(table: string, columns: readonly TableColumn<Row>[], { width, cards }: Space) {
  const [storedKeys, setStoredKeys] = useState(() => readStored(`columns:${table}`, isTexts))
  return useMemo(() => {
    const defaultColumns = () => {
      const notHidden = columns.filter(({ hidden }) => !hidden)
      return cards ? notHidden.filter((column) => rankOf(column) <= CARD_RANK_MAX) : fitting(notHidden, width)
    }
    const chosen = storedKeys
      ? columns.filter(({ key, fixedPlace }) => fixedPlace || storedKeys.includes(key))
      : defaultColumns()
    return {
      keys: storedKeys ?? chosen.map(({ key }) => key),
      visible: cards ? [...chosen.filter(({ early }) => early), ...chosen.filter(({ early }) => !early)] : chosen,
      choose(keys: string[]) {
        writeStored(`columns:${table}`, keys)
        setStoredKeys(keys)
      },
    }
  }, [table, columns, storedKeys, width, cards])
}

/** Returns the columns that fit the width. Removes the highest rank first; of equal ranks, the last column. */
function fitting<Row>(
  columns: readonly TableColumn<Row>[],
  availableWidth = Number.POSITIVE_INFINITY,
): TableColumn<Row>[] {
  const remainingColumns = [...columns]
  let neededWidth = remainingColumns.reduce((sum, column) => sum + widthOf(column), 0)
  while (neededWidth > availableWidth) {
    const highestRank = Math.max(0, ...remainingColumns.map(rankOf))
    if (highestRank === 0) break
    const index = remainingColumns.findLastIndex((column) => rankOf(column) === highestRank)
    for (const removedColumn of remainingColumns.splice(index, 1)) neededWidth -= widthOf(removedColumn)
  }
  return remainingColumns
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
