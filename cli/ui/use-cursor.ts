import { useState } from 'react'
import type { Binding } from './bindings.ts'

/**
 * Which row the keys are for. It stays on that row when rows come and go above it; on the first line it stays there, which shows
 * what is new. `page`: rows that are seen at once.
 */
export function useCursor<T>({ rows, keyOf, page }: { rows: readonly T[]; keyOf(row: T): unknown; page: number }) {
  const [kept, setKept] = useState<{ at: number; key: unknown }>({ at: 0, key: undefined })
  const last = Math.max(0, rows.length - 1)
  const found = kept.at > 0 ? rows.findIndex((row) => keyOf(row) === kept.key) : 0
  const at = found >= 0 ? Math.min(found, last) : Math.min(kept.at, last)

  const moveTo = (to: number) => {
    const next = Math.min(last, Math.max(0, to))
    const row = rows[next]
    setKept({ at: next, key: row === undefined ? undefined : keyOf(row) })
  }
  const bindings = (text: (english: string) => string): Binding[] => [
    { keys: ['down', 'j'], shown: '↓ j', label: text('down'), run: () => moveTo(at + 1), quiet: true },
    { keys: ['up', 'k'], shown: '↑ k', label: text('up'), run: () => moveTo(at - 1), quiet: true },
    { keys: ['page-down'], shown: 'PgDn', label: text('a screenful down'), run: () => moveTo(at + page), quiet: true },
    { keys: ['page-up'], shown: 'PgUp', label: text('a screenful up'), run: () => moveTo(at - page), quiet: true },
    { keys: ['home', 'g'], shown: 'g', label: text('to the first row'), run: () => moveTo(0), quiet: true },
    { keys: ['end', 'G'], shown: 'G', label: text('to the last row'), run: () => moveTo(last), quiet: true },
  ]
  return { at, bindings }
}
