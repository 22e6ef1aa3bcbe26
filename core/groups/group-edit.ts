import { GatewayError } from '../errors.ts'
import type { OptionChange, OptionValue } from '../options/options.ts'
import { DEFAULT_GROUP } from './groups.ts'

/** What becomes of a group; what is absent stays. */
export interface GroupEdit {
  /** Price multiplier; a group that is new has 1. */
  ratio?: number | undefined
  /** What people read who may choose it. */
  desc?: string | undefined
  /** Whether everybody may choose it, and not only who is in it. */
  selectable?: boolean | undefined
}

const NAME_LENGTH_MAX = 64

/** What the options become when this group is made or changed. Throws GROUP_NAME_INVALID. */
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
  // To describe a group is to offer it: who may not choose it reads nothing of it.
  else if (selectable || desc !== undefined) usable.entries.set(name, desc ?? usable.entries.get(name) ?? name)
  return { changes: [ratios, usable].flatMap(changeOf), created }
}

/** What the options become when these groups are deleted. Throws GROUP_NOT_FOUND, GROUP_DEFAULT_KEPT. */
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
  return { key, was, entries: new Map(Object.entries(JSON.parse(was) as Record<string, T>)) }
}

function changeOf({ key, was, entries }: Table<unknown>): OptionChange[] {
  const value = JSON.stringify(Object.fromEntries(entries))
  return value === JSON.stringify(JSON.parse(was)) ? [] : [{ key, value, was }]
}
