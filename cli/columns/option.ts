import type { Column } from '../table.ts'

/** An option with all that is known about it. */
export interface OptionRow {
  key: string
  value: string
  area: string
  type: string
  default: string
  description: string
}

export const OPTION_COLUMNS: readonly Column<OptionRow>[] = [
  { title: 'key', value: ({ key }) => key },
  { title: 'area', value: ({ area }) => area },
  { title: 'description', value: ({ description }) => description, cut: true },
  { title: 'value', value: ({ value }) => value || '-', cut: true },
]
