import type { ListedModel } from '../channel-checks.ts'
import type { Column } from '../output/column.ts'

/** Built-in model names of one channel type. */
export interface Preset {
  type: number
  name: string
  /** Comma list. */
  models: string
}

export const PRESET_COLUMNS: readonly Column<Preset>[] = [
  { title: 'type', value: ({ type }) => String(type), align: 'right' },
  { title: 'name', value: ({ name }) => name },
  { title: 'models', value: ({ models }) => models, cut: true },
]

export const LISTED_COLUMNS: readonly Column<ListedModel>[] = [
  { title: 'model', value: ({ id }) => id, cut: true },
  { title: 'owner', value: ({ owner }) => owner },
]
