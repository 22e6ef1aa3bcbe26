import { useEffect, useState } from 'react'
import type { Texts } from '../texts.ts'
import { type KeyBinding, moveBindings } from './bindings.ts'
import type { RowWindow } from './use-window.ts'

interface CursorState {
  /** Index in the whole list, from 0. */
  at: number
  key: unknown
}

export const FIRST_ROW: CursorState = { at: 0, key: undefined }

/** State with the cursor position after the last move. */
export function useCursorState() {
  return useState<CursorState>(FIRST_ROW)
}

interface Props<T> {
  state: ReturnType<typeof useCursorState>
  window: RowWindow<T>
  keyOf(row: T): unknown
  /** Number of visible rows. */
  height: number
}

/**
 * Cursor of a list. The cursor follows its row when rows are added or removed above the row. On the first line, the
 * cursor stays there, to show new rows. Positions also count the rows that are not loaded.
 */
export function useCursor<T>({ state: [state, setState], window, keyOf, height }: Props<T>) {
  const { first, rows, total } = window
  const last = Math.max(0, total - 1)
  const match = state.at > 0 && state.key !== undefined ? rows.findIndex((row) => keyOf(row) === state.key) : -1
  const at = match >= 0 ? first + match : Math.min(state.at, last)
  const row = rows[at - first]

  const key = row === undefined ? undefined : keyOf(row)
  // Sets the key when the cursor's row has loaded, unless the cursor has moved meanwhile.
  useEffect(() => {
    if (state.at === 0 || state.key !== undefined || key === undefined) return
    setState((latest) => (latest === state ? { at, key } : latest))
  }, [state, key, at, setState])

  const moveTo = (to: number) => {
    const next = Math.min(last, Math.max(0, to))
    const target = rows[next - first]
    setState({ at: next, key: target === undefined ? undefined : keyOf(target) })
  }
  const bindings = (t: Texts['t']): KeyBinding[] => moveBindings(t, { at, height, last, moveTo })
  return { at, row, moveTo, bindings }
}
