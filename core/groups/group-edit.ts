import { GatewayError } from '../errors.ts'
import type { OptionChange, OptionValue } from '../options/options.ts'
import { DEFAULT_GROUP } from './groups.ts'

/** Changes of a group; absent fields keep their value. */
interface GroupEdit {
  /** Price multiplier. The default for a new group is 1. */
  ratio?: number | undefined
  /** Description for users who may choose the group. */
  desc?: string | undefined
  /** Whether all users may choose the group. Otherwise only its members may use it. */
  selectable?: boolean | undefined
}

const NAME_LENGTH_MAX = 64

/** Returns the changes of options that create or change a group, and whether it is new. Throws GROUP_NAME_INVALID. */
export function editGroup(
  options: readonly OptionValue[],
  name: string,
  { ratio, desc, selectable }: GroupEdit,
): { changes: OptionChange[]; created: boolean } {
  if (name.trim() !== name || name === '' || name.length > NAME_LENGTH_MAX || /[,\p{Cc}]/u.test(name)) {
    throw new GatewayError('GROUP_NAME_INVALID', { max: NAME_LENGTH_MAX })
  }
  const ratios = tableIn<number>(options, 'GroupRatio')
  const usable = tableIn<string>(options, 'UserUsableGroups')
  const created = !ratios.entries.has(name)
  if (created || ratio !== undefined) ratios.entries.set(name, ratio ?? 1)
  if (selectable === false) usable.entries.delete(name)
  // With a description, the group becomes selectable, because only users who may choose the group see its description.
  else if (selectable || desc !== undefined) usable.entries.set(name, desc ?? usable.entries.get(name) ?? name)
  return { changes: [ratios, usable].flatMap(changeOf), created }
}

/** Returns the changes of options that delete groups. Throws GROUP_NOT_FOUND, GROUP_DEFAULT_KEPT. */
export function removeGroups(options: readonly OptionValue[], names: readonly string[]): { changes: OptionChange[] } {
  const ratios = tableIn<number>(options, 'GroupRatio')
  const usable = tableIn<string>(options, 'UserUsableGroups')
  for (const group of names) {
    if (group === DEFAULT_GROUP) throw new GatewayError('GROUP_DEFAULT_KEPT', { group })
    const existed = [ratios.entries.delete(group), usable.entries.delete(group)].includes(true)
    if (!existed) throw new GatewayError('GROUP_NOT_FOUND', { group })
  }
  return { changes: [ratios, usable].flatMap(changeOf) }
}

interface Table<T> {
  key: string
  oldValue: string
  entries: Map<string, T>
}

function tableIn<T>(options: readonly OptionValue[], key: string): Table<T> {
  const oldValue = options.find((option) => option.key === key)?.value ?? '{}'
  return { key, oldValue, entries: new Map(Object.entries<T>(JSON.parse(oldValue))) }
}

function changeOf({ key, oldValue, entries }: Table<unknown>): OptionChange[] {
  const value = JSON.stringify(Object.fromEntries(entries))
  return value === JSON.stringify(JSON.parse(oldValue)) ? [] : [{ key, value, was: oldValue }]
}
