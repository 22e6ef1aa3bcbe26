import type { ListedModel } from '../channel-checks.ts'
import type { Column } from '../output/column.ts'

/** Built-in model names of one channel type. */
interface Preset {
  type: number
  name: string
  /** Model names as a comma list. */
  models: string
}

export const PRESET_COLUMNS: readonly Column<Preset>[] = [
  { name: 'type', value: ({ type }) => String(type), align: 'right' },
  { name: 'name', value: ({ name }) => name },
  { name: 'models', value: ({ models }) => models, cut: true },
]

export const LISTED_COLUMNS: readonly Column<ListedModel>[] = [
  { name: 'model', value: ({ id }) => id, cut: true },
  { name: 'owner', value: ({ owner }) => owner },
]
