import { useMemo, useState } from 'react'
import { readStored, writeStored } from '../../storage.ts'
import { type Column, rankOf, widthOf } from './column.ts'

interface Room {
  /** Width for all columns in pixels; undefined until measured. */
  width: number | undefined
  /** Each record is a card, where fields need no width. */
  cards: boolean
}

/** Highest rank of the optional columns that cards show. */
const CARD_RANK_MAX = 1

/** Returns the visible columns of a table: those chosen in this browser, else those that fit. */
export function useVisibleColumns<Row>(table: string, columns: readonly Column<Row>[], { width, cards }: Room) {
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

/** Returns the columns that fit the width: drops the highest rank first, and the last among equals. */
export function fitting<Row>(columns: readonly Column<Row>[], room = Number.POSITIVE_INFINITY): Column<Row>[] {
  const remaining = [...columns]
  let needed = remaining.reduce((sum, column) => sum + widthOf(column), 0)
  while (needed > room) {
    const highest = Math.max(0, ...remaining.map(rankOf))
    if (highest === 0) break
    const [removed] = remaining.splice(
      remaining.findLastIndex((column) => rankOf(column) === highest),
      1,
    )
    needed -= removed ? widthOf(removed) : 0
  }
  return remaining
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
