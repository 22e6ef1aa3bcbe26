import { OPERATION_AREAS } from '../operation/areas.ts'
import { OTHER_AREAS } from '../other/areas.ts'
import { SYSTEM_AREAS } from '../system/areas.ts'
import type { AreaName, OptionField } from './area.ts'

export type OptionTab = 'operation' | 'system' | 'other'

/** An option, with the tab and area that contain it. */
export interface OptionPlace {
  field: OptionField
  tab: OptionTab
  area: AreaName
}

const TABS = { operation: OPERATION_AREAS, system: SYSTEM_AREAS, other: OTHER_AREAS } as const

/** All known options, in the order of the tabs. */
export const OPTION_PLACES: readonly OptionPlace[] = (['operation', 'system', 'other'] as const).flatMap((tab) =>
  TABS[tab].flatMap(({ name, fields }) => fields.map((field) => ({ field, tab, area: name }))),
)

/** Returns the path that opens the option's tab and scrolls to the option. */
export const optionAddress = ({ tab, field }: Pick<OptionPlace, 'tab' | 'field'>): string =>
  `/setting?tab=${tab}&option=${field.key}`
