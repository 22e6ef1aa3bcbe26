import { findAnyType } from '../../core/channels/types/types.ts'
import type { Column } from '../output/column.ts'

export const MODEL_COLUMNS: readonly Column<{ model: string }>[] = [{ title: 'model', value: ({ model }) => model }]

/** A built-in model name of a channel type. */
export interface Preset {
  type: number
  model: string
}

export const PRESET_COLUMNS: readonly Column<Preset>[] = [
  { title: 'type', value: ({ type }) => String(type), align: 'right' },
  { title: 'kind', value: ({ type }) => findAnyType(type)?.name ?? '-' },
  { title: 'model', value: ({ model }) => model },
]
