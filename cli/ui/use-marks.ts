import { useState } from 'react'
import type { Texts } from '../texts.ts'
import { bindKey, type KeyBinding } from './bindings.ts'

interface MarkContext<T> {
  cursor: { at: number; row: T | undefined; moveTo(at: number): void }
  rows: readonly T[]
}

/** Marked rows, for bulk changes. */
export function useMarks<T>(keyOf: (row: T) => string | number) {
  const [marks, setMarks] = useState<ReadonlyMap<string | number, T>>(new Map())

  function toggle(row: T): void {
    const next = new Map(marks)
    if (!next.delete(keyOf(row))) next.set(keyOf(row), row)
    setMarks(next)
  }
  return {
    rows: [...marks.values()],
    has: (row: T) => marks.has(keyOf(row)),
    clear: () => setMarks((before) => (before.size > 0 ? new Map() : before)),
    bindings: (t: Texts['t'], { cursor, rows }: MarkContext<T>): KeyBinding[] => [
      bindKey('v', t('ui.mark'), () => {
        if (cursor.row === undefined) return
        toggle(cursor.row)
        cursor.moveTo(cursor.at + 1)
      }),
      bindKey(
        'V',
        t('ui.markAllLoadedRows'),
        () => setMarks(new Map([...marks, ...rows.map((row) => [keyOf(row), row] as const)])),
        { quiet: true },
      ),
    ],
  }
}
