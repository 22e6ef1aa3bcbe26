import type { ListedModel } from '../channel-checks.ts'
import type { Column } from '../column.ts'

/** Built-in names of models of one kind of upstream. */
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
