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
    const keys = storedKeys
      ? columns.filter(({ key, fixedPlace }) => fixedPlace || storedKeys.includes(key))
      : cards
        ? columns.filter((column) => !column.hidden && rankOf(column) <= CARD_RANK_MAX)
        : fitting(
            columns.filter(({ hidden }) => !hidden),
            width,
          )
    return {
      keys: storedKeys ?? keys.map(({ key }) => key),
      visible: cards ? [...keys.filter(({ early }) => early), ...keys.filter(({ early }) => !early)] : keys,
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
    const [removedColumn] = remainingColumns.splice(
      remainingColumns.findLastIndex((column) => rankOf(column) === highestRank),
      1,
    )
    neededWidth -= removedColumn ? widthOf(removedColumn) : 0
  }
  return remainingColumns
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
