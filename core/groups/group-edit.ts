import { GatewayError } from '../errors.ts'
import type { OptionChange, OptionValue } from '../options/options.ts'
import { DEFAULT_GROUP } from './groups.ts'

/** Changes of a group; absent fields keep their value. */
export interface GroupEdit {
  /** Price multiplier. The default for a new group is 1. */
  ratio?: number | undefined
  /** Description for users who may choose the group. */
  desc?: string | undefined
  /** Whether all users may choose the group, or only its members may use it. */
  selectable?: boolean | undefined
}

const NAME_LENGTH_MAX = 64

/** Returns the changes of options that create or change a group, and whether the group is new. Throws GROUP_NAME_INVALID. */
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
  // A description also makes the group selectable, since only users who may choose the group see it.
  else if (selectable || desc !== undefined) usable.entries.set(name, desc ?? usable.entries.get(name) ?? name)
  return { changes: [ratios, usable].flatMap(changeOf), created }
}

/** Returns the changes of options that delete groups. Throws GROUP_NOT_FOUND, GROUP_DEFAULT_KEPT. */
export function removeGroups(options: readonly OptionValue[], names: readonly string[]): { changes: OptionChange[] } {
  const ratios = tableIn<number>(options, 'GroupRatio')
  const usable = tableIn<string>(options, 'UserUsableGroups')
  for (const group of names) {
    if (group === DEFAULT_GROUP) throw new GatewayError('GROUP_DEFAULT_KEPT', { group })
    const known = [ratios.entries.delete(group), usable.entries.delete(group)].includes(true)
    if (!known) throw new GatewayError('GROUP_NOT_FOUND', { group })
  }
  return { changes: [ratios, usable].flatMap(changeOf) }
}

interface Table<T> {
  key: string
  was: string
  entries: Map<string, T>
}

function tableIn<T>(options: readonly OptionValue[], key: string): Table<T> {
  const was = options.find((option) => option.key === key)?.value ?? '{}'
  return { key, was, entries: new Map(Object.entries<T>(JSON.parse(was))) }
}

function changeOf({ key, was, entries }: Table<unknown>): OptionChange[] {
  const value = JSON.stringify(Object.fromEntries(entries))
  return value === JSON.stringify(JSON.parse(was)) ? [] : [{ key, value, was }]
}
