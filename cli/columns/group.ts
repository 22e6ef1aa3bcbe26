import type { Group } from '../../core/groups/schema.ts'
import type { Column } from '../output/column.ts'

const count = (value: number | undefined) => (value === undefined ? '-' : String(value))

export const GROUP_COLUMNS: readonly Column<Group>[] = [
  { name: 'name', value: ({ name }) => name, cut: true },
  { name: 'ratio', value: ({ ratio }) => String(ratio), align: 'right' },
  { name: 'description', value: ({ desc }) => desc || '-', cut: true },
  { name: 'usable', value: ({ selectable }, { t }) => t(selectable ? 'label.everybody' : 'label.members') },
  { name: 'users', value: ({ users }) => count(users), align: 'right' },
  { name: 'tokens', title: 'keys-of-users', value: ({ tokens }) => count(tokens), align: 'right' },
  { name: 'channels', value: ({ channels }) => count(channels), align: 'right' },
]
