import { useState } from 'react'
import { useCompact, useNarrow } from '../../layout/narrow.ts'
import { readStored, writeStored } from '../../storage.ts'
import type { Column } from './column.ts'

/** Which columns of a table are shown: as chosen in this browser, else as the width suggests. */
export function useShownColumns<Row>(table: string, columns: readonly Column<Row>[]) {
  const narrow = useNarrow()
  const compact = useCompact()
  const [chosen, setChosen] = useState(() => readStored(`columns:${table}`, isTexts))
  const usual = columns.filter(({ hidden, wideOnly }) => !hidden && !(narrow && wideOnly)).map(({ key }) => key)
  const keys = chosen ?? usual
  const shown = columns.filter(({ key, fixedPlace }) => fixedPlace || keys.includes(key))
  return {
    keys,
    shown: compact ? [...shown.filter(({ early }) => early), ...shown.filter(({ early }) => !early)] : shown,
    choose(keys: string[]) {
      writeStored(`columns:${table}`, keys)
      setChosen(keys)
    },
  }
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
