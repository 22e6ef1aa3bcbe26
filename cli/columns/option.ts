import { OPTIONS, type OptionKey } from '../../core/options/registry.ts'
import type { Column } from '../output/column.ts'

/** An option with its metadata. */
export interface OptionRow {
  key: string
  value: string
  area: string
  type: string
  default: string
  description: string
  /** Whether the value differs from the default and from the value in a new database. */
  changed: boolean
}

export const OPTION_COLUMNS: readonly Column<OptionRow>[] = [
  { name: 'name', rank: 1, value: ({ key }) => key },
  { name: 'area', rank: 4, value: ({ area }) => area },
  { name: 'description', rank: 3, value: ({ description }) => description, cut: true },
  { name: 'value', rank: 2, value: ({ value }) => value || '-', cut: true },
  { name: 'changed', value: ({ changed }, { t }) => t(changed ? 'label.yes' : 'label.no'), detail: true },
]

/** An area of options, with the numbers of all, of changed and of secret options. */
interface OptionArea {
  area: string
  options: number
  changed: number
  secrets: number
}

export const OPTION_AREA_COLUMNS: readonly Column<OptionArea>[] = [
  { name: 'area', value: ({ area }) => area },
  { name: 'options', value: ({ options }) => String(options), align: 'right' },
  { name: 'changed', value: ({ changed }) => String(changed), align: 'right' },
  { name: 'secrets', value: ({ secrets }) => String(secrets), align: 'right' },
]

/** Adds metadata to option values. Omits options that only newer gateways have. */
export function optionRows(values: readonly { key: string; value: string }[]): OptionRow[] {
  const knownValues = values.filter(({ key }) => Object.hasOwn(OPTIONS, key))
  return knownValues.map(({ key, value }) => {
    const { area, type, default: defaultValue, initial = defaultValue, description } = OPTIONS[key as OptionKey]
    const changed = !sameValue(type, value, defaultValue) && !sameValue(type, value, initial)
    return { key, value, area, type, default: defaultValue, description, changed }
  })
}

export function optionAreas(): string[] {
  return [...new Set(Object.values(OPTIONS).map(({ area }) => area))]
}

/** Whether two texts are the same value, ignoring the layout of JSON. */
export function sameValue(type: string, a: string, b: string): boolean {
  if (a === b || type !== 'json') return a === b
  try {
    return JSON.stringify(JSON.parse(a)) === JSON.stringify(JSON.parse(b))
  } catch {
    return false
  }
}
